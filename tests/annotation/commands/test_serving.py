"""serve and demo: an address that is taken is named, and links lead to the server that is there."""

import socket
from contextlib import closing
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.management.commands.demo import Command as Demo
from annotation.management.web_server import require_free
from tests.annotation.studyfile.folders import write_folder


@pytest.fixture
def taken():
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def test_serve_names_a_port_that_is_taken(taken):
    with pytest.raises(CommandError, match=rf"served on {taken}: .*in use.*--bind"):
        call_command("serve", bind=taken)


@pytest.mark.parametrize("bind", ["8000", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:0"])
def test_serve_refuses_what_is_no_address(bind):
    with pytest.raises(CommandError, match="is not an address and a port"):
        call_command("serve", bind=bind)


def test_a_port_that_is_free_may_be_served_on(taken):
    with closing(socket.socket()) as once:
        once.bind(("127.0.0.1", 0))
        free = f"127.0.0.1:{once.getsockname()[1]}"
    assert free != taken
    require_free(free)


@pytest.mark.django_db
def test_the_demo_s_links_lead_to_the_port_that_it_took(tmp_path):
    said = StringIO()
    folder = write_folder(tmp_path / "study")
    Demo(stdout=said)._load(folder, "http://127.0.0.1:8003")
    assert "http://127.0.0.1:8003/s/tiny/" in said.getvalue()
    assert "127.0.0.1:8000" not in said.getvalue()
