"""study_release prints one document, and refuses in a sentence."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import AuditEvent
from annotation.selectors.texts import typed_texts
from annotation.studyfile.definition import Publication
from tests import factories
from tests.annotation.exports import released

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    study = factories.live(items=6)
    factories.done_by_someone(study)
    return study


def run(capsys, *arguments):
    """Run the command and return what it prints."""
    call_command("study_release", *map(str, arguments))
    return capsys.readouterr().out


def test_the_document(study, tmp_path, capsys):
    printed = json.loads(run(capsys, study.slug, "--out", tmp_path / "out", "--json"))
    assert {"files", "dropped_columns", "redacted", "k", "checks"} <= printed.keys()
    assert printed["k"] is None
    assert printed["k_reason"]
    assert all(check["ok"] is True for check in printed["checks"])
    paths = [file["path"] for file in printed["files"]]
    assert paths == sorted(released.everything(tmp_path / "out"))
    rows = {file["path"]: file["rows"] for file in printed["files"]}
    assert rows["judgments.csv"] == len(released.rows(tmp_path / "out", "judgments"))
    assert rows["plan.json"] is None
    sums = {file["path"]: file["sha256"] for file in printed["files"]}["SHA256SUMS"]
    assert AuditEvent.objects.get(verb="release_written").data == {"sums_sha256": sums}


def test_in_words(study, tmp_path, capsys):
    printed = run(capsys, study.slug, "--out", tmp_path / "out")
    assert "tiny is released." in printed
    assert "judgments.csv" in printed
    assert "What people typed stays behind." in printed


def test_what_nobody_has_read_is_counted_in_words(tmp_path, capsys):
    wanted = released.definition(publication=Publication(free_text="review"))
    study = factories.live(wanted)
    released.judges(study, 0)
    typed = len(typed_texts(study))
    assert typed
    printed = run(capsys, study.slug, "--out", tmp_path / "out", "--without-analysis")
    assert f"{typed} that nobody has read stay behind." in printed


def test_names_are_new_each_time_unless_there_is_a_key(study, tmp_path, capsys):
    (tmp_path / "key").write_bytes(bytes(range(32)))
    for name, key in {"a": (), "b": (), "c": ("--key", tmp_path / "key")}.items():
        run(capsys, study.slug, "--out", tmp_path / name, *key)
    run(capsys, study.slug, "--out", tmp_path / "d", "--key", tmp_path / "key")
    a, b, c, d = (released.everything(tmp_path / name) for name in "abcd")
    assert a["judgments.csv"] != b["judgments.csv"]
    assert c == d


def test_a_folder_with_something_in_it_needs_force(study, tmp_path, capsys):
    out = tmp_path / "out"
    run(capsys, study.slug, "--out", out)
    with pytest.raises(CommandError, match="is not empty"):
        run(capsys, study.slug, "--out", out)
    run(capsys, study.slug, "--out", out, "--force")


def test_a_key_must_be_there_long_enough_and_elsewhere(study, tmp_path, capsys):
    key = tmp_path / "key"
    with pytest.raises(CommandError, match="cannot be read"):
        run(capsys, study.slug, "--out", tmp_path / "out", "--key", key)
    key.write_text("secret")
    with pytest.raises(CommandError, match="has 6 bytes and could be guessed"):
        run(capsys, study.slug, "--out", tmp_path / "out", "--key", key)
    with pytest.raises(CommandError, match="keep it elsewhere"):
        run(capsys, study.slug, "--out", tmp_path, "--key", key, "--force")


def test_a_study_that_is_not_there(tmp_path, capsys):
    with pytest.raises(CommandError, match="No study is called 'nothing'"):
        run(capsys, "nothing", "--out", tmp_path / "out")


def test_by_item_without_an_analysis_it_can_be_checked_all_the_same(study, tmp_path, capsys):
    printed = run(capsys, study.slug, "--out", tmp_path / "out", "--by-item")
    assert "item_values.csv" in printed
    assert not (tmp_path / "out" / "results").exists()
    assert "`results/`" not in (tmp_path / "out" / "README.md").read_text()
    call_command("reproduce_release", str(tmp_path / "out"))
    assert "it holds no analysis to repeat" in capsys.readouterr().out
