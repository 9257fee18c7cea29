"""annotator_erase: one person and all that is theirs, at their request."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from annotation.errors import StateForbids
from annotation.management.study_command import Document, StudyCommand
from annotation.models import Annotator
from annotation.selectors.studies import study_named
from annotation.services.erasure import annotator_erase


class Command(StudyCommand):
    help = "Delete an annotator everywhere, at their request; print the receipt. It is final."

    def declare(self, parser: ArgumentParser) -> None:
        """Take the study's slug and the person's pseudonym."""
        super().declare(parser)
        parser.add_argument("pseudonym", help="the annotator's pseudonym, as on the monitor")

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        study = study_named(options["slug"])
        person = Annotator.objects.filter(study=study, pseudonym=options["pseudonym"]).first()
        if person is None:
            raise StateForbids(
                f"Nobody of {study.slug} has that pseudonym; the monitor lists those there are. "
                "Who was erased before is known no more."
            )
        erasure = annotator_erase(person, author=author, now=now)
        return {"study": study.slug, "receipt": erasure.receipt, "deleted": erasure.counts}

    def tell(self, document: Document) -> str:
        """Name the receipt and what went."""
        gone = ", ".join(f"{n} {name}" for name, n in document["deleted"].items())
        return f"Deleted: {gone}. Receipt {document['receipt']}, to be given to the person."
