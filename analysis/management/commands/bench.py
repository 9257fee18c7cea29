"""`manage.py bench NAME`: how long the costly parts take on this machine, and against what."""

import json
from importlib import import_module
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from analysis.benches import BENCHES
from analysis.benches.measure import Row


class Command(BaseCommand):
    help = "Measure one bench, or all of them."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", choices=[*BENCHES, "all"], help="the bench to run")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        names = list(BENCHES) if options["name"] == "all" else [options["name"]]
        benches: dict[str, list[Row]] = {n: import_module(BENCHES[n]).rows() for n in names}
        if options["json"]:
            plain = {n: [row.as_dict() for row in rows] for n, rows in benches.items()}
            self.stdout.write(json.dumps(plain, indent=2))
            return
        for name, rows in benches.items():
            self.stdout.write(f"{name}\n" + "\n".join(map(line, rows)))


def line(row: Row) -> str:
    """Return one row of the table that a terminal shows, its limits in lines of their own."""
    per = "".join(f"; {value:.3g} s per {unit}" for unit, value in row.per.items())
    against = f"; {row.against[1]:,.1f} x against {row.against[0]}" if row.against else ""
    limits = "".join(f"\n{'':14}{limit.words}" for limit in row.limits)
    measured = f"  {row.cpu_seconds:10.4f} CPU-s {row.wall_seconds:10.4f} s  {row.name}"
    return f"{measured}{per}{against}{limits}"
