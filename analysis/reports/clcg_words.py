"""What the report of the cross-lingual gap says, in sentences."""

from collections.abc import Mapping

from analysis.frames import Scores
from analysis.pipelines.clcg.population import SHOWN, counted_rows
from analysis.pipelines.clcg.study import Study
from analysis.reports.estimates import bracketed
from analysis.stats.equivalence import Equivalence
from analysis.stats.results import Estimate

# Below this a p is not told more exactly.
SMALLEST_P = 1e-4
NAMED = 3
Words = tuple[str, ...]


def number(found: Estimate) -> str:
    """Return an estimate with its interval, or why there is none."""
    return bracketed(found, "z.3f")


def shown(found: Estimate) -> str:
    """Return an estimate with its interval and p, or why there is none."""
    text = number(found)
    if found.p is None:
        return text
    return f"{text}, p < {SMALLEST_P:g}" if found.p < SMALLEST_P else f"{text}, p = {found.p:.2g}"


def sample(study: Study) -> Words:
    """Say what entered, by which score, and how intervals are made."""
    population = study.population
    settings, panel = population.settings, population.panel
    sentences = [
        (f"{population.sums.rows:,} scored responses were read; {int(population.sums.count[:, 0].sum()):,} "
        f"of the primary scope enter: {len(population.models)} models, {len(population.documents)} "
        f"documents, {len(panel.languages)} languages."),
        (f"The score is {settings.score}, the band {', '.join(settings.band)}; the reference language "
        f"is {_name(study, panel.reference)}."),
        (f"Intervals are percentiles of {settings.resamples:,} resamples of documents (seed "
        f"{settings.seed}); a document's rows are drawn together, and contrasts are taken inside each "
        "resample."),
    ]  # fmt: skip
    sentences += [
        f"Left out: {'' if one.kind == 'row' else f'{one.kind} '}{one.name} ({counted_rows(one.rows)}): "
        f"{one.reason}."
        for one in population.excluded[:SHOWN]
    ]
    if settings.items is not None:
        sentences.append(f"Only rows of the {settings.items:,} chosen items were read.")
    if hidden := population.excluded[SHOWN:]:
        rows = counted_rows(sum(one.rows for one in hidden))
        sentences.append(f"{len(hidden)} further exclusions took {rows}; excluded.csv names them.")
    return tuple(sentences)


def gap(study: Study) -> Words:
    """Say what the gap is: pooled, as a share, by language, net of the baseline."""
    found, baseline = study.overall, study.population.panel.baseline
    sentences = (
        f"The mean of the reference language is {shown(found.reference)}.",
        (
            f"The pooled gap, reference mean less pooled target mean, is {shown(found.micro)}; the mean of the "
            f"languages' gaps is {shown(found.macro)}."
        ),
        (
            f"The pooled gap is {bracketed(found.relative, '.1%')} of the reference mean: a share of this score, "
            "not of what was understood."
        ),
    )
    if baseline is None:
        return (*sentences, "No language is the baseline, so there is no net gap.")
    return (
        *sentences,
        (
            f"The gap of the baseline {_name(study, baseline)} is {shown(found.baseline)}. Net of it remain "
            f"{shown(found.net_macro)} as a mean of languages and {shown(found.net_micro)} pooled: two different "
            "quantities."
        ),
    )


def _name(study: Study, code: str) -> str:
    return study.population.panel.names.get(code, code)


def languages(study: Study) -> Words:
    """Say which languages lose most and least, and how many more or less than the baseline."""
    panel = study.population.panel
    gaps = {_name(study, code): study.languages[code].gap for code in panel.targets}
    sentences = [_ends("The largest gaps are those of", "the smallest that of", gaps)]
    net = [study.languages[code].net for code in panel.targets]
    if panel.baseline is not None and any(one.low is not None for one in net):
        above, below = _sides(net)
        sentences.append(
            f"Of {len(net)} target languages {above} lose more than the baseline and {below} less, by intervals "
            "that exclude 0; the others are not thereby equal to it."
        )
    return tuple(sentences)


def _ends(first: str, last: str, rows: Mapping[str, Estimate]) -> str:
    """Return a sentence that names the largest and the smallest of some estimates."""
    known = {name: e for name, e in rows.items() if e.value is not None}
    falling = sorted(known, key=lambda name: -(known[name].value or 0))
    told = [f"{name} {number(known[name])}" for name in falling]
    if len(told) <= NAMED:
        return f"{first} {', '.join(told)}."
    return f"{first} {', '.join(told[:NAMED])}; {last} {told[-1]}."


