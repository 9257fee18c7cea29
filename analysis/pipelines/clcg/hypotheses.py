"""The confirmatory hypotheses with their declared family, and equivalence, which stands outside it."""

from collections.abc import Mapping
from dataclasses import dataclass

from analysis.pipelines.clcg.exposure import Exposure
from analysis.pipelines.clcg.gaps import NO_BASELINE, GapSet
from analysis.pipelines.clcg.grid import Grid, Statistic, less
from analysis.pipelines.clcg.levels import Levels
from analysis.pipelines.clcg.mixed import Mixed
from analysis.stats.equivalence import Equivalence, tost_bootstrap, tost_paired
from analysis.stats.multiplicity import Adjusted, benjamini_hochberg
from analysis.stats.results import Estimate, undefined

NO_MARGIN = (
    "no margin of equivalence was declared: what counts as equal cannot be read off the data"
)


@dataclass(frozen=True)
class Hypothesis:
    """One test of the family: its estimate with the raw p, and the adjusted p."""

    key: str
    statement: str
    estimate: Estimate
    p_adjusted: float | None
    supported: bool | None


@dataclass(frozen=True)
class Family:
    """All tests, and those that left because their p is undefined."""

    tests: tuple[Hypothesis, ...]
    size: int
    left_out: tuple[str, ...]
    method: str
    level: float


def source_difference(by_source: Grid) -> Estimate:
    """Return the gap on human items less that on generated ones; p is two-sided."""
    difference = less(by_source.micro(1), by_source.micro(0))
    return by_source.estimate(difference, by_source.rows(0) + by_source.rows(1), "two-sided")


def family_of(
    overall: GapSet,
    by_model: Mapping[str, GapSet],
    exposure: Exposure,
    levels: Levels,
    by_source: Grid,
    mixed: Mapping[str, Mixed],
) -> Family:
    """Return H1 pooled and by model, H2 with its mixed model, H3 and H4, adjusted together."""
    tests: list[tuple[str, str, Estimate]] = [
        ("H1", "The pooled gap is above 0", overall.micro),
        *(
            (f"H1 {model}", f"The gap of {model} is above 0", found.micro)
            for model, found in by_model.items()
        ),
        ("H2", "The gap is smaller on memorable than on new documents", exposure.pooled.difference),
        ("H2 mixed model", "The same, as an interaction", _supporting(mixed["H2"])),
        ("H3", "The standardised gap grows with the level", levels.slope),
        ("H4", "The gap differs between human and generated items", source_difference(by_source)),
    ]
    adjusted = benjamini_hochberg([e.p for _, _, e in tests], [key for key, _, _ in tests])
    return Family(
        tuple(_judged(test, adjusted, i) for i, test in enumerate(tests)),
        adjusted.family,
        adjusted.left_out,
        adjusted.method,
        adjusted.level,
    )


def _supporting(model: Mixed) -> Estimate:
    return model.coefficient if model.supports else undefined(
        model.coefficient.reason or "the model did not converge and supports nothing"
    )  # fmt: skip


def _judged(test: tuple[str, str, Estimate], adjusted: Adjusted, place: int) -> Hypothesis:
    key, statement, found = test
    p = adjusted.adjusted[place]
    rejected = adjusted.rejected[place]
    excludes = found.low is not None and found.high is not None and not found.low <= 0 <= found.high
    return Hypothesis(key, statement, found, p, None if rejected is None else rejected and excludes)


def equivalences(overall: Grid, by_source: Grid) -> dict[str, Estimate]:
    """Test whether the baseline equals the reference, and the two sources each other, in practice."""
    margin, baseline = overall.settings.margin, overall.panel.baseline
    names = ("baseline", "baseline_paired_t", "sources")
    if margin is None:
        return {name: undefined(NO_MARGIN) for name in names}
    sources = less(by_source.micro(1), by_source.micro(0))
    found: dict[str, Estimate] = {"sources": _tost(by_source, sources, margin)}
    if baseline is None:
        return found | {name: undefined(NO_BASELINE) for name in names[:2]}
    place = overall.place(baseline)
    found["baseline"] = _tost(overall, overall.gap(0, baseline), margin)
    found["baseline_paired_t"] = paired(overall, place, margin)
    return found


def paired(grid: Grid, place: int, margin: float) -> Equivalence:
    """Return the paired t version over the documents' own means in the two languages."""
    means = grid.document_means
    return tost_paired(means[:, 0, 0], means[:, 0, place], margin)


def _tost(grid: Grid, statistic: Statistic, margin: float) -> Estimate:
    value = grid.estimate(statistic)
    if value.value is None or grid.documents == 1:
        return undefined(value.reason or "there is one document, and nothing to resample")
    return tost_bootstrap(value.value, statistic(grid.drawn), margin)
