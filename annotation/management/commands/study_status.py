"""study_status SLUG: how far a study has come."""

from datetime import datetime
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.progress import study_progress
from annotation.selectors.studies import study_named
from annotation.services.claims import slots_release_expired


class Command(StudyCommand):
    help = "Print a study's state, its annotators, and how many judgments its items have."

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        del author
        study = study_named(options["slug"])
        slots_release_expired(study, now=now)
        progress = study_progress(study)
        return {
            "study": study.slug,
            "state": progress.state,
            "annotators": progress.annotators,
            "simulated": progress.simulated,
            # At their own request; they are in no other number.
            "erased": study.erasures.count(),
            "coverage": {str(times): items for times, items in sorted(progress.coverage.items())},
            "over_assigned": progress.over_assigned,
            "open_forms": progress.open_forms,
            "unplanned_slots": progress.unplanned_slots,
            "needed_annotators": progress.needed_annotators,
        }

    def tell(self, document: Document) -> str:
        people = ", ".join(f"{n} {state}" for state, n in document["annotators"].items())
        items = ", ".join(f"{n} with {times}" for times, n in document["coverage"].items())
        erased = document["erased"]
        if erased:
            people = f"{people or 'none left'}; {erased} erased at their own request and counted nowhere else"
        return "\n".join(
            [
                f"{document['study']} is {document['state']}.",
                f"annotators: {people or 'none yet'}",
                f"items by valid judgments: {items}; over-assigned: {document['over_assigned']}",
                (
                    f"open forms: {document['open_forms']}; people still needed: "
                    f"{document['needed_annotators']}"
                ),
            ]
        )
