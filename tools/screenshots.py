"""Takes the pictures in docs/images of a running demo.

In one terminal `make demo`; in another, with the log-in that it printed:
`.venv/bin/python -m tools.screenshots http://127.0.0.1:8000 demo PASSWORD`
"""

import os
import re
import secrets
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
ENTRIES = {
    "answers": "/s/answer-quality/?PROLIFIC_PID={visitor}",
    "trace": "/s/trace-equivalence/",
    "translation": "/s/translation-culture/",
}
SIZES = {"desk": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
SCHEMES = ("light", "dark")
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
COMPUTED_WITHIN_MS = 180_000
COLOURS = 96
SCREENS = 10
# Fonts with these are large, and often not installed.
EAST_ASIAN = re.compile("[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def walk_to_the_work(page: Page, site: str, entry: str) -> None:
    """Go from a study's link to the first screen of the form, as a visitor would."""
    page.goto(site + entry.format(visitor=secrets.token_hex(12)))
    for _ in range(12):
        if "/judge/" in page.url:
            return
        if page.locator("[data-go-on]").count() == 0:
            _answer(page)
        page.locator("[data-go-on], main .button").first.click()
        page.wait_for_load_state("networkidle")
    raise SystemExit(f"The way from {entry} does not reach the work; last at {page.url}.")


def go_on_to_two_sides(page: Page) -> None:
    """Answer screens until one shows two texts beside each other, in letters that this machine has."""
    for _ in range(SCREENS):
        if page.locator(".sides").count() and not EAST_ASIAN.search(page.inner_text("main")):
            return
        _answer(page)
        with page.expect_navigation():
            page.locator("[data-next]").click()


def _answer(page: Page) -> None:
    """Choose the first option of every question that has no answer yet, as they come into sight."""
    open_questions = page.locator(
        "fieldset.question:visible:has(:is([type=radio], [type=checkbox]))"
    )
    unanswered = open_questions.and_(page.locator(":not(:has(:checked))"))
    for _ in range(40):
        if unanswered.count() == 0:
            return
        unanswered.first.locator("input").first.check(force=True)


def take(browser: Browser, site: str, name: str, password: str) -> None:
    """Take every page in both schemes and sizes."""
    IMAGES.mkdir(exist_ok=True)
    for scheme in SCHEMES:
        for size, viewport in SIZES.items():
            context = browser.new_context(viewport=viewport, color_scheme=scheme)  # type: ignore[arg-type]
            page = context.new_page()
            for kind, entry in ENTRIES.items():
                walk_to_the_work(page, site, entry)
                go_on_to_two_sides(page)
                shoot(page, f"{kind}-{size}-{scheme}")
            take_staff(page, site, name, password, f"{size}-{scheme}")
            context.close()


def shoot(page: Page, name: str, *, whole: bool = False) -> None:
    """Take one picture, with as few colours as its pages need: a third of the size."""
    path = IMAGES / f"{name}.png"
    page.screenshot(path=path, full_page=whole, timeout=COMPUTED_WITHIN_MS)
    Image.open(path).convert("RGB").quantize(COLOURS).save(path, optimize=True)


def take_staff(page: Page, site: str, name: str, password: str, kind: str) -> None:
    """Take the pages of staff: the studies, the monitor of the first one, its report, two traces."""
    log_in(page, site, name, password)
    shoot(page, f"studies-{kind}")
    page.goto(f"{site}/studies/answer-quality/monitor/")
    page.wait_for_selector("#agreement", timeout=COMPUTED_WITHIN_MS)
    shoot(page, f"monitor-{kind}", whole=True)
    page.goto(f"{site}/studies/answer-quality/reports/")
    page.locator("form button:has-text('Start')").first.click()
    page.wait_for_selector("text=Open the report", timeout=COMPUTED_WITHIN_MS)
    page.click("text=Open the report")
    page.wait_for_selector("svg")
    shoot(page, f"report-{kind}")
    take_pair(page, site, kind)


def log_in(page: Page, site: str, name: str, password: str) -> None:
    """Become staff."""
    page.goto(f"{site}/login/")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", password)
    page.click("main button")


def take_pair(page: Page, site: str, kind: str) -> None:
    """Take the pair of traces whose steps meet most, computed where nobody has asked for it yet."""
    page.goto(f"{site}/studies/trace-equivalence/traces/?sort=-S&pair=en–es")
    start = page.locator("button:has-text('Compute it for all pairs')")
    if start.count():
        start.click()
        page.wait_for_selector("text=Look again", state="detached", timeout=COMPUTED_WITHIN_MS)
        page.goto(f"{site}/studies/trace-equivalence/traces/?sort=-S&pair=en–es")
    page.locator("table.traced tbody a").first.click()
    page.wait_for_selector("svg")
    shoot(page, f"pair-{kind}", whole=True)


if __name__ == "__main__":
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        take(chromium, *sys.argv[1:4])
        chromium.close()
