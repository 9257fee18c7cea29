"""The report of a human study: funnel, agreement, preference, automatic measures, sensitivity."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from analysis.figures import human as figures
from analysis.figures.human import Line
from analysis.pipelines.human.ceiling import Ceiling
from analysis.pipelines.human.document import document
from analysis.pipelines.human.plan import Request
from analysis.pipelines.human.result_tables import funnel_stages, result_tables
from analysis.pipelines.human.study import HumanStudy
from analysis.pipelines.human.translations import Kept
from analysis.reports import human_words as words
from analysis.reports.bundle import Report
from analysis.reports.page import Section, section_of
from analysis.stats.results import Estimate

MOST_LINES = 40
CAPTIONS = {
    "funnel": "Annotators and judgments left after each stage",
    "agreement": "Krippendorff's α by dimension, with 95 % intervals and the threshold",
    "preference": "Probability of preferring the higher side, with 95 % intervals; 0.5 is chance",
    "strengths": "Log strength of each system (Bradley-Terry), with 95 % intervals",
    "triangulation": "Spearman's ρ of human item means and automatic scores, with 95 % intervals",
    "ceiling": "The two parts of the ceiling rule: medians by class, means of the outer thirds",
    "judges": "People against automatic judges on single rows",
    "conditions": "Mean rating by condition, with intervals that resample items",
    "trace_scores": "How perceived equivalence follows each score",
    "trace_terciles": "Mean perceived equivalence in each third of each score",
    "trace_comparisons": "Differences between scores",
    "trace_anchors": "Two groups of people on the items that both judged",
    "trace_kappas": "κ with quadratic weights of every two people with enough items in common",
    "translation": "Shares by language, with 95 % intervals",
    "kept": "Items that most annotators would keep",
    "sensitivity": "The same numbers in each sample; the figure shows α by dimension",
}


def human_report(study: HumanStudy, title: str) -> Report:
    """Return the report of a study."""
    drawn, alternatives = _drawn(study)
    return Report(
        title=title,
        results=document(study),
        tables=result_tables(study),
        figures=drawn,
        sections=tuple(_sections(study, drawn)),
        captions=CAPTIONS,
        alternatives=alternatives,
    )


def _sections(study: HumanStudy, drawn: Mapping[str, Figure]) -> list[Section]:
    tables = result_tables(study)

    def part(
        heading: str, sentences: Sequence[str], requests: Sequence[Request], *names: str
    ) -> Section:
        standing = words.standing(requests)
        return section_of(heading, (*sentences, *standing), names, tables, drawn)

    sections = [
        part("What was collected", (*words.funnel_words(study), *study.sample.notes), (), "funnel"),
        part(
            "Agreement",
            words.agreement_words(study.agreement),
            [one.request for one in study.agreement],
            "agreement",
        ),
        _preference(study, part("", (), (), "preference", "strengths")),
        part(
            "Human against automatic",
            words.association_words(study.triangulation)
            or ("The plan compares no human dimension with an automatic score.",),
            [one.request for one in study.triangulation],
            "triangulation",
        ),
    ]
    sections += [
        part("Ceiling", words.ceiling_words(one), [one.request], "ceiling") for one in study.ceiling
    ]
    sections += [
        part("Automatic judges", words.judge_words(one), [one.request], "judges")
        for one in study.judges
    ]
    for trace in study.traces:
        names = (
            "trace_scores",
            "trace_terciles",
            "trace_comparisons",
            "trace_anchors",
            "trace_kappas",
        )
        sections.append(
            part("Equivalence of traces", words.trace_words(trace), [trace.request], *names)
        )
    if study.translations:
        found = [
            sentence for one in study.translations for sentence in words.translation_words(one)
        ]
        requests = [one.request for one in study.translations]
        sections.append(part("Translations", found, requests, "translation", "kept"))
    if study.conditions:
        about = "Items are resampled whole, with all their ratings."
        found = [*words.condition_words(study.conditions), about]
        requests = [one.request for one in study.conditions]
        sections.append(part("Ratings by condition", found, requests, "conditions"))
    sections.append(_sensitivity(study, part("", (), (), "sensitivity")))
    return [*sections, _plan(study)]


def _preference(study: HumanStudy, shown: Section) -> Section:
    found = study.preference
    if found.primary is None:
        return Section("Preference", (f"There is no preference to report: {found.reason}.",))
    sentences = [s for one in found.comparisons for s in words.preference_words(one)]
    if found.strengths is not None:
        sentences += words.strength_words(found.strengths)
    standing = words.standing([found.primary.request])
    return Section("Preference", (*sentences, *standing), shown.tables, shown.figures)


def _sensitivity(study: HumanStudy, shown: Section) -> Section:
    if not study.sensitivity:
        why = "The plan declares no further sample, and the study asks nothing that suggests one."
        return Section("Sensitivity", (why,))
    sentences = [s for one in study.sensitivity for s in words.sensitivity_words(one)]
    standing = words.standing([one.request for one in study.sensitivity])
    return Section("Sensitivity", (*sentences, *standing), shown.tables, shown.figures)


def _plan(study: HumanStudy) -> Section:
    if not study.plan.locked:
        return Section("The plan", ("The plan is not locked yet, so every number is post hoc.",))
    if study.plan.sha256 is None:
        return Section("The plan", ("No plan was given, so every number is post hoc.",))
    compared = (
        f"Numbers are called prespecified where their parameters equal an entry of the plan with "
        f"SHA-256 {study.plan.sha256}; all others are post hoc."
    )
    return Section("The plan", (compared,))


def _drawn(study: HumanStudy) -> tuple[dict[str, Figure], dict[str, str]]:
    """Return the figures that have something to show, and each in words."""
    forests = {name: lines for name, lines in _lines(study).items() if lines}
    drawn = {name: _forest(study, name, lines) for name, lines in forests.items()}
    alternatives = {name: _in_words(name, lines) for name, lines in forests.items()}
    if samples := _sample_lines(study):
        drawn["sensitivity"] = figures.side_by_side(samples, xlabel="Krippendorff's α")
        alternatives["sensitivity"] = ". ".join(
            _in_words("sensitivity", lines, name) for name, lines in samples.items()
        )
    stages = funnel_stages(study)
    if stages:
        drawn["funnel"] = figures.funnel_bars(stages)
        alternatives["funnel"] = "; ".join(
            f"{s['stage']}: {s['left_annotators']:,} annotators, {s['left_judgments']:,} judgments"
            for s in stages
        )
    for trace in study.traces:
        if trace.terciles:
            means = {third.score: third.means for third in trace.terciles}
            drawn["trace_terciles"] = figures.tercile_lines(means, trace.human)
            alternatives["trace_terciles"] = "; ".join(
                f"{score}: " + ", ".join("none" if m is None else words.number(m) for m in thirds)
                for score, thirds in means.items()
            )
    return drawn, alternatives


def _lines(study: HumanStudy) -> dict[str, list[Line]]:
    return {
        "agreement": [Line(one.scale.column, one.alpha) for one in study.agreement],
        "preference": _preference_lines(study),
        "strengths": _strength_lines(study),
        "triangulation": [
            Line(_label(one.human, one.automatic, one.by, one.group), one.found, one.by or "")
            for one in study.triangulation
        ][:MOST_LINES],
        "ceiling": [line for one in study.ceiling for line in _ceiling_lines(one)],
        "judges": [Line(a.judge, a.exact) for one in study.judges for a in one.each]
        + [Line("consensus confirmed", one.confirmed) for one in study.judges],
        "conditions": _condition_lines(study),
        "translation": _translation_lines(study),
    }


def _sample_lines(study: HumanStudy) -> dict[str, list[Line]]:
    """Return alpha by dimension in each sample; none where there is one sample only."""
    if not study.sensitivity or not study.agreement:
        return {}
    samples = [study.primary, *(one.numbers for one in study.sensitivity)]
    return {
        numbers.name: [Line(one.scale.column, one.alpha) for one in numbers.agreement]
        for numbers in samples
    }


def _label(human: str, automatic: str, by: str | None, group: str | None) -> str:
    return f"{human}, {automatic}" + ("" if by is None else f" ({by} {group})")


def _preference_lines(study: HumanStudy) -> list[Line]:
    one = study.preference.primary
    if one is None:
        return []
    found = one.found
    models = [
        Line("crossed model, zero effects", found.mixed.at_zero, "model"),
        Line("crossed model, averaged", found.mixed.averaged, "model"),
    ]
    if found.of_pairs is not None:
        models = [Line("model of pairs alone", found.of_pairs.at_zero, "model")]
    return [
        *models,
        Line("raw share", found.raw, "raw"),
        Line("annotator bootstrap", found.by_annotator, "bootstrap"),
    ]


def _strength_lines(study: HumanStudy) -> list[Line]:
    """Return the systems, the strongest first."""
    fit = study.preference.strengths
    if fit is None or fit.reason is not None:
        return []
    lines = zip(map(str, fit.players), fit.strengths, strict=True)
    return sorted((Line(*one) for one in lines), key=lambda line: -(line.found.value or 0.0))


def _ceiling_lines(one: Ceiling) -> list[Line]:
    """Return both parts of the rule; nothing where no item has the fields that it needs."""
    name, by, score = (one.request[key] for key in ("dimension", "by", "score"))
    medians = [
        Line(f"{name}, {by} {group}: median", Estimate(median), "median")
        for group, median in one.medians.items()
    ]
    outer = {"highest": one.high, "lowest": one.low}
    means = [
        Line(f"{name}, {third} third of {score}: mean", found, "mean")
        for third, found in outer.items()
        if found.value is not None
    ]
    return medians + means


def _condition_lines(study: HumanStudy) -> list[Line]:
    """Return the means of the first dimension; the table holds all."""
    shown = [one for one in study.conditions if one.group is not None]
    if not shown:
        return []
    first = shown[0].dimension
    return [
        Line(f"{one.dimension}, {one.by} {one.group}", one.found, one.by)
        for one in shown
        if one.dimension == first
    ][:MOST_LINES]


def _translation_lines(study: HumanStudy) -> list[Line]:
    return [
        Line(f"{'kept' if isinstance(one, Kept) else one.dimension}: {group}", found, str(number))
        for number, one in enumerate(study.translations)
        for group, found in one.groups.items()
    ][:MOST_LINES]


def _forest(study: HumanStudy, name: str, lines: list[Line]) -> Figure:
    if name == "agreement":
        threshold = study.agreement[0].request["threshold"]
        return figures.forest(
            lines, xlabel="Krippendorff's α", reference=threshold,
            reference_label=f"threshold {threshold:g}",
        )  # fmt: skip
    primary = study.preference.primary
    if name == "preference" and primary is not None:
        label = f"probability of preferring {primary.side} over {primary.other}"
        return figures.forest(lines, xlabel=label, reference=0.5, limits=(0, 1))
    if name == "ceiling":
        bounds = {one.request["median"] for one in study.ceiling}
        bound = bounds.pop() if len(bounds) == 1 else None
        return figures.forest(
            lines, xlabel=_AXES[name], reference=bound,
            reference_label=f"bound of medians {bound:g}" if bound is not None else "",
        )  # fmt: skip
    reference = 0.0 if name in {"triangulation", "strengths"} else None
    return figures.forest(lines, xlabel=_AXES[name], reference=reference)


_AXES = {
    "strengths": "log strength; 0 is the mean of all systems",
    "triangulation": "Spearman's ρ",
    "ceiling": "rating",
    "judges": "share of rows with the same label",
    "conditions": "mean rating",
    "translation": "share",
}


def _in_words(name: str, lines: Sequence[Line], what: str = "") -> str:
    shown = "; ".join(f"{line.label}: {words.interval(line.found)}" for line in lines)
    return f"{what or CAPTIONS[name]}. {shown}"
