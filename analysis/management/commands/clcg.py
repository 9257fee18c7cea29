"""`manage.py clcg SCORES --languages LANGS --out DIR`: what a change of language costs a model."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from analysis.management import clcg_input
from analysis.management.output import prepare_folder, write_files
from analysis.management.progress import progress_bar
from analysis.management.queued import queued_words
from analysis.pipelines.clcg.reading import (
    Inputs,
    read_external,
    read_people,
    read_population,
)
from analysis.pipelines.clcg.study import analyse
from analysis.pipelines.clcg.sums import ClcgError
from analysis.reports.bundle import report_files
from analysis.reports.clcg import clcg_report
from analysis.runs.clcg import clcg_ask
from analysis.tables import TableError
from annotation.management.database import ready_database
from annotation.management.study_command import author


class Command(BaseCommand):
    help = "Estimate the cross-lingual gap and all that is said of it."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        clcg_input.add_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        inputs = clcg_input.inputs_of(options)
        try:
            if options["background"]:
                self._queue(inputs, options)
            else:
                self._write(inputs, options)
        except (TableError, ClcgError) as error:
            raise CommandError(str(error)) from None
        except OSError as fault:
            raise CommandError(f"{fault.filename}: {fault.strerror}.") from None

    def _queue(self, inputs: Inputs, options: dict[str, Any]) -> None:
        """Ask for it in the background; the same question while one is on its way is that one."""
        ready_database()
        figures = not options["no_figures"]
        run = clcg_ask(inputs, figures=figures, author=author(), now=timezone.now())
        self.stdout.write(queued_words(run, as_json=options["json"]))

    def _write(self, inputs: Inputs, options: dict[str, Any]) -> None:
        """Do it here and now."""
        prepare_folder(options["out"], force=options["force"])
        with progress_bar("rows read") as progress:
            population, matches = read_population(inputs, progress)
        external = read_external(inputs, population)
        study = analyse(population, matches, external, read_people(inputs))
        report = clcg_report(study, figures=not options["no_figures"])
        files = report_files(report)
        write_files(options["out"], files)
        if options["json"]:
            self.stdout.write(files["results.json"].decode(), ending="")
            return
        for section in report.sections:
            if section.sentences:
                self.stdout.write("\n".join([f"\n{section.heading}", *section.sentences]))
        self.stdout.write(f"\n{len(files)} files in {options['out']}; begin with report.html")
