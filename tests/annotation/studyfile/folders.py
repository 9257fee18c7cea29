"""A small sound study folder that tests spoil in one place."""

from collections.abc import Mapping
from pathlib import Path

from annotation.studyfile import inspect_study
from annotation.studyfile.errors import FolderError

STUDY = """\
study: tiny
title: A tiny study
seed: 7
texts: {consent: consent.md, instructions: instructions.md}
recruitment:
  provider: prolific
  time_limit_minutes: 30
  codes: {complete: DONE1, no_consent: NOC1}
  eligibility:
    - {key: reads_english, ask: "Do you read English?", accept: [yes]}
assignment:
  replication: 2
  form_size: 3
  conflict: [article]
  balance: [model]
  mix: {response: 2, comparison: 1}
passages: passages.jsonl
tasks:
  response:
    type: rubric
    items: responses.csv
    hidden: [model, article]
  comparison:
    type: pair
    items: pairs.jsonl
    hidden: [condition_1, condition_2, article]
    higher: {field: condition, order: [low, high]}
attention:
  - {position: 2, task: response, dimension: adequacy, expect: 2, ask: Please choose "Poor" here.}
practice:
  - task: response
    item: {id: try, question: "Why?", response: Because., facts: [one, two]}
    expect: {adequacy: 4, facts_recalled: [1, 2]}
    feedback: It tells both.
quality:
  - {rule: attention, exclude: annotator, failed: 1}
  - {rule: contradiction, exclude: annotator, at_least: 3}
  - {rule: hasty, exclude: judgment, faster_than_seconds: 6}
plan:
  agreement: {threshold: 0.67, bootstrap: 2000}
  triangulation:
    - {task: response, human: adequacy, automatic: model}
    - {human: keypoint_recall, automatic: model}
"""
RESPONSES = """\
id,question,response,passage_id,facts,model,article
r1,Who?,Anna,p1,"[""Anna did"", ""alone""]",m1,a1
r2,Where?,Here,p1,,m2,a1
r3,When?,Now,,,m1,a2
"""
PAIRS = """\
{"id": "c1", "question": "Q?", "response_1": "x", "response_2": "y", "condition_1": "low", "condition_2": "high", "article": "a1"}
{"id": "c2", "question": "R?", "response_1": "u", "response_2": "v", "condition_1": "high", "condition_2": "low", "article": "a2"}
"""
FILES = {
    "study.yaml": STUDY,
    "responses.csv": RESPONSES,
    "pairs.jsonl": PAIRS,
    "passages.jsonl": '{"passage_id": "p1", "text": "Anna was here.", "lang": "en"}\n',
    "consent.md": "# Consent\n\nYou may stop.\n",
    "instructions.md": "Read, then judge.\n",
}


def write_folder(folder: Path, changed: Mapping[str, str | bytes] | None = None) -> Path:
    """Write the folder, with some files changed or added."""
    folder.mkdir(exist_ok=True)
    for name, content in {**FILES, **(changed or {})}.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(data)
    return folder


def spoiled(file: str, old: str, new: str) -> dict[str, str]:
    """Return a file of the folder with one passage replaced, which must stand there once."""
    assert FILES[file].count(old) == 1, f"{old!r} stands {FILES[file].count(old)} times in {file}"
    return {file: FILES[file].replace(old, new)}


def errors_of(folder: Path) -> list[str]:
    """Return the errors of a folder as a person reads them."""
    return [str(error) for error in inspect_study(folder).errors]


def warnings_of(folder: Path) -> list[str]:
    """Return the warnings of a folder, which must be sound."""
    inspection = inspect_study(folder)
    assert inspection.errors == ()
    return [str(warning) for warning in inspection.warnings]


def at(errors: tuple[FolderError, ...], file: str) -> list[tuple[int | None, str]]:
    """Return line and field of the errors in a file."""
    return [(error.line, error.field) for error in errors if error.file == file]
