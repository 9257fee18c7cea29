"""The files of one run, as bytes: what is written, where, is the caller's business."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure

from analysis.reports.documents import json_text
from analysis.reports.page import Page, Section, page_html

# What each format would say of when and by what it was written.
_UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
# For print and for slides.
PRINTED = ("pdf", "png")
# What a spreadsheet would take for a formula at the start of a cell.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\0")


@dataclass(frozen=True)
class Report:
    """All that a run reports: the document, the tables, the figures, and how the page reads."""

    title: str
    results: Mapping[str, object]
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    captions: Mapping[str, str] = field(default_factory=dict)
    alternatives: Mapping[str, str] = field(default_factory=dict)


def report_files(report: Report, forms: Sequence[str] = PRINTED) -> dict[str, bytes]:
    """Return path → content: results.json, one CSV a table, figures/*.svg, *.pdf and *.png, report.html.

    `forms` are the figures' formats besides SVG. The same report gives the same bytes: no time, no random id.
    """
    svgs = {name: _drawn(name, figure, "svg") for name, figure in report.figures.items()}
    page = Page(
        title=report.title,
        sections=report.sections,
        tables=dict(report.tables),
        svgs={name: svg.decode() for name, svg in svgs.items()},
        captions=dict(report.captions),
        alternatives=dict(report.alternatives),
    )
    files = {"results.json": json_text(report.results).encode()}
    files |= {f"{name}.csv": csv_bytes(table) for name, table in report.tables.items()}
    files |= {f"figures/{name}.svg": svg for name, svg in svgs.items()}
    for form in forms:
        files |= {f"figures/{n}.{form}": _drawn(n, f, form) for n, f in report.figures.items()}
    return files | {"report.html": page_html(page).encode()}


def csv_bytes(table: pd.DataFrame) -> bytes:
    """Return the table as CSV (UTF-8, RFC 4180); a text that looks like a formula is disarmed."""
    safe = table.copy()
    for column in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[column]):
            safe[column] = safe[column].map(_disarmed)
    return safe.to_csv(index=False, lineterminator="\r\n").encode()


def _disarmed(cell: object) -> object:
    if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS):
        return "'" + cell
    return cell


def _drawn(name: str, figure: Figure, form: str) -> bytes:
    """Draw the figure; the salt is its name, so that ids of two figures on a page differ."""
    target = BytesIO()
    metadata = _UNDATED[form]
    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        figure.savefig(target, format=form, dpi=150, bbox_inches="tight", metadata=metadata)
    return target.getvalue()
