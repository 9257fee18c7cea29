"""identities_unlink SLUG: delete the platform's ids of a closed study's people."""

from datetime import datetime
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.studies import study_named
from annotation.services.identities import identities_unlink


class Command(StudyCommand):
    help = "Delete every platform id of a closed study, when payment is done; answers stay."

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        study = study_named(options["slug"])
        people = identities_unlink(study, author=author, now=now)
        return {"study": study.slug, "unlinked": people}
