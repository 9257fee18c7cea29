"""A program with a token for the study `tiny`, and a way to ask as it."""

import json

import pytest
from django.test import Client

from annotation.services.tokens import api_token_create
from tests.factories import ATTENTION, AUTHOR, CHECK, NOW, done_by_someone, live

ROOT = "/api/v1/studies/"


class Program:
    """A client that brings a secret and speaks JSON."""

    def __init__(self, secret=None):
        headers = {"authorization": f"Bearer {secret}"} if secret else {}
        self.client = Client(headers=headers)

    def get(self, path="", **query):
        return self.client.get(path if path.startswith(("/", "http")) else ROOT + path, query)

    def post(self, path, document=None):
        return self.client.post(
            ROOT + path, json.dumps(document or {}), content_type="application/json"
        )

    def all_pages(self, path, **query):
        """Follow the cursors to the end; return all rows and how many pages there were."""
        rows, pages, response = [], 0, self.get(path, **query)
        while True:
            document = response.json()
            rows += document["results"]
            pages += 1
            if document["next"] is None:
                return rows, pages
            response = self.client.get(document["next"])


@pytest.fixture
def study():
    study = live(items=6, form_size=3, attention=[CHECK], quality=[ATTENTION])
    for _ in range(3):
        done_by_someone(study)
    return study


@pytest.fixture
def secret(study):
    return api_token_create("notebook", [study], author=AUTHOR, now=NOW)[1]


@pytest.fixture
def program(secret):
    return Program(secret)


@pytest.fixture
def outsider():
    other = live(slug="other")
    return Program(api_token_create("other", [other], author=AUTHOR, now=NOW)[1])
