"""The archives of the demo studies, as others will read them: their validators, and their numbers again."""

import contextlib
import csv
import hashlib
import json
import shutil
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import mlcroissant
import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, models, transaction
from frictionless import Package, system

from analysis.archive import archive_files
from analysis.loaders import study_plan, study_sample
from analysis.pipelines.human.study import analyse
from analysis.reports.documents import json_text
from analysis.reports.human import human_report
from annotation.exports.release import study_archive
from annotation.models import (
    Annotator,
    Assignment,
    Claim,
    Exclusion,
    Form,
    Item,
    Passage,
    Slot,
    Study,
)
from annotation.services.exclusions import exclusions_apply
from annotation.services.study_import import study_import
from annotation.services.study_states import study_launch
from annotation.simulation.population import Population
from annotation.simulation.study import simulate
from annotation.studyfile import read_study
from tests import factories
from tests.annotation.exports import released

# One worker builds the archives, once.
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow,
    pytest.mark.xdist_group("demo_archives"),
]

STUDIES = Path(__file__).parents[2] / "fixtures" / "studies"
SLUGS = ("answer-quality", "trace-equivalence", "translation-culture")
# The one whose analysis is made a second time from shuffled rows.
TWICE = "translation-culture"
PEOPLE = 5
LATER = factories.NOW + timedelta(days=30)
# What refers to rows of these follows when they are numbered anew.
SHUFFLED = (Item, Passage, Annotator, Form, Claim, Slot, Assignment, Exclusion)
# Odd, so that numbers below a power of two stay distinct.
STRIDE, SPAN = 48_271, 1 << 20


@dataclass(frozen=True)
class Made:
    """What was made of one study: its archive, packed and unpacked, and what the database says."""

    zipped: Path
    folder: Path
    numbers: dict[str, Any]
    plain: tuple[bytes, bytes]
    analysed_again: bytes


@pytest.fixture(scope="module")
def made(django_db_setup, django_db_blocker, tmp_path_factory):
    """Return the archives by study; the database is as it was before."""
    del django_db_setup
    folder = tmp_path_factory.mktemp("archives")
    with django_db_blocker.unblock(), transaction.atomic():
        studies = {slug: judged(slug) for slug in SLUGS}
        first = {slug: archived(study, folder, "first") for slug, study in studies.items()}
        plain = {slug: archived(study, folder, "plain", ()) for slug, study in studies.items()}
        numbers = {slug: from_database(study) for slug, study in studies.items()}
        rows_shuffle()
        again = {slug: archived(study, folder, "again", ()) for slug, study in studies.items()}
        analysed = archived(studies[TWICE], folder, "analysed").read_bytes()
        transaction.set_rollback(True)
    return {
        slug: Made(
            first[slug],
            unpacked(first[slug]),
            numbers[slug],
            (plain[slug].read_bytes(), again[slug].read_bytes()),
            analysed,
        )
        for slug in SLUGS
    }


def judged(slug: str) -> Study:
    """Return a demo study that a few simulated people have judged."""
    study = study_import(read_study(STUDIES / slug), author="boss", now=factories.NOW).study
    study_launch(study, author="boss", now=factories.NOW)
    study.refresh_from_db()
    population = Population(seed=7)
    simulate(
        study, population, annotators=PEOPLE, until_complete=False, site=None, author="boss", now=LATER
    )  # fmt: skip
    exclusions_apply(study, author="boss", now=LATER)
    study.refresh_from_db()
    return study


def archived(study: Study, folder: Path, name: str, additions=(archive_files,)) -> Path:
    out = folder / f"{study.slug}-{name}.zip"
    study_archive(study, out, key=released.KEY, additions=additions)
    return out


def from_database(study: Study) -> dict[str, Any]:
    """Return the numbers as `human SLUG` has them."""
    report = human_report(analyse(study_sample(study), study_plan(study)), study.title)
    numbers: dict[str, Any] = json.loads(json_text(report.results))
    return numbers


def rows_shuffle() -> None:
    """Number the rows anew, as if they had been inserted in another order."""
    with connection.cursor() as cursor:
        guards_drop(cursor)
        for model in SHUFFLED:
            number(cursor, model._meta.db_table, model._meta.pk.column)
            for relation in model._meta.related_objects:
                if isinstance(relation.field, models.ForeignKey):
                    number(cursor, relation.related_model._meta.db_table, relation.field.column)


def number(cursor, table: str, column: str | None) -> None:
    new = f"{SPAN} + ({column} * {STRIDE}) % {SPAN}"
    cursor.execute(f"UPDATE {table} SET {column} = {new}")  # noqa: S608  names of columns


def guards_drop(cursor) -> None:
    """Take the guards away that watch over what refers to what; the rollback puts them back."""
    if connection.vendor == "sqlite":
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP TRIGGER {name}")
        return
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    others: list[Any] = [r.related_model for m in SHUFFLED for r in m._meta.related_objects]
    for model in (*SHUFFLED, *others):
        cursor.execute(f"ALTER TABLE {model._meta.db_table} DISABLE TRIGGER USER")


def unpacked(archive: Path) -> Path:
    folder = archive.with_suffix("")
    with ZipFile(archive) as packed:
        packed.extractall(folder)
    return folder


def reproduced(capsys, archive: Path) -> dict[str, Any]:
    """Return what reproduce_release prints, also where it refuses."""
    with contextlib.suppress(CommandError):
        call_command("reproduce_release", str(archive), "--json")
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


@pytest.fixture(params=SLUGS)
def one(request, made):
    return made[request.param]


