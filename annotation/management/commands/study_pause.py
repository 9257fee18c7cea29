"""study_pause SLUG: let nobody new in; study_launch opens it again."""

from datetime import datetime
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.studies import study_named
from annotation.services.study_states import study_pause


class Command(StudyCommand):
    help = "Pause a live study: forms in hand may be finished, no new ones are given."

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        study = study_pause(study_named(options["slug"]), author=author, now=now)
        return {"study": study.slug, "state": study.state}
