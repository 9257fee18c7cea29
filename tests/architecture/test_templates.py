"""Templates are pages made of documented parts: text stays text, scripts and styles are files."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
PARTS = [path for path in TEMPLATES if path.parent.name == "parts"]
SCRIPTS = sorted((ROOT / "static" / "js").glob("*.js"))
LONGEST_SCRIPT = 150


def name(path):
    return str(path.relative_to(ROOT))


def offences(text):
    """Return what would run code, load from elsewhere, or take text for HTML."""
    patterns = {
        "an inline style": r"\sstyle\s*=|<style\b",
        "an inline handler": r"<[^>]*\son[a-z]+\s*=",
        "an inline script": r"<script(?![^>]*\ssrc=)[^>]*>",
        "an address that runs": r"javascript:",
        "a file from elsewhere": r"<(?:script|link|img)[^>]*(?:src|href)=[\"'](?:https?:)?//",
        "text taken for HTML": r"\|\s*safe(?:seq)?\b|autoescape\s+off",
    }
    return [what for what, pattern in patterns.items() if re.search(pattern, text)]


def test_there_are_templates():
    assert len(PARTS) > 10


@pytest.mark.parametrize("path", TEMPLATES, ids=name)
def test_no_template_runs_code_or_trusts_text(path):
    assert offences(path.read_text()) == []


@pytest.mark.parametrize(
    "text",
    [
        '<p style="color: red">',
        "<style>p {}</style>",
        '<a onclick="go()">',
        "<script>go()</script>",
        '<a href="javascript:go()">',
        '<script src="//elsewhere.test/x.js"></script>',
        "{{ text|safe }}",
        "{% autoescape off %}",
    ],
)
def test_the_check_sees_each_offence(text):
    assert len(offences(text)) == 1


@pytest.mark.parametrize("path", PARTS, ids=name)
def test_every_part_opens_with_its_variables(path):
    opening = re.match(r"\{% comment %\}(.*?)\{% endcomment %\}", path.read_text(), re.DOTALL)
    assert opening
    assert "Variables:" in opening[1]


@pytest.mark.parametrize("path", PARTS, ids=name)
def test_a_part_uses_only_the_variables_it_lists(path):
    text = path.read_text()
    opening, rest = text.split("{% endcomment %}", 1)
    used = set(re.findall(r"\{\{\s*([a-z_]+)", rest))
    used |= set(re.findall(r"\{%\s*(?:el)?if\s+(?:not\s+)?([a-z_]+)", rest))
    made_here = set(re.findall(r"\{%\s*for\s+(\w+)(?:,\s*\w+)?\s+in", rest))
    made_here |= set(re.findall(r"\{%\s*for\s+\w+,\s*(\w+)\s+in", rest))
    made_here |= set(re.findall(r"(\w+)=", " ".join(re.findall(r"\{%\s*with\b[^%]*", rest))))
    unlisted = {
        variable
        for variable in used - made_here - {"forloop"}
        if not re.search(rf"\b{variable}\b", opening)
    }
    assert unlisted == set()


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_a_script_is_short_and_makes_no_html(path):
    text = path.read_text()
    assert len(text.splitlines()) <= LONGEST_SCRIPT
    assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text)
    assert not re.findall(r"https?://", text)
