"""The report of the cross-lingual gap: in which order a reader needs it, each part with its sentence."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures.clcg import clcg_figures
from analysis.pipelines.clcg.document import document
from analysis.pipelines.clcg.result_tables import result_tables
from analysis.pipelines.clcg.study import Study
from analysis.reports.bundle import Report
from analysis.reports.estimates import bracketed
from analysis.reports.page import Section
from analysis.stats.results import Estimate

# Below this a p is not told more exactly.
SMALLEST_P = 1e-4
CAPTIONS = {
    "gaps": "The gap of the whole band: pooled (micro), mean of languages (macro), net of the baseline",
    "gap_by_language": "Gap of every language with its 95 % interval; dashed: the baseline",
    "net_by_language": "Gap of every target language less that of the baseline",
    "by_language": "Mean, gap and net gap of every language",
    "by_class": "Mean gap of the languages of each resource class",
    "gap_by_class": "Gap against resource class; open: a class of the sensitivity analysis only",
    "gap_by_model": "Gap of every model",
    "by_model": "All gaps of every model",
    "language_by_model": "Gap of every language and model",
    "gap_by_level": "Gap by level in standard deviations of the level's scores",
    "by_level": "Gap by level, raw and standardised; raw gaps of different metrics do not compare",
    "by_source": "Gap on generated and on human items",
    "by_metric": "Gap by metric; their scales differ",
    "hypotheses": "The declared family of tests, raw and adjusted",
    "equivalence": "Two one-sided tests of equivalence",
    "mixed_models": "Mixed models beside the bootstrap",
    "exposure": "Gap on memorable and on new documents",
    "memorable_and_new": "Gap on memorable less gap on new documents",
    "factors": "Rank correlation of the gap with properties of languages, with 95 % intervals over languages",
    "parsing": "Gap under both rules for answers that could not be parsed",
    "parsing_rules": "Gap of all models and of each under both parsing rules",
    "stability": "Gap over repetitions of the same calls",
    "context_gain": "What the passage adds to the score, on matched models and items",
    "scopes": "Gap with the whole text against gap with the linked paragraphs, on matched rows",
    "external": "Language gaps in both corpora, levels matched",
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
    )


def _sections(
    study: Study, tables: Mapping[str, pd.DataFrame], drawn: Mapping[str, Figure]
) -> list[Section]:
    def part(heading: str, sentences: tuple[str, ...], *names: str) -> Section:
        return Section(
            heading,
            sentences,
            tuple(name for name in names if name in tables),
            tuple(name for name in names if name in drawn),
        )

    return [
        part("What was analysed", _sample(study), "excluded"),
        part("The gap", _gap(study), "gaps"),
        part("By language", (), "gap_by_language", "net_by_language", "by_language"),
        part("By model", (), "gap_by_model", "by_model", "language_by_model"),
        part("By level and source", _levels(study), "gap_by_level", "by_level", "by_source"),
        part("Hypotheses", _hypotheses(study), "hypotheses", "mixed_models", "equivalence"),
        part("Memorable and new documents", _exposure(study), "memorable_and_new", "exposure"),
        part("Properties of languages", _factors(study), "gap_by_class", "by_class", "factors"),
        part("Stability", _stability(study), "stability"),
        part("What the passage adds", _context(study), "context_gain"),
        part("The whole text or paragraphs", _scopes(study), "scopes"),
        part("Another corpus", _external(study), "external_corpus", "external"),
        part("Parsing and metrics", _parsing(study), "parsing_rules", "parsing", "by_metric"),
    ]


def shown(found: Estimate) -> str:
    """Return an estimate as a reader sees it, or why there is none."""
    text = bracketed(found, ".3f")
    if found.p is None:
        return text
    return f"{text}, p < {SMALLEST_P:g}" if found.p < SMALLEST_P else f"{text}, p = {found.p:.2g}"


def _sample(study: Study) -> tuple[str, ...]:
    population = study.population
    settings, panel = population.settings, population.panel
    sentences = [
        (f"{population.sums.rows:,} scored responses were read; {int(population.sums.count[:, 0].sum()):,} "
        f"of the primary scope enter: {len(population.models)} models, {len(population.documents)} "
        f"documents, {len(panel.languages)} languages."),
        (f"The score is {settings.score}, the band {', '.join(settings.band)}; the reference language "
        f"is {panel.names.get(panel.reference, panel.reference)}."),
        (f"Intervals are percentiles of {settings.resamples:,} resamples of documents (seed "
        f"{settings.seed}); a document's rows are drawn together, and contrasts are taken inside each "
        "resample."),
    ]  # fmt: skip
    if population.excluded:
        rows = sum(one.rows for one in population.excluded)
        sentences.append(
            f"{len(population.excluded)} exclusions took {rows:,} rows; they are named below."
        )
    return tuple(sentences)


def _gap(study: Study) -> tuple[str, ...]:
    found = study.overall
    return (
        f"The mean of the reference language is {shown(found.reference)}.",
        (
            f"The pooled gap, reference mean less pooled target mean, is {shown(found.micro)}; the mean of the "
            f"languages' gaps is {shown(found.macro)}."
        ),
        (
            f"The baseline's own gap is {shown(found.baseline)}. Net of it remain {shown(found.net_macro)} as a mean "
            f"of languages and {shown(found.net_micro)} pooled: two different quantities."
        ),
    )


def _levels(study: Study) -> tuple[str, ...]:
    slope = study.levels.slope
    return (
        (
            f"The standardised gap changes by {shown(slope)} a level. It is an average trend and says nothing of "
            "single steps."
        ),
    )


def _hypotheses(study: Study) -> tuple[str, ...]:
    family = study.family
    sentences = [
        (
            f"{family.size} tests form the family, adjusted by {family.method}. A hypothesis is supported where "
            "its interval excludes 0 and its adjusted p is at most "
            f"{family.level:g}; a mixed model supports, and never carries, a finding."
        )
    ]
    if family.left_out:
        sentences.append(f"Without a p, and out of the family: {', '.join(family.left_out)}.")
    failed = [key for key, one in study.mixed.items() if not one.supports]
    if failed:
        sentences.append(f"These mixed models support nothing: {', '.join(failed)}.")
    return tuple(sentences)


def _exposure(study: Study) -> tuple[str, ...]:
    found = study.exposure
    words = [f"{model}: {reason}." for model, reason in found.reasons.items()]
    first = f"Memorable less new, over models with both kinds: {shown(found.pooled.difference)}."
    last = "A date before the cutoff makes exposure possible; it does not show that there was any."
    return (first, *words, last)


def _factors(study: Study) -> tuple[str, ...]:
    found = study.factors
    regression = found.regression
    ols = (
        f"Standardised least squares: R² = {regression.r_squared:.3f} over {regression.n} languages; it "
        "describes and infers nothing."
        if regression.r_squared is not None
        else f"No least squares: {regression.reason}."
    )
    return (
        (
            f"{len(found.languages)} languages have a class. Class and gap: {shown(found.rank['resource_class'])}; "
            f"with the sensitivity classes: {shown(found.sensitivity)}."
        ),
        ols,
        "Languages are few and their properties go together: none of this is a cause.",
    )


def _stability(study: Study) -> tuple[str, ...]:
    found = study.stability
    halves = (
        f"Random halves of the documents order the languages alike with {shown(study.halves.mean)}."
    )
    if len(found.repetitions) < 2:  # noqa: PLR2004 - one repetition repeats nothing
        return ("There is one repetition.", halves)
    run = found.pooled
    spread = (
        "" if run.sd is None else f" (mean {run.mean:.3f}, SD {run.sd:.3f}, range {run.spread:.3f})"
    )
    gaps = ", ".join(f"{gap:.3f}" for gap in run.gaps if gap is not None)
    return (
        f"Over {found.documents} documents with all repetitions the gap is {gaps}{spread}.",
        f"Kendall's W of the models' order is {shown(found.w)}.",
        (
            f"From repetition {found.repetitions[0]} alone it is {shown(found.first_only)}; all repetitions shift it by "
            f"{shown(found.shift)}."
        ),
        halves,
    )


def _context(study: Study) -> tuple[str, ...]:
    found = study.context
    if found.reason is not None:
        return (f"Not analysed: {found.reason}.",)
    return (
        (
            f"Without a passage the mean score is {shown(found.closed_mean)}; {found.unmatched:,} closed-book scores "
            "have no match."
        ),
        "Being right without the passage may be knowledge, inference or luck; it shows no memorising.",
    )


def _scopes(study: Study) -> tuple[str, ...]:
    found = study.scopes
    if found.reason is not None:
        return (f"Not analysed: {found.reason}.",)
    pooled = found.pooled
    return (
        (
            f"On the same rows of {found.documents} documents the gap is {shown(pooled.full)} with the whole text and "
            f"{shown(pooled.grounded)} with the linked paragraphs: a difference of {shown(pooled.difference)}."
        ),
    )


def _external(study: Study) -> tuple[str, ...]:
    found = study.external
    if found is None:
        return ("No other corpus was given.",)
    return (
        (
            f"Its gap is {shown(found.micro)}. The order of the languages agrees with {shown(found.matched)} at "
            f"matched levels, and with {shown(found.headline)} against the primary band; halves of it agree with "
            f"{shown(found.halves.mean)}."
        ),
    )


def _parsing(study: Study) -> tuple[str, ...]:
    found = study.parsing
    counts = ", ".join(f"{n:,} {status}" for status, n in found.counts.items())
    sentences = [
        (
            f"Of the rows of the primary contrast {counts}. Leaving failures out gives {shown(found.excluded.micro)} in "
            f"place of {shown(found.as_zero.micro)}, a shift of {shown(found.shift)}."
        )
    ]
    if fallback := study.population.sums.fallback:
        sentences.append(
            f"{fallback:,} failures have a score other than 0 in the table, and keep it."
        )
    return tuple(sentences)
