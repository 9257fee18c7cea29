"""study_close SLUG: end the collection for good."""

from datetime import datetime
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.studies import study_named
from annotation.services.study_states import study_close


class Command(StudyCommand):
    help = "Close a study for good: forms in hand may be finished, nothing is given any more."

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        study = study_close(study_named(options["slug"]), author=author, now=now)
        return {"study": study.slug, "state": study.state}
