"""payments SLUG --out DIR: who is owed what, and the files that the platform takes."""

from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.payments import totals
from annotation.selectors.studies import study_definition, study_named
from annotation.services.payment_files import payment_files, payment_table


class Command(StudyCommand):
    help = "Write who is owed what, by pseudonym, and the platform's files with its ids of people."

    def declare(self, parser: ArgumentParser) -> None:
        super().declare(parser)
        parser.add_argument("--out", type=Path, required=True, help="the folder of the files")
        parser.add_argument(
            "--pseudonyms-only", action="store_true", help="leave the platform's files out"
        )

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        study, out = study_named(options["slug"]), Path(options["out"])
        files = {"people.csv": payment_table(study)}
        if not options["pseudonyms_only"]:
            files |= payment_files(study, author=author, now=now)
        out.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name, text in files.items():
            path = out / name
            path.touch(mode=0o600)
            path.write_text(text)
        rules = study_definition(study).recruitment.payment
        return {
            "study": study.slug,
            "currency": rules.currency if rules else None,
            "totals": [
                {
                    "outcome": one.kind,
                    "payment": one.payment,
                    "people": one.people,
                    "amount": None if one.amount is None else f"{one.amount:.2f}",
                }
                for one in totals(study)
            ],
            "files": {name: text.count("\n") for name, text in files.items()},
        }

    def tell(self, document: Document) -> str:
        """Return the totals as lines, and where the files are."""
        currency = document["currency"] or ""
        lines = [
            f"  {one['outcome']:<14}{one['payment']:<10}{one['people']:>7,}"
            f"{one['amount'] or 'not agreed':>14} {currency}"
            for one in document["totals"]
        ]
        files = [f"  {name:<20}{rows:>7,} lines" for name, rows in document["files"].items()]
        return "\n".join([f"Payments of {document['study']}:", *lines, "Written:", *files])
