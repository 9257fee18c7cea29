"""A person at a browser, who reads the page that is open and does what it asks."""

import json
import re
from collections.abc import Iterator
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page

from annotation.models import Annotator, Assignment
from annotation.selectors.place import Step, last_claim, numbered, person_with
from annotation.selectors.screens import screen_of
from annotation.simulation.mind import posted_answer
from annotation.simulation.population import Population, drawn

SCREEN = re.compile(r"/a/(?P<key>[^/]+)/(?P<step>practice|judge)/(?P<number>\d+)/")
KEY = re.compile(r"/a/([^/]+)/")
CAREFUL = Population(ability=1.0, ability_sd=0.0, leniency_sd=0.0, careless=0.0, abandon=0.0)
LOST = "Connection lost. Your answer is kept here and will be sent."


class Visitor:
    """One page of one browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def person(self) -> Annotator:
        """Whose link is open."""
        found = KEY.search(self.page.url)
        assert found, self.page.url
        person = person_with(found[1])
        assert person
        return person

    @property
    def screen(self) -> Assignment:
        """The screen that is open."""
        at = SCREEN.search(self.page.url)
        assert at, self.page.url
        claim = last_claim(self.person)
        assert claim
        return numbered(claim, Step(at["step"]))[int(at["number"]) - 1]

    @property
    def place(self) -> str:
        """The part of the address that says where the person is."""
        return re.sub(r"^.*/a/[^/]+", "", self.page.url)

    @property
    def status(self) -> Locator:
        """What the page says about what is stored."""
        return self.page.locator("[data-status]")

    @property
    def next(self) -> Locator:
        """The button that sends the answer."""
        return self.page.locator("[data-next]")

    def follow(self, slug: str, **parameters: str) -> None:
        """Open the link that a study hands out."""
        query = f"?{urlencode(parameters)}" if parameters else ""
        self.page.goto(f"/s/{slug}/{query}")

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press a button that leads on, and wait for the page that follows."""
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=name).click()

    def come_in(self, slug: str, **parameters: str) -> None:
        """Go from the link to the first screen, agreeing to everything."""
        self.follow(slug, **parameters)
        if not parameters:
            self.press("Begin")
        self.press("I agree and want to take part")
        if self.place == "/eligibility/":
            self.page.get_by_label("Yes").check()
            self.press("Continue")
        if self.place == "/about/":
            self.press("Skip all")
        self.press(re.compile("^Begin"))

    def practise(self) -> Iterator[Locator]:
        """Answer each practice screen, and stop at each feedback."""
        while "practice" in self.place:
            self.answer()
            yield self.page.get_by_role("status").filter(has_text="A careful reader")
            with self.page.expect_navigation():
                self.page.get_by_role("link", name="Go on").click()

    def fill(self, **changed: object) -> dict[str, object]:
        """Give a careful reader's answers to the screen that is open; return them as posted."""
        answers = posted_answer(drawn(CAREFUL, 1), screen_of(self.screen)) | changed
        for name, value in answers.items():
            for one in value if isinstance(value, list) else [value]:
                self.give(name, str(one))
        return answers

    def give(self, name: str, value: str) -> None:
        """Answer one question, or tick one of its options."""
        field = self.page.locator(f'form[data-judgment] [name="{name}"]')
        if field.first.get_attribute("type") in {"radio", "checkbox"}:
            self.page.locator(f"[name={json.dumps(name)}][value={json.dumps(value)}]").check()
        elif value:
            field.fill(value)

    def answer(self, **changed: object) -> None:
        """Answer the screen that is open and go on."""
        self.fill(**changed)
        before = self.page.url
        self.next.click()
        if "/practice/" in before:
            self.page.locator("[data-go-on]").wait_for()
        else:
            self.page.wait_for_url(lambda url: url != before)

    def finish(self) -> None:
        """Answer everything up to the end."""
        while "/judge/" in self.place:
            self.answer()


def one_answer_a_screen(person: Annotator) -> None:
    """Assert that every screen of a person has one answer, one revision, and no draft left."""
    screens = list(person.assignments.select_related("answer"))
    assert screens
    for screen in screens:
        assert screen.answer.revisions.count() == 1, screen
        assert not hasattr(screen, "draft")
