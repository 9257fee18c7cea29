"""Share of ones among judgments that share annotators and items: logistic, two crossed intercepts."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit
from scipy.stats import norm

from analysis.stats.crossed import PROBES, Crossing, levels
from analysis.stats.laplace import LaplaceDeviance, averaged_probability
from analysis.stats.optimise import Optimum, minimise_even
from analysis.stats.results import Estimate, undefined
from analysis.stats.threads import one_thread

FloatArray = npt.NDArray[np.float64]
Levels = tuple[npt.NDArray[np.int64], int]
Alternative = Literal["greater", "less", "two-sided"]

FACTORS = ("annotator", "pair")
# By the number of factors: without annotators, or with them.
METHODS = {
    1: "y ~ 1 + (1 | pair), logistic, Laplace maximum likelihood",
    2: "y ~ 1 + (1 | annotator) + (1 | pair), logistic, Laplace maximum likelihood",
}
# A standard deviation of 10 on the logit scale says that a level answers all one way.
DIVERGED = 10.0


@dataclass(frozen=True)
class CrossedLogistic:
    """A fit of the logistic model with two crossed random intercepts.

    Parameters
    ----------
    intercept : Estimate
        Log odds at zero random effects, Wald interval, p against 0.
    standard_error : float or None
        Of the intercept, from the Hessian of the marginal likelihood.
    odds_ratio : Estimate
        Odds of a one at zero random effects: the exponential of the intercept and its limits.
    at_zero : Estimate
        Probability of a one for a typical annotator and a typical pair (both random effects 0).
    averaged : Estimate
        Probability of a one averaged over the random effects: for a random annotator and pair.
        It lies nearer to 1/2 than `at_zero`; its interval is by the delta method on the logit.
    sd_annotator, sd_pair : float or None
        Standard deviations of the random intercepts on the logit scale; None for annotators who are
        not in the model.
    deviance : float or None
        -2 log of the Laplace approximation to the marginal likelihood.
    n, successes, n_annotators, n_pairs : int
    singular : bool
        Whether a standard deviation is 0. That is a result: the data show no variation of that
        kind beyond chance.
    reason : str or None
        Why nothing is estimated.
    notes : tuple of str
    """

    intercept: Estimate
    standard_error: float | None
    odds_ratio: Estimate
    at_zero: Estimate
    averaged: Estimate
    sd_annotator: float | None
    sd_pair: float | None
    deviance: float | None
    n: int
    successes: int
    n_annotators: int
    n_pairs: int
    singular: bool
    reason: str | None = None
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        estimates = {k: v.as_dict() for k, v in vars(self).items() if isinstance(v, Estimate)}
        return asdict(self) | estimates | {"notes": list(self.notes)}


def crossed_logistic(
    y: npt.ArrayLike,
    annotator: npt.ArrayLike | None,
    pair: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    alternative: Alternative = "greater",
    probe_seed: int = 0,
) -> CrossedLogistic:
    """Fit y ~ 1 + (1 | annotator) + (1 | pair) by Laplace maximum likelihood.

    Where nobody judged two pairs, a person's leaning cannot be told from chance, and the model with
    annotators is refused; with None for them, y ~ 1 + (1 | pair) is fitted.

    Parameters
    ----------
    y : (n,) of 0 and 1
        Decisive judgments; 1 is the answer whose probability is wanted.
    annotator, pair : (n,) labels
        Who judged and what was judged; integers or strings. None: no intercept of annotators.
    confidence : float
        Coverage of the intervals.
    alternative : {"greater", "less", "two-sided"}
        Of the test of log odds 0 (probability 1/2).
    probe_seed : int
        Seed of the signs that estimate determinant and H⁻¹; used only where both factors have more
        than 5,000 levels.

    Returns
    -------
    CrossedLogistic
        Undefined, with the reason, where there are no judgments, a judgment is missing, all answers
        are equal, a factor has one level, a factor's levels were judged once each or are all
        unanimous (its variance has no finite estimate), the two factors divide the judgments alike,
        or the optimiser did not converge.

    Raises
    ------
    ValueError
        For arrays of different lengths, answers other than 0 and 1, missing labels.

    Notes
    -----
    With η = β + σ_a u_annotator + σ_p v_pair and u, v independent standard normal, the marginal
    likelihood is replaced by its Laplace approximation at the joint mode and maximised over
    (β, σ_a, σ_p). The standard error comes from the 3 × 3 Hessian; a standard deviation at 0 leaves
    it. This is `glmer(..., nAGQ = 1)` and `glmmTMB`, to 1e-4 in estimate and standard error.

    Source: Bates, Mächler, Bolker and Walker (2015), Fitting linear mixed-effects models using
    lme4, J. Stat. Softw. 67(1); Breslow and Clayton (1993), JASA 88(421).

    Examples
    --------
    >>> y = [1, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 0]
    >>> fit = crossed_logistic(y, [1, 2, 3] * 4, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])
    >>> round(fit.at_zero.value, 3), fit.singular
    (0.667, True)
    >>> crossed_logistic([1, 1, 1], [1, 2, 2], [1, 1, 2]).reason
    'all 3 answers are equal: the log odds have no finite estimate'
    """
    values = np.asarray(y, dtype=np.float64)
    who = np.zeros(len(values), dtype=np.int64) if annotator is None else annotator
    _check(values, who, pair, confidence, alternative)
    groups = levels(who, "annotator"), levels(pair, "pair")
    factors = dict(zip(FACTORS, groups, strict=True))
    if annotator is None:
        del factors["annotator"]
    empty = _empty(values, METHODS[len(factors)], factors)
    if (reason := _refusal(values, factors)) is not None:
        return _without(empty, reason)
    crossing = Crossing.fold(*groups)
    with one_thread():
        optimum = _maximise(crossing, values, probe_seed, len(factors))
    found = optimum.x[1:]
    deviations = found[::-1] if crossing.swapped and len(factors) > 1 else found
    if deviations.max() > DIVERGED:
        return _without(empty, _divergence(list(factors)[int(np.argmax(deviations))]))
    if not optimum.converged:
        return _without(empty, "the optimiser did not converge: the likelihood is flat or uneven")
    seed = probe_seed if crossing.is_huge else None
    wald = Wald(confidence, alternative, len(values), seed, METHODS[len(factors)])
    return _fitted(empty, optimum, dict(zip(factors, map(float, deviations), strict=True)), wald)


def why_not_fitted(
    values: FloatArray, annotator: npt.ArrayLike, pair: npt.ArrayLike, confidence: float
) -> str | None:
    """Return the reason why judgments have no finite estimate; wrong use raises ValueError."""
    _check(values, annotator, pair, confidence, "greater")
    both = levels(annotator, "annotator"), levels(pair, "pair")
    return _refusal(values, dict(zip(FACTORS, both, strict=True)))


def _check(
    values: FloatArray,
    annotator: npt.ArrayLike,
    pair: npt.ArrayLike,
    confidence: float,
    alternative: str,
) -> None:
    shapes = values.shape, np.shape(annotator), np.shape(pair)
    if values.ndim != 1 or len(set(shapes)) != 1:
        message = f"y, annotator and pair must be one-dimensional and equally long, not {shapes}."
        raise ValueError(message)
    wrong = values[~np.isin(values, (0, 1)) & ~np.isnan(values)]
    if len(wrong):
        message = f"y must hold 0 and 1 only; it holds {wrong[0]:g}."
        raise ValueError(message)
    if not 0 < confidence < 1:
        message = f"confidence must lie between 0 and 1, such as 0.95; it is {confidence:g}."
        raise ValueError(message)
    if alternative not in ("greater", "less", "two-sided"):
        message = f"alternative must be greater, less or two-sided; it is {alternative!r}."
        raise ValueError(message)


def _refusal(values: FloatArray, factors: Mapping[str, Levels]) -> str | None:
    """Return why there is nothing to fit, if so."""
    n = len(values)
    if n == 0:
        return "there are no judgments"
    if missing := int(np.isnan(values).sum()):
        return f"{missing} of {n} judgments are missing (NaN): leave them out and say so"
    if values.min() == values.max():
        return f"all {n} answers are equal: the log odds have no finite estimate"
    for name, (codes, count) in factors.items():
        if (reason := _unidentified(values, codes, count, name)) is not None:
            return reason
    if len(factors) > 1 and _alike(*factors.values()):
        return (
            "annotators and pairs divide the judgments alike: their variances cannot be told apart"
        )
    return None


def _alike(one: Levels, other: Levels) -> bool:
    """Whether two factors put the same judgments together."""
    return len(np.unique(one[0] * other[1] + other[0])) == one[1] == other[1]


def _unidentified(
    values: FloatArray, codes: npt.NDArray[np.int64], count: int, name: str
) -> str | None:
    if count == 1:
        return f"there is only one {name}: a variance between them is not defined"
    totals, ones = np.bincount(codes), np.bincount(codes, values)
    if totals.max() == 1:
        return f"no {name} has two judgments: its variance cannot be told from chance"
    if ((ones == 0) | (ones == totals)).all():
        return (
            f"every {name} is unanimous: its variance has no finite estimate, "
            "and different optimisers give opposite answers"
        )
    return None


def _divergence(name: str) -> str:
    return (
        f"the standard deviation between levels of {name} diverges (beyond {DIVERGED:g} on the "
        f"logit scale): nearly every one answers all one way, and a Wald interval means nothing"
    )


def _maximise(crossing: Crossing, values: FloatArray, seed: int, factors: int) -> Optimum:
    probes = crossing.probes(np.random.default_rng(seed)) if crossing.is_huge else None
    ones = crossing.cell_sums(values)
    deviance = LaplaceDeviance(crossing, crossing.cell_sums(), ones, probes)
    start = np.array([float(logit(values.mean())), 0.5, 0.5])
    if factors > 1:
        return minimise_even(deviance, start, even=(1, 2))

    def of_pairs(x: FloatArray) -> tuple[float, FloatArray]:
        # The factor that is left out has one level and so stands second.
        value, gradient = deviance(np.append(x, 0.0))
        return value, gradient[:-1]

    return minimise_even(of_pairs, start[:-1], even=(1,))


@dataclass(frozen=True)
class Wald:
    """How an estimate becomes an interval and a p-value."""

    confidence: float
    alternative: Alternative
    n: int
    seed: int | None
    model: str = METHODS[2]

    def estimate(self, value: float, error: float, what: str) -> Estimate:
        """Return value ± quantile × error with the p-value against 0."""
        reach = float(norm.ppf((1 + self.confidence) / 2)) * error
        z = value / error
        p = {"greater": norm.sf(z), "less": norm.cdf(z), "two-sided": 2 * norm.sf(abs(z))}
        return Estimate(
            value=value,
            low=value - reach,
            high=value + reach,
            p=float(p[self.alternative]),
            n=self.n,
            method=f"{what}; {self.model}; Wald interval {self.confidence:.0%}, p {self.alternative}",
            seed=self.seed,
        )


def _through(estimate: Estimate, change: np.ufunc, what: str) -> Estimate:
    value, low, high = (float(change(x)) for x in (estimate.value, estimate.low, estimate.high))
    method = f"{what}; {estimate.method.partition('; ')[2]}"
    return replace(estimate, value=value, low=low, high=high, method=method)


def _fitted(
    empty: CrossedLogistic, optimum: Optimum, deviations: Mapping[str, float], wald: Wald
) -> CrossedLogistic:
    covariance = 2 * np.linalg.inv(optimum.hessian)
    error = float(np.sqrt(covariance[0, 0]))
    intercept = wald.estimate(float(optimum.x[0]), error, "log odds")
    mean, slope = averaged_probability(float(optimum.x[0]), optimum.x[1:])
    spread = float(np.sqrt(slope @ covariance @ slope)) / (mean * (1 - mean))
    averaged = wald.estimate(float(logit(mean)), spread, "log odds of the averaged probability")
    return replace(
        empty,
        intercept=intercept,
        standard_error=error,
        odds_ratio=_through(intercept, np.exp, "odds ratio"),
        at_zero=_through(intercept, expit, "probability at zero random effects"),
        averaged=_through(averaged, expit, "probability averaged over the random effects"),
        sd_annotator=deviations.get("annotator"),
        sd_pair=deviations["pair"],
        deviance=optimum.value,
        singular=0 in deviations.values(),
        notes=_notes(deviations, wald.seed),
    )


def _notes(deviations: Mapping[str, float], seed: int | None) -> tuple[str, ...]:
    notes = [
        f"singular: the {name} variance is estimated as 0"
        for name, deviation in deviations.items()
        if deviation == 0
    ]
    if seed is not None:
        notes.append(
            f"determinant and inverse are estimated with {PROBES} sign vectors (seed {seed}), "
            "because both factors are too large for a dense factor"
        )
    return tuple(notes)


def _empty(values: FloatArray, model: str, factors: Mapping[str, Levels]) -> CrossedLogistic:
    nothing = undefined("not fitted", method=model, n=len(values))
    return CrossedLogistic(
        intercept=nothing,
        standard_error=None,
        odds_ratio=nothing,
        at_zero=nothing,
        averaged=nothing,
        sd_annotator=None,
        sd_pair=None,
        deviance=None,
        n=len(values),
        successes=int(np.nansum(values)),
        n_annotators=factors["annotator"][1] if "annotator" in factors else 0,
        n_pairs=factors["pair"][1],
        singular=False,
    )


def _without(empty: CrossedLogistic, reason: str) -> CrossedLogistic:
    nothing = replace(empty.intercept, reason=reason)
    return replace(
        empty,
        intercept=nothing,
        odds_ratio=nothing,
        at_zero=nothing,
        averaged=nothing,
        reason=reason,
    )
