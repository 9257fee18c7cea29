"""study_check: for a person, for a program, and without a database."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.annotation.studyfile.folders import spoiled, write_folder

PROJECT = Path(__file__).resolve().parents[3]


def check(folder, *options):
    """Run the command and return its status and output."""
    out = StringIO()
    status = 0
    try:
        call_command("study_check", str(folder), *options, stdout=out, no_color=True)
    except SystemExit as end:
        status = end.code
    return status, out.getvalue()


def test_a_sound_folder(tmp_path):
    assert check(write_folder(tmp_path / "study")) == (
        0,
        (
            "task response: 3 items\n"
            "task comparison: 2 items\n"
            "The study can be imported (errors: 0, warnings: 0).\n"
        ),
    )


def test_a_folder_with_a_fault(tmp_path):
    folder = write_folder(tmp_path / "study", spoiled("study.yaml", "seed: 7\n", ""))
    status, told = check(folder)
    assert status == 1
    assert told.splitlines()[0] == 'error    study.yaml, line 1, seed: "seed" is missing.'
    assert told.splitlines()[-1] == "This is not a study yet (errors: 1, warnings: 0)."


def test_warnings_do_not_change_the_status(tmp_path):
    folder = write_folder(tmp_path / "study", spoiled("study.yaml", "failed: 1", "failed: 2"))
    status, told = check(folder)
    assert status == 0
    assert told.startswith("warning  study.yaml, line 36, quality[1].failed: ")


def test_one_json_document(tmp_path):
    status, told = check(write_folder(tmp_path / "study"), "--json")
    assert status == 0
    assert json.loads(told) == {
        "ok": True,
        "errors": [],
        "warnings": [],
        "items": {"response": 3, "comparison": 2},
    }


@pytest.mark.parametrize("there", [True, False])
def test_json_of_a_faulty_folder(tmp_path, there):
    folder = tmp_path / "study"
    if there:
        write_folder(folder, spoiled("study.yaml", "seed: 7\n", ""))
    status, told = check(folder, "--json")
    document = json.loads(told)
    assert (status, document["ok"], len(document["errors"])) == (1, False, 1)
    assert set(document["errors"][0]) == {"file", "line", "field", "message"}


def test_no_database_is_needed(tmp_path):
    folder = write_folder(tmp_path / "study")
    command = [sys.executable, "manage.py", "study_check", str(folder), "--json"]
    environment = {
        "DATABASE_URL": f"sqlite:///{tmp_path}/absent/db.sqlite3",
        "PARALLAX_VAR": str(tmp_path),
    }
    done = subprocess.run(
        command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, json.loads(done.stdout)["ok"]) == (0, True), done.stderr
    assert not (tmp_path / "absent").exists()
