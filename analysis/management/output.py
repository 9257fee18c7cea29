"""Where a command's files go: a folder that is new or empty, or that `--force` may write over."""

import sys
from collections.abc import Mapping
from pathlib import Path

from django.core.management.base import CommandError


def prepare_folder(folder: Path, *, force: bool) -> None:
    """Refuse a folder with something in it, unless forced, before any time is spent."""
    if folder.is_file():
        raise CommandError(f"{folder} is a file; --out must name a folder")
    if not force and folder.is_dir() and any(folder.iterdir()):
        message = f"{folder} is not empty; name another folder, or add --force to write over it"
        raise CommandError(message)


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write each file; those already there under other names stay."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def note(text: str) -> None:
    """Say something to a person, on standard error: standard output belongs to the document."""
    sys.stderr.write(text + "\n")
