"""The study folder that a sample of scored responses becomes."""

import json
from collections.abc import Sequence

import pandas as pd
import yaml

from analysis.frames import Passages
from analysis.pipelines.clcg.drawing import CATEGORY
from analysis.pipelines.clcg.sample_spec import Spec
from analysis.pipelines.clcg.study_items import (
    CLASS,
    PAIR_HIDDEN,
    RESPONSE_HIDDEN,
    Item,
    judge_column,
)
from analysis.reports.documents import json_text

CONSENT = """\
# Before you begin

You will read short answers to questions and say how good each is. It takes about {minutes} minutes at
most. Taking part is free; you may stop at any time, without a reason.

Your judgments and the time they took are kept under a random number. You are not asked for your name or
anything about your life; please write nothing about yourself. What is published cannot be traced to you.

By going on you confirm that you are at least 18 years old and take part of your own will.
"""

INSTRUCTIONS = """\
# What to do

You see a **question**, an **answer to judge** and, for most, a **reference answer** that is right and the
**passage** that both are about. Judge what the answer *means*, not how it is worded or how long it is.

Only the passage and the reference count, not what you know from elsewhere. A well-written answer may be
wrong, a clumsy one right, and a short one complete.

Sometimes you see **two answers** to one question and say which is better, or that neither is.
"""

DEBRIEF = """\
# Thank you

The answers came from language models that had been given the passage in different languages. With your
judgments it is examined whether answers are poorer where a language has few texts in digital form, and
whether automatic scores see what readers see.
"""


def study_files(
    responses: Sequence[Item],
    pairs: Sequence[Item],
    passages: pd.DataFrame | None,
    judges: Sequence[str],
    spec: Spec,
    realised: dict[str, object],
) -> dict[str, bytes]:
    """Return path → content of the folder that `study_import` takes.

    `sampling.json` says how the sample came out; a study does not read it.
    """
    study = _study(responses, pairs, passages is not None, judges, spec)
    files = {
        "study.yaml": yaml.safe_dump(
            study, allow_unicode=True, sort_keys=False, width=100
        ).encode(),
        "responses.jsonl": _lines(responses),
        "consent.md": CONSENT.format(minutes=spec.time_limit_minutes).encode(),
        "instructions.md": INSTRUCTIONS.encode(),
        "debrief.md": DEBRIEF.encode(),
        "sampling.json": json_text(realised).encode(),
    }
    if pairs:
        files["pairs.jsonl"] = _lines(pairs)
    if passages is not None:
        used = {item.get("passage_id") for item in [*responses, *pairs]}
        kept = passages[passages[Passages.PASSAGE].isin(used)]
        rows = kept[[Passages.PASSAGE, Passages.TEXT, Passages.LANGUAGE]].to_dict("records")
        files["passages.jsonl"] = _lines([{str(k): v for k, v in row.items() if v} for row in rows])
    return files


def _lines(rows: Sequence[Item]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _study(
    responses: Sequence[Item],
    pairs: Sequence[Item],
    passages: bool,  # noqa: FBT001  whether there are any
    judges: Sequence[str],
    spec: Spec,
) -> Item:
    tasks: Item = {
        "response": {
            "type": "rubric",
            "items": "responses.jsonl",
            "hidden": [*RESPONSE_HIDDEN, *(judge_column(i) for i in range(len(judges)))],
        }
    }
    if pairs:
        tasks["comparison"] = {
            "type": "pair",
            "items": "pairs.jsonl",
            "hidden": list(PAIR_HIDDEN),
            "higher": {"field": "condition", "order": ["low", "high"]},
        }
    top: Item = {
        "study": spec.study,
        "title": spec.title,
        "seed": spec.seed,
        "language": "en",
        "texts": {name: f"{name}.md" for name in ("consent", "instructions", "debrief")},
        "recruitment": {"provider": "open", "time_limit_minutes": spec.time_limit_minutes},
        "assignment": _assignment(spec),
    }
    if passages:
        top["passages"] = "passages.jsonl"
    return top | {
        "tasks": tasks,
        "attention": [_attention(spec)],
        "quality": [
            {"rule": "attention", "exclude": "annotator", "failed": 1},
            {"rule": "contradiction", "exclude": "annotator", "at_least": 3},
        ],
        "plan": _plan(responses, pairs, judges),
    }


def _assignment(spec: Spec) -> Item:
    return {
        "replication": spec.replication,
        "form_size": spec.form_size,
        "conflict": ["doc_id"],
        "balance": ["language", "category", "model"],
    }


def _attention(spec: Spec) -> Item:
    return {
        "position": min(7, spec.form_size),
        "task": "response",
        "dimension": "adequacy",
        "expect": 2,
        "ask": 'To show that you read each question, please choose "Poor" (2) for this one.',
    }


def _plan(responses: Sequence[Item], pairs: Sequence[Item], judges: Sequence[str]) -> Item:
    human = ["adequacy"]
    if any(item.get("facts") for item in responses):
        human.append("keypoint_recall")
    classed = any(item[CLASS] != "" for item in responses)
    groups: list[Item] = [{}, {"by": CATEGORY}]
    if classed:
        groups.append({"by": CLASS})
    plan: Item = {
        "agreement": {"threshold": 0.67, "bootstrap": 2000},
        "triangulation": [
            {"task": "response", "human": one, "automatic": "score", "method": "spearman"} | group
            for group in groups
            for one in human
        ],
    }
    if pairs:
        plan["preference"] = {"task": "comparison", "model": "crossed_logistic", "side": "greater"}
    if classed:
        plan["ceiling"] = {
            "dimension": "adequacy", "by": CLASS, "median": 4.5, "score": "score", "separation": 0.5,
        }  # fmt: skip
        plan["conditions"] = [{"task": "response", "dimension": one, "by": CLASS} for one in human]
    if judges:
        columns = [judge_column(i) for i in range(len(judges))]
        plan["judges"] = [{"task": "response", "human": "error_category", "automatic": columns}]
    return plan
