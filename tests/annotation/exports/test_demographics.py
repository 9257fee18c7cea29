"""What people say about themselves leaves in groups of five or more, or not at all."""

import csv
import json
from collections import Counter

import pytest

from annotation.exports import checks
from annotation.exports.demographics import described, smallest_group, told_of_people
from annotation.exports.kanonymity import K
from annotation.exports.makers import declared_tables
from annotation.exports.people import ANNOTATOR, ANNOTATORS, people_of
from annotation.exports.pseudonyms import Pseudonyms
from annotation.exports.quality import EXCLUSIONS
from annotation.exports.texts import TEXTS
from annotation.models import Annotator, Exclusion
from annotation.services.demographics import demographics_record
from annotation.services.exclusions import exclusions_apply
from annotation.studyfile.definition import Demographic, Recruitment
from tests import factories
from tests.annotation.exports import released

pytestmark = pytest.mark.django_db
AGE = Demographic("age", "How old are you?", "number", bands=(18, 30, 45, 60))
DID = ["annotator", "state", "forms_done", "in_analysis"]
TONGUE = Demographic("tongue", "Which?", "choice", options=("de", "nl"), sensitive=True)


@pytest.fixture
def study():
    asks = Recruitment(demographics=(AGE, TONGUE))
    study = factories.live(items=4, responses=0, replication=8, form_size=4, recruitment=asks)
    for number in range(7):
        person = factories.annotator(study)
        age = "97" if number == 6 else "25"
        demographics_record(person, {"age": age, "tongue": "de"}, now=factories.NOW)
        factories.finished(factories.claimed(person))
    return study


def test_the_table_is_told_of_before_it_is_made(study):
    (table,) = [one for one in declared_tables(study) if one.name == "demographics"]
    assert [column.name for column in table.columns] == ["annotator", "age", "tongue"]


def test_it_leaves_coarse_and_a_rare_person_leaves_with_nothing(study, tmp_path):
    document = released.release(study, tmp_path / "out")
    rows = released.rows(tmp_path / "out", "demographics")
    people = {row["annotator"] for row in released.rows(tmp_path / "out", "annotators")}
    assert {row["annotator"] for row in rows} == people
    assert len(rows) == 7
    # Of a name, made by chance, any two digits may be a part.
    content = json.dumps([{**row, "annotator": ""} for row in rows])
    assert "97" not in content
    assert "25" not in content
    said = [row for row in rows if row["age"] or row["tongue"]]
    assert document["k"] == (min(len(said), 7) if said else None)
    assert not said or len(said) >= K
    (check,) = [c for c in document["checks"] if c["check"].startswith("whatever is said")]
    assert check["ok"]


def test_the_check_counts_on_the_files(study, tmp_path):
    made = described(study, people_of(study, Pseudonyms(released.KEY, "x")), {})
    assert made.done.cells
    names = list(made.done.cells)
    for few, ok in ((4, False), (5, None)):
        lines = [["annotator", "age", "tongue"]]
        lines += [[n, "18-29" if i < few else "", ""] for i, n in enumerate(names)]
        for table, content in (
            ("demographics", lines),
            ("annotators", [DID, *([n, "completed", 1, "true"] for n in names)]),
        ):
            with (tmp_path / f"{table}.csv").open("w", newline="") as file:
                csv.writer(file).writerows(content)
        tables = [ANNOTATORS, made.table()]
        assert smallest_group(tmp_path, tables) == few
        if ok is False:
            assert not checks.nobody_alone(tmp_path, tables, made).ok


