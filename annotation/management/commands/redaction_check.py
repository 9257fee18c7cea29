"""Measure what the suggestions for typed texts find, on comments drawn from a seed."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from annotation.redaction.corpus import corpus
from annotation.redaction.recall import Measured, measured


class Command(BaseCommand):
    """Print recall and precision a kind."""

    help = "Measure how much of what identifies people is found in typed texts."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--seed", type=int, default=1, help="of the comments (default 1)")
        parser.add_argument(
            "--each", type=int, default=200, help="comments a kind, and clean ones (default 200)"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document")

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure and print."""
        lines = measured(corpus(options["seed"], max(1, options["each"])))
        if options["json"]:
            rows = [
                asdict(one) | {"recall": one.recall, "precision": one.precision} for one in lines
            ]
            self.stdout.write(json.dumps(rows))
            return
        self.stdout.write(
            f"{'':45}{'planted':>8}{'found':>7}{'recall':>8}{'false':>7}{'precision':>11}"
        )
        for line in lines:
            self.stdout.write(_line(line))


def _line(line: Measured) -> str:
    name = f"  {line.variant}" if line.variant else str(line.kind)
    told = f"{name:45}{line.planted:8}{line.found:7}{line.recall:8.3f}"
    if line.variant or line.precision is None:
        return told
    return f"{told}{line.false:7}{line.precision:11.3f}"
