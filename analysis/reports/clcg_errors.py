"""The report of the error analysis."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures import clcg_errors as figures
from analysis.pipelines.clcg.document import tree
from analysis.pipelines.clcg.errors import ErrorStudy
from analysis.pipelines.clcg.errors_by_judge import Judge
from analysis.pipelines.clcg.result_tables import cells, table_of
from analysis.reports.bundle import Report
from analysis.reports.clcg_alternatives import listed
from analysis.reports.clcg_words import shown
from analysis.reports.page import Section, section_of
from analysis.stats.results import Estimate

CAPTIONS = {
    "labels": "Each label of the target side: its share of the pairs, the mean score difference of these, what they add to that of all pairs, and its share of the loss",
    "labels_by_class": "Share of each label of the target side by resource class",
    "transitions": "Labels of the reference side (rows) and of the target side, first judge",
    "loss": "Loss rate by judge, model and resource class",
    "agreement": "Agreement of the judges, and of people with them",
    "agreement_by_label": "Of all times one of two judges used a label: share in which the other did too",
    "contribution": "Part of the mean score difference by label, and loss rate by class; first judge",
    "transition_map": "Transitions of labels, first judge",
}


FIGURES = ("contribution", "transition_map")
LABELS = (*FIGURES, "labels", "labels_by_class", "loss", "transitions")


def errors_report(study: ErrorStudy, *, primary: str | None = None) -> Report:
    """Return the report; the first judge is the primary one unless another is named."""
    first = primary or study.pairs.judges[0]
    judge = study.judges[first]
    drawn: dict[str, Figure] = {
        "contribution": figures.contribution_and_loss(_falling(judge), judge.loss_by_class),
        "transition_map": figures.transitions(judge.transitions),
    }
    tables = _tables(study, judge)
    return Report(
        title="Errors behind the cross-lingual gap",
        results=_document(study, first),
        tables=tables,
        figures=drawn,
        sections=_sections(study, first, tables),
        captions=CAPTIONS,
        alternatives=_alternatives(judge),
    )


def _alternatives(judge: Judge) -> dict[str, str]:
    classes = {f"class {number}": rate for number, rate in judge.loss_by_class.items()}
    parts = listed(figures.PART, _falling(judge))
    moves = "; ".join(
        f"{one} to {other} {count:,}"
        for one, row in judge.transitions.items()
        for other, count in row.items()
        if count
    )
    return {
        "contribution": f"{parts} {listed(figures.LOSS, classes)}" if classes else parts,
        "transition_map": f"Pairs by label of the reference and of the target side. {moves}.",
    }


def _falling(judge: Judge) -> dict[str, Estimate]:
    """Return what each label adds, the largest part first."""
    return dict(sorted(judge.contribution.items(), key=lambda row: -(row[1].value or 0)))


def _document(study: ErrorStudy, first: str) -> dict[str, object]:
    judge = study.judges[first]
    return {
        "primary_judge": first,
        "pairs": int(study.pairs.rows["pair_id"].nunique()),
        "incomplete": study.pairs.incomplete,
        "semantic_errors": list(study.semantic),
        "transitions": judge.transitions,
        "loss_rate": judge.loss_rate,
        "contribution": judge.contribution,
        "share_of_loss": judge.share_of_loss,
        "by_judge": {name: tree(one) for name, one in study.judges.items()},
        "agreement": {name: tree(one) for name, one in study.agreement.items()},
        "human": None if study.people is None else tree(study.people),
        "settings": {"resamples": study.rules.resamples, "seed": study.rules.seed,
                     "correct": study.rules.correct, "collapse": dict(study.rules.collapse)},
    }  # fmt: skip


def _tables(study: ErrorStudy, judge: Judge) -> dict[str, pd.DataFrame]:
    names = study.pairs.labels
    transitions = pd.DataFrame([{"reference": one} | dict(judge.transitions[one]) for one in names])
    found = {
        "labels": _labels(study),
        "labels_by_class": _labels_by_class(study),
        "transitions": transitions,
        "loss": _loss(study),
        "agreement": _agreement(study),
        "agreement_by_label": table_of(
            [
                {"between": between, "label": label} | cells(found)
                for between, one in study.agreement.items()
                for label, found in one.by_label.items()
            ]
        ),
    }
    return {name: table for name, table in found.items() if not table.empty}


def _labels(study: ErrorStudy) -> pd.DataFrame:
    rows: list[dict[str, Any]] = [
        {"judge": name, "label": label}
        | cells(one.shares[label], "share")
        | cells(one.differences[label], "difference")
        | cells(one.contribution[label], "contribution")
        | {"share_of_loss": one.share_of_loss[label]}
        for name, one in study.judges.items()
        for label in study.pairs.labels
    ]
    return table_of(rows)


def _labels_by_class(study: ErrorStudy) -> pd.DataFrame:
    return table_of(
        [
            {"judge": name, "resource_class": int(number)} | dict(shares)
            for name, one in study.judges.items()
            for number, shares in one.labels_by_class.items()
        ]
    )


def _loss(study: ErrorStudy) -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    for name, one in study.judges.items():
        rows.append({"judge": name, "group": "all"} | cells(one.loss_rate))
        rows += [{"judge": name, "group": m} | cells(e) for m, e in one.loss_by_model.items()]
        rows += [
            {"judge": name, "group": f"class {c}"} | cells(e) for c, e in one.loss_by_class.items()
        ]
    return table_of(rows)


def _agreement(study: ErrorStudy) -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    for name, one in study.agreement.items():
        parts = ("fine", "fine_kappa", "collapsed", "collapsed_kappa", "loss", "loss_kappa")
        rows += [{"between": name, "quantity": part} | cells(getattr(one, part)) for part in parts]
    if study.people is not None:
        people = study.people
        for judge, found in people.agreement.items():
            rows.append({"between": f"people x {judge}", "quantity": "exact"} | cells(found))
            rows.append(
                {"between": f"people x {judge}", "quantity": "kappa"} | cells(people.kappa[judge])
            )
        confirmed = {"between": "people x judges", "quantity": "consensus confirmed"}
        rows.append(confirmed | cells(people.confirmed))
    return table_of(rows)


def _most(judge: Judge, correct: str) -> list[str]:
    """Say which error is the most frequent on the target side, and what becomes of right answers."""
    errors = {label: e for label, e in judge.shares.items() if label != correct and e.value}
    if not errors:
        return []
    most = max(errors, key=lambda label: errors[label].value or 0)
    lost = {label: n for label, n in judge.transitions[correct].items() if label != correct and n}
    became = max(lost, key=lambda label: lost[label]) if lost else None
    words = (
        f"{correct!r} is the label of {shown(judge.shares[correct])} of the target sides; the most "
    )
    words += f"frequent error is {most!r} with {shown(errors[most])}."
    if became is not None:
        words += (
            f" From {correct!r}, {lost[became]:,} pairs went to {became!r}, the most of all errors."
        )
    return [words]


def _sections(
    study: ErrorStudy, first: str, tables: dict[str, pd.DataFrame]
) -> tuple[Section, ...]:
    judge = study.judges[first]
    words = [
        (
            f"{study.pairs.rows['pair_id'].nunique():,} pairs were labelled by {', '.join(study.pairs.judges)}; "
            f"{study.pairs.incomplete:,} labels have no other side and are left out."
        )
    ]
    words.append(
        f"A pair is a loss where the reference side is {study.rules.correct!r} and the target side is one of "
        f"{', '.join(study.semantic)}. By {first} the rate is {shown(judge.loss_rate)}; intervals resample documents."
    )
    words += _most(judge, study.rules.correct)
    words.append(
        "Labels describe this sample; they are no prevalence in all responses, and no cause."
    )
    agreed = [
        f"{name}: {shown(one.fine)} exact, κ {shown(one.fine_kappa)}; whether a pair is a loss "
        f"{shown(one.loss)}, κ {shown(one.loss_kappa)}."
        for name, one in study.agreement.items()
    ]
    if agreed:
        agreed.append(
            "Intervals of shares resample documents; those of κ take labels for independent."
        )
    if study.people is not None:
        if study.people.unmatched:
            agreed.append(
                f"{study.people.unmatched:,} labels of people are of no side that judges labelled."
            )
        agreed += [
            f"People x {judge}: {shown(found)} exact, κ {shown(study.people.kappa[judge])}."
            for judge, found in study.people.agreement.items()
        ]
        agreed.append(
            f"People confirm what the judges agree on in {shown(study.people.confirmed)}."
        )
    return (
        section_of("Labels and losses", words, LABELS, tables, FIGURES),
        section_of("Agreement", agreed, ("agreement", "agreement_by_label"), tables, ()),
    )
