"""identities_unlink SLUG | --due: delete the platform's ids of people when payment is done."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from annotation.errors import Refused
from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.studies import study_named
from annotation.services.identities import identities_unlink, identities_unlink_due


class Command(StudyCommand):
    help = "Delete every platform id of a closed study, when payment is done; answers stay."

    def declare(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", help="the study's slug")
        parser.add_argument(
            "--due", action="store_true", help="of all studies whose unlink_days have passed"
        )

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        if bool(options["slug"]) == bool(options["due"]):
            raise Refused("Name a study, or say --due for all whose day has come.")
        if options["due"]:
            return {"unlinked": identities_unlink_due(author=author, now=now)}
        study = study_named(options["slug"])
        people = identities_unlink(study, author=author, now=now)
        return {"study": study.slug, "unlinked": people}

    def tell(self, document: Document) -> str:
        """Name each study, or say that none is due."""
        gone = document["unlinked"]
        if isinstance(gone, int):
            return super().tell(document)
        said = [f"{slug}: {people:,} ids deleted" for slug, people in gone.items()]
        return "\n".join(said) or "No study is due."
