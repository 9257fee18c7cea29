"""Nothing is written to the database outside the services and the migrations."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WRITERS = {"save", "create", "bulk_create", "get_or_create", "update_or_create", "bulk_update"}
# On a queryset these write; on a dict or a hash they do not, so the receiver decides.
AMBIGUOUS = {"update", "delete"}
# The services of `annotation`; of `analysis` the queue of its runs and their parts, all that it stores.
ALLOWED = {"services", "migrations", "queue.py", "shards.py"}


def sources():
    for app in ("annotation", "analysis"):
        for path in sorted((ROOT / app).rglob("*.py")):
            if not set(path.relative_to(ROOT).parts) & ALLOWED:
                yield path


def writes(tree):
    """Yield (line, call) for each call that writes rows."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        name, receiver = node.func.attr, ast.unparse(node.func.value)
        of_rows = ".objects" in receiver or ".filter(" in receiver
        of_a_row = name in {"save", "delete"} and not node.args and "self._" not in receiver
        if (of_rows and name in WRITERS | AMBIGUOUS) or of_a_row:
            yield node.lineno, f"{receiver}.{name}()"


@pytest.mark.parametrize("path", list(sources()), ids=lambda p: str(p.relative_to(ROOT)))
def test_no_write_outside_the_services(path):
    found = list(writes(ast.parse(path.read_text())))
    assert not found, f"{path.relative_to(ROOT)} writes: {found}. A service does that."


def test_the_rule_sees_a_write():
    planted = ast.parse(
        "Answer.objects.filter(pk=1).update(values={})\nanswer.save()\nd.update(a=1)"
    )
    assert [line for line, _ in writes(planted)] == [1, 2]


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "annotation").glob("*/**/*.py")),
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_nothing_outside_the_task_types_names_one(path):
    if "tasktypes" in path.parts or "migrations" in path.parts:
        return
    keys = {"rubric", "pair", "trace", "translation"}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Compare):
            named = [c.value for c in ast.walk(node) if isinstance(c, ast.Constant)]
            assert not keys.intersection(v for v in named if isinstance(v, str)), (
                f"{path.relative_to(ROOT)}:{node.lineno} compares with a task type: "
                "what differs by type belongs into its file."
            )
