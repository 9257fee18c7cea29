"""Strict CSV (RFC 4180) that keeps every character and knows where a quotation mark opened."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# The standard reader has a process-wide limit on the length of a cell and reads past a stray
# quotation mark; this one has no such limit and says where the mark stands.
QUOTED = re.compile(r'"([^"]*(?:""[^"]*)*)"')
UNQUOTED = re.compile(r'[^,"\r\n]*')
END_OF_ROW = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Record:
    """The cells of a row and the line on which it begins."""

    line: int
    cells: list[str]


class CsvError(Exception):
    """The text is not CSV; `line` is where the row begins, `cell` the number of the cell in it."""

    def __init__(self, line: int, cell: int, message: str) -> None:
        self.line = line
        self.cell = cell
        super().__init__(message)


def records(text: str) -> Iterator[Record]:
    """Iterate over the rows, the header included; blank lines are passed over."""
    position, line = 0, 1
    while position < len(text):
        record, end = _record(text, position, line)
        if record.cells != [""]:
            yield record
        line += _line_ends(text, position, end)
        position = end


def _record(text: str, position: int, line: int) -> tuple[Record, int]:
    cells: list[str] = []
    while True:
        cell, position = _cell(text, position, line, len(cells) + 1)
        cells.append(cell)
        if text.startswith(",", position):
            position += 1
            continue
        end = END_OF_ROW.match(text, position)
        return Record(line, cells), end.end() if end else len(text)


def _cell(text: str, position: int, line: int, number: int) -> tuple[str, int]:
    if not text.startswith('"', position):
        match = UNQUOTED.match(text, position)
        end = match.end() if match else position
        if text.startswith('"', end):
            message = "has a quotation mark inside a cell that does not begin with one"
            raise CsvError(line, number, f"{message}; quote the whole cell and double the mark.")
        return text[position:end], end
    match = QUOTED.match(text, position)
    if match is None:
        raise CsvError(line, number, "opens a quotation mark that is never closed.")
    end = match.end()
    if end < len(text) and text[end] not in ",\r\n":
        message = "opens a quotation mark that closes in the middle of a text"
        raise CsvError(line, number, f"{message}; a mark inside a quoted cell is doubled.")
    return match.group(1).replace('""', '"'), end


def _line_ends(text: str, start: int, end: int) -> int:
    pairs = text.count("\r\n", start, end)
    return text.count("\n", start, end) + text.count("\r", start, end) - pairs
