"""`manage.py trace_sample PAIRS TRACES --pair en es --out FOLDER`: a human study of trace pairs."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.frames import TracePairs, Traces
from analysis.management.numbers import count
from analysis.management.output import note, prepare_folder, write_files
from analysis.pipelines.trace.sampling import (
    Choice,
    SampleError,
    draw,
    items,
    places,
    pool_of,
    power_words,
    right_pairs,
    shared,
    summary,
)
from analysis.reports.documents import json_text
from analysis.reports.trace_study import Forms, study_files
from analysis.tables import TableError, read_table

APART = (
    "The anchors are marked and stand on no more forms than the others: they share their problems "
    "with other items, and nobody sees a problem twice. Give one model and one pair of languages, "
    "or fewer --anchors."
)


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
            "--people",
            type=int,
            help="who share the work, a form each (default: twice --annotators)",
        )
        parser.add_argument(
            "--allocation", choices=["proportional", "equal"], default="proportional"
        )
        parser.add_argument(
            "--groups", action="store_true", help="two groups of people who share the anchors only"
        )
        parser.add_argument("--slug", default="trace-equivalence")
        parser.add_argument("--seed", type=count, default=42)
        parser.add_argument("--out", type=Path, required=True)
        parser.add_argument("--force", action="store_true", help="write over what is in the folder")
        parser.add_argument("--json", action="store_true", help="print the document")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_folder(options["out"], force=options["force"])
        if options["annotators"] < 2:  # noqa: PLR2004  agreement needs two
            raise CommandError(
                "An item needs at least two annotators; give --annotators 2 or more."
            )
        people = options["people"]
        if people is not None and people < options["annotators"]:
            raise CommandError(
                f"{people} people cannot give {options['annotators']} judgments an item; "
                "give more --people or fewer --annotators."
            )
        if options["groups"] and people is not None and people < 2 * options["annotators"]:
            raise CommandError(
                f"{people} people cannot be two groups with {options['annotators']} judgments an item "
                "in each; give more --people or fewer --annotators."
            )
        names = ("dataset", "k", "anchors", "allocation", "seed", "groups")
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
        size = places(drawn, annotators=options["annotators"], people=people)
        forms = Forms(options["annotators"], size, anchored=shared(drawn))
        files = study_files(rows, choice, forms, slug=options["slug"])
        write_files(options["out"], files)
        document = summary(drawn, pool_of(pairs, choice))
        if options["json"]:
            self.stdout.write(json_text(document), ending="")
        else:
            note(f"Wrote {options['out']}: {json.dumps(document)}. Next: study_check it.")
        note(power_words(drawn))
        if choice.anchors and not shared(drawn):
            note(APART)
