"""When something breaks, a page says so in a sentence, with a number, and without its insides."""

import logging
import re

import pytest
from django.test import Client, RequestFactory

from annotation.models import Answer
from annotation.views import faults
from tests.annotation.views.walk import Walk
from tests.factories import live

pytestmark = pytest.mark.django_db

INSIDES = ("Traceback", "RuntimeError", "SELECT", "annotation/", "line ", "secret detail")


@pytest.fixture
def broken(monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("secret detail: SELECT * FROM annotation_answer")

    monkeypatch.setattr("annotation.views.judge.answer_record", fail)


def test_an_error_is_a_sentence_and_a_number_that_stands_in_the_log(broken, caplog):
    live(items=12)
    walk = Walk(Client(raise_request_exception=False))
    walk.come_in("/s/tiny/")
    with caplog.at_level(logging.ERROR):
        walk.post(walk.path, {"choice": "first", "confidence": "1"})
    assert walk.page.status_code == 500
    assert not [word for word in INSIDES if word in walk.text]
    assert "Something went wrong" in walk.text
    number = re.search(r"<strong>(\w{8})</strong>", walk.text)
    assert number
    assert number[1] in caplog.text
    assert not Answer.objects.exists()


@pytest.mark.parametrize("path", ["/nowhere/", "/a/", "/s/", "/judge/1/", "/a/x/judge/one/"])
def test_an_address_that_leads_nowhere_says_so(client, path):
    response = client.get(path)
    assert response.status_code == 404
    text = response.content.decode()
    assert "This address leads nowhere" in text
    assert path not in text


def test_a_forged_post_to_a_page_of_staff_is_refused_in_a_sentence():
    response = Client(enforce_csrf_checks=True).post("/login/", {"username": "a"})
    assert response.status_code == 403
    assert "This page was open for too long" in response.content.decode()
    assert "CSRF" not in response.content.decode()


def test_a_host_that_is_not_ours_is_refused_in_a_sentence(client):
    response = client.get("/login/", headers={"Host": "elsewhere.test"})
    assert response.status_code == 400
    assert "could not be understood" in response.content.decode()
    assert "ALLOWED_HOSTS" not in response.content.decode()


def test_an_upload_that_is_too_large_is_refused_in_a_sentence(client):
    live(items=12)
    walk = Walk(client)
    walk.come_in("/s/tiny/")
    response = client.post(walk.path, {"comment": "x" * 3_000_000})
    assert response.status_code == 400
    assert "could not be understood" in response.content.decode()


def test_the_error_page_needs_nothing_that_could_be_broken(django_assert_num_queries):
    with django_assert_num_queries(0):
        response = faults.broken(RequestFactory().get("/"))
    assert response.status_code == 500
