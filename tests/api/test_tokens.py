"""Tokens: shown once, stored as digests, for some studies, until they are revoked."""

import json
from io import StringIO

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from annotation.models import ApiToken, AuditEvent
from annotation.services.tokens import api_token_revoke
from tests.api.conftest import Program
from tests.factories import AUTHOR, NOW, live

pytestmark = pytest.mark.django_db


def command(name, *arguments):
    out = StringIO()
    call_command(name, *arguments, json=True, stdout=out)
    return json.loads(out.getvalue())


def test_a_command_makes_a_token_that_opens_its_studies():
    live()
    live(slug="other")
    made = command("api_token_create", "notebook", "tiny", "tiny")
    assert made["studies"] == ["tiny"]
    found = Program(made["secret"]).get().json()["results"]
    assert [study["slug"] for study in found] == ["tiny"]


def test_the_secret_stands_in_no_table(secret):
    for model in apps.get_models():
        assert secret not in str(list(model._default_manager.values()))
    token = ApiToken.objects.get()
    assert len(token.sha256) == 64
    assert secret.startswith(token.prefix)


def test_making_and_revoking_are_logged_once(secret, study):
    token = ApiToken.objects.get()
    for _ in range(2):
        api_token_revoke(token.prefix, author=AUTHOR, now=NOW)
    acts = AuditEvent.objects.filter(verb__startswith="api_token").order_by("number")
    assert [(act.verb, act.study) for act in acts] == [
        ("api_token_create", "tiny"),
        ("api_token_revoke", "tiny"),
    ]
    assert secret not in str([act.data for act in acts])


def test_a_revoked_token_opens_nothing_from_then_on(program, secret):
    assert program.get().status_code == 200
    command("api_token_revoke", secret[:12])
    response = program.get()
    assert response.status_code == 401
    assert response.json() == {"detail": "The token is unknown or revoked."}
    assert command("api_token_list")["tokens"][0]["revoked_at"] is not None


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("api_token_create", ["notebook", "nowhere"], "No study is called 'nowhere'"),
        ("api_token_create", [" ", "tiny"], "needs a name"),
        ("api_token_revoke", ["plx_nothing"], "No token begins with 'plx_nothing'"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(name, arguments, words):
    live()
    with pytest.raises(CommandError, match=words):
        command(name, *arguments)
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer nonsense",
        "Bearer a b",
        "Basic eDp5",
        "bearer \xff",
        "Bearer \x00",
    ],
)
def test_without_a_good_token_nothing_is_told(client, study, header):
    headers = {} if header is None else {"HTTP_AUTHORIZATION": header}
    for path in ("", "tiny/", "tiny/judgments/", "tiny/runs/", "tiny/monitor/"):
        response = client.get(f"/api/v1/studies/{path}", **headers)
        assert response.status_code == 401
        assert response.headers["WWW-Authenticate"] == "Bearer"
        assert "tiny" not in response.content.decode()


def test_a_session_of_staff_is_no_token(client, study, django_user_model):
    client.force_login(django_user_model.objects.create_user("ada", is_staff=True))
    assert client.get("/api/v1/studies/").status_code == 401
