"""Pages that show two traces step by step, and which step met which. For researchers only."""

from collections.abc import Sequence
from html import escape

import pandas as pd

from analysis.pipelines.trace.corpus import Trace
from analysis.pipelines.trace.retention import Candidate
from analysis.pipelines.trace.scoring import Scored
from analysis.reports.pair_drawing import (
    LEFT,
    LEVELS,
    RIGHT,
    Matrix,
    dots,
    height,
    level,
    lines,
    meetings,
    turned,
)
from analysis.stats.trace_scores import Floats

OF_EACH_KIND = 4


def pair_pages(scored: Scored, rows: Sequence[int]) -> dict[str, bytes]:
    """Return pairs/index.html and one page for each of the rows."""
    names = {row: _name(number, scored.candidates[row]) for number, row in enumerate(rows, 1)}
    pages = {
        f"pairs/{name}": _page(scored.pairs.iloc[row], scored.candidates[row], scored.matrices[row])
        for row, name in names.items()
    }
    return {"pairs/index.html": _index(scored.pairs, names), **pages}


def telling_rows(pairs: pd.DataFrame, each: int = OF_EACH_KIND) -> list[int]:
    """Return rows worth a look: H far above S in rank, S highest, tau lowest, S lowest."""
    ranks = pairs[["H", "S"]].rank(pct=True)
    wanted = [
        (ranks["H"] - ranks["S"]).nlargest(each),
        pairs["S"].nlargest(each),
        pairs["tau"].astype(float).dropna().nsmallest(each),
        pairs["S"].nsmallest(each),
    ]
    return list(dict.fromkeys(int(row) for kind in wanted for row in kind.index))


def _name(number: int, candidate: Candidate) -> str:
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in candidate.a.problem)[:40]
    languages = f"{candidate.a.language}-{candidate.b.language}"
    return f"{number:02d}-{''.join(c for c in languages if c.isalnum() or c == '-')}-{plain}.html"


def _index(pairs: pd.DataFrame, names: dict[int, str]) -> bytes:
    rows = "".join(
        f'<tr><td><a href="{escape(name)}">{escape(_title(pairs.iloc[row]))}</a></td>'
        f"{_numbers(pairs.iloc[row])}</tr>"
        for row, name in names.items()
    )
    head = "<tr><th>pair</th><th>S</th><th>τ</th><th>H</th></tr>"
    return _document("Pairs of traces", f"<table>{head}{rows}</table>")


def _title(row: pd.Series) -> str:
    return (
        f"{row['dataset']} · {row['model']} · {row['problem_id']} · "
        f"{row['language_a']}–{row['language_b']}"
    )


def _numbers(row: pd.Series) -> str:
    tau = "–" if pd.isna(row["tau"]) else f"{row['tau']:.3f}"
    return f"<td>{row['S']:.3f}</td><td>{tau}</td><td>{row['H']:.3f}</td>"


def _page(row: pd.Series, candidate: Candidate, M: Floats) -> bytes:
    a, b = candidate.a, candidate.b
    matrix: Matrix = M.tolist()
    body = [
        '<p><a href="index.html">All pairs</a></p>',
        f"<p>{escape(_summary(row))}</p>",
        '<div class="traces">',
        _steps(a, matrix),
        _lines(matrix),
        _steps(b, turned(matrix)),
        "</div>",
        "<h2>How alike each step is to each</h2>",
        f'<div class="wide">{_matrix(matrix, a.language, b.language)}</div>',
        *(_raw(trace) for trace in (a, b)),
    ]
    return _document(_title(row), "\n".join(body))


def _summary(row: pd.Series) -> str:
    tau = f"τ is undefined: {row['tau_reason']}" if pd.isna(row["tau"]) else (
        f"τ {row['tau']:.3f} (each trace with itself: {_self(row, 'a')} and {_self(row, 'b')})"
    )  # fmt: skip
    return (
        f"S {row['S']:.3f}, {tau}, H {row['H']:.3f}. {row['coverage_a']:.3f} of the left trace is "
        f"met in the right, {row['coverage_b']:.3f} of the right in the left. "
        f"Outcome: {str(row['group']).replace('_', ' ')}."
    )


