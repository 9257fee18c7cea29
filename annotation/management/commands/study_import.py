"""study_import FOLDER: a folder becomes a draft study with its forms planned."""

from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.services.study_import import study_import
from annotation.studyfile import read_study


class Command(StudyCommand):
    help = "Import a study folder as a draft; the same folder again changes nothing."

    def declare(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        done = study_import(read_study(options["folder"]), author=author, now=now)
        return {
            "study": done.study.slug,
            "state": done.study.state,
            "changed": done.changed,
            "items": done.items,
            "slots": done.slots,
            "forms": done.forms,
            "design": done.study.design,
        }

    def tell(self, document: Document) -> str:
        design = document["design"]
        what = "imported" if document["changed"] else "unchanged since its last import"
        lines = [
            f"{document['study']}: {what}; {document['state']}.",
            f"{document['items']:,} items, {document['slots']:,} slots in {document['forms']:,} forms",
            (
                f"coverage {design['coverage_min']}..{design['coverage_max']}, "
                f"{design['clashes']} clashes, at most {design['lambda_max']} forms share two items, "
                f"{design['margins_balanced_share']:.1%} of forms balanced"
            ),
        ]
        return "\n".join(lines + [f"warning: {warning}" for warning in design["warnings"]])
