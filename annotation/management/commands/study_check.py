"""study_check FOLDER: whether a folder is a study, and everything that is wrong with it."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from annotation.studyfile import Inspection, canonical_json, inspect_study


class Command(BaseCommand):
    help = "Check a study folder without touching the database; print every error with its place."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: Any, **options: Any) -> None:
        inspection = inspect_study(options["folder"])
        if options["json"]:
            self.stdout.write(canonical_json(_document(inspection)))
        else:
            self._tell(inspection)
        if inspection.errors:
            sys.exit(1)

    def _tell(self, inspection: Inspection) -> None:
        for error in inspection.errors:
            self.stdout.write(f"{self.style.ERROR('error')}    {error}")
        for warning in inspection.warnings:
            self.stdout.write(f"{self.style.WARNING('warning')}  {warning}")
        for task, count in inspection.items.items():
            self.stdout.write(f"task {task}: {count:,} items")
        found = f"errors: {len(inspection.errors):,}, warnings: {len(inspection.warnings):,}"
        verdict = "This is not a study yet" if inspection.errors else "The study can be imported"
        self.stdout.write(f"{verdict} ({found}).")


def _document(inspection: Inspection) -> dict[str, Any]:
    return {
        "ok": not inspection.errors,
        "errors": [error.as_dict() for error in inspection.errors],
        "warnings": [warning.as_dict() for warning in inspection.warnings],
        "items": inspection.items,
    }
