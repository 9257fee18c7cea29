"""`manage.py clcg SCORES --languages LANGS --out DIR`: what a change of language costs a model."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.management import clcg_input
from analysis.management.output import prepare_folder, write_files
from analysis.management.progress import progress_bar
from analysis.pipelines.clcg.reading import read_external, read_population
from analysis.pipelines.clcg.study import analyse
from analysis.pipelines.clcg.sums import ClcgError
from analysis.reports.bundle import report_files
from analysis.reports.clcg import clcg_report
from analysis.tables import TableError


class Command(BaseCommand):
    help = "Estimate the cross-lingual gap and all that is said of it."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        clcg_input.add_options(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        inputs = clcg_input.inputs_of(options)
        prepare_folder(options["out"], force=options["force"])
        try:
            with progress_bar("rows read") as progress:
                population, matches = read_population(inputs, progress)
            external = read_external(inputs, population)
            study = analyse(population, matches, external)
        except (TableError, ClcgError) as error:
            raise CommandError(str(error)) from None
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
