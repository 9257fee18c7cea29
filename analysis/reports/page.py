"""One self-contained page: headings, sentences, tables, and figures as inline SVG. No script."""

from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np
import pandas as pd

ROWS_SHOWN = 60
# A text of more letters is given room, lest it make its row as high as it is long.
WORDS = 30


@dataclass(frozen=True)
class Section:
    """A part of the page: sentences first, then the tables and figures it names."""

    heading: str
    sentences: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()


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
    shown = table.loc[:, [not _empty(table[column]) for column in table.columns]].head(ROWS_SHOWN)
    head = "".join(f'<th scope="col">{escape(str(column))}</th>' for column in shown.columns)
    whole = [_whole(table[column]) for column in shown.columns]
    rows = "\n".join(_row(row, whole) for row in shown.itertuples(index=False, name=None))
    caption = captions.get(name, name)
    if len(table) > len(shown):
        caption = f"{caption} (first {len(shown)} of {len(table):,} rows; all in {name}.csv)"
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<caption>{escape(caption)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _empty(column: "pd.Series[Any]") -> bool:
    return bool((column.isna() | (column.astype(str) == "")).all())


def _whole(column: "pd.Series[Any]") -> bool:
    """Whether a column counts or classes: pandas makes floats of those where one is missing."""
    if not pd.api.types.is_float_dtype(column):
        return False
    known = column.dropna()
    return bool(np.isfinite(known).all() and (known % 1 == 0).all())


def _row(cells: tuple[object, ...], whole: list[bool]) -> str:
    found = (_cell(cell, whole=one) for cell, one in zip(cells, whole, strict=True))
    return "<tr>" + "".join(found) + "</tr>"


def _cell(value: object, *, whole: bool) -> str:
    if isinstance(value, bool | str):
        words = ' class="words"' if len(str(value)) > WORDS else ""
        return f"<td{words}>{escape(str(value))}</td>"
    if value is None or pd.isna(value):  # type: ignore[call-overload]  # any scalar cell
        return "<td>&ndash;</td>"
    if isinstance(value, float) and not whole:
        return f'<td class="number">{value:.3f}</td>'
    shown = int(value) if isinstance(value, float) else value
    return f'<td class="number">{escape(str(shown))}</td>'


# A figure that is wider than the page scrolls in its box: shrunk, its numbers could not be read.
_STYLE = """
:root{color-scheme:light dark;--ink:#1b1f23;--soft:#5b636b;--line:#dcd8cf;--paper:#faf9f6}
@media (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--soft:#a3a9af;--line:#33383e;--paper:#16181b}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:64rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.7rem;line-height:1.25}h2{font-size:1.25rem;margin-top:2.5rem}
p,li,dd{max-width:42rem;overflow-wrap:anywhere}
.wide{overflow-x:auto}
figure{margin:1.5rem 0}figure svg{display:block;background:#fff}
figcaption,caption{color:var(--soft);font-size:.9rem;text-align:left;padding:.4rem 0}
table{border-collapse:collapse;font-size:.9rem;margin:1rem 0}
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
caption{box-sizing:border-box;max-width:min(62rem,100vw - 2rem);position:sticky;left:0}
.words{min-width:16rem}
.number{text-align:right;font-variant-numeric:tabular-nums}
@media print{.wide{overflow:visible}figure svg{max-width:100%;height:auto}}
"""
