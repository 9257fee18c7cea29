"""What a command does with a report that it has made: writes its files, and prints what one reads first."""

from pathlib import Path
from typing import Any

from django.core.management.base import OutputWrapper

from analysis.management.output import write_files
from analysis.reports.bundle import Report, report_files


def write_report(report: Report, options: dict[str, Any], stdout: OutputWrapper) -> None:
    """Write the files to `--out`; print the document with `--json`, else every section that says something."""
    out: Path = options["out"]
    files = report_files(report)
    write_files(out, files)
    if options["json"]:
        stdout.write(files["results.json"].decode(), ending="")
        return
    for section in report.sections:
        if section.sentences:
            stdout.write("\n".join([f"\n{section.heading}", *section.sentences]))
    stdout.write(f"\n{len(files)} files in {out}; begin with report.html")
