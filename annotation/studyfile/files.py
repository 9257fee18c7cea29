"""Reading the files of a study folder: nothing outside it, nothing too big, UTF-8 only."""

import codecs
import stat
from pathlib import Path

from annotation.studyfile.errors import SETTINGS_FILE, Findings
from annotation.studyfile.wording import shown, text_fault

MEGABYTE = 1024 * 1024
# A table of a million long answers stays below these; what is above them is a mistake.
MAX_SETTINGS_BYTES = 1 * MEGABYTE
MAX_TEXT_BYTES = 1 * MEGABYTE
MAX_TABLE_BYTES = 256 * MEGABYTE


class StudyFiles:
    """The files of one folder; a file that cannot be read is a finding and reads as None."""

    def __init__(self, folder: Path, findings: Findings) -> None:
        self.folder = folder
        self.findings = findings

    def exists(self) -> bool:
        """Whether there is a folder to read; if not, a finding says what is there instead."""
        try:
            if self.folder.is_dir():
                return True
            there = "is a file, not a folder" if self.folder.exists() else "is not there"
        except (OSError, ValueError) as error:
            there = f"cannot be reached ({_reason(error)})"
        name = shown(str(self.folder))
        message = f"{name} {there}; give the path of a folder that holds study.yaml."
        self.findings.add(str(self.folder), None, "", message)
        return False

    def read_bytes(self, name: str, limit: int, *, line: int | None, field: str) -> bytes | None:
        """Return a file's bytes; `line` and `field` say where `study.yaml` names it."""
        if not self.holds(name, line=line, field=field):
            return None
        try:
            return self._bytes_within(name, limit)
        except _RefusedError as refused:
            message = str(refused)
        except FileNotFoundError:
            message = f"The file {shown(name)} is not in the folder."
        except (OSError, RuntimeError, ValueError) as error:
            message = f"The file {shown(name)} cannot be read: {_reason(error)}."
        # A file that nothing names is its own place; one that is named is a fault of that line.
        self.findings.add(SETTINGS_FILE if field else name, line, field, message)
        return None

    def holds(self, name: str, *, line: int | None, field: str) -> bool:
        """Whether a path stays within the folder; if not, a finding says so."""
        try:
            inside = (self.folder / name).resolve().is_relative_to(self.folder.resolve())
        except (OSError, RuntimeError, ValueError):
            inside = True  # It cannot be opened either, which is told then.
        if not inside:
            message = f"{shown(name)} leads out of the folder; a study uses only its own files."
            self.findings.add(SETTINGS_FILE, line, field, message)
        return inside

    def _bytes_within(self, name: str, limit: int) -> bytes:
        path = (self.folder / name).resolve()
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise _RefusedError(f"{shown(name)} is a folder, not a file.")
        if not stat.S_ISREG(status.st_mode):
            raise _RefusedError(f"{shown(name)} is not an ordinary file.")
        with path.open("rb") as file:
            data = file.read(limit + 1) if status.st_size <= limit else b""
        if status.st_size > limit or len(data) > limit:
            size = f"{max(status.st_size, len(data)) / MEGABYTE:,.1f} MB"
            raise _RefusedError(
                f"The file {shown(name)} has {size}; the limit is {limit // MEGABYTE} MB."
            )
        return data

    def decode(self, name: str, data: bytes) -> str | None:
        """Return the text without a leading byte-order mark; another encoding is a finding."""
        body = data.removeprefix(codecs.BOM_UTF8)
        try:
            return body.decode()
        except UnicodeDecodeError as error:
            at = error.start + len(data) - len(body)
        guess = " It looks like UTF-16." if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        line = data.count(b"\n", 0, at) + 1
        message = f"Byte {at + 1:,} (0x{data[at]:02x}) is not UTF-8.{guess} Save the file as UTF-8."
        self.findings.add(name, line, "", message)
        return None

    def read_text(self, name: str, *, line: int | None, field: str) -> str | None:
        """Return a Markdown text, which must not be empty."""
        data = self.read_bytes(name, MAX_TEXT_BYTES, line=line, field=field)
        text = None if data is None else self.decode(name, data)
        if text is None:
            return None
        if not text.strip():
            self.findings.add(name, None, "", "The text is empty; write it or take it out.")
        elif fault := text_fault(text):
            at = text.index("\x00")
            self.findings.add(name, text.count("\n", 0, at) + 1, "", f"The text {fault}")
        return text


class _RefusedError(Exception):
    """A file that is there and is not read, with the sentence that says why."""


def _reason(error: Exception) -> str:
    return (error.strerror or "unknown reason") if isinstance(error, OSError) else str(error)
