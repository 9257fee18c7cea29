"""The report of the error analysis."""

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from analysis.figures import clcg_errors as figures
from analysis.pipelines.clcg.document import tree
from analysis.pipelines.clcg.errors import ErrorStudy, Judge
from analysis.pipelines.clcg.result_tables import cells, table_of
from analysis.reports.bundle import Report
from analysis.reports.clcg_words import shown
from analysis.reports.page import Section

CAPTIONS = {
    "labels": "Share, part of the score difference and share of the loss of each label of the target side",
    "transitions": "Labels of the reference side (rows) and of the target side, first judge",
    "loss": "Loss rate by judge, model and resource class",
    "agreement": "Agreement of the judges, and of people with them",
    "contribution": "Part of the mean score difference by label, and loss rate by class; first judge",
    "transition_map": "Transitions of labels, first judge",
}


def errors_report(study: ErrorStudy, *, primary: str | None = None) -> Report:
    """Return the report; the first judge is the primary one unless another is named."""
    first = primary or study.pairs.judges[0]
    judge = study.judges[first]
    drawn: dict[str, Figure] = {
        "contribution": figures.contribution_and_loss(judge.contribution, judge.loss_by_class),
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
    )


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
        "transitions": transitions,
        "loss": _loss(study),
        "agreement": _agreement(study),
    }
    return {name: table for name, table in found.items() if not table.empty}


def _labels(study: ErrorStudy) -> pd.DataFrame:
    rows: list[dict[str, Any]] = [
        {"judge": name, "label": label}
        | cells(one.shares[label], "share")
        | cells(one.contribution[label], "contribution")
        | {"share_of_loss": one.share_of_loss[label]}
        for name, one in study.judges.items()
        for label in study.pairs.labels
    ]
    return table_of(rows)


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
    words.append(
        "Labels describe this sample; they are no prevalence in all responses, and no cause."
    )
    agreed = [
        f"{name}: {shown(one.fine)} exact, κ {shown(one.fine_kappa)}."
        for name, one in study.agreement.items()
    ]
    if study.people is not None:
        agreed.append(
            f"People confirm what the judges agree on in {shown(study.people.confirmed)}."
        )
    return (
        Section(
            "Labels and losses",
            tuple(words),
            ("labels", "loss", "transitions"),
            ("contribution", "transition_map"),
        ),
        Section("Agreement", tuple(agreed), ("agreement",) if "agreement" in tables else ()),
    )
