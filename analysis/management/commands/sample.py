"""`manage.py sample SCORES --spec SPEC.yaml --out FOLDER`: scored responses into a human study."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.management.output import prepare_folder, write_files
from analysis.management.sampling import read_spec, sampled
from analysis.pipelines.clcg.sums import ClcgError
from analysis.reports.documents import json_text
from analysis.tables import TableError


class Command(BaseCommand):
    help = "Draw responses and pairs over strata and write a study folder."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("scores", nargs="+", type=Path, help="as `clcg_score` wrote them")
        parser.add_argument(
            "--spec", type=Path, required=True, help="YAML; its tables lie beside it"
        )
        parser.add_argument("--out", type=Path, required=True, help="the study folder")
        parser.add_argument("--force", action="store_true", help="write over what is in the folder")
        parser.add_argument("--json", action="store_true", help="print what was drawn as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_folder(options["out"], force=options["force"])
        spec: Path = options["spec"]
        scores = [Path(path) for path in options["scores"]]
        try:
            files, realised = sampled(scores, read_spec(spec), spec.parent)
        except (TableError, ClcgError) as error:
            raise CommandError(str(error)) from None
        write_files(options["out"], files)
        if options["json"]:
            self.stdout.write(json_text(realised), ending="")
            return
        short = realised["shortfall"]
        if short["responses"] or short["pairs"]:
            self.stderr.write(
                f"{realised['pool']:,} responses can be shown. A document gives no more than "
                "cap_per_document items, and pairs are drawn after responses: raise the cap, or ask for "
                "fewer. sampling.json says what fell short where."
            )
        self.stdout.write(
            f"{realised['responses']} responses and {realised['pairs']} pairs in {options['out']}; "
            f"{short['responses']} responses and {short['pairs']} pairs fewer than wanted. "
            f"Next: manage.py study_check {options['out']}"
        )
