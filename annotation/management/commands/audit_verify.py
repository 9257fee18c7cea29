"""audit_verify: whether the log is as it was written."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.services.audit import audit_verify


class Command(StudyCommand):
    help = "Recompute the chain of the log; name the first event that was altered, if any."

    def declare(self, parser: ArgumentParser) -> None:
        """Take no study: the chain runs through all of them."""

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        del now, author, options
        events, first_broken = audit_verify()
        return {"events": events, "ok": first_broken is None, "first_broken": first_broken}

    def tell(self, document: Document) -> str:
        if not document["ok"]:
            return f"Event {document['first_broken']} of {document['events']:,} is not as it was."
        return f"{document['events']:,} events, each as it was written."
