"""The report of the cross-lingual gap: in which order a reader needs it, each part with its sentence."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures.clcg import clcg_figures
from analysis.pipelines.clcg.document import document
from analysis.pipelines.clcg.result_tables import result_tables
from analysis.pipelines.clcg.study import Study
from analysis.reports import clcg_words as words
from analysis.reports.bundle import Report
from analysis.reports.clcg_alternatives import alternatives
from analysis.reports.page import Section, section_of

CAPTIONS = {
    "gaps": "The gap of the whole band: pooled (micro), as a share of the reference mean (relative), mean of languages (macro), net of the baseline",
    "gap_by_language": "Gap of every language with its 95 % interval; dashed: the baseline",
    "net_by_language": "Gap of every target language less that of the baseline",
    "by_language": "Mean, gap and net gap of every language",
    "by_class": "Mean gap of the languages of each resource class",
    "gap_by_class": "Gap against resource class; open: a class of the sensitivity analysis only",
    "gap_by_model": "Gap of every model",
    "by_model": "All gaps of every model",
    "gap_by_level": "Gap by level in standard deviations of the level's scores",
    "by_level": "Gap by level, raw and standardised; raw gaps of different metrics do not compare",
    "by_source": "Gap on generated and on human items",
    "by_metric": "Gap by metric; their scales differ",
    "by_aggregation": "Gap by what has equal weight: each row, language, model or document",
    "hypotheses": "The declared family of tests, raw and adjusted",
    "equivalence": "Two one-sided tests of equivalence",
    "mixed_models": "Mixed models beside the bootstrap",
    "exposure": "Gap on memorable and on new documents, and how many documents are which to each model",
    "memorable_and_new": "Gap on memorable less gap on new documents",
    "factors": "Rank correlation of the gap with properties of languages, with 95 % intervals over languages",
    "parsing": "Gap under both rules for answers that could not be parsed",
    "parsing_rules": "Gap of all models and of each under both parsing rules",
    "people_by_class": "What people gave on average and the gap, by resource class",
    "stability": "Gap over repetitions of the same calls",
    "rank_agreement": "How alike models and languages are ordered",
    "context_gain": "What the passage adds to the score, on matched models and items",
    "scopes": "Gap with the whole text against gap with the linked paragraphs, on matched rows",
    "external": "Language gaps in both corpora, levels matched",
    "external_by_model": "Gap of every model in the other corpus",
    "external_corpus": "Language gaps in two corpora",
    "excluded": "What was left out, and why",
}


def clcg_report(study: Study, *, figures: bool = True) -> Report:
    """Return the report of a study."""
    tables = result_tables(study)
    drawn = clcg_figures(study) if figures else {}
    return Report(
        title="The cross-lingual gap",
        results=document(study),
        tables=tables,
        figures=drawn,
        sections=tuple(_sections(study, tables, drawn)),
        captions=CAPTIONS,
        alternatives=alternatives(study),
    )


def _sections(
    study: Study, tables: Mapping[str, pd.DataFrame], drawn: Mapping[str, Figure]
) -> list[Section]:
    def part(heading: str, sentences: tuple[str, ...], *names: str) -> Section:
        return section_of(heading, sentences, names, tables, drawn)

    return [
        part("What was analysed", words.sample(study), "excluded"),
        part("The gap", words.gap(study), "gaps"),
        part("By language", words.languages(study), "gap_by_language", "net_by_language", "by_language"),
        part("By model", words.models(study), "gap_by_model", "by_model"),
        part("By level and source", words.levels(study), "gap_by_level", "by_level", "by_source"),
        part("Hypotheses", words.hypotheses(study), "hypotheses", "mixed_models", "equivalence"),
        part("Memorable and new documents", words.exposure(study), "memorable_and_new", "exposure"),
        part("Properties of languages", words.factors(study), "gap_by_class", "by_class", "factors"),
        *([part("People by class", words.people(study), "people_by_class")] if study.people else []),
        part("Stability", words.stability(study), "stability", "rank_agreement"),
        part("What the passage adds", words.context(study), "context_gain"),
        part("The whole text or paragraphs", words.scopes(study), "scopes"),
        part("Another corpus", words.external(study), "external_corpus", "external", "external_by_model"),
        part("Other choices", words.choices(study), "by_aggregation", "parsing_rules", "parsing", "by_metric"),
    ]  # fmt: skip
