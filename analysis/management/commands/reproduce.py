"""`manage.py reproduce`: recompute what the papers print, and compare."""

import json
from pathlib import Path
from typing import IO, Any, cast

import pandas as pd
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Column, Table

from analysis.pipelines.reproduce import Check, Reproduction, printed_checks
from analysis.pipelines.reproduce_figure import figure_checks

PUBLISHED = Path(settings.BASE_DIR) / "tests" / "oracles"


class Command(BaseCommand):
    help = "Recompute the published numbers with the library; exit with 1 where one disagrees."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        parser.add_argument("--from", dest="folder", type=Path, default=PUBLISHED, metavar="DIR")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = Reproduction(all_checks(options["folder"]))
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(found.as_dict(), indent=2, allow_nan=False))
        else:
            Console(file=cast(IO[str], self.stdout)).print(table(found), *reasons(found), sep="\n")
        if found.failed:
            raise CommandError(f"{found.failed} published numbers do not recompute.")


def all_checks(folder: Path) -> tuple[Check, ...]:
    """Read the published numbers and recompute them."""
    printed = json.loads((folder / "published.json").read_text(encoding="utf-8"))
    figure = json.loads((folder / "published_irt.json").read_text(encoding="utf-8"))
    cells = pd.read_csv(folder / "irt_figure5.csv", keep_default_na=False)
    return printed_checks(printed) + figure_checks(figure, cells)


def table(found: Reproduction) -> Table:
    """Lay the checks out, a row each."""
    number = Column("number", overflow="fold")
    layout = Table(number, "published", "recomputed", "difference", "verdict", box=None)
    for check in found.checks:
        values = (check.published, check.recomputed, check.difference)
        layout.add_row(check.id, *(f"{value:.6g}" for value in values), check.verdict)
    return layout


def reasons(found: Reproduction) -> list[str]:
    """Return the listed reasons, and the count of verdicts in one sentence."""
    listed = [f"{check.id}: {check.known}." for check in found.checks if check.known]
    tally = f"{found.passed} agree, {found.known} differ for a listed reason, {found.failed} differ"
    return ["", *listed, "", f"{len(found.checks)} numbers: {tally}."]
