"""One self-contained page: headings, sentences, tables, and figures as inline SVG. No script."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

ROWS_SHOWN = 60
# Three decimals would print anything smaller as 0.000, which a p from resamples never is.
SMALLEST = 0.0005
_NUMBER = {"words": "", "whole": ' class="number"', "decimal": ' class="number"'}
# A text of more letters is given room, lest it make its row as high as it is long.
WORDS = 30
PLAIN = ("low", "high")


class _Interval(NamedTuple):
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Section:
    """A part of the page: sentences first, then the tables and figures it names."""

    heading: str
    sentences: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()


def section_of(
    heading: str,
    sentences: Sequence[str],
    names: Sequence[str],
    tables: Collection[str],
    figures: Collection[str],
) -> Section:
    """Return a part of the page with what there is of these names, among the tables and the figures."""
    return Section(
        heading,
        tuple(sentences),
        tuple(name for name in names if name in tables),
        tuple(name for name in names if name in figures),
    )


@dataclass(frozen=True)
class Page:
    """Title, sections, and what they refer to: tables, figures as SVG text, and their captions.

    `alternatives` says in words what a figure shows, for those who do not see it.
    """

    title: str
    sections: tuple[Section, ...]
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    svgs: dict[str, str] = field(default_factory=dict)
    captions: dict[str, str] = field(default_factory=dict)
    alternatives: dict[str, str] = field(default_factory=dict)


def page_html(page: Page) -> str:
    """Return the whole HTML document; everything that came from data is escaped."""
    body = "\n".join(_section(section, page) for section in page.sections)
    title = escape(page.title)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{title}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _section(section: Section, page: Page) -> str:
    parts = [f"<section>\n<h2>{escape(section.heading)}</h2>"]
    parts += [f"<p>{escape(sentence)}</p>" for sentence in section.sentences]
    parts += [_figure(name, page) for name in section.figures]
    parts += [table_html(name, page.tables[name], page.captions) for name in section.tables]
    return "\n".join([*parts, "</section>"])


def _figure(name: str, page: Page) -> str:
    caption = escape(page.captions.get(name, name))
    told = escape(page.alternatives.get(name, page.captions.get(name, name)))
    svg = page.svgs[name]
    drawing = svg[svg.index("<svg") :]
    return (
        f'<figure><div class="wide" tabindex="0" role="img" aria-label="{told}">{drawing}</div>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def table_html(name: str, table: pd.DataFrame, captions: dict[str, str]) -> str:
    """Return the first rows of a table without its empty columns; the CSV of that name holds all."""
    full = table.loc[:, [not _empty(table[column]) for column in table.columns]]
    shown = _with_intervals(full.head(ROWS_SHOWN))
    kinds = [_kind(full[column]) for column in shown.columns]
    head = "".join(_head(str(name), kind) for name, kind in zip(shown.columns, kinds, strict=True))
    rows = "\n".join(_row(row, kinds) for row in shown.itertuples(index=False, name=None))
    caption = captions.get(name, name)
    if len(table) > len(shown):
        caption = f"{caption} (first {len(shown)} of {len(table):,} rows; all in {name}.csv)"
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _with_intervals(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with an estimate and its limits in one column: three would not fit on a page.

    Limits are `x_low` and `x_high`; plain `low` and `high` are those of the column before them.
    """
    for name, low, high in _limits([str(name) for name in table.columns]):
        rows = table[[name, low, high]].astype(float).itertuples(index=False, name=None)
        together = pd.Series([_Interval(*row) for row in rows], index=table.index, dtype=object)
        table = table.assign(**{name: together}).drop(columns=[low, high])
    return table


def _limits(names: list[str]) -> list[tuple[str, str, str]]:
    found = [(name, f"{name}_low", f"{name}_high") for name in names]
    found += [run for run in zip(names, names[1:], names[2:], strict=False) if run[1:] == PLAIN]
    return [run for run in found if {*run} <= {*names}]


def _empty(column: "pd.Series[Any]") -> bool:
    return bool((column.isna() | (column.astype(str) == "")).all())


def _kind(column: "pd.Series[Any]") -> str:
    """Return what a column holds: words, decimals, or whole numbers, also where one is missing."""
    if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
        return "words"
    if not pd.api.types.is_float_dtype(column):
        return "whole"
    known = column.dropna()
    return "whole" if np.isfinite(known).all() and (known % 1 == 0).all() else "decimal"


def _head(name: str, kind: str) -> str:
    return f'<th scope="col"{_NUMBER[kind]}>{escape(name)}</th>'


def _row(cells: tuple[object, ...], kinds: list[str]) -> str:
    found = (_cell(cell, kind) for cell, kind in zip(cells, kinds, strict=True))
    return "<tr>" + "".join(found) + "</tr>"


def _cell(value: object, kind: str) -> str:
    if isinstance(value, _Interval):
        cell = _cell(value.value, "decimal")
        if np.isnan(value).any():
            return cell
        limits = f" [{_decimals(value.low)}, {_decimals(value.high)}]"
        return cell.replace("</td>", f"{limits}</td>")
    if isinstance(value, bool | str):
        words = ' class="words"' if len(str(value)) > WORDS else ""
        return f"<td{words}>{escape(str(value))}</td>"
    if value is None or pd.isna(value):  # type: ignore[call-overload]  # any scalar cell
        return f"<td{_NUMBER[kind]}>&ndash;</td>"
    if isinstance(value, float) and kind != "whole":
        return f'<td class="number">{_decimals(value)}</td>'
    shown = int(value) if isinstance(value, float) else value
    return f'<td class="number">{escape(str(shown))}</td>'


def _decimals(value: float) -> str:
    """Return a number to three decimals, or to its first digit where those would call it 0."""
    return f"{value:.3f}" if value == 0 or abs(value) >= SMALLEST else f"{value:.1g}"


# A figure that is wider than the page scrolls in its box: shrunk, its numbers could not be read.
# In the dark its white paper would glare: turned dark, every hue stays what it is.
_STYLE = """
:root{color-scheme:light dark;--ink:#1b1f23;--soft:#5b636b;--line:#dcd8cf;--paper:#faf9f6}
@media (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--soft:#a3a9af;--line:#33383e;--paper:#16181b}
figure svg{filter:invert(.9) hue-rotate(180deg)}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:76rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.7rem;line-height:1.25}h2{font-size:1.25rem;margin-top:2.5rem}
p,li,dd{max-width:42rem;overflow-wrap:anywhere}
.wide{overflow-x:auto}
figure{margin:1.5rem 0}figure svg{display:block;background:#fff}
figcaption,caption{color:var(--soft);font-size:.9rem;text-align:left;padding:.4rem 0}
table{border-collapse:collapse;font-size:.9rem;margin:1rem 0}
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{white-space:nowrap}
caption{box-sizing:border-box;max-width:min(74rem,100vw - 2rem);position:sticky;left:0}
td:not(.words){white-space:nowrap}.words{min-width:24rem}
th.number,td.number{text-align:right;font-variant-numeric:tabular-nums}
@media print{.wide{overflow:visible}figure svg{max-width:100%;height:auto}}
"""
