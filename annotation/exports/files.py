"""The files of a release, each with its size and its SHA-256."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Written:
    """One finished file; only a table has rows."""

    path: str
    rows: int | None
    sha256: str
    size: int

    def as_dict(self) -> dict[str, Any]:
        """Return the part that is printed."""
        return {"path": self.path, "rows": self.rows, "bytes": self.size, "sha256": self.sha256}


class HashedFile:
    """A file that knows the SHA-256 of what was written to it; `name` is its path in the release."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self._path = folder / name
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("wb")
        self._sha256 = hashlib.sha256()
        self._size = 0

    def write(self, content: bytes) -> int:
        """Append bytes."""
        self._sha256.update(content)
        self._size += len(content)
        return self._file.write(content)

    # What pyarrow wants of a file to write to.
    def tell(self) -> int:
        """Return how many bytes were written."""
        return self._size

    def flush(self) -> None:
        """Do what closing does anyway."""

    @property
    def closed(self) -> bool:
        """Whether the file is closed."""
        return self._file.closed

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def written(self, rows: int | None) -> Written:
        """Return what was written."""
        return Written(self.name, rows, self._sha256.hexdigest(), self._size)


def write_bytes(folder: Path, name: str, content: bytes) -> Written:
    """Write a file that is no table."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return Written(name, None, hashlib.sha256(content).hexdigest(), len(content))


def write_text(folder: Path, name: str, text: str) -> Written:
    """Write a text in UTF-8."""
    return write_bytes(folder, name, text.encode())


def write_json(folder: Path, name: str, document: Any) -> Written:
    """Write a JSON document for people and programs."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2)
    return write_text(folder, name, text + "\n")
