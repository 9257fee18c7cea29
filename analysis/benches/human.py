"""What report and monitor of a large human study cost, from the database to the files."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from analysis.benches.large import large_study
from analysis.benches.loop import PLAIN_FILES
from analysis.benches.measure import Limit, Row, measure, peak_forget
from analysis.benches.scratch import scratch_database
from analysis.runs.kinds import KINDS, MONITOR
from analysis.runs.watch import monitor_ask
from analysis.runs.worker import work_once
from annotation.models import Study
from annotation.selectors.collected import people_in_parts
from annotation.services.staff import staff_account_set

# Two more where items are wanted unequally often, as here.
QUERIES_A_PART, QUERIES_A_STUDY = 4, 8
JUDGMENTS, FEW, REPLICATION = 1_000_000, 1_000, 50
PAGE_SECONDS, STUDIES_SECONDS = 0.3, 0.5
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
NAME, PASSWORD = "bench", "of a database that is dropped"
# CPU seconds and MiB that a run may take.
LIMITS: Mapping[str, tuple[float | None, float]] = {
    "human": (60.0, 768.0),
    MONITOR: (None, 1280.0),
}
PAGES = ("monitor/", "annotators/", "reports/")


class MoreQueriesError(RuntimeError):
    """Something asks the database more often than its size explains."""


def rows() -> list[Row]:
    """Measure the runs behind report and monitor, and the pages, each with its queries."""
    with scratch_database(), override_settings(STORAGES=PLAIN_FILES):
        client = _staff()
        few = large_study(FEW, slug="few", now=NOW, replication=REPLICATION)
        of_all = page_queries(client, "/") + QUERIES_A_STUDY
        many = large_study(JUDGMENTS, slug="many", now=NOW, replication=REPLICATION)
        runs = [_run(kind, few, many) for kind in LIMITS]
        for study in (few, many):
            monitor_ask(study, author=NAME, now=timezone.now())
            work_once()
        pages = [_page(client, f"/studies/many/{page}", page) for page in PAGES]
        return [*runs, *pages, _timed(client, "/", "of studies", of_all, STUDIES_SECONDS)]


def _staff() -> Client:
    """Return a browser in which a member of staff is at work."""
    staff_account_set(NAME, PASSWORD, author=NAME, now=timezone.now())
    client = Client(headers={"host": "localhost"})
    client.login(username=NAME, password=PASSWORD)
    return client


def part_queries(study: Study) -> int:
    """Return how many queries read the parts in which the answers of a study are taken."""
    return QUERIES_A_PART * len(list(people_in_parts(study)))


def run_queries(study: Study, kind: str, **parameters: int) -> int:
    """Do what a run does, in this process; return how often it asked the database."""
    with CaptureQueriesContext(connection) as asked:
        KINDS[kind].analysis()(study, parameters, lambda *_: None)
    return len(asked)


def _run(kind: str, few: Study, many: Study) -> Row:
    allowed = run_queries(few, kind) + part_queries(many) - part_queries(few)
    found: list[int] = []
    seconds, mib = LIMITS[kind]
    peak_forget()
    row = measure(
        f"{kind} run of {JUDGMENTS:,} judgments",
        JUDGMENTS,
        lambda: found.append(run_queries(many, kind)),
        units={"judgment": JUDGMENTS},
        cpu_limit=seconds,
        peak=True,
    )
    row = replace(row, limits=(*row.limits, Limit("MiB", row.peak_mib or 0.0, mib)))
    return _asked(row, found[0], allowed)


def page_queries(client: Client, path: str) -> int:
    """Open a page; return how often it asked the database."""
    with CaptureQueriesContext(connection) as asked:
        if client.get(path).status_code != 200:  # noqa: PLR2004  the page is there
            raise RuntimeError(f"{path} cannot be opened.")
    return len(asked)


def _page(client: Client, path: str, name: str) -> Row:
    allowed = page_queries(client, path.replace("many", "few"))
    return _timed(client, path, name, allowed, PAGE_SECONDS)


def _timed(client: Client, path: str, name: str, allowed: int, limit: float) -> Row:
    asked = page_queries(client, path)
    row = measure(
        f"page {name} of {JUDGMENTS:,} judgments",
        1,
        partial(page_queries, client, path),
        cpu_limit=limit,
        repeats=3,
    )
    return _asked(row, asked, allowed)


def _asked(row: Row, queries: int, allowed: int) -> Row:
    """Name the queries; more than the few judgments need, but for those of the parts, is a fault."""
    if queries > allowed:
        raise MoreQueriesError(f"{row.name} makes {queries} queries; {allowed} are expected.")
    peak = "" if row.peak_mib is None else f", at most {row.peak_mib:,.0f} MiB"
    return replace(row, name=f"{row.name}: {queries} queries{peak}")
