"""`manage.py irt_worlds`: what the gaps come out as in simulated worlds where the model fails."""

from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from analysis.management.numbers import count, count_from
from analysis.management.progress import progress_bar
from analysis.pipelines.irt.worlds import GUESSING, WORLDS, Size, world_row
from analysis.reports.documents import json_text

HEADINGS = (
    "world",
    "Knowledge in truth",
    "Global",
    "Local",
    "Knowledge",
    "cells > 0",
    "slope",
    "residual correlation CA, CS",
    f"Knowledge with floor {GUESSING:g}",
)


class Command(BaseCommand):
    help = "Simulate a study in each of nine worlds and print what its gaps and diagnostics say."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        standard = Size()
        # Smaller studies leave a slope or a correlation undefined in most worlds.
        parser.add_argument("--models", type=count_from(5), default=standard.models)
        parser.add_argument("--locales", type=count_from(2), default=standard.locales)
        parser.add_argument(
            "--items", type=count_from(10), default=standard.items, help="in every set"
        )
        parser.add_argument("--seed", type=count, default=1)
        parser.add_argument("--json", action="store_true", help="print JSON, not a Markdown table")

    def handle(self, *args: Any, **options: Any) -> None:
        size = Size(options["models"], options["locales"], options["items"])
        rows = []
        with progress_bar("simulated worlds") as progress:
            for done, name in enumerate(WORLDS):
                if progress is not None:
                    progress(done, len(WORLDS))
                rows.append(world_row(name, size, options["seed"]))
        if options["json"]:
            known = [{n: None if v != v else v for n, v in row.items()} for row in rows]  # noqa: PLR0124  NaN
            self.stdout.write(json_text({"seed": options["seed"], "worlds": known}), ending="")
            return
        rule = ["---"] * len(HEADINGS)
        self.stdout.write("\n".join(map(line, [HEADINGS, rule, *map(cells, rows)])))


def cells(row: dict[str, Any]) -> list[str]:
    """Return the cells of one world as the page has them."""
    gaps = (row[name] for name in ("true_knowledge", "global", "local", "knowledge"))
    correlations = (row["correlation_agnostic"], row["correlation_specific"])
    return [
        row["world"],
        *map(two, gaps),
        f"{row['share_positive']:.0%}",
        two(row["slope"]),
        ", ".join(map(two, correlations)),
        two(row["knowledge_with_floor"]),
    ]


def two(number: float) -> str:
    """Return a number with two digits; a rounded minus zero is zero."""
    return f"{round(number, 2) + 0.0:.2f}"


def line(texts: Iterable[str]) -> str:
    """Return one line of a Markdown table."""
    return f"| {' | '.join(texts)} |"
