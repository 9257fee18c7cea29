"""Recomputes the numbers of published papers that follow from other numbers printed there.

A check is one published number, the same number recomputed by this library, and the tolerance, half
a unit of the last printed digit unless the source says otherwise. What is known not to recompute is
listed beside the published values with its reason; everything else must agree.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from scipy import special, stats

from analysis.stats.association import correlation_p
from analysis.stats.concordance import concordance_from_spearman
from analysis.stats.proportions import binomial_test, clopper_pearson

Inputs = Mapping[str, Any]
# Limits are compared in floating point: 0.0005 of a printed digit must not fail at 0.00050000001.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Check:
    """One published number and the same number recomputed.

    Parameters
    ----------
    id : str
        Paper, quantity, and place within it.
    published, recomputed : float
        The number as printed and as recomputed; 0 or 1 for a statement that is false or true.
    tolerance : float
        Largest difference that counts as agreement.
    known : str or None
        Why this number is known not to recompute, or under which reading it does.
    """

    id: str
    published: float
    recomputed: float
    tolerance: float
    known: str | None = None

    @property
    def difference(self) -> float:
        """Recomputed minus published."""
        return self.recomputed - self.published

    @property
    def ok(self) -> bool:
        """Whether the two agree within the tolerance."""
        return abs(self.difference) <= self.tolerance + ROUNDING

    @property
    def verdict(self) -> str:
        """Agreement in one word."""
        if self.ok:
            return "agrees"
        return "known" if self.known else "differs"

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "id": self.id,
            "published": self.published,
            "recomputed": self.recomputed,
            "difference": self.difference,
            "tolerance": self.tolerance,
            "ok": self.ok,
            "known": self.known,
        }


@dataclass(frozen=True)
class Reproduction:
    """All checks, with their tally.

    Parameters
    ----------
    checks : tuple of Check
        In the order of their sources.
    """

    checks: tuple[Check, ...]

    @property
    def passed(self) -> int:
        """Checks that agree."""
        return sum(check.ok for check in self.checks)

    @property
    def known(self) -> int:
        """Checks that differ for a reason that is listed."""
        return sum(check.verdict == "known" for check in self.checks)

    @property
    def failed(self) -> int:
        """Checks that differ without a listed reason."""
        return sum(check.verdict == "differs" for check in self.checks)

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "checks": [check.as_dict() for check in self.checks],
            "passed": self.passed,
            "known": self.known,
            "failed": self.failed,
        }


def printed_checks(document: Mapping[str, Any]) -> tuple[Check, ...]:
    """Recompute every check of a document in the form of tests/oracles/published.json.

    Parameters
    ----------
    document : mapping
        "checks": a list of {"id", "inputs", "expect", "tol"}; "known", optional: id to reason.
    """
    known = document.get("known", {})
    found: list[Check] = []
    for entry in document["checks"]:
        compute = COMPUTATIONS.get(entry["id"])
        if compute is None:
            raise ValueError(
                f"Nothing recomputes {entry['id']!r}; add it to COMPUTATIONS or remove the entry."
            )
        result = compute(entry["inputs"])
        found += compared(entry["id"], entry["expect"], result, entry["tol"], known)
    return all_known_used(found, known)


def compared(
    name: str, expected: Any, recomputed: Any, tolerance: float, known: Mapping[str, str]
) -> Iterator[Check]:
    """Yield a check for each number of two structures of one shape."""
    if isinstance(expected, Mapping):
        for key, value in expected.items():
            yield from compared(f"{name}.{key}", value, recomputed[key], tolerance, known)
    elif isinstance(expected, list):
        for place, value in enumerate(expected):
            yield from compared(f"{name}[{place}]", value, recomputed[place], tolerance, known)
    else:
        yield Check(name, float(expected), float(recomputed), tolerance, known.get(name))


def all_known_used(checks: Iterable[Check], known: Mapping[str, str]) -> tuple[Check, ...]:
    """Return the checks, or say which listed exception belongs to none of them."""
    found = tuple(checks)
    stray = set(known) - {check.id for check in found}
    if stray:
        raise ValueError(f"These listed exceptions belong to no check: {sorted(stray)}.")
    return found


def _two_sided_p(given: Inputs) -> float:
    p = correlation_p(given["rho"], given["n"] - 2)
    if p is None:
        raise ValueError(f"A correlation of {given['rho']} over {given['n']} pairs has no p by t.")
    return p


def _slope(given: Inputs) -> float:
    gaps = given["gaps"]
    return float(stats.linregress(np.arange(len(gaps)), gaps).slope)


def _stability(given: Inputs) -> dict[str, float]:
    gaps = np.asarray(given["gaps"])
    return {"mean": gaps.mean(), "sd": gaps.std(ddof=1), "range": np.ptp(gaps)}


def _raw_preference(given: Inputs) -> dict[str, Any]:
    share = clopper_pearson(given["k"], given["n"])
    test = binomial_test(given["k"], given["n"], alternative="greater")
    return {"p_hat": share.value, "ci": [share.low, share.high], "p_one_sided": test.p}


def _modelled_preference(given: Inputs) -> dict[str, Any]:
    """Take a printed odds ratio with its 95 % Wald limits back to the probability scale."""
    low, high = np.log(given["ci"])
    se = (high - low) / (2 * NormalDist().inv_cdf(0.975))
    z = float(np.log(given["odds_ratio"]) / se)
    return {
        "p_hat": special.expit(np.log(given["odds_ratio"])),
        "ci": [special.expit(low), special.expit(high)],
        "p_one_sided": NormalDist().cdf(-z),
    }


def _design(given: Inputs) -> dict[str, int]:
    slots = given["items"] * given["replication"]
    size, longer = divmod(slots, given["forms"])
    return {
        "slots": slots,
        f"forms_of_{size + 1}": longer,
        f"forms_of_{size}": given["forms"] - longer,
    }


def _funnel(given: Inputs) -> dict[str, int]:
    """Leave out the forms of the excluded: all of ten, but for one of the two forms of nine."""
    excluded = given["attention_failed"] + given["contradictory"]
    judgments = 1998 - (10 * excluded - 1) - given["item_level"]
    return {"annotators": given["recruited"] - excluded, "evaluations": judgments}


def _saturation(given: Inputs) -> dict[str, float]:
    return {unit: part / whole for unit, (part, whole) in given.items()}


def _ceiling(given: Inputs) -> dict[str, float]:
    difference = given["high"] - given["low"]
    flag = given["min_median"] >= 4.5 and difference < 0.5  # noqa: PLR2004 - the printed rule
    return {"difference": difference, "flag": float(flag)}


def _shared_wrong(given: Inputs) -> dict[str, float]:
    return {
        "base_rate": given["shared_wrong"] / given["pairs"],
        "lift": given["captured"] / given["budget"],
    }


COMPUTATIONS: dict[str, Callable[[Inputs], Any]] = {
    "clcg.macro_net": lambda given: given["macro"] - given["pt"],
    "clcg.micro_net": lambda given: given["micro"] - given["pt"],
    "clcg.micro_minus_macro": lambda given: given["micro"] - given["macro"],
    "clcg.rep0_shift": lambda given: given["all_reps"] - given["rep0"],
    "clcg.rows": lambda given: given["n_en"] + given["n_target"],
    "clcg.status_rows": lambda given: given["ok"] + given["unparseable"] + given["missing"],
    "clcg.relative_reduction": lambda given: given["micro"] / given["en_mean"],
    "clcg.depth_slope": _slope,
    "clcg.stability_mean_spearman": lambda given: np.mean(given["rhos"]),
    "clcg.stability_W": lambda given: concordance_from_spearman(
        float(np.mean(given["rhos"])), given["m"]
    ),
    "clcg.stability_mean": _stability,
    "clcg.joshi_p": _two_sided_p,
    "clcg.joshi_sensitivity_p": _two_sided_p,
    "clcg.fertility_p": _two_sided_p,
    "clcg.partial_fertility_p": _two_sided_p,
    "clcg.partial_script_p": _two_sided_p,
    "human.class_p": _two_sided_p,
    "human.pref_raw": _raw_preference,
    "human.pref_model": _modelled_preference,
    "human.design_slots": _design,
    "human.funnel": _funnel,
    "human.mean_raters": lambda given: given["evaluations"] / given["items"],
    "human.saturation_share": _saturation,
    "human.ceiling_flag": _ceiling,
    "errors.loss_share": lambda given: given["loss"] / given["pairs"],
    "errors.fine_agreement": lambda given: given["exact"] / given["sides"],
    "trace.dissociation_bottom": lambda given: 1 - given["outside"],
    "trace.base_rate": _shared_wrong,
}
