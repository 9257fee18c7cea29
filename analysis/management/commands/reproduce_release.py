"""`manage.py reproduce_release ARCHIVE`: every number of a release again, from its files alone."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.archive import ArchiveError, made_by, opened, reproduced
from analysis.pipelines.human.sample import HumanError
from annotation.exports.facts import software_version


class Command(BaseCommand):
    help = "Check a release's files and recompute its numbers from them; no database is asked."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("archive", type=Path, help="the folder of a release, or its zip file")
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with opened(options["archive"]) as folder:
                document = reproduced(folder)
                if document["differences"] and (other := _another_version(made_by(folder))):
                    document["differences"].append(other)
        except (ArchiveError, HumanError) as fault:
            raise CommandError(str(fault)) from None
        if options["json"]:
            self.stdout.write(json.dumps(document, ensure_ascii=False, indent=2))
        else:
            self.stdout.write(told(document))
        if not document["ok"]:
            raise CommandError("The archive is not what it says it is.")


def _another_version(made: str) -> str:
    """Say that it was made by another version than this one; empty where it was not."""
    own = f"Parallax {software_version()}"
    if made == own:
        return ""
    return f"It was made by {made} and this is {own}, which may compute more, or otherwise"


def told(document: dict[str, Any]) -> str:
    """Return the outcome in words."""
    lines = [*document["files_broken"], *document["differences"]]
    if document["ok"] and document["analysed"]:
        lines.append("Every file is as it was released, and every number comes out the same.")
    elif document["ok"]:
        lines.append("Every file is as it was released; it holds no analysis to repeat.")
    return "\n".join(lines)
