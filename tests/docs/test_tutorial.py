"""The tutorial, followed literally: its files are written, its commands are typed."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "tutorial" / "first-study.md"
BLOCK = re.compile(r"^```(\w+)(?: (\w+)=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What the reader has done when the tutorial begins, or does in another terminal.
DONE_BEFORE = ("make setup",)


def blocks(page):
    """Return language, key, value and text of every block of a page."""
    return [m.groups() for m in BLOCK.finditer(page.read_text())]


@pytest.mark.slow
def test_the_tutorial_works_as_it_is_written(tmp_path):
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in ("annotation", "analysis", "config", "templates", "static"):
        (clone / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "manage.py", clone)
    (clone / ".venv" / "bin").mkdir(parents=True)
    python = clone / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    environment = os.environ | {"PARALLAX_VAR": str(clone / "var"), "DATABASE_URL": ""}
    said = []
    for language, key, value, text in blocks(TUTORIAL):
        if key == "file":
            (clone / value).write_text(text)
        elif language == "sh" and key != "terminal":
            lines = [line for line in text.strip().splitlines() if line not in DONE_BEFORE]
            said += [typed(line, clone, environment) for line in lines]
    told = "\n".join(said)
    assert "8 items, 24 slots in 6 forms" in told
    assert "100.0% of forms balanced" in told
    assert "8 with 3; over-assigned: 0" in told
    table = (clone / "my-release" / "judgments.csv").read_text()
    assert table.count("adequacy") >= 24
    assert (clone / "my-release" / "codebook.csv").exists()


def typed(line, clone, environment):
    done = subprocess.run(
        shlex.split(line), cwd=clone, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout
