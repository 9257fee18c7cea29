"""The log-in lets nobody guess for long, and says so calmly; whose account it is makes no difference."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import FailedLogin
from annotation.services.logins import (
    BY_ACCOUNT,
    BY_ADDRESS,
    WINDOW,
    login_failed,
    login_wait,
)
from tests.factories import NOW

pytestmark = pytest.mark.django_db
WRONG = {"password": "a guess"}
RIGHT = {"username": "ada", "password": "a long and good password"}


@pytest.fixture(autouse=True)
def ada(django_user_model):
    return django_user_model.objects.create_user(**RIGHT, is_staff=True)


def tries(client, **changed):
    return client.post("/login/", RIGHT | changed)


@pytest.mark.parametrize("name", ["ada", "ADA ", "nobody"])
def test_after_five_failures_the_account_waits_whether_or_not_there_is_one(client, name):
    for _ in range(BY_ACCOUNT):
        assert tries(client, username=name, **WRONG).status_code == 200
    refused = tries(client, username=name)
    assert refused.status_code == 429
    assert "Please wait 15 minutes and try again" in " ".join(refused.content.decode().split())
    assert int(refused["Retry-After"]) <= WINDOW.total_seconds()
    assert "_auth_user_id" not in client.session


def test_another_account_is_not_held_up_by_it(client):
    for _ in range(BY_ACCOUNT):
        tries(client, username="eve", **WRONG)
    assert tries(client).status_code == 302


def test_coming_in_forgets_what_was_mistyped(client):
    for _ in range(BY_ACCOUNT - 1):
        tries(client, **WRONG)
    assert tries(client).status_code == 302
    assert login_wait("ada", "elsewhere", now=timezone.now()) is None


def test_an_address_that_tries_many_names_waits():
    for n in range(BY_ADDRESS):
        assert login_wait(f"name-{n}", "10.0.0.1", now=NOW) is None
        login_failed(f"name-{n}", "10.0.0.1", now=NOW)
    assert login_wait("somebody", "10.0.0.1", now=NOW) == WINDOW
    assert login_wait("somebody", "10.0.0.2", now=NOW) is None


def test_it_passes_and_nothing_of_it_stays():
    for _ in range(BY_ACCOUNT):
        login_failed("ada", "10.0.0.1", now=NOW)
    later = NOW + WINDOW + timedelta(seconds=1)
    assert login_wait("ada", "10.0.0.1", now=later) is None
    login_failed("eve", "10.0.0.2", now=later)
    assert FailedLogin.objects.count() == 2
    assert not FailedLogin.objects.filter(key__contains="ada").exists()


def test_the_log_in_of_the_data_pages_is_the_same_one(client):
    assert client.get("/admin/login/?next=/admin/")["Location"] == "/login/?next=/admin/"


@pytest.mark.parametrize(
    ("before", "then"),
    [
        ("http://testserver/studies/s/release/", "/studies/s/release/"),
        ("http://elsewhere.example/studies/s/", "/"),
        ("", "/"),
    ],
)
def test_an_act_after_the_session_has_ended_leads_back_to_the_page_it_was_asked_on(
    client, before, then
):
    asked = client.post("/studies/s/release/cancel/", headers={"referer": before})
    assert asked["Location"] == f"/login/?next={then}"
    looked = client.get("/studies/s/monitor/")
    assert looked["Location"] == "/login/?next=/studies/s/monitor/"


def test_who_is_logged_in_and_not_staff_is_told_so_instead_of_asked_again(client, ada):
    ada.is_staff = False
    ada.save()
    assert tries(client)["Location"] == "/"
    told = client.get("/")
    assert told.status_code == client.post("/studies/tiny/top-up/").status_code == 403
    assert "This page is not open to you" in told.content.decode()
    assert 'href="/login/"' in told.content.decode()
    client.logout()
    assert client.get("/analyses/?page=2")["Location"] == "/login/?next=/analyses/%3Fpage%3D2"
