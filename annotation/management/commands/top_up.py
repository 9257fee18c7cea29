"""top_up SLUG: plan the cells that exclusions emptied into new forms."""

from datetime import datetime
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.progress import study_progress
from annotation.selectors.studies import study_named
from annotation.services.top_up import top_up


class Command(StudyCommand):
    help = "Open new forms for exactly the slots that exclusions emptied."

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        study = study_named(options["slug"])
        forms = top_up(study, author=author, now=now)
        needed = study_progress(study).needed_annotators
        return {"study": study.slug, "forms": forms, "needed_annotators": needed}
