"""`manage.py human SLUG --out DIR`, or tables in place of a study: what the judgments say."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.loaders import study_plan, study_sample
from analysis.management import human_input
from analysis.management.output import prepare_folder
from analysis.management.progress import progress_bar
from analysis.management.reported import write_report
from analysis.pipelines.human.sample import HumanError
from analysis.pipelines.human.study import HumanStudy, analyse
from analysis.reports.human import human_report
from analysis.tables import TableError
from annotation.errors import Refused
from annotation.management.database import ready_database
from annotation.selectors.studies import study_named


class Command(BaseCommand):
    help = "Report a human study: agreement, preference, people against automatic measures."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        human_input.add_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        human_input.refuse_mixture(options)
        prepare_folder(options["out"], force=options["force"])
        try:
            study, title = studied(options)
        except (TableError, HumanError) as error:
            raise CommandError(str(error)) from None
        except Refused as refused:
            raise CommandError(refused.message) from None
        write_report(human_report(study, title), options, self.stdout)


def studied(options: dict[str, Any]) -> tuple[HumanStudy, str]:
    """Read the study or the tables, and analyse."""
    title = "What people judged"
    if options["slug"]:
        ready_database()
        study = study_named(options["slug"])
        title = study.title
        sample, plan = study_sample(study), study_plan(study)
    else:
        sample, plan = human_input.read_files(options)
    with progress_bar("human study") as progress:
        return analyse(sample, plan, human_input.overrides_of(options), progress=progress), title
