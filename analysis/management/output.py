"""Where a command's files go: a folder that is new or empty, or that `--force` may write over."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from django.core.management.base import CommandError


def prepare_folder(folder: Path, *, force: bool) -> None:
    """Refuse what cannot be written, and a folder with something in it unless forced.

    Before any time is spent, and without a trace of it: the folder is made when its files are.
    """
    try:
        if folder.is_file():
            raise CommandError(f"{folder} is a file; --out must name a folder")
        if not force and folder.is_dir() and any(folder.iterdir()):
            message = f"{folder} is not empty; name another folder, or add --force to write over it"
            raise CommandError(message)
    except OSError as error:
        raise _unwritable(folder, error) from None
    require_writable(folder)


def require_writable(path: Path) -> None:
    """Refuse a path that nothing can be written to, as the nearest folder that is there tells."""
    near = path.absolute()
    while not os.path.lexists(near):
        near = near.parent
    if near != path.absolute() and not near.is_dir():
        raise CommandError(f"{path} cannot be made: {near} is no folder.")
    if not os.access(near, os.W_OK):
        raise CommandError(f"{path} cannot be written: {near} does not allow it.")


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write each file; those already there under other names stay."""
    try:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise _unwritable(folder, error) from None


def _unwritable(folder: Path, error: OSError) -> CommandError:
    return CommandError(f"{folder} cannot be written: {error.strerror or error}")


def note(text: str) -> None:
    """Say something to a person, on standard error: standard output belongs to the document."""
    sys.stderr.write(text + "\n")
