"""The folder of a release: written beside its place, then put there, all or nothing."""

import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.errors import Refused

MANIFEST = "release.json"


@contextmanager
def folder_made(target: Path, *, force: bool) -> Iterator[Path]:
    """Yield an empty folder to write to; it takes the place of `target` if nothing goes wrong."""
    target = target.resolve()
    check_free(target, force=force)
    draft = target.parent / f".{target.name}.{secrets.token_hex(4)}"
    draft.mkdir(parents=True)
    try:
        yield draft
        _put(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def check_free(target: Path, *, force: bool) -> None:
    """Refuse a place where something lies already, unless forced."""
    if target.exists() and not target.is_dir():
        raise Refused(f"{target} is a file; --out must name a folder.")
    if not force and target.is_dir() and any(target.iterdir()):
        raise Refused(
            f"{target} is not empty; name another folder, or add --force to write over it."
        )


def _put(draft: Path, target: Path) -> None:
    """Move the draft to its place; what lay there and was no release stays."""
    if not target.exists():
        draft.rename(target)
        return
    before = target.parent / f".{target.name}.{secrets.token_hex(4)}.before"
    target.rename(before)
    draft.rename(target)
    released = _released(before)
    for entry in sorted(before.iterdir()):
        if entry.name not in released and not (target / entry.name).exists():
            entry.rename(target / entry.name)
    shutil.rmtree(before)


def _released(folder: Path) -> set[str]:
    """Return the names of the files of the release that a folder holds, if it holds one."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        return {MANIFEST, *(entry["path"] for entry in manifest["files"])}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
