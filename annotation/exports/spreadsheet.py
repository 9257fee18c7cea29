"""The variant for spreadsheet programs: no cell is run, none is cut, none stops the file opening.

A text that begins with one of = + - @ ' TAB CR NUL gets an apostrophe before it; whoever takes one
apostrophe off each text that begins with one has the text again. Numbers are left alone. What these
programs cannot hold at all is told of: controls become U+FFFD and are counted, and a text that is
longer than a cell may be lies in a file of its own, which the cell names.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from annotation.exports.cells import plain, quoted, written_column
from annotation.exports.columns import Cell, Table, Type
from annotation.exports.files import HashedFile, Written, write_text

FOLDER: Final = "spreadsheet"
BOM: Final = b"\xef\xbb\xbf"
LONGEST: Final = 32_767
STARTS: Final = ("=", "+", "-", "@", "'", "\t", "\r", "\0")
TEXTS: Final[frozenset[Type]] = frozenset({"text", "list"})
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_LONG_NOTE = "[{length:,} characters: {path}]"


def safe_text(text: str) -> tuple[str, int]:
    """Return a text as a cell that is not run, and how many characters had to be replaced."""
    disarmed = "'" + text if text.startswith(STARTS) else text
    return _ILLEGAL.subn("\ufffd", disarmed)


def exact_text(cell: str) -> str:
    """Return the text that a cell stands for."""
    return cell.removeprefix("'")


class SpreadsheetFile:
    """One table as `spreadsheet/NAME.csv`: UTF-8 with a byte-order mark, lines ended by CR LF."""

    def __init__(self, folder: Path, table: Table) -> None:
        self.replaced = 0
        self.longer: list[Written] = []
        self._folder, self._table = folder, table.name
        self._file = HashedFile(folder, f"{FOLDER}/{table.name}.csv")
        self._rows = 0
        self._texts = [column.type in TEXTS for column in table.columns]
        self._file.write(BOM)
        names: list[Cell] = [column.name for column in table.columns]
        self._lines([self._safe([name], place) for place, name in enumerate(names)])

    def write(self, columns: Sequence[Sequence[Cell]]) -> None:
        """Append some rows, which are given as columns of the same length."""
        self._lines(
            [
                self._safe(column, place) if is_text else written_column(column, plain)
                for place, (column, is_text) in enumerate(zip(columns, self._texts, strict=True))
            ]
        )
        self._rows += len(columns[0])

    def close(self) -> list[Written]:
        """Return the files."""
        self._file.close()
        return [self._file.written(self._rows), *self.longer]

    def _safe(self, column: Sequence[Cell], place: int) -> list[str]:
        """Return texts as their cells; what stands there often is looked at once."""
        texts = [cell if isinstance(cell, str) else plain(cell) for cell in column]
        safe = {text: safe_text(text) for text in set(texts) if not _too_long(text)}
        if any(replaced for _, replaced in safe.values()):
            self.replaced += sum(safe[text][1] for text in texts if text in safe)
        cells = {text: quoted(cell) for text, (cell, _) in safe.items()}
        return [
            cells[text] if text in cells else self._elsewhere(text, self._rows + number, place)
            for number, text in enumerate(texts, 1)
        ]

    def _elsewhere(self, text: str, row: int, place: int) -> str:
        path = f"{FOLDER}/long/{self._table}-{row}-{place + 1}.txt"
        self.longer.append(write_text(self._folder, path, text))
        return quoted(_LONG_NOTE.format(length=len(text), path=path))

    def _lines(self, columns: Sequence[Sequence[str]]) -> None:
        lines = [f"{','.join(row)}\r\n" for row in zip(*columns, strict=True)]
        self._file.write("".join(lines).encode())


def _too_long(text: str) -> bool:
    return len(text) * 2 > LONGEST and _units(text) >= LONGEST


def _units(text: str) -> int:
    """Return the length as spreadsheet programs count it."""
    return len(text.encode("utf-16-le")) // 2
