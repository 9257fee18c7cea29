"""`manage.py clcg_errors LABELS --out DIR`: which errors the cross-lingual gap is made of."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.frames import ErrorLabels, HumanLabels
from analysis.management.language_classes import classes_of
from analysis.management.numbers import count
from analysis.management.output import prepare_folder
from analysis.management.reported import write_report
from analysis.pipelines.clcg.errors import analyse_errors
from analysis.pipelines.clcg.errors_by_judge import Rules
from analysis.pipelines.clcg.sums import ClcgError
from analysis.reports.clcg_errors import errors_report
from analysis.tables import TableError, read_table


class Command(BaseCommand):
    help = "Analyse judges' labels on pairs of responses: transitions, losses, agreement."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("labels", nargs="+", type=Path)
        parser.add_argument("--languages", type=Path, help="table of languages, for their classes")
        parser.add_argument("--human", type=Path, help="table of people's labels")
        parser.add_argument("--correct", default=Rules().correct, help="the label that means right")
        parser.add_argument("--semantic", nargs="+", help="labels that are errors of meaning")
        parser.add_argument(
            "--collapse", nargs="+", default=[], metavar="FINE=COARSE", help="coarser labels"
        )
        parser.add_argument("--primary", help="the judge that the report tells of first")
        parser.add_argument("--resamples", type=count, default=Rules().resamples)
        parser.add_argument("--seed", type=count, default=Rules().seed)
        parser.add_argument("--out", type=Path, required=True)
        parser.add_argument("--force", action="store_true", help="write over what is in the folder")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_folder(options["out"], force=options["force"])
        languages: Path | None = options["languages"]
        try:
            labels = read_table([Path(path) for path in options["labels"]], ErrorLabels.TABLE)
            study = analyse_errors(
                labels,
                rules_of(options),
                {} if languages is None else classes_of(languages, labels[ErrorLabels.LANGUAGE]),
                None if not options["human"] else read_table(options["human"], HumanLabels.TABLE),
            )
        except (TableError, ClcgError) as error:
            raise CommandError(str(error)) from None
        primary = options["primary"]
        if primary is not None and primary not in study.judges:
            raise CommandError(f"{primary!r} is no judge; there are {', '.join(study.judges)}.")
        write_report(errors_report(study, primary=primary), options, self.stdout)


def rules_of(options: dict[str, Any]) -> Rules:
    """Return what the options say a loss is."""
    pairs = [text.partition("=") for text in options["collapse"]]
    wrong = [fine for fine, equals, coarse in pairs if not (fine and equals and coarse)]
    if wrong:
        raise CommandError(f"--collapse takes FINE=COARSE; {wrong[0]!r} is none.")
    return Rules(
        options["correct"],
        tuple(options["semantic"]) if options["semantic"] else None,
        {fine: coarse for fine, _, coarse in pairs},
        max(1, options["resamples"]),
        options["seed"],
    )
