"""The list of annotators: which of them are shown, and what their work is to the analysis."""

import re

import pytest
from django.utils import timezone

from annotation.services.exclusions import exclusion_by_hand
from annotation.services.sessions import annotator_withdraw
from tests.factories import AUTHOR, annotator, done_by_someone, live

pytestmark = pytest.mark.django_db
LIST = "/studies/tiny/annotators/"


@pytest.fixture
def staff(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("ada", is_staff=True))
    return client


@pytest.fixture
def people():
    """Return one who is in, one who is left out, one who has withdrawn and one who just came."""
    study = live(items=12, form_size=3)
    inside, out, gone = (done_by_someone(study).annotator for _ in range(3))
    exclusion_by_hand(out, reason="Told so.", author=AUTHOR, now=timezone.now())
    annotator_withdraw(gone, now=timezone.now())
    return {
        "in": inside,
        "left out": out,
        "withdrawn, never in": gone,
        "nothing finished": annotator(study),
    }


def rows(client, query=""):
    """Return what the list says of each person, by pseudonym."""
    html = client.get(LIST + query).content.decode()
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in html.split("<tr>")]
    plain = [[" ".join(re.sub(r"<[^>]+>", "", c).split()) for c in row] for row in cells if row]
    return {row[0]: row[1:] for row in plain if len(row) > 1}


def test_each_row_says_what_the_work_is_to_the_analysis(staff, people):
    said = {name: row[-1] for name, row in rows(staff).items()}
    assert said == {person.pseudonym: word for word, person in people.items()}


@pytest.mark.parametrize(
    ("show", "who"),
    [
        ("completed", ["in", "left out"]),
        ("withdrawn", ["withdrawn, never in"]),
        ("left_out", ["left out"]),
        ("nonsense", ["in", "left out", "withdrawn, never in", "nothing finished"]),
    ],
)
def test_some_of_them_can_be_asked_for(staff, people, show, who):
    assert set(rows(staff, f"?show={show}")) == {people[one].pseudonym for one in who}


def test_what_was_asked_for_stays_from_page_to_page(staff, people):
    study = people["in"].study
    for _ in range(55):
        annotator(study)
    html = staff.get(LIST + "?show=arrived&q=").content.decode()
    assert "1 of 2" in html
    assert set(re.findall(r'href="(\?[^"]*page=2)"', html)) == {"?show=arrived&amp;q=&amp;page=2"}
    assert len(rows(staff, "?show=arrived&page=2")) == 6
    assert "Nobody is like this." in staff.get(LIST + "?show=declined").content.decode()
