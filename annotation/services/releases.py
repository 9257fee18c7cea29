"""Which archives are kept, that none is when somebody must go, and who was given one."""

import hashlib
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from annotation.errors import StateForbids
from annotation.models import Erasure, Release, Study
from annotation.services.audit import audit_record


def releases_folder() -> Path:
    """Return where archives are kept, and made; nobody but the server reads there."""
    folder = Path(settings.RELEASES_DIR)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def release_path(release: Release) -> Path:
    """Return where the file of a release lies."""
    return releases_folder() / release.file_name


@contextmanager
def release_draft(study: Study) -> Iterator[Path]:
    """Yield a folder to make a release in; when somebody is erased meanwhile, it goes too."""
    prefix = f"{study.pk}-making-"
    with TemporaryDirectory(
        prefix=prefix, dir=releases_folder(), ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


def drafts_remove(study: Study) -> None:
    """Delete what killed workers left of releases that they were making."""
    _remove(releases_folder().glob(f"{study.pk}-making-*"))


def erasures_of(study: Study) -> int:
    """Return how many people have been erased so far; asked before a release is begun."""
    return Erasure.objects.filter(study=study).count()


def refuse_erased(study: Study, erasures: int) -> None:
    """Refuse to go on where somebody was erased since there were so many erasures."""
    if erasures_of(study) != erasures:
        raise StateForbids(
            "Somebody was erased while the release was being made, and it may still hold them; "
            "make it again."
        )


@transaction.atomic
def release_store(
    study: Study,
    archive: Path,
    manifest: dict[str, Any],
    *,
    erasures: int,
    author: str,
    now: datetime,
) -> Release:
    """Keep a finished archive, which is moved from where it lies.

    `erasures` is what `erasures_of` said before the first row was read: if somebody was erased since,
    the archive may still hold them, and is refused.
    """
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    refuse_erased(study, erasures)
    last = Release.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    release = Release.objects.create(
        study=study,
        number=last + 1,
        made_at=now,
        author=author,
        sha256=file_digest(archive),
        size=archive.stat().st_size,
        manifest=manifest,
    )
    data = {"number": release.number, "sha256": release.sha256}
    audit_record("release_store", study=study.slug, author=author, now=now, data=data)
    archive.replace(release_path(release))
    return release


@transaction.atomic
def release_taken(release: Release, *, author: str, now: datetime) -> None:
    """Note in the log that somebody took a release, and with that the word that it cannot be recalled."""
    data = {"number": release.number, "sha256": release.sha256}
    audit_record("release_taken", study=release.study.slug, author=author, now=now, data=data)


@transaction.atomic
def release_written(study: Study, sums_sha256: str, *, author: str, now: datetime) -> None:
    """Note in the log that a release was written to somebody's disk, by the SHA-256 of its SHA256SUMS."""
    data = {"sums_sha256": sums_sha256}
    audit_record("release_written", study=study.slug, author=author, now=now, data=data)


@transaction.atomic
def releases_erase(study: Study, *, author: str, now: datetime) -> int:
    """Delete every stored release of a study and mark its row; return how many there were.

    The files go when the transaction is done, with whatever else of the study lies there: what an
    earlier one left, and a release that is being made.
    """
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    made = Release.objects.filter(study=study, state=Release.State.MADE)
    numbers = sorted(made.values_list("number", flat=True))
    made.update(state=Release.State.ERASED, erased_at=now, manifest={})
    if numbers:
        data = {"numbers": numbers}
        audit_record("releases_erase", study=study.slug, author=author, now=now, data=data)
    transaction.on_commit(lambda: _remove(releases_folder().glob(f"{study.pk}-*")))
    return len(numbers)


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, read a block at a time."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _remove(paths: Iterable[Path]) -> None:
    for path in list(paths):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
