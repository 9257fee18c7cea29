"""Predictions and reference answers into scores."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import Calls, Gold, Predictions, Scores
from analysis.pipelines.clcg.answers import accuracy, exact_match, token_f1
from analysis.pipelines.clcg.contract import answers_of
from analysis.pipelines.clcg.sums import ZERO_LEVEL, ClcgError
from analysis.pipelines.trace.encoders import Encoder, Rows, encode_checked

EXACT, SEMANTIC = "exact_match", "semantic_similarity"
MADE = (Scores.STATUS, Scores.SCORE, EXACT, Scores.ACCURACY, SEMANTIC)
SHOWN = 5


@dataclass(frozen=True)
class Reference:
    """The right answers to an item; `answerable` is whether there is one."""

    answers: tuple[str, ...]
    level: str
    answerable: bool


def references_of(gold: pd.DataFrame) -> dict[str, Reference]:
    """Return the reference of every item; one that can be answered has an answer."""
    bare = gold[(gold[Gold.GOLD].str.strip() == "") & (gold[Gold.ANSWERABLE] != 0)]
    if len(bare):
        raise ClcgError(
            f"{_items(len(bare))} no right answer in the gold table: {_some(bare[Gold.ITEM])}. Write it, or "
            f"0 as {Gold.ANSWERABLE!r} where there is none."
        )
    return {
        str(row[Gold.ITEM]): Reference(
            _alternatives(str(row[Gold.GOLD])),
            str(row[Gold.LEVEL]),
            row[Gold.ANSWERABLE] != 0,
        )
        for row in gold.to_dict("records")
    }


def _alternatives(text: str) -> tuple[str, ...]:
    """Return a JSON list of texts as several right answers, anything else as one."""
    if text.startswith("["):
        try:
            found = json.loads(text)
        except json.JSONDecodeError:
            return (text,)
        if found and all(isinstance(one, str) for one in found):
            return tuple(found)
    return (text,)


def scored(predictions: pd.DataFrame, references: Mapping[str, Reference]) -> pd.DataFrame:
    """Return the rows with status, token F1, exact match and accuracy; further columns stay.

    A failure scores 0. An item that is not answerable has no score. Accuracy is of the lowest level
    alone, whose answers are categories ("Not stated" is one).
    """
    _refuse_made(predictions)
    _refuse_unknown(predictions, references)
    found = predictions.reset_index(drop=True)
    own = [references[item] for item in found[Scores.ITEM]]
    found[Scores.LEVEL] = _levels(found, own)
    status = [
        given or (Scores.OK if str(answer).strip() else Scores.MISSING)
        for given, answer in zip(
            found[Predictions.STATUS], found[Predictions.PREDICTION], strict=True
        )
    ]
    found[Scores.STATUS] = status
    answers = list(found[Predictions.PREDICTION])
    known = _scores(answers, status, own, found[Scores.LEVEL])
    dropped = [Predictions.PREDICTION, Predictions.STATUS]
    others = [c for c in found.columns if c not in dropped and c not in known]
    return pd.DataFrame({c: found[c] for c in others} | known)


def _scores(
    answers: Sequence[str],
    status: Sequence[str],
    references: Sequence[Reference],
    levels: "pd.Series[str]",
) -> dict[str, NDArray[np.float64]]:
    cache: dict[tuple[str, tuple[str, ...]], tuple[float, float, float]] = {}
    table = np.empty((len(answers), 3))
    for i, (answer, state, one) in enumerate(zip(answers, status, references, strict=True)):
        if not one.answerable:
            table[i] = np.nan
        elif state != Scores.OK:
            table[i] = 0.0
        else:
            key = (answer, one.answers)
            if key not in cache:
                cache[key] = tuple(
                    f(answer, one.answers) for f in (token_f1, exact_match, accuracy)
                )  # type: ignore[assignment]  # three functions give three numbers
            table[i] = cache[key]
    table[(levels != ZERO_LEVEL).to_numpy(), 2] = np.nan
    return {Scores.SCORE: table[:, 0], EXACT: table[:, 1], Scores.ACCURACY: table[:, 2]}


def _refuse_made(predictions: pd.DataFrame) -> None:
    """Refuse columns that the scores will have of their own, lest they be replaced in silence."""
    taken = [name for name in MADE if name in predictions]
    if taken:
        raise ClcgError(
            f"The predictions have columns that are made here: {', '.join(taken)}. Rename them, such as "
            f"{taken[0]}_before, or leave them out; a known parse status is {Predictions.STATUS!r}."
        )


def _items(count: int) -> str:
    return "1 item has" if count == 1 else f"{count:,} items have"


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:SHOWN]) + (" and others" if len(listed) > SHOWN else "")


def _refuse_unknown(predictions: pd.DataFrame, references: Mapping[str, Reference]) -> None:
    unknown = sorted(set(predictions[Scores.ITEM]) - set(references))
    if unknown:
        raise ClcgError(
            f"{_items(len(unknown))} no row in the gold table: {_some(unknown)}. Add it, or take the "
            "predictions out."
        )


def _levels(found: pd.DataFrame, references: Sequence[Reference]) -> list[str]:
    levels = []
    for item, own, one in zip(found[Scores.ITEM], found[Scores.LEVEL], references, strict=True):
        if own and one.level and own != one.level:
            raise ClcgError(
                f"Item {item!r} has level {own} in the predictions and {one.level} in gold."
            )
        levels.append(own or one.level)
    return levels


def predictions_of(calls: pd.DataFrame, gold: pd.DataFrame) -> pd.DataFrame:
    """Return a row an item for every call, its answers read under the JSON-array contract.

    The items of a call are those of its document, in the order of the gold table.
    """
    by_document = {
        document: list(rows[Gold.ITEM])
        for document, rows in gold.groupby(Gold.DOCUMENT, sort=False)
    }
    level = dict(zip(gold[Gold.ITEM], gold[Gold.LEVEL], strict=True))
    source = dict(zip(gold[Gold.ITEM], gold[Gold.SOURCE], strict=True))
    rows: list[dict[str, object]] = []
    for call in calls.to_dict("records"):
        items = by_document.get(call[Scores.DOCUMENT])
        if not items:
            raise ClcgError(
                f"The gold table has no item of document {call[Scores.DOCUMENT]!r}; with raw responses it "
                f"needs the column {Gold.DOCUMENT!r}."
            )
        key = {name: call[name] for name in Calls.KEY}
        rows += [
            key
            | {
                Scores.ITEM: one.item,
                Scores.LEVEL: level[one.item],
                Scores.SOURCE: source[one.item] or Scores.GENERATED,
                Predictions.PREDICTION: one.answer,
                Predictions.STATUS: one.status,
            }
            for one in answers_of(str(call[Calls.RESPONSE]), items)
        ]
    return pd.DataFrame(rows)


def with_similarity(
    scores: pd.DataFrame,
    answers: Sequence[str],
    references: Mapping[str, Reference],
    encoder: Encoder,
) -> pd.DataFrame:
    """Add the cosine of answer and reference in an encoder's space, the largest over references.

    A negative cosine is 0, so that the score lies between 0 and 1 as the others do.
    """
    texts = [
        (answer, references[item].answers) if status == Scores.OK and answer.strip() else None
        for status, item, answer in zip(
            scores[Scores.STATUS], scores[Scores.ITEM], answers, strict=True
        )
    ]
    wanted = {text: None for pair in texts if pair for text in (pair[0], *pair[1]) if text.strip()}
    encoded = encode_checked(encoder, list(wanted)) if wanted else []
    rows = {text: one.row for text, one in zip(wanted, encoded, strict=True)}
    near = np.array([_nearest(pair, rows) for pair in texts], dtype=np.float64)
    near[scores[Scores.SCORE].isna().to_numpy()] = np.nan
    return scores.assign(**{SEMANTIC: near})


def _nearest(pair: tuple[str, tuple[str, ...]] | None, rows: Mapping[str, Rows]) -> float:
    if pair is None:
        return 0.0
    answer, references = pair
    found = [float(rows[answer] @ rows[one]) for one in references if one in rows]
    return min(1.0, max([0.0, *found]))


def counts(scores: pd.DataFrame) -> dict[str, int]:
    """Return rows, and rows by status."""
    found = scores[Scores.STATUS].value_counts()
    return {"rows": len(scores)} | {one: int(found.get(one, 0)) for one in Scores.STATUSES}
