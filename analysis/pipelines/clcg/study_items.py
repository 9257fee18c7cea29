"""What was drawn as items of a study: opaque ids, texts that are shown, and all else hidden.

The hidden columns keep the key of every score (model, language, document, repetition, item, scope), so
that the released table of items joins the judgments to the scores they came from.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.frames import JudgedResponses, Scores, StudyItems
from analysis.pipelines.clcg.drawing import ARM, BIN, CATEGORY, JUDGED, PROBABILITY
from analysis.pipelines.clcg.sample_spec import Spec
from analysis.pipelines.clcg.sums import ClcgError

SOURCE_ITEM = "source_item"
CLASS = "resource_class"
RESPONSE_HIDDEN = (
    "model", "language", "doc_id", "rep", SOURCE_ITEM, "scope", "level", "source", CATEGORY, CLASS,
    "score", BIN, ARM, PROBABILITY,
)  # fmt: skip
PAIR_HIDDEN = (
    "model", "language_1", "language_2", "doc_id", "rep", SOURCE_ITEM, "scope", "level", "source",
    CATEGORY, f"{CLASS}_1", f"{CLASS}_2", "score_1", "score_2",
)  # fmt: skip
SHOWN = 5
Key = tuple[str, str, str]
Item = dict[str, object]


@dataclass(frozen=True)
class Texts:
    """Answers by model, language and item; questions, references and facts by item."""

    answers: Mapping[Key, str]
    items: Mapping[str, Mapping[str, str]]

    def answer(self, model: str, language: str, item: str) -> str:
        """Return the answer of a response."""
        return self.answers[model, language, item]


def texts_of(
    answers: Mapping[Key, str], table: pd.DataFrame, wanted: Sequence[Key], passages: Sequence[str]
) -> Texts:
    """Return the texts, or say which are missing."""
    items = {str(row[StudyItems.ITEM]): row for row in table.to_dict("records")}
    absent = [key for key in wanted if not answers.get(key, "").strip()]
    if absent:
        raise ClcgError(
            f"{len(absent)} drawn responses have no text in the predictions, such as {absent[0]}; the scores "
            "and the predictions must come from the same run."
        )
    unknown = sorted({key[2] for key in wanted} - set(items))
    if unknown:
        raise ClcgError(
            f"{len(unknown)} drawn items are not in the table of items: {', '.join(unknown[:SHOWN])}."
        )
    known = set(passages)
    lost = sorted(
        {str(items[key[2]][StudyItems.PASSAGE]) for key in wanted} - known - {""}
    )  # fmt: skip
    if lost:
        missing = "a passage is" if len(lost) == 1 else f"{len(lost)} passages are"
        raise ClcgError(
            f"{missing} missing: {', '.join(lost[:SHOWN])}. Add them to the table that `passages:` names, or "
            "take the column passage_id out of the table of items."
        )
    return Texts(answers, items)  # type: ignore[arg-type]  # rows of texts


def judges_of(judged: pd.DataFrame | None) -> tuple[tuple[str, ...], dict[Key, dict[str, str]]]:
    """Return the judges, and the labels of the responses that all of them labelled."""
    if judged is None:
        return (), {}
    judges = tuple(sorted(judged[JudgedResponses.JUDGE].unique()))
    labels: dict[Key, dict[str, str]] = {}
    for row in judged.to_dict("records"):
        key = (str(row["model"]), str(row["language"]), str(row["item_id"]))
        labels.setdefault(key, {})[str(row["judge"])] = str(row["label"])
    return judges, {key: found for key, found in labels.items() if len(found) == len(judges)}


def response_items(
    rows: pd.DataFrame,
    texts: Texts,
    classes: Mapping[str, int],
    labels: Mapping[Key, Mapping[str, str]],
    judges: Sequence[str],
    spec: Spec,
) -> list[Item]:
    """Return the items of the rubric, in random order."""
    rng = np.random.default_rng([spec.seed, 1])
    rows = rows.iloc[rng.permutation(len(rows))]
    found = []
    for identity, row in zip(_ids("r", len(rows), rng), rows.to_dict("records"), strict=True):
        model, language, item = (str(row[name]) for name in ("model", "language", "item_id"))
        own = labels.get((model, language, item), {})
        hidden = _key(row) | {
            "language": language,
            CLASS: classes.get(language, ""),
            "score": float(row[spec.score]),
            BIN: row[BIN],
            ARM: row[ARM],
            PROBABILITY: round(float(row[PROBABILITY]), 8),
        }
        hidden |= {judge_column(i): own.get(judge, "") for i, judge in enumerate(judges)}
        shown = _shown(texts, item) | {"response": texts.answer(model, language, item).strip()}
        asked = {"ask_error": bool(row[ARM] == JUDGED)} if judges else {}
        found.append({"id": identity} | shown | asked | hidden)
    return found


def pair_items(rows: pd.DataFrame, texts: Texts, spec: Spec) -> list[Item]:
    """Return the items of the comparison: `_1` is the higher-resource side; pages turn sides by lot."""
    rng = np.random.default_rng([spec.seed, 3])
    rows = rows.iloc[rng.permutation(len(rows))]
    found = []
    for identity, row in zip(_ids("p", len(rows), rng), rows.to_dict("records"), strict=True):
        model, item = str(row["model"]), str(row["item_id"])
        shown = _shown(texts, item)
        shown.pop(StudyItems.FACTS, None)
        hidden = _key(row)
        for side, condition in ((1, "high"), (2, "low")):
            language = str(row[f"language_{side}"])
            shown[f"response_{side}"] = texts.answer(model, language, item).strip()
            hidden |= {
                f"condition_{side}": condition,
                f"language_{side}": language,
                f"{CLASS}_{side}": int(row[f"{CLASS}_{side}"]),
                f"score_{side}": float(row[f"{spec.score}_{side}"]),
            }
        found.append({"id": identity} | shown | hidden)
    return found


def judge_column(number: int) -> str:
    """Return the hidden column of a judge: `judge_a` for the first, and so on."""
    return f"judge_{chr(ord('a') + number)}"


def _ids(prefix: str, count: int, rng: np.random.Generator) -> list[str]:
    return [f"{prefix}{n:08x}" for n in rng.choice(2**32, size=count, replace=False)]


def _key(row: Mapping[object, object]) -> Item:
    rep = row.get(Scores.REP, row.get(f"{Scores.REP}_1"))
    return {
        "model": row["model"],
        "doc_id": row["doc_id"],
        "rep": int(str(rep)),
        SOURCE_ITEM: row["item_id"],
        "scope": Scores.FULL,
        "level": row["level"],
        "source": row["source"],
        CATEGORY: row[CATEGORY],
    }


def _shown(texts: Texts, item: str) -> Item:
    row = texts.items[item]
    shown: Item = {"question": row[StudyItems.QUESTION]}
    for name in (StudyItems.REFERENCE, StudyItems.PASSAGE):
        if row[name]:
            shown[name] = row[name]
    facts = _facts(item, row[StudyItems.FACTS])
    return shown | ({StudyItems.FACTS: facts} if facts else {})


def _facts(item: str, text: str) -> list[str]:
    if not text:
        return []
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        found = None
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ClcgError(f"The facts of item {item!r} are not a JSON list of texts.")
    return found
