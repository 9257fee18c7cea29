"""`manage.py trace_sample PAIRS TRACES --pair en es --out FOLDER`: a human study of trace pairs."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.frames import TracePairs, Traces
from analysis.management.output import note, prepare_folder, write_files
from analysis.pipelines.trace.sampling import (
    Choice,
    SampleError,
    draw,
    items,
    pool_of,
    right_pairs,
    summary,
)
from analysis.reports.documents import json_text
from analysis.reports.trace_study import study_files
from analysis.tables import TableError, read_table


class Command(BaseCommand):
    help = "Draw pairs over crossed terciles of H and S and write a study folder."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("pairs", type=Path, help="pairs.csv as `trace` wrote it")
        parser.add_argument("traces", type=Path, help="table of traces, with a column question")
        parser.add_argument("--dataset", required=True)
        parser.add_argument(
            "--model", required=True, action="append", dest="models", help="again for more"
        )
        parser.add_argument(
            "--pair",
            nargs=2,
            required=True,
            action="append",
            dest="pairs_of",
            metavar=("A", "B"),
            help="languages; again for more, if every annotator reads them all",
        )
        parser.add_argument("--k", type=int, default=60, help="items")
        parser.add_argument("--anchors", type=int, default=10, help="items that all shall judge")
        parser.add_argument("--annotators", type=int, default=2, help="judgments an item")
        parser.add_argument(
            "--allocation", choices=["proportional", "equal"], default="proportional"
        )
        parser.add_argument("--slug", default="trace-equivalence")
        parser.add_argument("--seed", type=int, default=42)
        parser.add_argument("--out", type=Path, required=True)
        parser.add_argument("--force", action="store_true", help="write over what is in the folder")
        parser.add_argument("--json", action="store_true", help="print the document")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_folder(options["out"], force=options["force"])
        if options["annotators"] < 2:  # noqa: PLR2004  agreement needs two
            raise CommandError(
                "An item needs at least two annotators; give --annotators 2 or more."
            )
        names = ("dataset", "k", "anchors", "allocation", "seed")
        choice = Choice(
            models=tuple(options["models"]),
            pairs=tuple((a, b) for a, b in options["pairs_of"]),
            **{name: options[name] for name in names},
        )
        try:
            traces = read_table(options["traces"], Traces.TABLE)
            pairs = right_pairs(read_table(options["pairs"], TracePairs.TABLE), traces)
            drawn = draw(pairs, choice)
            rows = items(drawn, traces, choice)
        except (TableError, SampleError) as error:
            raise CommandError(str(error)) from error
        files = study_files(rows, choice, slug=options["slug"], annotators=options["annotators"])
        write_files(options["out"], files)
        document = summary(drawn, pool_of(pairs, choice))
        if options["json"]:
            self.stdout.write(json_text(document), ending="")
        else:
            note(f"Wrote {options['out']}: {json.dumps(document)}. Next: study_check it.")
