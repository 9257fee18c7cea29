"""What the monitor costs with very many judgments: JUDGMENTS=1000000 asks for as many."""

import os
import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.runs.watch import monitor_ask
from analysis.runs.worker import work_once
from tests.analysis.views.many import build

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
JUDGMENTS = int(os.environ.get("JUDGMENTS", "9000"))
PAGE_CPU_SECONDS = 0.3
# What a run may cost for each judgment, and for its start.
RUN_CPU_SECONDS, START_CPU_SECONDS = 0.0002, 10


def seen(client, path):
    """Return the CPU seconds and the queries of a page."""
    client.get(path)
    with CaptureQueriesContext(connection) as queries:
        began = time.process_time()
        assert client.get(path).status_code == 200
        took = time.process_time() - began
    return took, len(queries)


def test_the_pages_stay_fast_and_the_run_stays_cheap(staff):
    few = build(90, slug="few")
    many = build(JUDGMENTS, slug="many")
    for study in (few, many):
        monitor_ask(study, author="staff", now=timezone.now())
    work_once()
    began = time.process_time()
    work_once()
    spent = time.process_time() - began
    run = many.runs.get()
    assert run.error == ""
    assert run.result["judgments"] == len(many.items.all()) * 3
    assert spent < START_CPU_SECONDS + RUN_CPU_SECONDS * JUDGMENTS
    person = many.annotators.first().pseudonym
    other = few.annotators.first().pseudonym
    for page in ("monitor/", "annotators/", "reports/", "annotators/{}/"):
        _, queries = seen(staff, f"/studies/few/{page.format(other)}")
        took, as_many = seen(staff, f"/studies/many/{page.format(person)}")
        assert took < PAGE_CPU_SECONDS, page
        assert as_many == queries, page