def test_why_somebody_was_left_out_counts_too(tmp_path):
    """Who alone failed the check would be found by it, so their answers about themselves stay behind."""
    asks = Recruitment(demographics=(AGE, TONGUE))
    study = factories.live(
        items=4, responses=0, replication=8, form_size=4, recruitment=asks,
        attention=[factories.CHECK], quality=[factories.ATTENTION],
    )  # fmt: skip
    for number in range(7):
        person = factories.annotator(study)
        demographics_record(person, {"age": "25", "tongue": "de"}, now=factories.NOW)
        careless = {"confidence": "3"} if number == 6 else {}
        factories.finished(factories.claimed(person), **careless)
    exclusions_apply(study, author="boss", now=released.LATER)
    assert Exclusion.objects.count() == 1

    document = released.release(study, tmp_path / "out")
    assert document["k"] == 6
    groups = joined(tmp_path / "out")
    assert sorted(groups.values()) == [1, 6]
    # One alone has nothing said of them, in a row as everybody has.
    assert [cells[0] for cells, size in groups.items() if size == 1] == [("", "")]
    assert document["demographics"]["age"]["emptied_cells"] == 1

    people = people_of(study, Pseudonyms(released.KEY, study.slug))
    unguarded = described(study, people, {}).done.cells
    assert all(any(cells) for cells in unguarded.values())


def test_which_rule_was_taken_back_is_told_of_a_person_too():
    """Two people with the same cells in other rows are not alike."""
    shared = {
        "unit": "annotator",
        "item_id": None,
        "rule_version": "1",
        "reason": None,
        "by": "person",
    }
    rows = [
        shared | {"annotator": name, "rule": rule, "revoked": rule == taken_back}
        for name, taken_back in (("ann", "hasty"), ("bob", "attention"), ("cem", "hasty"))
        for rule in ("hasty", "attention")
    ]
    told = told_of_people([(EXCLUSIONS, rows)])
    assert told["ann"] == told["cem"] != told["bob"]


def joined(folder):
    """Count the people who share what the files say of them, without the code that made the files."""
    said = {
        row["annotator"]: (row["age"], row["tongue"])
        for row in released.rows(folder, "demographics")
    }
    did = {
        row["annotator"]: (row["state"], row["forms_done"], row["in_analysis"])
        for row in released.rows(folder, "annotators")
    }
    reasons = {name: set() for name in did}
    for row in released.rows(folder, "exclusions"):
        why = row["reason"] if not row["item_id"] else ""
        what = (row["unit"], row["rule"], why, row["by"], row["revoked"])
        reasons[row["annotator"]].add(what)
    return Counter((said[name], did[name], frozenset(reasons[name])) for name in did)


# Their rows tell what one answer was.
OF_ANSWERS = {"judgments", "judgments_wide", "preferences", "texts"}


def test_a_column_beside_a_name_is_counted_or_of_one_answer():
    loose = {
        table.name: {column.name for column in table.columns if not column.of_person}
        for table in [*declared_tables(factories.live(items=4)), TEXTS]
        if ANNOTATOR in table.columns and table.name not in OF_ANSWERS
    }
    assert loose == {"annotators": {"annotator"}, "exclusions": {"annotator", "item_id"}}


def test_a_study_that_asks_nothing_has_no_table(tmp_path):
    study = factories.live(items=4, responses=0)
    factories.done_by_someone(study)
    document = released.release(study, tmp_path / "out")
    assert document["k"] is None
    assert "Nothing that people said" in document["k_reason"]
    assert not (tmp_path / "out" / "demographics.csv").exists()


def test_the_page_asks_once_and_lets_everything_be_skipped(study, client):
    path = f"/a/{factories.annotator(study).access_key}/"
    asked = client.get(path, follow=True)
    assert asked.redirect_chain[-1][0].endswith("/about/")
    page = asked.content.decode()
    assert "Rather not say" in page
    assert "Skip all" in page
    wrong = client.post(f"{path}about/", {"age": "old", "tongue": "de"})
    assert wrong.status_code == 422
    assert "whole number up to 120" in wrong.content.decode()
    done = client.post(f"{path}about/", {"age": "", "tongue": "de"})
    assert done["Location"].endswith("/instructions/")
    person = Annotator.objects.latest("pk")
    assert person.demographics.answers == {"tongue": "de"}
    assert client.get(f"{path}about/")["Location"].endswith("/instructions/")
    other = factories.annotator(study)
    skipped = client.post(f"/a/{other.access_key}/about/", {"age": "30", "skip": "yes"})
    assert skipped["Location"].endswith("/instructions/")
    other.refresh_from_db()
    assert other.demographics.answers == {}
