"""What people say about themselves leaves in groups of five or more, or not at all."""

import csv
import json

import pytest

from annotation.exports import checks
from annotation.exports.demographics import described, smallest_group
from annotation.exports.kanonymity import K
from annotation.exports.people import ANNOTATORS, people_of
from annotation.exports.pseudonyms import Pseudonyms
from annotation.models import Annotator
from annotation.services.demographics import demographics_record
from annotation.studyfile.definition import Demographic, Recruitment
from tests import factories
from tests.annotation.exports import released

pytestmark = pytest.mark.django_db
AGE = Demographic("age", "How old are you?", "number", bands=(18, 30, 45, 60))
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
    made = described(study, people_of(study, Pseudonyms(released.KEY, "x")))
    assert made.done.cells
    names = list(made.done.cells)
    for few, ok in ((4, False), (5, None)):
        lines = [["annotator", "age", "tongue"]]
        lines += [[n, "18-29" if i < few else "", ""] for i, n in enumerate(names)]
        for table, content in (
            ("demographics", lines),
            ("annotators", [["annotator", "state"], *([n, "completed"] for n in names)]),
        ):
            with (tmp_path / f"{table}.csv").open("w", newline="") as file:
                csv.writer(file).writerows(content)
        tables = [ANNOTATORS, made.table()]
        assert smallest_group(tmp_path, tables) == few
        if ok is False:
            assert not checks.nobody_alone(tmp_path, tables, made).ok


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
