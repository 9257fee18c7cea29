"""Every agreement coefficient under one signature; the invariance tests run over this table."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from analysis.stats.alpha import krippendorff_alpha
from analysis.stats.gwet import gwet_ac, percent_agreement
from analysis.stats.kappa import fleiss_kappa, kappa_of_pair
from analysis.stats.ratings import Ratings
from analysis.stats.results import Estimate


@dataclass(frozen=True)
class Coefficient:
    """One agreement coefficient, and what its value does not depend on.

    Parameters
    ----------
    label : str
        Name to print.
    compute : callable
        From `Ratings` to an `Estimate`.
    levels : tuple of str
        Levels of measurement it suits.
    only_pairs : bool
        Compares exactly two raters.
    nominal : bool
        Does not change when labels exchange their names.
    ignores_unused_labels : bool
        Does not change when a label that nobody used joins the end of the scale.
    ignores_duplication : bool
        Does not change when every item appears twice. Alpha does: it corrects for the size of the
        sample, and (1 - alpha) grows by (2n - 1) / (2n - 2) with n pairable ratings.
    """

    label: str
    compute: Callable[[Ratings], Estimate]
    levels: tuple[str, ...]
    only_pairs: bool = False
    nominal: bool = True
    ignores_unused_labels: bool = True
    ignores_duplication: bool = True


ANY_LEVEL = ("nominal", "ordinal", "interval", "ratio")
SCALES = ("ordinal", "interval", "ratio")

COEFFICIENTS: dict[str, Coefficient] = {
    "alpha_nominal": Coefficient(
        "Krippendorff's alpha, nominal",
        partial(krippendorff_alpha, level="nominal"),
        ("nominal",),
        ignores_duplication=False,
    ),
    "alpha_ordinal": Coefficient(
        "Krippendorff's alpha, ordinal",
        partial(krippendorff_alpha, level="ordinal"),
        ("ordinal",),
        nominal=False,
        ignores_duplication=False,
    ),
    "alpha_interval": Coefficient(
        "Krippendorff's alpha, interval",
        partial(krippendorff_alpha, level="interval"),
        ("interval",),
        nominal=False,
        ignores_duplication=False,
    ),
    "alpha_ratio": Coefficient(
        "Krippendorff's alpha, ratio",
        partial(krippendorff_alpha, level="ratio"),
        ("ratio",),
        nominal=False,
        ignores_duplication=False,
    ),
    "percent_agreement": Coefficient("percent agreement", percent_agreement, ANY_LEVEL),
    "gwet_ac1": Coefficient("Gwet's AC1", gwet_ac, ("nominal",), ignores_unused_labels=False),
    "gwet_ac2_linear": Coefficient(
        "Gwet's AC2, linear weights",
        partial(gwet_ac, weights="linear"),
        SCALES,
        nominal=False,
        ignores_unused_labels=False,
    ),
    "gwet_ac2_quadratic": Coefficient(
        "Gwet's AC2, quadratic weights",
        partial(gwet_ac, weights="quadratic"),
        SCALES,
        nominal=False,
        ignores_unused_labels=False,
    ),
    "fleiss_kappa": Coefficient("Fleiss' kappa", fleiss_kappa, ("nominal",)),
    "cohen_kappa": Coefficient("Cohen's kappa", kappa_of_pair, ("nominal",), only_pairs=True),
    "cohen_kappa_linear": Coefficient(
        "Cohen's kappa, linear weights",
        partial(kappa_of_pair, weights="linear"),
        SCALES,
        only_pairs=True,
        nominal=False,
    ),
    "cohen_kappa_quadratic": Coefficient(
        "Cohen's kappa, quadratic weights",
        partial(kappa_of_pair, weights="quadratic"),
        SCALES,
        only_pairs=True,
        nominal=False,
    ),
}


def all_coefficients(ratings: Ratings, level: str) -> dict[str, Estimate]:
    """Compute every coefficient of the table that suits a level of measurement.

    Parameters
    ----------
    ratings : Ratings
    level : {"nominal", "ordinal", "interval", "ratio"}

    Returns
    -------
    dict
        Key of the table to its estimate; undefined ones with their reason, for example Cohen's
        kappa of three raters.

    Examples
    --------
    >>> data = Ratings.from_matrix([[1, 2, 2, 1], [1, 2, 1, 1]])
    >>> [key for key, found in all_coefficients(data, "nominal").items() if found.defined]
    ['alpha_nominal', 'percent_agreement', 'gwet_ac1', 'fleiss_kappa', 'cohen_kappa']
    """
    if level not in ANY_LEVEL:
        raise ValueError(f"The level of measurement {level!r} is unknown; use one of {ANY_LEVEL}.")
    suited = {key: each for key, each in COEFFICIENTS.items() if level in each.levels}
    return {key: each.compute(ratings) for key, each in suited.items()}
