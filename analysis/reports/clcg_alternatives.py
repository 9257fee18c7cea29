"""Figures of the cross-lingual gap in words, for those who do not see them."""

from collections.abc import Iterable, Mapping

from analysis.figures.clcg import GAP, RULES, both_corpora, both_rules, clcg_forests
from analysis.pipelines.clcg.study import Study
from analysis.reports.clcg_words import number
from analysis.stats.results import Estimate


def alternatives(study: Study) -> dict[str, str]:
    """Return every figure in words: what the axis is, then each row with its numbers."""
    forests = clcg_forests(study)
    found = {name: listed(plot.label, plot.rows) for name, plot in forests.items()}
    found["gap_by_level"] = listed("Standardised gap", study.levels.standardised)
    found["parsing_rules"] = _lines(
        f"{GAP}, {' and '.join(RULES)}",
        (f"{name} {number(zero)} and {number(without)}"
         for name, (zero, without) in both_rules(study.parsing).items()),
    )  # fmt: skip
    found["stability"] = _lines(
        f"{GAP} in repetitions {', '.join(study.stability.repetitions)}",
        (f"{model} {_gaps(run.gaps)}" for model, run in study.stability.by_model.items()),
    )
    found["gap_by_class"] = _lines(
        f"{GAP} by resource class",
        (f"class {c}: {number(one.gap)}, the mean of {', '.join(one.languages)}"
         for c, one in study.classes.items()),
    )  # fmt: skip
    if study.external is not None:
        found["external_corpus"] = _lines(
            "Gap in this and in the other corpus",
            (
                f"{code} {one:z.3f} and {two:z.3f}"
                for one, two, code in both_corpora(study.external)
            ),
        )
    return found


def listed(what: str, rows: Mapping[str, Estimate]) -> str:
    """Return estimates as one text: what they are, then each by name."""
    return _lines(what, (f"{name} {number(found)}" for name, found in rows.items()))


def _lines(what: str, lines: Iterable[str]) -> str:
    return f"{what}. {'; '.join(lines)}."


def _gaps(gaps: Iterable[float | None]) -> str:
    return ", ".join("none" if gap is None else f"{gap:z.3f}" for gap in gaps)
