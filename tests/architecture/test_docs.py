"""What exists is documented, and what is documented exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CHANGELOG.md"]


def commands():
    return sorted(
        path.stem
        for app in ("annotation", "analysis")
        for path in (ROOT / app / "management" / "commands").glob("[a-z]*.py")
    )


@pytest.mark.parametrize("name", commands())
def test_every_command_stands_in_the_reference(name):
    assert f"`{name}" in (ROOT / "docs" / "reference" / "commands.md").read_text()


def test_every_setting_stands_in_the_reference():
    settings = (ROOT / "config" / "settings.py").read_text()
    read = set(re.findall(r'(?:environ\.get|flag|kept_secret)\(\s*"([A-Z_]+)"', settings))
    told = set(
        re.findall(r"`([A-Z_]+)`", (ROOT / "docs" / "reference" / "settings.md").read_text())
    )
    assert read <= told


@pytest.mark.parametrize("path", DOCS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text()):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{path.relative_to(ROOT)} links to {target}"


def test_every_dependency_has_a_reason():
    asked = (ROOT / "pyproject.toml").read_text().split("[project.optional-dependencies]")[0]
    names = re.findall(r'^  "([a-z0-9-]+)', asked, re.MULTILINE)
    reasons = (ROOT / "docs" / "reference" / "dependencies.md").read_text().lower()
    assert names
    assert [name for name in names if name not in reasons] == []


def test_the_lock_file_names_no_place_to_fetch_from():
    text = (ROOT / "requirements.lock").read_text()
    assert "==" in text
    assert not [word for word in ("://", "--index-url", "--find-links") if word in text]


@pytest.mark.parametrize("path", DOCS, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_page_names_a_folder_of_the_machine_it_was_written_on(path):
    text = path.read_text()
    assert not [place for place in (str(ROOT), f"{Path.home()}/") if place in text]


def test_what_is_set_up_is_fetched_from_no_named_place():
    for name in ("pyproject.toml", "Makefile"):
        assert "://" not in (ROOT / name).read_text().replace("https://parallax.example", "")
