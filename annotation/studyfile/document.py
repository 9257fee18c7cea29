"""A study as a JSON document and back, its digest, and the part of it that the plan lock freezes."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from annotation.studyfile.definition import (
    AssignmentRules,
    AttentionCheck,
    Creator,
    Demographic,
    EligibilityQuestion,
    ItemRow,
    PaymentRules,
    PracticeItem,
    Publication,
    QualityRule,
    Recruitment,
    StudyDefinition,
    TaskDefinition,
)
from annotation.tasktypes.base import Comparison
from annotation.tasktypes.instrument import Dimension, Option, Scale

# Keys of `recruitment` that older folders do not have.
_ADDED = ("payment", "unlink_days", "demographics")
# Beyond this, a float no longer tells one whole number from the next.
EXACT = 2**53


def canonical_json(value: Any) -> str:
    """Return the one way to write a value: sorted keys, no spaces, UTF-8, 4.0 as 4, no NaN."""
    return json.dumps(
        _plain(value),
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {_key(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT:
        return int(value)
    return value


def _key(key: Any) -> str:
    if not isinstance(key, str):
        message = f"The key {key!r} is not a text; JSON has only such keys."
        raise TypeError(message)
    return str(key)


def folder_document(study: StudyDefinition) -> dict[str, Any]:
    """Return the study without its items and passages, every default written out."""
    document = {
        "study": study.slug,
        "title": study.title,
        "seed": study.seed,
        "language": study.language,
        "texts": {
            "consent": study.consent,
            "instructions": study.instructions,
            "debrief": study.debrief,
        },
        "recruitment": _recruitment_document(study.recruitment),
        "assignment": _assignment_document(study.assignment),
        "tasks": [_task_document(task) for task in study.tasks],
        "attention": [asdict(check) for check in study.attention],
        "practice": [asdict(item) for item in study.practice],
        "quality": [asdict(rule) for rule in study.quality],
        "plan": study.plan,
    }
    # Left out where nothing was said: a folder without it keeps the digest that it had before.
    if study.publication != Publication():
        document["release"] = asdict(study.publication)
    plain: dict[str, Any] = _plain(document)
    return plain


def _assignment_document(rules: AssignmentRules) -> dict[str, Any]:
    document = asdict(rules)
    # As above: a folder without anchors or groups keeps the digest that it had before.
    return {k: v for k, v in document.items() if k not in ("anchors", "groups") or v}


def _recruitment_document(recruitment: Recruitment) -> dict[str, Any]:
    document = asdict(recruitment)
    # As above: what was not said is left out.
    return {k: v for k, v in document.items() if k not in _ADDED or v not in (None, ())}


def _task_document(task: TaskDefinition) -> dict[str, Any]:
    return {
        "key": task.key,
        "type": task.type,
        "hidden": task.hidden,
        **instrument_document(task),
    }


def instrument_document(task: TaskDefinition) -> dict[str, Any]:
    """Return what is asked in a task: its dimensions, their contradictions, its comparison."""
    document = {
        "dimensions": [asdict(dimension) for dimension in task.dimensions],
        "contradictions": task.contradictions,
        "higher": None if task.higher is None else asdict(task.higher),
    }
    plain: dict[str, Any] = _plain(document)
    return plain


def plan_document(study: StudyDefinition) -> dict[str, Any]:
    """Return what the plan lock freezes: all that decides which numbers a report will hold."""
    document = folder_document(study)
    frozen = {key: document[key] for key in ("plan", "quality", "attention", "assignment", "seed")}
    instruments = {task.key: instrument_document(task) for task in study.tasks}
    return {**frozen, "instruments": instruments}


def folder_digest(study: StudyDefinition) -> str:
    """Return the SHA-256 over the whole study; where rows stand in their file does not count."""
    digest = hashlib.sha256(canonical_json(folder_document(study)).encode())
    for task in study.tasks:
        for item in task.items:
            entry = [task.key, item.id, item.passage_id, item.fields]
            digest.update(b"\n" + canonical_json(entry).encode())
    for key, passage in study.passages.items():
        digest.update(b"\n" + canonical_json([key, asdict(passage)]).encode())
    return digest.hexdigest()


def study_from_document(document: Mapping[str, Any]) -> StudyDefinition:
    """Return the study of a document; its items and passages stand elsewhere."""
    texts = document["texts"]
    return StudyDefinition(
        slug=document["study"],
        title=document["title"],
        seed=document["seed"],
        language=document["language"],
        consent=texts["consent"],
        instructions=texts["instructions"],
        debrief=texts["debrief"],
        recruitment=_recruitment(document["recruitment"]),
        assignment=_assignment(document["assignment"]),
        tasks=tuple(_task(task) for task in document["tasks"]),
        attention=tuple(AttentionCheck(**check) for check in document["attention"]),
        practice=tuple(_practice(item) for item in document["practice"]),
        quality=tuple(QualityRule(**rule) for rule in document["quality"]),
        plan=document["plan"],
        publication=_publication(document.get("release", {})),
    )


def _recruitment(document: Mapping[str, Any]) -> Recruitment:
    eligibility = tuple(_eligibility(question) for question in document["eligibility"])
    payment = document.get("payment")
    rules = None if payment is None else PaymentRules(**payment)
    asked = tuple(_demographic(question) for question in document.get("demographics", ()))
    read = {"eligibility": eligibility, "payment": rules, "demographics": asked}
    return Recruitment(**{**document, **read})


def _demographic(document: Mapping[str, Any]) -> Demographic:
    merge = {name: tuple(members) for name, members in document["merge"].items()}
    lists = {key: tuple(document[key]) for key in ("options", "bands")}
    return Demographic(**{**document, **lists, "merge": merge})


def _publication(document: Mapping[str, Any]) -> Publication:
    creators = tuple(Creator(**creator) for creator in document.get("creators", ()))
    return Publication(**{**document, "creators": creators})


def _eligibility(document: Mapping[str, Any]) -> EligibilityQuestion:
    lists = {key: tuple(document[key]) for key in ("accept", "options")}
    return EligibilityQuestion(**{**document, **lists})


def _assignment(document: Mapping[str, Any]) -> AssignmentRules:
    lists = {key: tuple(document[key]) for key in ("conflict", "balance")}
    return AssignmentRules(**{**document, **lists})


def _practice(document: Mapping[str, Any]) -> PracticeItem:
    return PracticeItem(**{**document, "item": ItemRow(**document["item"])})


def _task(document: Mapping[str, Any]) -> TaskDefinition:
    higher = document["higher"]
    return TaskDefinition(
        key=document["key"],
        type=document["type"],
        hidden=tuple(document["hidden"]),
        dimensions=tuple(dimension_from_document(d) for d in document["dimensions"]),
        contradictions=tuple(_values(rule) for rule in document["contradictions"]),
        higher=None if higher is None else Comparison(higher["field"], tuple(higher["order"])),
    )


def dimension_from_document(document: Mapping[str, Any]) -> Dimension:
    """Return a dimension of a document."""
    bounds = {key: _number(document[key]) for key in ("minimum", "maximum", "step")}
    return Dimension(
        **{
            **document,
            **bounds,
            "scale": Scale(document["scale"]),
            "options": tuple(Option(**option) for option in document["options"]),
            "when": _values(document["when"]),
        }
    )


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _values(document: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(values) for key, values in document.items()}
