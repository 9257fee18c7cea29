"""The place of a release: written beside it, then put there, all or nothing."""

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
    with _beside(target) as draft:
        yield draft
        _put(draft, target)


@contextmanager
def file_made(target: Path, *, force: bool = False) -> Iterator[tuple[Path, Path]]:
    """Yield an empty folder to write to and the file to make of it, which takes its place in the end."""
    target = target.resolve()
    if target.is_dir() or (target.exists() and not force):
        raise Refused(f"{target} is there already; name another file, or add --force.")
    with _beside(target) as draft:
        folder, made = draft / "files", draft / "made"
        folder.mkdir()
        yield folder, made
        made.replace(target)


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    draft = target.parent / f".{target.name}.{secrets.token_hex(4)}"
    draft.mkdir(parents=True)
    try:
        yield draft
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
    _keep(before, target, _released(before), "")
    shutil.rmtree(before)


def _keep(before: Path, target: Path, released: set[str], path: str) -> None:
    """Move what is of no release from one folder to the other, folder by folder."""
    for entry in sorted(before.iterdir()):
        name, place = f"{path}{entry.name}", target / entry.name
        inside = any(one.startswith(f"{name}/") for one in released)
        if entry.is_dir() and (inside or place.is_dir()):
            place.mkdir(exist_ok=True)
            _keep(entry, place, released, f"{name}/")
            if not any(place.iterdir()):
                place.rmdir()
        elif name not in released and not place.exists():
            entry.rename(place)


def _released(folder: Path) -> set[str]:
    """Return the names of the files of the release that a folder holds, if it holds one."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        return {MANIFEST, "SHA256SUMS", *(entry["path"] for entry in manifest["files"])}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
