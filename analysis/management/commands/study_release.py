"""study_release SLUG --out DIR: the judgments as files that name nobody."""

from argparse import ArgumentParser
from datetime import datetime
from pathlib import Path
from typing import Any

from analysis.apart import archive_files_apart
from analysis.management.progress import progress_bar
from annotation.errors import Refused
from annotation.exports.pseudonyms import key_from, new_key
from annotation.exports.release import CHECKSUMS, study_archive, study_release
from annotation.exports.texts import told_of_redacted, told_of_texts
from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.studies import study_named
from annotation.services.releases import release_written


class Command(StudyCommand):
    help = "Write a study's judgments, items, exclusions, plan and codebook, de-identified."

    def declare(self, parser: ArgumentParser) -> None:
        super().declare(parser)
        parser.add_argument(
            "--out",
            type=Path,
            required=True,
            help="the folder of the release, or a file that ends in .zip",
        )
        parser.add_argument(
            "--force", action="store_true", help="write over a folder that is not empty"
        )
        parser.add_argument(
            "--key",
            type=Path,
            help="a file with the secret from which names are made, to make the same release again; "
            "by default the names are new",
        )
        parser.add_argument(
            "--by-item",
            action="store_true",
            help="how often each value was given to each item, and not by whom; without an analysis",
        )
        parser.add_argument(
            "--without-analysis", action="store_true", help="leave out the results of the analysis"
        )

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        study = study_named(options["slug"])
        out = Path(options["out"])
        key = _key(options["key"], out)
        additions = () if options["without_analysis"] else (archive_files_apart,)
        make = study_archive if out.suffix == ".zip" else study_release
        with progress_bar(study.slug) as progress:
            document = make(
                study,
                out,
                key=key,
                force=options["force"],
                progress=progress,
                additions=additions,
                by_item=options["by_item"],
            )
        sums = next(file for file in document["files"] if file["path"] == CHECKSUMS)
        release_written(study, sums["sha256"], author=author, now=now)
        return document

    def tell(self, document: Document) -> str:
        files = [f"  {file['path']:<24}{_rows(file['rows']):>12}" for file in document["files"]]
        held = [f"  {check['check']}: {check['detail']}" for check in document["checks"]]
        return "\n".join(
            [
                f"{document['study']} is released.",
                *files,
                "Checked:",
                *held,
                told_of_texts(document),
                told_of_redacted(document["redacted"]),
                f"{len(document['dropped_columns'])} columns stayed behind; release.json names them.",
            ]
        )


def _key(path: Path | None, out: Path) -> bytes:
    if path is None:
        return new_key()
    if out.resolve() in path.resolve().parents:
        raise Refused(f"The key {path} lies in the folder of the release; keep it elsewhere.")
    return key_from(path)


def _rows(rows: int | None) -> str:
    return "" if rows is None else f"{rows:,} rows"