def _sides(found: list[Estimate]) -> tuple[int, int]:
    """Return how many intervals lie above and how many below 0."""
    above = sum(one.low is not None and one.low > 0 for one in found)
    return above, sum(one.high is not None and one.high < 0 for one in found)


def models(study: Study) -> Words:
    """Say how the gap differs by model, and whether models order the languages alike."""
    gaps = {model: found.micro for model, found in study.models.items()}
    above, _ = _sides(list(gaps.values()))
    sentences = [
        _ends("The largest gaps are those of", "the smallest that of", gaps),
        f"The intervals of {above} of {len(gaps)} models lie above 0. A small gap is no high score: see reference.",
    ]
    rho = [e.value for e in study.agreement_of_models.values() if e.value is not None]
    if rho:
        sentences.append(
            f"Rank correlations of the languages' gaps between two models run from {min(rho):z.3f} to "
            f"{max(rho):z.3f}; language_by_model.csv holds each gap."
        )
    return tuple(sentences)


def levels(study: Study) -> Words:
    """Say where the standardised gap is largest, how it changes, and what the sources differ by."""
    found = study.levels
    sentences = [
        (
            f"The standardised gap changes by {shown(found.slope)} a level. It is an average trend and says nothing of "
            "single steps."
        )
    ]
    known = [(level, e.value) for level, e in found.standardised.items() if e.value is not None]
    if len(known) > 1:
        peak = max(known, key=lambda one: one[1])[0]
        values = [value for _, value in known]
        steps = "rises" if values == sorted(values) else "does not rise"
        sentences.append(
            f"It is largest at {peak}, {number(found.standardised[peak])}, and {steps} at every step."
        )
    told = [
        f"{shown(one.micro)} on {_SOURCES.get(source, source)} items"
        for source, one in study.sources.items()
        if one.micro.defined
    ]
    return (
        (*sentences, f"By source the pooled gap is {' and '.join(told)}.")
        if told
        else (*sentences,)
    )


def hypotheses(study: Study) -> Words:
    """Say what the family is, what it supports, and what has no p."""
    family = study.family
    sentences = [
        (
            f"{family.size} tests form the family, adjusted by {family.method}. A hypothesis is supported where "
            "its interval excludes 0 and its adjusted p is at most "
            f"{family.level:g}; a mixed model supports, and never carries, a finding."
        )
    ]
    for verdict, words in ((True, "Supported"), (False, "Not supported")):
        named = [test.key for test in family.tests if test.supported is verdict]
        sentences += [f"{words}: {', '.join(named)}."] if named else []
    if family.left_out:
        sentences.append(f"Without a p, and out of the family: {', '.join(family.left_out)}.")
    failed = [key for key, one in study.mixed.items() if not one.supports]
    if failed:
        sentences.append(f"These mixed models support nothing: {', '.join(failed)}.")
    return (*sentences, _equivalence(study))


_SOURCES = {Scores.GENERATED: "generated"}
_COMPARED = {
    "baseline": "baseline and reference",
    "baseline_paired_t": "the same by paired t",
    "sources": "human and generated items",
}


def _equivalence(study: Study) -> str:
    margin = study.population.settings.margin
    if margin is None:
        return (
            "Equivalence was not tested: it needs a margin (--margin), which the data cannot give."
        )
    told = []
    for name, words in _COMPARED.items():
        one = study.equivalence[name]
        if isinstance(one, Equivalence) and one.equivalent is not None:
            verdict = "equivalent" if one.equivalent else "not shown to be equivalent"
            told.append(f"{words} {verdict} ({shown(one)})")
        else:
            told.append(f"{words} undefined ({one.reason})")
    return f"Within ±{margin:g}, with 90 % intervals: {'; '.join(told)}."


