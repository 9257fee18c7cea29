"""The release as one file: sorted names, one fixed time, so that the same files give the same bytes."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

# The earliest moment that a zip file can name.
NO_TIME: Final = (1980, 1, 1, 0, 0, 0)
READABLE: Final = 0o644 << 16
BLOCK: Final = 1 << 20
LARGE: Final = (1 << 31) - 1


def zip_folder(folder: Path, target: Path, names: Iterable[str]) -> Path:
    """Pack some files of a folder, a block at a time."""
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=6) as archive:
        for name in sorted(names):
            path = folder / name
            entry = ZipInfo(name, NO_TIME)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, READABLE
            entry.create_system = 3
            large = path.stat().st_size > LARGE
            with path.open("rb") as source, archive.open(entry, "w", force_zip64=large) as packed:
                shutil.copyfileobj(source, packed, BLOCK)
    return target