def _self(row: pd.Series, side: str) -> str:
    value = row[f"tau_self_{side}"]
    return "undefined" if pd.isna(value) else f"{value:.3f}"


def _steps(trace: Trace, matrix: Matrix) -> str:
    items = "".join(
        f'<li class="m{met.level}"><p lang="{escape(trace.language)}" dir="auto">'
        f"{escape(step.text.text)}</p><small>{met.words}</small></li>"
        for step, met in zip(trace.parsed.steps, meetings(matrix), strict=True)
    )
    rule = escape(trace.parsed.rule)
    heading = f"<h2>{escape(trace.language)} <small>steps by {rule}</small></h2>"
    return f"<section>{heading}<ol>{items}</ol>{_left_out(trace)}</section>"


def _left_out(trace: Trace) -> str:
    parts = (("before the steps", trace.parsed.preamble), ("answer", trace.parsed.answer_line))
    return "".join(
        f'<p class="out" dir="auto"><small>not scored, {what}:</small> {escape(piece.text)}</p>'
        for what, piece in parts
        if piece is not None
    )


def _lines(matrix: Matrix) -> str:
    drawn = "".join(
        f'<line x1="{LEFT}" y1="{one.y1}" x2="{RIGHT}" y2="{one.y2}" '
        f'stroke-width="{one.width}" opacity="{one.opacity}"/>'
        for one in lines(matrix)
    )
    places = "".join(
        f'<circle cx="{one.x}" cy="{one.y}" r="9"/>'
        f'<text x="{one.x}" y="{one.y + 4}">{one.number}</text>'
        for one in dots(matrix)
    )
    label = "Lines join steps that resemble each other; the table below has the numbers."
    return (
        f'<svg viewBox="0 0 100 {height(matrix)}" width="130" role="img" aria-label="{label}">'
        f"{drawn}{places}</svg>"
    )


def _matrix(matrix: Matrix, language_a: str, language_b: str) -> str:
    corner = f"{escape(language_a)} \\ {escape(language_b)}"
    head = "".join(f'<th scope="col">{j + 1}</th>' for j in range(len(matrix[0])))
    rows = "".join(
        f'<tr><th scope="row">{i + 1}</th>'
        + "".join(f'<td class="m{level(value)}">{value:.2f}</td>' for value in row)
        + "</tr>"
        for i, row in enumerate(matrix)
    )
    return f"<table><tr><th>{corner}</th>{head}</tr>{rows}</table>"


def _raw(trace: Trace) -> str:
    language = escape(trace.language)
    return (
        f"<details><summary>The whole response, {language}</summary>"
        f'<pre lang="{language}" dir="auto">{escape(trace.text)}</pre></details>'
    )


def _document(title: str, body: str) -> bytes:
    shades = "".join(
        f".m{shade}{{background:color-mix(in srgb,var(--hit) {shade * 7}%,transparent)}}"
        for shade in range(LEVELS)
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}{shades}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escape(title)}</h1>\n{body}\n</main>\n</body>\n</html>\n"
    ).encode()


_STYLE = """
:root{color-scheme:light dark;--ink:#1b1f23;--soft:#5b636b;--line:#dcd8cf;--paper:#faf9f6;--hit:#c9703a}
@media (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--soft:#a3a9af;--line:#33383e;--paper:#16181b}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:72rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.4rem}h2{font-size:1.1rem}small{color:var(--soft)}li small{color:inherit}
.traces{display:grid;grid-template-columns:minmax(0,1fr) 130px minmax(0,1fr);gap:1rem;align-items:start}
@media (max-width:44rem){.traces{grid-template-columns:minmax(0,1fr)}}
ol{padding-left:1.6rem}li{padding:.3rem .6rem;margin:.4rem 0;border-radius:.3rem}
li p,pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.out{color:var(--soft);border-top:1px dashed var(--line);padding-top:.5rem}
svg line{stroke:var(--hit)}svg circle{fill:var(--paper);stroke:var(--ink)}
svg text{fill:var(--ink);font-size:10px;text-anchor:middle}
.wide{overflow-x:auto}table{border-collapse:collapse}
td,th{padding:.3rem .6rem;border:1px solid var(--line);text-align:right;font-variant-numeric:tabular-nums}
td:first-child{text-align:left}details{margin-top:1rem}
"""