def exposure(study: Study) -> Words:
    """Say what the gap is on documents before and after the cutoffs, and where that is not known."""
    found, pooled = study.exposure, study.exposure.pooled
    undated = max((counts[2] for counts in found.coverage.values()), default=0)
    sentences = [f"{model}: {reason}." for model, reason in found.reasons.items()]
    if undated and study.population.dates.available:
        sentences.append(
            f"{undated} of {len(study.population.documents)} documents have no date for a model and count "
            "as neither for it."
        )
    first = f"Memorable less new, over models with both kinds: {shown(pooled.difference)}."
    if pooled.difference.defined:
        first = (
            f"Over models with both kinds the gap is {number(pooled.memorable)} on memorable and "
            f"{number(pooled.new)} on new documents: a difference of {shown(pooled.difference)}."
        )
    last = "A date before the cutoff makes exposure possible; it does not show that there was any."
    return (first, *sentences, last)


def factors(study: Study) -> Words:
    """Say how the gap goes with class, and what the regression describes."""
    found = study.factors
    regression = found.regression
    told = ", ".join(f"{name} {value:z.3f}" for name, value in regression.coefficients.items())
    ols = (
        f"Standardised least squares: {told}; R² = {regression.r_squared:.3f} over {regression.n} languages; it "
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


def people(study: Study) -> Words:
    """Say whether classes with larger gaps are those that people rate lower."""
    return (
        *(f"The gap and people's mean {name} correlate with {shown(found.agreement)} in rank over "
            f"{len(found.means)} classes; below 0, larger gaps go with lower ratings."
          for name, found in study.people.items()),
        "Classes are few and unevenly filled: this can go against the gap, and not carry it.",
    )  # fmt: skip


def stability(study: Study) -> Words:
    """Say how the gap varies over repetitions, and how alike halves order the languages."""
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
    gaps = ", ".join(f"{value:z.3f}" for value in run.gaps if value is not None)
    pairs = (
        ""
        if found.pairwise_mean is None
        else f"; two repetitions correlate with {found.pairwise_mean:z.3f} on average"
    )
    return (
        f"Over {found.documents} documents with all repetitions the gap is {gaps}{spread}.",
        f"Kendall's W of the models' order is {shown(found.w)}{pairs}.",
        (
            f"From repetition {found.repetitions[0]} alone it is {shown(found.first_only)}; all repetitions shift it by "
            f"{shown(found.shift)}."
        ),
        halves,
    )


def context(study: Study) -> Words:
    """Say what the passage adds, and in which languages most and least."""
    found, panel = study.context, study.population.panel
    if found.reason is not None:
        return (f"Not analysed: {found.reason}.",)
    gains = found.by_language
    known = [code for code in (panel.reference, panel.baseline) if code in gains]
    special = ", ".join(f"{_name(study, code)} {number(gains[code])}" for code in known if code)
    targets = {_name(study, code): gains[code] for code in panel.targets if code in gains}
    return (
        (
            f"Without a passage the mean score is {shown(found.closed_mean)}; {found.unmatched:,} closed-book scores "
            "have no match."
        ),
        f"The passage adds in {special or 'no reference language anything that is known'}.",
        _ends("Of the target languages it adds most in", "least in", targets),
        "Being right without the passage may be knowledge, inference or luck; it shows no memorising.",
    )


def scopes(study: Study) -> Words:
    """Say what the gap is with the whole text and with the linked paragraphs."""
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


def external(study: Study) -> Words:
    """Say what the other corpus comes to, and how alike it orders languages."""
    found = study.external
    if found is None:
        return ("No other corpus was given.",)
    band = ", ".join(study.population.settings.external_band)
    return (
        (
            f"Its gap in {band} is {shown(found.micro)}. The order of the languages agrees with {shown(found.matched)} "
            f"at matched levels, and with {shown(found.headline)} against the primary band; halves of it agree with "
            f"{shown(found.halves.mean)}."
        ),
        "Corpora differ in texts and items: the order of languages compares, the size of the gap does not.",
    )


def choices(study: Study) -> Words:
    """Say what other weights, parsing rules and scores make of the gap."""
    found = study.parsing
    counts = ", ".join(f"{n:,} {status}" for status, n in found.counts.items())
    weights = ", ".join(f"{name} {number(one)}" for name, one in study.aggregation.items())
    sentences = [
        f"The gap by what has equal weight: {weights}.",
        (
            f"Of the rows of the primary contrast {counts}. Leaving failures out gives {shown(found.excluded.micro)} in "
            f"place of {shown(found.as_zero.micro)}, a shift of {shown(found.shift)}."
        ),
    ]
    if fallback := study.population.sums.fallback:
        sentences.append(
            f"{fallback:,} failures have a score other than 0 in the table, and keep it."
        )
    return tuple(sentences)
