"""study_simulate: what cannot be is refused in a sentence, before anybody is sent in."""

import socket
from contextlib import closing

import pytest
from django.core.management import CommandError, call_command
from django.http import HttpResponse

from annotation.management.commands.study_simulate import Command
from annotation.models import Annotator
from annotation.studyfile.definition import Recruitment
from tests.factories import live

WRONG = {
    "--annotators=-5": "-5 is too little: it must be 1 or more",
    "--annotators=0": "0 is too little: it must be 1 or more",
    "--annotators=many": "'many' is not a whole number",
    "--careless=7": "7 is too much: it must be 1 or less",
    "--abandon=-0.1": "-0.1 is too little: it must be 0 or more",
    "--seconds=-1": "-1 is too little: it must be 0 or more",
    "--seconds=0": "0 is too little: it must be more than 0",
    "--ability=nan": "'nan' is not a finite number",
    "--ability-sd=inf": "'inf' is not a finite number",
    "--ability=good": "'good' is not a number",
}


@pytest.mark.parametrize(("option", "said"), WRONG.items(), ids=WRONG)
def test_an_impossible_option_ends_with_status_2_and_a_sentence(capsys, option, said):
    with pytest.raises(SystemExit) as ended:
        Command().run_from_argv(["manage.py", "study_simulate", "tiny", option])
    assert ended.value.code == 2
    assert f"argument {option.split('=')[0]}: {said}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("site", "said"),
    [
        ("localhost:8000", "localhost:8000 is not an address such as http://127.0.0.1:8000."),
        ("http://127.0.0.1:port", "http://127.0.0.1:port is not an address such as"),
        ("https://study.test", "https://study.test is not an address such as"),
        ("", "is not an address such as"),
    ],
)
@pytest.mark.django_db
def test_what_is_no_address_is_refused(site, said):
    live(items=12)
    with pytest.raises(CommandError, match=said):
        call_command("study_simulate", "tiny", annotators=1, http=site)


@pytest.mark.django_db
def test_a_server_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setattr("annotation.simulation.over_http.time.sleep", lambda _: None)
    live(items=12)
    with closing(socket.socket()) as nobody:
        nobody.bind(("127.0.0.1", 0))
        site = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        with pytest.raises(CommandError, match=f"{site} does not answer .*manage.py serve"):
            call_command("study_simulate", "tiny", annotators=1, http=site)


def foreign(monkeypatch, html):
    """Let the pages be those of somebody else."""
    monkeypatch.setattr("annotation.views.entry.render", lambda *_, **__: HttpResponse(html))


@pytest.mark.parametrize("html", ["", "<h1>It works!</h1>", "<form><input name=q></form>"])
@pytest.mark.parametrize("provider", ["open", "prolific"])
@pytest.mark.django_db(transaction=True)
def test_another_server_is_told_from_ours(live_server, monkeypatch, html, provider):
    live(items=12, recruitment=Recruitment(provider=provider, codes={"complete": "DONE1"}))
    monkeypatch.setattr(
        "annotation.views.person.render", lambda *_, **__: HttpResponse(html, status=200)
    )
    foreign(monkeypatch, html)
    with pytest.raises(CommandError, match="shows no study tiny; it is another server"):
        call_command("study_simulate", "tiny", annotators=1, http=live_server.url)


@pytest.mark.django_db(transaction=True)
def test_a_server_on_another_database_is_told_from_ours(live_server, monkeypatch):
    live(items=12)
    monkeypatch.setattr("annotation.simulation.over_http.person_with", lambda _: None)
    with pytest.raises(CommandError, match="serves another database"):
        call_command("study_simulate", "tiny", annotators=1, http=live_server.url)


@pytest.mark.parametrize("provider", ["open", "prolific", "clickworker"])
@pytest.mark.django_db(transaction=True)
def test_our_own_server_is_let_in(live_server, capsys, provider):
    live(items=12, recruitment=Recruitment(provider=provider, codes={"complete": "DONE1"}))
    call_command("study_simulate", "tiny", annotators=2, abandon=0.0, http=live_server.url)
    assert "completed: 2" in capsys.readouterr().out
    assert Annotator.objects.count() == 2
