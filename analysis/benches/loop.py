"""What one judgment costs the web server: the page, and the answer that is posted from it."""

import time
from collections.abc import Mapping

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from analysis.benches.measure import Row
from analysis.benches.scratch import demo_study, scratch_database
from annotation.models import Annotator, Study
from annotation.providers import Entry
from annotation.selectors.place import Step, numbered
from annotation.selectors.screens import screen_of
from annotation.services.claims import form_claim
from annotation.services.sessions import consent_give, screening_record, session_start
from annotation.simulation.html_forms import forms_of
from annotation.simulation.mind import posted_answer
from annotation.simulation.population import Person, Population, drawn

FORMS = 10
PLAIN_FILES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}


def rows() -> list[Row]:
    """Send people through the pages of some forms of the demo study, in this process."""
    with scratch_database(), override_settings(STORAGES=PLAIN_FILES):
        study = demo_study(timezone.now())
        client = Client(headers={"host": "localhost"})
        _form(client, study, 0)
        cpu, wall = time.process_time(), time.perf_counter()
        asked = [queries for n in range(1, FORMS + 1) for queries in _form(client, study, n)]
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    gets, posts = zip(*asked, strict=True)
    return [
        Row(
            name=(
                f"open a judgment page and post its answer on {connection.vendor}: at most "
                f"{max(gets)} and {max(posts)} queries"
            ),
            n=len(asked),
            cpu_seconds=cpu,
            wall_seconds=wall,
            per={"answer": cpu / len(asked)},
        )
    ]


def _form(client: Client, study: Study, number: int) -> list[tuple[int, int]]:
    """Judge one form; return the queries of each page and of each answer."""
    person = drawn(Population(careless=0.0), number)
    someone = _someone(study, person)
    claim = form_claim(someone, now=timezone.now(), rng=person.rng)
    asked = []
    for step in (Step.PRACTICE, Step.JUDGE):
        for place, assignment in enumerate(numbered(claim, step), start=1):
            path = f"/a/{someone.access_key}/{step}/{place}/"
            with CaptureQueriesContext(connection) as opening:
                html = client.get(path).content.decode()
            form = next(form for form in forms_of(html) if "key" in form.values)
            answer = posted_answer(person, screen_of(assignment))
            with CaptureQueriesContext(connection) as posting:
                answered = client.post(path, {**_plain(form.values), **_plain(answer)})
            if answered.status_code != 303:  # noqa: PLR2004  see other: the answer is stored
                raise RuntimeError(f"{path} answered {answered.status_code}, not 303.")
            asked.append((len(opening), len(posting)))
    return asked


def _someone(study: Study, person: Person) -> Annotator:
    now = timezone.now()
    entry = Entry(person=f"bench{person.number}", session="bench")
    someone = session_start(study, entry, entry_token="", now=now)
    consent_give(someone, given=True, language="en", now=now)
    screening_record(someone, {"native_english": "yes"}, now=now)
    return someone


def _plain(values: Mapping[str, object]) -> dict[str, object]:
    """Return what can be posted: nothing where nothing was chosen."""
    return {name: value for name, value in values.items() if value not in (None, "", [""], [])}
