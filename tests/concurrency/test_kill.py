"""A web process is killed in mid-submission: what was acknowledged is stored, once."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event, Thread
from urllib.parse import parse_qs

import pytest

from annotation.management.web_server import free_port, start_server
from annotation.models import Annotator, Answer, AnswerRevision, Claim
from annotation.simulation import over_http
from annotation.simulation.population import Population, drawn
from annotation.simulation.tally import Tally
from tests import factories
from tests.concurrency.threads import at_once

pytestmark = [
    pytest.mark.concurrency,
    pytest.mark.django_db(transaction=True),
    # One crowd at a time: a server has a hundred connections for all tests together.
    pytest.mark.xdist_group("crowds"),
]

VISITORS = 16
KILLS = 4
SEE_OTHER = 303


@dataclass
class Server:
    """A running web server and who its workers are."""

    pid: int
    site: str
    killed: list[int] = field(default_factory=list)

    def workers(self) -> list[int]:
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text()
        return [int(pid) for pid in children.split()]

    def kill_one(self) -> None:
        """Kill the oldest worker, as the kernel does when memory runs out."""
        victim = min(self.workers())
        os.kill(victim, signal.SIGKILL)
        self.killed.append(victim)


@pytest.fixture
def server(scratch_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("DATABASE_URL", scratch_url)
    monkeypatch.setenv("PARALLAX_VAR", str(tmp_path))
    monkeypatch.setenv("DEBUG", "1")
    port = free_port(8_700)
    process = start_server(port, workers=2)
    yield Server(process.pid, f"http://127.0.0.1:{port}")
    process.terminate()
    process.wait(timeout=60)


def test_every_answer_that_was_acknowledged_is_there_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    acknowledged: list[tuple[str, str]] = []

    class Noting(over_http.Browser):
        """A browser that notes each answer that the server said it had stored."""

        def _ask(self, method: str, path: str, body: str | None) -> tuple[int, str, str]:
            answer = super()._ask(method, path, body)
            if body and "/judge/" in path and answer[0] == SEE_OTHER:
                acknowledged.append((path.split("/")[2], parse_qs(body)["key"][0]))
            return answer

    monkeypatch.setattr(over_http, "Browser", Noting)
    study = factories.live(items=64, replication=1, form_size=4)
    population = Population(seed=3, abandon=0.0, careless=0.0)
    tally, over = Tally(), Event()

    def visit(number: int) -> None:
        over_http.person_browses(study, drawn(population, number), tally, site=server.site)

    killer = Thread(target=kill_now_and_then, args=(server, acknowledged, over))
    killer.start()
    at_once([partial(visit, number) for number in range(VISITORS)])
    over.set()
    killer.join()
    assert len(server.killed) == KILLS
    assert tally.as_dict()["completed"] == VISITORS
    assert len(set(acknowledged)) == 64
    for key, submission in acknowledged:
        person = Annotator.objects.get(access_key=key)
        stored = AnswerRevision.objects.filter(key=submission, answer__assignment__annotator=person)
        assert stored.count() == 1
    assert Answer.objects.count() == AnswerRevision.objects.count() == 64
    assert set(Claim.objects.values_list("state", flat=True)) == {"submitted"}
    assert set(factories.judged_times(study).values()) == {1}
    assert factories.broken_promises(study) == []


def kill_now_and_then(server: Server, acknowledged: list[tuple[str, str]], over: Event) -> None:
    """Kill a worker each time that some more answers have come in."""
    for number in range(1, KILLS + 1):
        while len(acknowledged) < 12 * number and not over.is_set():
            time.sleep(0.01)
        server.kill_one()
        while len(server.workers()) < 2 and not over.is_set():  # the master starts another
            time.sleep(0.05)
