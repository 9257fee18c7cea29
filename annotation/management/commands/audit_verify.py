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
        found = audit_verify()
        broken = found.first_broken
        document = {"events": found.events, "ok": broken is None, "first_broken": broken}
        more = {"problem": found.problem, "erased_details": found.erased_details}
        return document | {key: value for key, value in more.items() if value}

    def tell(self, document: Document) -> str:
        """Name the first event that does not fit, or say what was erased and is accounted for."""
        if not document["ok"]:
            named, events = document["first_broken"], document["events"]
            return f"Event {named:,} of {events:,} is not as it was: {document['problem']}."
        told = f"{document['events']:,} events, each as it was written."
        erased = document.get("erased_details", 0)
        return f"{told} What {erased:,} of them said of people was erased." if erased else told
