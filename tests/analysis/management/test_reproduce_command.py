"""manage.py reproduce: JSON, table, and exit where a number disagrees."""

import io
import json
import shutil

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.oracles.read import HERE


def run(*args):
    """Return what the command prints."""
    out = io.StringIO()
    call_command("reproduce", *args, stdout=out)
    return out.getvalue()


@pytest.fixture
def folder(tmp_path):
    for name in ("published.json", "published_irt.json", "irt_figure5.csv"):
        shutil.copy(HERE / name, tmp_path / name)
    return tmp_path


def test_json_is_one_strict_document():
    document = json.loads(run("--json"), parse_constant=pytest.fail)
    assert len(document["checks"]) >= 100
    assert document["failed"] == 0
    assert document["passed"] + document["known"] == len(document["checks"])


def test_table_shows_each_number_and_the_listed_reasons():
    shown = run()
    assert "human.pref_raw.ci[0]" in shown
    assert "…" not in shown
    assert "0 differ." in shown
    assert "the cells give 0.762" in " ".join(shown.split())


def test_a_number_that_disagrees_ends_the_command_with_one(folder):
    document = json.loads((folder / "published.json").read_text())
    document["checks"][0]["expect"] = 0.5
    (folder / "published.json").write_text(json.dumps(document))
    with pytest.raises(CommandError, match="1 published numbers do not recompute") as raised:
        run("--from", str(folder))
    assert raised.value.returncode == 1


def test_a_folder_without_the_numbers_is_an_error_in_words(tmp_path):
    with pytest.raises(CommandError, match=r"published\.json"):
        run("--from", str(tmp_path))
