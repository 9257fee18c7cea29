"""One pair of traces as its page shows it: steps, lines, numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.pipelines.trace.parser import ParsedTrace, parse
from analysis.reports.pair_drawing import (
    Matrix,
    Meeting,
    dots,
    height,
    level,
    lines,
    meetings,
    turned,
)
from analysis.runs.traced import TracedTask, language_of
from analysis.views.trace_rows import SCORES, number
from annotation.selectors.item_judgments import ItemJudgment
from annotation.studyfile.definition import StudyDefinition

NAMES = {"S": "S, same content", "tau": "τ, same order", "H": "H, as wholes"}


def shown_pair(
    fields: Mapping[str, Any],
    task: TracedTask,
    definition: StudyDefinition,
    found: Mapping[str, Any],
) -> dict[str, Any]:
    """Return both traces as steps, with what a run found of them, if it has."""
    parsed = [parse(str(fields[side])) for side in task.sides]
    languages = [language_of(fields, side, definition) for side in task.sides]
    matrix = _fitting(found.get("M"), *parsed)
    views = [matrix, turned(matrix) if matrix else None]
    sides = [
        _side(str(fields[side]), language, one, seen)
        for side, language, one, seen in zip(task.sides, languages, parsed, views, strict=True)
    ]
    return {
        "left": sides[0],
        "right": sides[1],
        "drawing": _drawing(matrix) if matrix else None,
        "scores": [_score(name, fields, found) for name in SCORES],
        "found": found,
        "question": fields.get("question", ""),
        "question_lang": fields.get("question_lang") or definition.language,
        "others": _others(fields, task),
    }


def shown_judgments(judgments: Sequence[ItemJudgment]) -> dict[str, Any]:
    """Return judgments as a table with a column for each dimension."""
    names = list(dict.fromkeys(name for one in judgments for name, _ in one.rows))
    return {
        "names": names,
        "rows": [
            {"one": one, "cells": [dict(one.rows).get(name, "") for name in names]}
            for one in judgments
        ],
    }


def _fitting(matrix: Matrix | None, a: ParsedTrace, b: ParsedTrace) -> Matrix | None:
    """Return the matrix, unless it is of steps that were cut by other rules than today's."""
    if matrix is None or (len(matrix), len(matrix[0])) != (len(a.steps), len(b.steps)):
        return None
    return matrix


def _side(text: str, language: str, parsed: ParsedTrace, matrix: Matrix | None) -> dict[str, Any]:
    met: list[Meeting] | list[None] = meetings(matrix) if matrix else [None] * len(parsed.steps)
    return {
        "text": text,
        "lang": language,
        "rule": parsed.rule,
        "steps": [
            {"text": step.text.text, "met": one}
            for step, one in zip(parsed.steps, met, strict=True)
        ],
        "before": parsed.preamble.text if parsed.preamble else "",
        "answer": parsed.answer_line.text if parsed.answer_line else "",
    }


def _drawing(matrix: Matrix) -> dict[str, Any]:
    return {
        "lines": lines(matrix),
        "dots": dots(matrix),
        "height": height(matrix),
        "columns": range(1, len(matrix[0]) + 1),
        "rows": [[{"value": value, "level": level(value)} for value in row] for row in matrix],
    }


def _score(name: str, fields: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": NAMES[name],
        "drawn": number(fields.get(name)),
        "here": number(found.get(name)),
    }


def _others(fields: Mapping[str, Any], task: TracedTask) -> dict[str, Any]:
    """Return the fields that the page does not show anywhere else."""
    shown = {"question", "question_lang", *SCORES}
    shown |= {name for side in task.sides for name in (side, f"{side}_lang")}
    return {name: value for name, value in fields.items() if name not in shown}
