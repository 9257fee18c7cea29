"""What a statistic returns: a value with its uncertainty, or nothing with the reason."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Estimate:
    """One number with all that is needed to print and to repeat it.

    Parameters
    ----------
    value, low, high : float or None
        The estimate and the limits of its interval, in the unit the function documents. None where
        undefined; `reason` then says why in words that can stand on a page.
    p : float or None
        The p-value of the test that the function documents.
    n : int or None
        Observations that entered.
    method : str
        Name of the estimator and of the interval.
    seed : int or None
        Seed of the resampling, where there was one.
    reason : str or None
        Why `value` (or, where the value stands, the interval) is undefined.
    notes : tuple of str
        What a reader must know to use the number.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    n: int | None = None
    method: str = ""
    seed: int | None = None
    reason: str | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return self.value is not None

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form: members that do not apply are left out, an undefined value is null."""
        members = {
            "low": self.low,
            "high": self.high,
            "p": self.p,
            "n": self.n,
            "method": self.method or None,
            "seed": self.seed,
            "reason": self.reason,
            "notes": list(self.notes) or None,
        }
        return {"value": self.value} | {k: v for k, v in members.items() if v is not None}


def undefined(reason: str, *, method: str = "", n: int | None = None) -> Estimate:
    """Return an estimate without a value, with the reason in words."""
    return Estimate(value=None, method=method, n=n, reason=reason)
