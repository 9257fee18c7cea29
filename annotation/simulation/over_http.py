"""Simulated annotators through the real pages of a running server: links, forms, keys and all.

The pages are read and posted as a browser without scripts would; the database is asked only for what
a person would see with their own eyes, the item in front of them.
"""

import http.client
import re
import time
from contextlib import closing
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from annotation.errors import Refused
from annotation.models import Study
from annotation.providers import Entry
from annotation.selectors.place import Step, last_claim, numbered, person_with
from annotation.selectors.screens import Screen, screen_of
from annotation.selectors.studies import study_definition
from annotation.services.sessions import annotator_mark_simulated
from annotation.simulation.html_forms import HtmlForm, forms_of
from annotation.simulation.mind import posted_answer, told_about
from annotation.simulation.population import Person
from annotation.simulation.tally import Tally

# A person meets at most this many pages: far more than any form, so a loop ends with an error.
MOST_PAGES = 500
RETRIES = 5


_NO_ANSWER = "{} does not answer ({}). Start it with manage.py serve, or name another by --http."
_OTHER_SERVER = "{} shows no study {}; it is another server, or serves another database."
_OTHER_DATABASE = "{} serves another database than this command reads; set DATABASE_URL as there."
# The link on from a page of feedback.
_GO_ON = re.compile(r'href="([^"]+)"\s+data-go-on')


class PageUnexpected(Refused):
    """A page was not what a person in this place must see."""

    code = "page"


class SiteUnusable(Refused):
    """No server that shows this study answers at the address."""

    code = "site"


class Browser:
    """One person's browser: follows redirects, keeps no cookie."""

    def __init__(self, site: str) -> None:
        self.site, (self._host, self._port) = site, _host_and_port(site)
        self._link: http.client.HTTPConnection | None = None
        self.path = "/"
        self.html = ""
        self.status = 0

    def get(self, path: str) -> None:
        """Open a page."""
        self._go("GET", path, None)

    def post(self, form: HtmlForm, values: dict[str, list[str]]) -> None:
        """Post a form of the page that is open."""
        body = urlencode(values, doseq=True)
        self._go("POST", urljoin(self.path, form.action), body)

    def close(self) -> None:
        """Hang up; the next page calls again."""
        if self._link is not None:
            self._link.close()
        self._link = None

    def _go(self, method: str, path: str, body: str | None) -> None:
        for _ in range(10):
            status, location, html = self._ask(method, path, body)
            if status not in {301, 302, 303}:
                break
            method, path, body = "GET", urljoin(path, location), None
        if status >= http.client.INTERNAL_SERVER_ERROR:
            raise PageUnexpected(f"{method} {path} answered {status}")
        self.path, self.html, self.status = path, html, status

    def _ask(self, method: str, path: str, body: str | None) -> tuple[int, str, str]:
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        for attempt in range(RETRIES):
            try:
                if self._link is None:
                    self._link = http.client.HTTPConnection(self._host, self._port, timeout=60)
                self._link.request(method, path, body, headers)
                answer = self._link.getresponse()
                html = answer.read().decode(errors="replace")
                return answer.status, answer.getheader("Location", ""), html
            except (OSError, http.client.HTTPException) as fault:
                self.close()
                if attempt == RETRIES - 1:
                    raise SiteUnusable(_NO_ANSWER.format(self.site, fault)) from None
                time.sleep(0.2 * 2**attempt)
        raise AssertionError("unreachable")


def _host_and_port(site: str) -> tuple[str, int]:
    parts = urlsplit(site)
    try:
        if parts.scheme == "http" and parts.hostname:
            return parts.hostname, parts.port or 80
    except ValueError:  # a port that is no number
        pass
    raise SiteUnusable(f"{site} is not an address such as http://127.0.0.1:8000.")


def site_check(study: Study, site: str) -> None:
    """Refuse a server that does not show the study, before anybody is sent there."""
    with closing(Browser(site)) as browser:
        browser.get(f"/s/{study.slug}/")
        named = study_definition(study).recruitment.provider != "open"
        forms = forms_of(browser.html)
        # A platform's link without its parameters is refused; the open link shows its button.
        shown = browser.status == http.HTTPStatus.BAD_REQUEST if named else bool(forms)
        if not shown or (forms and "token" not in forms[0].values):
            raise SiteUnusable(_OTHER_SERVER.format(site, study.slug))


def person_browses(study: Study, person: Person, tally: Tally, *, site: str) -> None:
    """Send one person through the pages, from the study's link to the end or to where they leave."""
    with closing(Browser(site)) as browser:
        _browse(browser, study, person, tally)


