"""The shipped studies, cut down to a few forms, so that a journey starts at once."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from annotation.models import Study
from annotation.studyfile import read_study
from annotation.studyfile.definition import StudyDefinition
from tests.factories import live

PROJECT = Path(__file__).resolve().parents[2]
STUDIES = PROJECT / "fixtures" / "studies"
# Real stories and answers, where their data lie beside the project.
SQUALITY = PROJECT.parent / "shared" / "data" / "squality"
FOLDERS = {path.name: path for path in (*STUDIES.iterdir(), SQUALITY) if path.is_dir()}
# Of the studies of two tasks every so many-th item, of the others every second; each is wanted once.
EVERY = 10
# Enough screens for every check and every accident of a journey.
FORM = 6


@lru_cache
def cut(name: str) -> StudyDefinition:
    """Return a shipped study with a part of its items."""
    whole = read_study(FOLDERS[name])
    every = EVERY if whole.assignment.mix else 2
    tasks = tuple(replace(task, items=task.items[::every]) for task in whole.tasks)
    used = {item.passage_id for task in tasks for item in task.items}
    used |= {tried.item.passage_id for tried in whole.practice}
    return replace(
        whole,
        tasks=tasks,
        assignment=replace(
            whole.assignment,
            replication=1,
            form_size=whole.assignment.form_size if whole.assignment.mix else FORM,
        ),
        passages={key: passage for key, passage in whole.passages.items() if key in used},
    )


def open_study(name: str, **recruitment: Any) -> Study:
    """Import and launch the cut study, with some settings of its recruitment changed."""
    wanted = cut(name)
    return live(replace(wanted, recruitment=replace(wanted.recruitment, **recruitment)))
