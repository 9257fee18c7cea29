"""`manage.py irt RESPONSES --out DIR`: is it language proficiency, or knowledge?"""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.management import irt_input
from analysis.management.output import prepare_folder
from analysis.management.progress import progress_bar
from analysis.management.reported import write_report
from analysis.pipelines.irt.responses import ResponsesError
from analysis.pipelines.irt.study import Study, analyse
from analysis.reports.irt import irt_report
from analysis.stats.rasch_bayes import MissingExtraError
from analysis.tables import TableError


class Command(BaseCommand):
    help = "Fit the facet-conditioned Rasch model and report its three gaps."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        irt_input.add_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        prepare_folder(options["out"], force=options["force"])
        try:
            report = irt_report(studied(options))
        except (TableError, ResponsesError, MissingExtraError) as error:
            raise CommandError(str(error)) from None
        write_report(report, options, self.stdout)


def studied(options: dict[str, Any]) -> Study:
    """Read the input and analyse it."""
    settings = irt_input.settings_of(options)
    answers = irt_input.read_answers(options, continuous=settings.continuous)
    with progress_bar("item bootstrap") as progress:
        return analyse(
            answers,
            settings,
            clock=time.perf_counter,
            background=irt_input.read_background(options),
            kept=irt_input.read_kept(options, answers),
            outcomes=irt_input.read_outcomes(options, settings),
            progress=progress,
        )
