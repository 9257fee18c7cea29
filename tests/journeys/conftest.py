"""A real Chromium before a real server, with one small copy of each study that is shipped."""

import os

import pytest
from playwright.sync_api import sync_playwright

from tests.journeys.visitor import Visitor

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]
# A script that is stopped by the policy or breaks says so here; a lost connection, which a test
# makes, and an answer of 4xx are no faults of a page.
FORGIVEN = ("Failed to load resource", "net::ERR_INTERNET_DISCONNECTED")


@pytest.fixture(scope="package")
def chromium():
    """One browser for all journeys; while it is open Django takes its event loop for an async view."""
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def device(chromium, transactional_db, live_server):
    """Return a function that takes up another device: nothing on it remembers anything."""
    contexts, errors = [], []

    def listen(page):
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)

    def take(**options):
        context = chromium.new_context(base_url=live_server.url, **options)
        context.set_default_timeout(10_000)
        context.on("page", listen)
        contexts.append(context)
        return context

    yield take
    for context in contexts:
        # A page that is left sends its draft, which must not reach the next test's database.
        context.set_offline(offline=True)
        context.close()
    assert [e for e in errors if not any(known in e for known in FORGIVEN)] == []


@pytest.fixture
def visitor(device):
    """Return a person at a computer."""
    return Visitor(device().new_page())
