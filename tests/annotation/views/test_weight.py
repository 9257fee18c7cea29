"""What a judgment page weighs, compressed as it is sent: at the first visit, and after it."""

import gzip
import re
from dataclasses import replace

import pytest
from django.core.management import call_command
from django.test import Client

from annotation.studyfile import read_study
from annotation.studyfile.definition import AssignmentRules, Recruitment
from tests.annotation.views.walk import Walk
from tests.factories import live
from tests.journeys.shipped import FOLDERS

pytestmark = pytest.mark.django_db

FIRST_VISIT = 150_000
LATER = 30_000


@pytest.fixture
def deployed(settings, tmp_path):
    """Serve static files as they are deployed: collected, named by their content, compressed."""
    settings.STATIC_ROOT = tmp_path
    settings.WHITENOISE_USE_FINDERS = False
    settings.WHITENOISE_AUTOREFRESH = False
    backend = "whitenoise.storage.CompressedManifestStaticFilesStorage"
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": backend}}
    call_command("collectstatic", interactive=False, verbosity=0)
    return Client(headers={"Accept-Encoding": "gzip"})


def heaviest(name):
    """Return a study of one form: of each task the item whose texts are longest."""
    whole = read_study(FOLDERS[name])

    def length(item):
        passage = whole.passages.get(item.passage_id)
        return len(str(item.fields)) + (len(passage.text) if passage else 0)

    tasks = [replace(task, items=(max(task.items, key=length),)) for task in whole.tasks]
    return replace(
        whole,
        tasks=tuple(tasks),
        recruitment=Recruitment(),
        assignment=AssignmentRules(replication=1, form_size=len(tasks)),
        attention=(),
        practice=(),
    )


def sent(client, path):
    """Return how many bytes an answer has, head and body, and the answer."""
    response = client.get(path)
    assert response.status_code == 200, path
    body = response.getvalue()
    return len(body) + sum(len(f"{k}: {v}\r\n") for k, v in response.headers.items()), response


@pytest.mark.parametrize("name", sorted(FOLDERS))
def test_the_heaviest_judgment_page_is_light(deployed, name):
    live(heaviest(name))
    walk = Walk()
    walk.come_in(f"/s/{name}/")
    screens = 0
    while "/judge/" in walk.path:
        page, response = sent(deployed, walk.path)
        assert response.headers["Content-Encoding"] == "gzip"
        assert page < LATER
        text = gzip.decompress(response.getvalue()).decode()
        files = [sent(deployed, file) for file in linked_by(text)]
        assert len(files) >= 8
        assert all("immutable" in answer.headers["Cache-Control"] for _, answer in files)
        assert page + sum(weight for weight, _ in files) < FIRST_VISIT
        walk.judge()
        screens += 1
    assert screens == len(heaviest(name).tasks)


def linked_by(text):
    """Return what a page makes the browser fetch."""
    return sorted(set(re.findall(r'(?:href|src)="(/static/[^"]+)"', text)))
