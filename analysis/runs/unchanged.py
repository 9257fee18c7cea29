"""The files that a run is asked for: known by their contents, and held to them when they are read."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from annotation.studyfile import canonical_json


class InputChanged(ValueError):  # noqa: N818  what happened, said to a person
    """The files are no longer those that the run was asked for."""


def files_sha256(files: Iterable[Path]) -> str:
    """Return the SHA-256 of the digests of all files, in their order."""
    digests = []
    for path in files:
        with path.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").hexdigest())
    return hashlib.sha256(canonical_json(digests).encode()).hexdigest()


def require_unchanged(files: Iterable[Path], sha256: str) -> None:
    """Raise InputChanged if the files are not those of this digest."""
    if files_sha256(files) != sha256:
        raise InputChanged("A file has changed since this was asked for; ask again.")