def _browse(browser: Browser, study: Study, person: Person, tally: Tally) -> None:
    browser.get(_entry_path(study, person.entry(study_definition(study).recruitment.provider)))
    if browser.path.startswith("/s/"):
        form = forms_of(browser.html)[0]
        browser.post(form, form.values)
    _mark(browser)
    tally.add("arrived")
    done = 0
    for _ in range(MOST_PAGES):
        step = _step(browser.path)
        if step == Step.FINISH:
            _end(browser, person, tally, done)
            return
        if step == Step.INSTRUCTIONS and "All sets are taken" in browser.html:
            tally.add("full")
            return
        if step in {Step.PRACTICE, Step.JUDGE}:
            if _is_time_to_leave(browser, person, done):
                _leaves(browser, person, tally)
                return
            done += _judges(browser, person)
        else:
            _answers(browser, person, study, step)
    raise PageUnexpected(f"The way of person {person.number} does not end; last at {step}.")


def _mark(browser: Browser) -> None:
    """Mark whoever just came in as simulated; a server on another database lets in a stranger."""
    _step(browser.path)
    someone = person_with(browser.path.split("/")[2])
    if someone is None:
        raise SiteUnusable(_OTHER_DATABASE.format(browser.site))
    annotator_mark_simulated(someone)


def _entry_path(study: Study, entry: Entry | None) -> str:
    if entry is None:
        return f"/s/{study.slug}/"
    named = {"PROLIFIC_PID": entry.person, "SESSION_ID": entry.session, "user_id": entry.person}
    return f"/s/{study.slug}/?{urlencode(named)}"


def _step(path: str) -> str:
    parts = path.strip("/").split("/")
    if len(parts) < 3 or parts[0] != "a":  # noqa: PLR2004  a/<key>/<step>
        raise PageUnexpected(f"{path} is not a page of an annotator")
    return parts[2]


def _answers(browser: Browser, person: Person, study: Study, step: str) -> None:
    """Answer the pages before the work."""
    form = forms_of(browser.html)[0]
    posted = dict(form.values)
    if step == Step.CONSENT:
        posted["consent"] = ["yes" if person.consents else "no"]
    for question in study_definition(study).recruitment.eligibility:
        if question.key in form.offered:
            refused = [o for o in question.options if o not in question.accept]
            chosen = question.accept[:1] if person.eligible else refused[:1] or question.accept[:1]
            posted[question.key] = list(chosen)
    if step == Step.ABOUT:
        asked = study_definition(study).recruitment.demographics
        posted = {key: [answer] for key, answer in told_about(person, asked).items()}
    browser.post(form, posted)


def _judges(browser: Browser, person: Person) -> int:
    """Answer the screen in front of the person; a page of feedback is read and left."""
    if go_on := _GO_ON.search(browser.html):
        browser.get(go_on[1])
        return 0
    form = next(f for f in forms_of(browser.html) if "key" in f.values)
    screen = _screen_at(browser.path)
    answer = posted_answer(person, screen)
    posted = form.values | {name: _listed(value) for name, value in answer.items()}
    for name, values in posted.items():
        _require_offered(form, name, values, browser.path)
    posted["active_ms"] = [str(int(person.pause() * 1000))]
    browser.post(form, {name: values for name, values in posted.items() if values != [""]})
    return 1


def _screen_at(path: str) -> Screen:
    _, key, step, number = path.strip("/").split("/")
    someone = person_with(key)
    claim = last_claim(someone) if someone else None
    if claim is None:
        raise PageUnexpected(f"{path} shows a screen of nobody's form")
    return screen_of(numbered(claim, Step(step))[int(number) - 1])


def _require_offered(form: HtmlForm, name: str, values: list[str], path: str) -> None:
    """Hold the page to what it must offer: a field for each answer, an option for each choice."""
    offered = form.offered.get(name)
    if offered is None and any(values):
        raise PageUnexpected(f"{path} has no field {name}")
    if offered and len(offered) > 1 and not set(values) <= offered:
        raise PageUnexpected(f"{path} does not offer {values} for {name}")


def _listed(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(one) for one in value]
    return ["" if value is None else str(value)]


def _is_time_to_leave(browser: Browser, person: Person, done: int) -> bool:
    if person.leaves_after is None:
        return False
    someone = person_with(browser.path.split("/")[2])
    claim = last_claim(someone) if someone else None
    total = claim.assignments.count() if claim else 0
    return done >= int(person.leaves_after * total)


def _leaves(browser: Browser, person: Person, tally: Tally) -> None:
    if not person.says_so:
        tally.add("timed_out")
        return
    browser.get("/".join(browser.path.split("/")[:3]) + "/leave/")
    browser.post(forms_of(browser.html)[0], {"leave": ["stop"]})
    tally.add("returned")


def _end(browser: Browser, person: Person, tally: Tally, done: int) -> None:
    del browser
    if done:
        tally.add("completed", *(["failed_attention"] if person.mind.careless else []))
    else:
        tally.add("screened_out" if person.consents else "declined")