@pytest.mark.filterwarnings("ignore")
def test_frictionless_finds_nothing_wrong(one):
    with system.use_context(trusted=False):
        report = Package(str(one.folder / "datapackage.json")).validate()
    assert report.valid, report.flatten(["name", "rowNumber", "fieldName", "type", "note"])[:5]
    assert {task.name for task in report.tasks} >= {"judgments", "items", "annotators", "funnel"}
    rows = {task.name: task.stats.get("rows") for task in report.tasks}
    assert rows["judgments"] == len(released.rows(one.folder, "judgments")) > 0


@pytest.mark.filterwarnings("ignore")
def test_frictionless_would_see_a_changed_cell(one, tmp_path):
    copy = shutil.copytree(one.folder, tmp_path / "copy")
    table = copy / "judgments.csv"
    header, first, *rest = table.read_text().split("\n")
    table.write_text("\n".join([header, first.replace(first.split(",")[0], "nothing"), *rest]))
    assert not Package(str(copy / "datapackage.json")).validate().valid


@pytest.mark.filterwarnings("ignore")
def test_croissant_is_valid_and_its_records_can_be_read(one):
    dataset = mlcroissant.Dataset(jsonld=str(one.folder / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    assert not dataset.metadata.ctx.issues.warnings
    sets = {record_set.name for record_set in dataset.metadata.record_sets}
    assert sets == {path.stem for path in one.folder.glob("*.parquet")}
    # One after the other, as whoever loads all of it does; tables without a row are among them.
    for name in sorted(sets):
        records = list(dataset.records(name))
        told = pq.read_table(one.folder / f"{name}.parquet")
        assert len(records) == told.num_rows
        if records:
            assert set(records[0]) == {f"{name}/{column}" for column in told.column_names}


def test_the_three_formats_hold_the_same_cells(one):
    for path in sorted(one.folder.glob("*.parquet")):
        rows = released.lines(one.folder, path.stem)
        assert pq.read_table(path).to_pylist() == rows
        text = (one.folder / f"{path.stem}.csv").read_text(encoding="utf-8")
        cells = list(csv.DictReader(StringIO(text, newline="")))
        assert cells == [{name: spelled(cell) for name, cell in row.items()} for row in rows]


def spelled(cell) -> str:
    """Return a cell as CSV has it."""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, list):
        return json.dumps(cell, ensure_ascii=False)
    return "" if cell is None else str(cell)


def test_the_one_that_asks_people_says_how_many_cells_were_left_empty(made):
    folder = made["answer-quality"].folder
    document = json.loads((folder / "release.json").read_bytes())
    said = [row for row in released.rows(folder, "demographics") if row["age"] or row["studied"]]
    emptied = sum(one["emptied_cells"] for one in document["demographics"].values())
    # So few people came that nobody shares an answer with four others.
    assert (document["k"], said) == (None, [])
    assert emptied > PEOPLE


def test_the_same_key_gives_the_same_bytes_in_whatever_order_rows_were_inserted(one):
    first, again = one.plain
    assert first == again


def test_so_does_the_analysis(made):
    assert made[TWICE].zipped.read_bytes() == made[TWICE].analysed_again


def test_every_number_comes_out_of_the_archive_as_out_of_the_database(one, capsys):
    told = reproduced(capsys, one.zipped)
    assert told == {"ok": True, "files_broken": [], "analysed": True, "differences": []}
    released_numbers = json.loads((one.folder / "results" / "results.json").read_bytes())
    assert released_numbers == one.numbers


def test_a_file_that_was_altered_or_is_missing_is_named(made, tmp_path, capsys):
    copy = shutil.copytree(made[TWICE].folder, tmp_path / "copy")
    with (copy / "items.csv").open("a") as file:
        file.write("one more\n")
    (copy / "LICENSE").unlink()
    told = reproduced(capsys, copy)
    assert told["ok"] is False
    assert sorted(told["files_broken"]) == [
        "LICENSE is missing",
        "items.csv is not the file that was released",
    ]
    with pytest.raises(CommandError, match="not what it says"):
        call_command("reproduce_release", str(copy))
    assert "LICENSE is missing" in capsys.readouterr().out


def forge(folder: Path, name: str, content: bytes) -> None:
    """Alter a file together with its sum."""
    path, sums = folder / name, folder / "SHA256SUMS"
    true = hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_bytes(content)
    sums.write_text(sums.read_text().replace(true, hashlib.sha256(content).hexdigest()))


def test_a_number_that_was_altered_with_its_sum_is_named(made, tmp_path, capsys):
    copy = shutil.copytree(made[TWICE].folder, tmp_path / "copy")
    numbers = json.loads((copy / "results" / "results.json").read_bytes())
    numbers["funnel"]["final"]["judgments"] += 1
    forge(copy, "results/results.json", json.dumps(numbers).encode())
    table = (copy / "results" / "agreement.csv").read_bytes()
    forge(copy, "results/agreement.csv", table.replace(b"0.", b"0.9", 1))
    told = reproduced(capsys, copy)
    assert not told["ok"]
    assert [found.partition(":")[0] for found in told["differences"]] == [
        "funnel.final.judgments",
        "results/agreement.csv is not the table that comes out",
    ]
    manifest = (copy / "release.json").read_bytes()
    forge(copy, "release.json", manifest.replace(b'"Parallax ', b'"Parallax 9.'))
    *_, last = reproduced(capsys, copy)["differences"]
    assert last.startswith("It was made by Parallax 9.")
