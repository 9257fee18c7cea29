"""The reference for researchers names what the code knows, and its example is a study."""

import re
from pathlib import Path

import pytest

from annotation.studyfile import (
    assignment,
    dimensions,
    files,
    folder,
    inspect_study,
    items,
    payment,
    plan,
    publication,
    quality,
    recruitment,
    screens,
    tables,
    tasks,
    texts,
    yaml_nodes,
)
from annotation.tasktypes import TASK_TYPES

REFERENCE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "study-folder.md"
TEXT = REFERENCE.read_text()
KEYS = {
    *folder.KEYS,
    *texts.KEYS,
    *recruitment.KEYS,
    *payment.KEYS,
    *recruitment.PROVIDERS,
    *recruitment.OUTCOMES,
    *recruitment.QUESTION_KEYS,
    *assignment.KEYS,
    *tasks.KEYS,
    *dimensions.KEYS,
    *screens.ATTENTION_KEYS,
    *screens.PRACTICE_KEYS,
    *publication.KEYS,
    *publication.CREATOR_KEYS,
    *publication.LICENCES,
    *quality.PARAMETERS,
    *quality.PARAMETERS.values(),
    *quality.UNITS,
    *plan.KINDS,
    *plan.OF_DIMENSIONS,
    *plan.OF_FIELDS,
    *plan.NUMBERS,
    *items.PASSAGE_COLUMNS,
    *tables.ENDINGS,
    *TASK_TYPES,
    *(field.name for task_type in TASK_TYPES.values() for field in task_type.fields),
}


@pytest.mark.parametrize("key", sorted(KEYS))
def test_the_reference_names_every_key(key):
    assert f"`{key}`" in TEXT


def test_the_reference_states_the_limits():
    assert files.MAX_SETTINGS_BYTES == files.MAX_TEXT_BYTES == files.MEGABYTE
    assert "| `study.yaml`, a text | 1 MB each |" in TEXT
    megabytes = files.MAX_TABLE_BYTES // files.MEGABYTE
    assert f"{megabytes} MB and {tables.MAX_ROWS:,} rows each" in TEXT
    assert f"| an id | {items.MAX_ID} characters" in TEXT
    assert f"| depth of `study.yaml` | {yaml_nodes.MAX_DEPTH} |" in TEXT


def test_the_example_of_the_reference_is_a_study(tmp_path):
    blocks = re.findall(r"^`([a-z.]+)`:\n\n```[a-z]+\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    assert [name for name, _ in blocks] == [
        "study.yaml",
        "responses.csv",
        "pairs.jsonl",
        "articles.jsonl",
    ]
    for name, content in blocks:
        (tmp_path / name).write_text(content)
    for name in ("consent.md", "instructions.md", "debrief.md"):
        (tmp_path / name).write_text("Words.")
    inspection = inspect_study(tmp_path)
    assert [str(fault) for fault in (*inspection.errors, *inspection.warnings)] == []
    assert inspection.items == {"response": 3, "comparison": 1}
