"""Leaving for good by the page: at most two clicks, calm whatever is clicked afterwards."""

import re

import pytest
from django.db.models import Model
from django.test import Client

from annotation.models import Annotator, AuditEvent, Erasure
from annotation.views.leave import ERASED
from tests import factories

pytestmark = pytest.mark.django_db


def page(client: Client, path: str, status: int = 200) -> str:
    """Return a page."""
    shown = client.get(path)
    assert shown.status_code == status
    return shown.content.decode()


def test_erased_in_two_clicks_and_calm_afterwards(client: Client) -> None:
    study = factories.live(items=6, form_size=3)
    claim = factories.claimed(factories.annotator(study))
    person = claim.annotator
    link = f"/a/{person.access_key}/"
    foot = page(client, f"{link}judge/1/")
    assert f'href="{link}leave/"' in foot
    asked = page(client, f"{link}leave/")
    assert "cannot be called back" in asked
    assert "Whether you are paid does not depend on this choice" in asked
    receipt = re.search(r'name="receipt" value="([^"]+)"', asked)
    assert receipt
    choice = {"leave": "erase", "receipt": receipt[1]}
    answers = [client.post(f"{link}leave/", choice) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert answers[0]["Location"] == answers[1]["Location"]
    shown = page(client, answers[0]["Location"])
    assert Erasure.objects.get().receipt in shown
    assert "cannot be called back" in shown
    assert person.pseudonym not in shown
    for path in ("", "judge/1/", "leave/", "finish/", "help/", "consent/"):
        assert "This link leads nowhere" in page(client, f"{link}{path}", 404)
    other_tab = client.post(f"{link}leave/", {"leave": "erase", "receipt": "made up"})
    assert other_tab.status_code == 404
    open_form = client.post(f"{link}judge/1/", {"choice": "first"})
    assert open_form.status_code == 404
    assert page(client, "/erased/AAAA-AAAA-AAAA-AAAA/", 404)


def test_the_receipt_names_what_went_in_the_person_s_words(client: Client) -> None:
    claim = factories.done_by_someone(factories.live(items=3, replication=1))
    link = f"/a/{claim.annotator.access_key}/leave/"
    client.post(link, {"leave": "erase"})
    shown = page(client, f"/erased/{Erasure.objects.get().receipt}/")
    cells = re.findall(r"<td>(.*?)</td>", shown)
    assert "your place in the list of people" in cells
    assert "answers as they stood last" in cells
    assert not {"annotators", "assignments", "claims", "screenings"} & set(cells)


def test_every_table_of_a_person_has_such_words() -> None:
    tables: set[type[Model]] = set()
    fresh: set[type[Model]] = {Annotator}
    while fresh:
        tables |= fresh
        relations = (r for model in fresh for r in model._meta.related_objects)
        fresh = {r.related_model for r in relations if not r.many_to_many} - tables
    assert {str(table._meta.verbose_name_plural) for table in tables} <= set(ERASED)


def test_who_withdrew_may_still_have_it_deleted(client: Client) -> None:
    person = factories.done_by_someone(factories.live(items=3, replication=1)).annotator
    link = f"/a/{person.access_key}/"
    assert "DONE1" in page(client, f"{link}leave/")
    client.post(f"{link}leave/", {"leave": "withdraw"})
    assert "You can have it deleted" in page(client, f"{link}finish/")
    asked = page(client, f"{link}leave/")
    assert 'value="withdraw"' not in asked
    client.post(f"{link}leave/", {"leave": "erase"})
    assert not Annotator.objects.exists()


def test_staff_erase_on_request_or_record_why_not(client: Client, admin_client: Client) -> None:
    study = factories.live(items=3, replication=1)
    person = factories.done_by_someone(study).annotator
    path = f"/studies/tiny/annotators/{person.pseudonym}/"
    for act in ("erase/", "refuse-erasure/"):
        assert client.post(f"{path}{act}").status_code in {302, 403}
        assert f'href="{path}{act}"' in page(admin_client, path)
        assert "for good" in page(admin_client, path)
    assert admin_client.post(f"{path}refuse-erasure/", {"reason": ""}).status_code == 400
    admin_client.post(f"{path}refuse-erasure/", {"reason": "an audit"})
    assert AuditEvent.objects.latest("number").told["reason"] == "an audit"
    asked = admin_client.get(f"{path}erase/")
    assert "Nothing can bring it back" in asked.content.decode()
    assert Annotator.objects.exists()
    # Twice, as by a double click.
    for _ in range(2):
        done = admin_client.post(f"{path}erase/", asked.context["form"].initial)
        assert done.status_code == 303
        assert not Annotator.objects.exists()
        told = page(admin_client, done["Location"])
        assert Erasure.objects.get().receipt in told
        assert person.pseudonym not in told
    assert admin_client.post(f"{path}erase/").status_code == 404
