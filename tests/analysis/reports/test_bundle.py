"""The files of a run: strict, escaped, complete, and the same bytes every time."""

import json

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis.reports.bundle import Report, csv_bytes, report_files
from analysis.reports.documents import NotJsonError, json_text
from analysis.reports.page import Page, Section, page_html, table_html
from analysis.stats.results import Estimate, undefined


def drawing() -> Figure:
    figure = Figure(figsize=(2, 1))
    figure.subplots().plot([0, 1], [0, 1])
    return figure


def example() -> Report:
    return Report(
        title="Gaps <of> models",
        results={"a": Estimate(0.5, low=0.25, high=0.75, n=4, method="mean")},
        tables={"gaps": pd.DataFrame({"model": ["=cmd"], "gap": [0.25]})},
        figures={"heat": drawing(), "size": drawing()},
        sections=(Section("One & two", ("A < B.",), ("gaps",), ("heat", "size")),),
        captions={"gaps": "The gaps", "heat": 'Heat "map"'},
    )


def test_the_json_form_of_an_estimate_leaves_out_what_does_not_apply():
    document = {
        "a": Estimate(0.5, n=2, method="m"),
        "b": undefined("no rows"),
        "c": np.float64(1.5),
        "d": np.array([1, 2]),
        "e": (True, None, "ä"),
    }
    assert json.loads(json_text(document)) == {
        "a": {"value": 0.5, "n": 2, "method": "m"},
        "b": {"value": None, "reason": "no rows"},
        "c": 1.5,
        "d": [1, 2],
        "e": [True, None, "ä"],
    }


@pytest.mark.parametrize("value", [float("nan"), float("inf"), np.float64("-inf")])
def test_a_number_that_json_does_not_know_is_named_with_its_place(value):
    with pytest.raises(NotJsonError, match=r"the document\.gaps\[1\]\.value is -?(nan|inf)"):
        json_text({"gaps": [{}, {"value": value}]})


def test_an_object_that_json_does_not_know_is_named():
    with pytest.raises(NotJsonError, match=r"the document\.when is a Timestamp"):
        json_text({"when": pd.Timestamp("2026-01-31")})


def test_the_files_are_complete():
    assert set(report_files(example())) == {
        "results.json",
        "gaps.csv",
        "figures/heat.svg",
        "figures/heat.pdf",
        "figures/heat.png",
        "figures/size.svg",
        "figures/size.pdf",
        "figures/size.png",
        "report.html",
    }


def test_the_same_report_gives_the_same_bytes():
    assert report_files(example()) == report_files(example())


def test_the_page_is_escaped_and_asks_nothing_of_the_network():
    page = report_files(example())["report.html"].decode()
    assert "<h1>Gaps &lt;of&gt; models</h1>" in page
    assert "<p>A &lt; B.</p>" in page
    assert page.count("<svg") == 2
    assert "Heat &quot;map&quot;" in page
    assert "<script" not in page
    for reference in ("<link", "<img", "src=", "@import", "url(http"):
        assert reference not in page


def test_a_figure_is_not_shrunk_and_its_box_is_reached_by_keyboard():
    drawn = Page("T", (Section("S", figures=("f",)),), svgs={"f": "<svg/>"})
    html = page_html(drawn)
    assert '<div class="wide" tabindex="0" role="img"' in html
    on_screen = html.split("@media print")[0]
    assert "max-width:100%" not in on_screen
    assert ".wide{overflow-x:auto}" in on_screen


def test_two_figures_on_one_page_share_no_id():
    page = report_files(example())["report.html"].decode()
    clips = [part.split('"')[0] for part in page.split('<clipPath id="')[1:]]
    assert clips
    assert len(clips) == len(set(clips))


def test_a_long_table_says_how_much_it_leaves_out():
    page = Page("t", (Section("s", tables=("x",)),), {"x": pd.DataFrame({"n": range(100)})})
    assert "x (first 60 of 100 rows; all in x.csv)" in page_html(page)


def test_a_class_with_one_missing_is_no_fraction_and_a_long_text_is_given_room():
    table = pd.DataFrame({"class": [4.0, None], "r": [1.0, 0.5], "why": ["", "x" * 40]})
    html = table_html("t", table, {})
    assert '<td class="number">4</td><td class="number">1.000</td><td></td>' in html
    assert '<th scope="col" class="number">r</th><th scope="col">why</th>' in html
    assert (
        f'<td class="number">&ndash;</td><td class="number">0.500</td><td class="words">{"x" * 40}</td>'
        in html
    )


def test_an_interval_stands_in_the_cell_of_its_estimate():
    table = pd.DataFrame(
        {"gap": [0.5, 1.5, None], "gap_low": [0.25, None, None], "gap_high": [0.75, None, None],
         "high": [1.0, 2.0, 3.0]}
    )  # fmt: skip
    shown = table_html("t", table, {})
    assert '<td class="number">0.500 [0.250, 0.750]</td>' in shown
    assert '<td class="number">1.500</td>' in shown
    assert '<td class="number">&ndash;</td>' in shown
    assert "gap_low" not in shown
    assert (
        '<th scope="col" class="number">gap</th><th scope="col" class="number">high</th>' in shown
    )


def test_plain_limits_belong_to_the_estimate_before_them():
    table = pd.DataFrame({"n": [9], "alpha": [0.5], "low": [0.25], "high": [0.75]})
    shown = table_html("t", table, {})
    assert '<td class="number">9</td><td class="number">0.500 [0.250, 0.750]</td>' in shown
    assert "low" not in shown


def test_a_small_p_is_not_printed_as_zero():
    html = table_html("t", pd.DataFrame({"p": [1 / 2001, 0.0, 0.0012, -0.00003]}), {})
    shown = ("0.0005", "0.000", "0.001", "-3e-05")
    assert [f'<td class="number">{one}</td>' in html for one in shown] == [True] * 4


def test_csv_disarms_formulas_and_keeps_numbers():
    table = pd.DataFrame({"text": ["=1+1", "plain", "@x"], "gap": [-0.5, 0.5, np.nan]})
    assert csv_bytes(table) == b"text,gap\r\n'=1+1,-0.5\r\nplain,0.5\r\n'@x,\r\n"
