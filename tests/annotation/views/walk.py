"""A person with the test client: reads each page's forms, sends them, and keeps all that arrived."""

import re
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from annotation.models import Annotator, Assignment
from annotation.selectors.place import Step, last_claim, numbered, person_with
from annotation.selectors.screens import screen_of
from annotation.simulation.html_forms import HtmlForm, forms_of
from annotation.simulation.mind import posted_answer
from annotation.simulation.population import Population, drawn

CAREFUL = Population(ability=1.0, ability_sd=0.0, leniency_sd=0.0, careless=0.0, abandon=0.0)
SCREEN = re.compile(r"/a/(?P<key>[^/]+)/(?P<step>practice|judge)/(?P<number>\d+)/$")
MOST_PAGES = 100


@dataclass(frozen=True)
class Received:
    """One answer of the server: after what, and every byte of it."""

    asked: str
    status: int
    content: bytes
    # The status, the headers, the cookies and the body.
    everything: bytes

    @property
    def is_end(self) -> bool:
        """Whether this is the page at the end."""
        return self.asked.endswith("/finish/")

    @property
    def is_feedback(self) -> bool:
        """Whether this page says what a careful reader answers to a practice item."""
        return b"data-go-on" in self.content


@dataclass
class Walk:
    """One person's way; keeps no cookie, as the pages need none."""

    client: Client = field(default_factory=Client)
    # What this person answers to some questions, whatever is asked.
    always: dict[str, Any] = field(default_factory=dict)
    received: list[Received] = field(default_factory=list)
    path: str = "/"
    page: Any = None

    def get(self, path: str) -> None:
        """Open a page, and follow where it leads."""
        self._follow("GET", path, self.client.get(path, headers={"Accept": "text/html"}))

    def post(self, path: str, values: dict[str, Any], **headers: str) -> None:
        """Send a form, and follow where it leads."""
        self._follow("POST", path, self.client.post(path, values, headers=headers))

    def send(self, number: int = 0, **values: Any) -> None:
        """Send a form of the page that is open, as it stands, with some values changed."""
        form = self.forms[number]
        self.post(form.action or self.path, form.values | values)

    @property
    def forms(self) -> list[HtmlForm]:
        """The forms of the page that is open."""
        return forms_of(self.page.content.decode())

    @property
    def text(self) -> str:
        """The page that is open."""
        return str(self.page.content.decode())

    @property
    def person(self) -> Annotator:
        """Whose page is open."""
        person = person_with(self.path.split("/")[2])
        assert person
        return person

    @property
    def screen(self) -> Assignment:
        """The screen that is open."""
        at = SCREEN.search(self.path)
        assert at, self.path
        claim = last_claim(self.person)
        assert claim
        return numbered(claim, Step(at["step"]))[int(at["number"]) - 1]

    def come_in(self, link: str) -> None:
        """Go from a study's link to its first screen."""
        self.get(link)
        if "token" in self.forms[0].values:
            self.send()
        self.send(consent="yes")
        if self.path.endswith("/eligibility/"):
            names = [name for name in self.forms[0].offered if name != "key"]
            self.send(0, **dict.fromkeys(names, "yes"))
        self.send()

    def judge(self) -> None:
        """Answer the screen that is open: a draft, an answer with a gap, then all of it."""
        path = self.path
        answers = posted_answer(drawn(CAREFUL, 1), screen_of(self.screen)) | self.always
        self.post(f"{path}draft/", self.forms[0].values | answers)
        self.path = path
        self.get(path)
        self.post(path, {"key": f"gap in {path[-4:]}"})
        self.post(path, {"key": f"all of {path[-4:]}", "active_ms": "1200", **answers})

    def go(self) -> None:
        """Go on from the screen that is open to the end."""
        for _ in range(MOST_PAGES):
            if self.path.endswith("/finish/"):
                return
            onward = re.search(r'href="([^"]+)"\s+data-go-on', self.text)
            if onward:
                self.get(onward[1])
            else:
                self.judge()
        raise AssertionError(f"there is no end; it goes round at {self.path}")

    def _follow(self, method: str, path: str, response: Any) -> None:
        while True:
            self._keep(f"{method} {path}", response)
            if response.status_code not in {301, 302, 303}:
                break
            method, path = "GET", response["Location"]
            response = self.client.get(path, headers={"Accept": "text/html"})
        self.path, self.page = path, response

    def _keep(self, asked: str, response: Any) -> None:
        head = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
        cookies = response.cookies.output()
        everything = f"{response.status_code}\n{head}\n{cookies}\n".encode() + response.content
        self.received.append(Received(asked, response.status_code, response.content, everything))
