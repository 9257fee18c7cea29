"""What is wrong with a study folder: one finding a fault, with the place where it stands."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from annotation.studyfile.wording import one_line

SETTINGS_FILE = "study.yaml"
# A table in which every row is wrong says so once it has been said this often.
LISTED_PER_FILE = 1000
# A name of a file or a field is longer than this only by mistake.
PLACE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class FolderError:
    """A fault (or a warning), where it stands and what to do about it."""

    file: str
    line: int | None
    field: str
    message: str

    def as_dict(self) -> dict[str, Any]:
        """Return the form that the commands print."""
        return asdict(self)

    def place(self) -> tuple[bool, str, int, str]:
        """Return the reading order: `study.yaml` first, then by file and line."""
        return (self.file != SETTINGS_FILE, self.file, self.line or 0, self.field)

    def __str__(self) -> str:
        """Return one line for a person."""
        line = "" if self.line is None else f", line {self.line}"
        field = f", {self.field}" if self.field else ""
        return f"{self.file}{line}{field}: {self.message}"


class StudyFolderInvalid(Exception):  # noqa: N818 (it names a state of the folder)
    """The folder cannot become a study; `errors` holds every fault found, in reading order."""

    def __init__(self, errors: Iterable[FolderError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(str(error) for error in self.errors))


def _finding(file: str, line: int | None, field: str, message: str) -> FolderError:
    """Return a finding whose names, which come from the folder, stay on one short line."""
    return FolderError(
        one_line(file, PLACE_CHARACTERS), line, one_line(field, PLACE_CHARACTERS), message
    )


class Findings:
    """Gathers faults and warnings while a folder is read, so that all are told at once."""

    def __init__(self) -> None:
        self._listed: dict[FolderError, None] = {}
        self._warnings: list[FolderError] = []
        self._counts: Counter[str] = Counter()

    def add(self, file: str, line: int | None, field: str, message: str) -> None:
        """Note a fault; beyond `LISTED_PER_FILE` a file's faults are only counted."""
        error = _finding(file, line, field, message)
        # A place that several checks look at is told once.
        if error in self._listed:
            return
        self._counts[file] += 1
        if self._counts[file] <= LISTED_PER_FILE:
            self._listed[error] = None

    def warn(self, file: str, line: int | None, field: str, message: str) -> None:
        """Note what a careful reader would question, though it can be run."""
        self._warnings.append(_finding(file, line, field, message))

    @property
    def count(self) -> int:
        """How many faults were noted so far."""
        return sum(self._counts.values())

    def errors(self) -> tuple[FolderError, ...]:
        """Return the faults in reading order; what was only counted stands at the end."""
        left_out = [
            FolderError(file, None, "", f"{n - LISTED_PER_FILE:,} more errors in this file.")
            for file, n in sorted(self._counts.items())
            if n > LISTED_PER_FILE
        ]
        return (*sorted(self._listed, key=FolderError.place), *left_out)

    def warnings(self) -> tuple[FolderError, ...]:
        """Return the warnings in reading order."""
        return tuple(sorted(self._warnings, key=FolderError.place))
