"""`manage.py irt_items RATINGS --items ITEMS --out KEPT.csv`: which translated items to keep."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.frames import KeptItems, TranslationRatings
from analysis.management.output import require_writable, write_files
from analysis.pipelines.irt.people import kept_items
from analysis.reports.bundle import csv_bytes
from analysis.tables import TableError, read_table


class Command(BaseCommand):
    help = "Turn judgments of translated questions into the table that `irt --items` takes."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ratings", type=Path, help="ratings, a row an annotator and item")
        parser.add_argument("--items", type=Path, required=True, help="item_id and locale")
        parser.add_argument("--out", type=Path, required=True, help="file to write, .csv")
        parser.add_argument("--quality", type=int, choices=(2, 3), default=TranslationRatings.GOOD)
        parser.add_argument("--force", action="store_true", help="write over a file")
        parser.add_argument("--json", action="store_true", help="print the counts as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"]
        _check(out, force=options["force"])
        try:
            ratings = read_table(options["ratings"], TranslationRatings.TABLE)
            items = read_table(options["items"], TranslationRatings.ITEMS)
        except TableError as error:
            raise CommandError(str(error)) from None
        table = kept_items(ratings, items, quality=options["quality"])
        write_files(out.parent, {out.name: csv_bytes(table)})
        kept, wrong = int(table[KeptItems.KEEP].sum()), int(table[KeptItems.ERROR].sum())
        counts = {"judged": len(table), "kept": kept, "wrong_translation": wrong}
        if options["json"]:
            self.stdout.write(json.dumps(counts))
            return
        words = f"{len(table)} items judged, {kept} kept, {wrong} with a wrong translation: {out}"
        self.stdout.write(words)


def _check(out: Path, *, force: bool) -> None:
    """Refuse a file that is there, unless forced, and one that cannot be written."""
    require_writable(out)
    if out.is_dir():
        raise CommandError(f"{out} is a folder; --out must name a file")
    if out.exists() and not force:
        raise CommandError(f"{out} exists; name another file, or add --force to write over it")
