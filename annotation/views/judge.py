"""The pages of a form: practice with feedback, judging, and the drafts behind both."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import StateForbids
from annotation.models import Annotator, Answer, Assignment, Claim, Draft
from annotation.selectors.place import Place, Step, current_claim, last_claim, numbered, place_of
from annotation.selectors.screens import Screen, own_keys, screen_of
from annotation.services.answers import AnswerInvalid, answer_record, draft_save, screen_open
from annotation.tasktypes.forms import AnswerForm
from annotation.views.person import frame, of_person, place_url, to_place
from annotation.views.practice import feedback_on
from annotation.views.time_left import time_left


@dataclass(frozen=True)
class Visit:
    """One person in front of one screen of their form."""

    someone: Annotator
    claim: Claim
    assignment: Assignment
    place: Place
    total: int
    # Its answer is the only one that is missing: with it the set is finished and sent.
    is_last: bool

    @property
    def answer(self) -> Answer | None:
        """Return the answer given before."""
        return getattr(self.assignment, "answer", None)

    @property
    def draft(self) -> Draft | None:
        """Return what was typed and not submitted."""
        return getattr(self.assignment, "draft", None)

    @property
    def kept_as(self) -> str:
        """Name the screen for the browser's own copy of an answer: another set has other names."""
        text = f"{self.someone.access_key}/{self.assignment.pk}"
        return hashlib.sha256(text.encode()).hexdigest()[:12]


@of_person
@require_http_methods(["GET", "HEAD", "POST"])
def judge(request: HttpRequest, someone: Annotator, number: int) -> HttpResponse:
    """Show one screen of the form, or store its answer."""
    return _screen(request, someone, Place(Step.JUDGE, number))


@of_person
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest, someone: Annotator, number: int) -> HttpResponse:
    """Show one practice screen, store its answer, or say what a careful reader answers."""
    return _screen(request, someone, Place(Step.PRACTICE, number))


@of_person
@require_POST
def draft(request: HttpRequest, someone: Annotator, step: str, number: int) -> HttpResponse:
    """Store what is typed so far; the page says "Saved" only after this has answered."""
    claim = current_claim(someone) or last_claim(someone)
    screens = numbered(claim, Step(step)) if claim else []
    if not _reached(screens, number):
        return JsonResponse({"stored": False}, status=404)
    posted = {name: request.POST.getlist(name) for name in request.POST}
    now = timezone.now()
    stored = draft_save(screens[number - 1], posted, now=now)
    return JsonResponse({"stored": stored, "at": now.isoformat()}, status=200 if stored else 409)


def _reached(screens: Sequence[Assignment], number: int) -> bool:
    """Whether a screen is one that the person has been shown: all before it are answered."""
    before = screens[: number - 1] if number > 0 else []
    return 0 < number <= len(screens) and all(hasattr(screen, "answer") for screen in before)


def _screen(request: HttpRequest, someone: Annotator, place: Place) -> HttpResponse:
    claim = current_claim(someone)
    now_at = place_of(someone)
    screens = numbered(claim, place.step) if claim else []
    if claim is None or not _may_see(place, now_at, len(screens)):
        return to_place(someone, now_at)
    visit = Visit(
        someone, claim, screens[place.number - 1], place, len(screens), _is_last(screens, place)
    )
    if request.method == "POST":
        return _store(request, visit)
    screen_open(visit.assignment, now=timezone.now())
    screen = screen_of(visit.assignment)
    return _show(request, visit, screen, screen.form(initial=_so_far(visit, screen)))


def _may_see(place: Place, now_at: Place, total: int) -> bool:
    """Whether a screen may be opened: up to where the person is, never beyond, never once sent."""
    if not 0 < place.number <= total:
        return False
    if place.step is Step.JUDGE and now_at.step is Step.PRACTICE:
        return False
    return place.step is not now_at.step or place.number <= now_at.number


def _store(request: HttpRequest, visit: Visit) -> HttpResponse:
    try:
        answer_record(
            visit.assignment,
            request.POST,
            key=request.POST.get("key", "")[:64] or secrets.token_urlsafe(16),
            active_seconds=_seconds(request.POST.get("active_ms", "")),
            now=timezone.now(),
        )
    except AnswerInvalid as invalid:
        shown = _show(request, visit, screen_of(visit.assignment), invalid.form)
        shown.status_code = 422
        return shown
    except StateForbids:
        # Sent before, withdrawn or over: where the person is now says so.
        pass
    visit.someone.refresh_from_db()
    practising = visit.place.step is Step.PRACTICE
    return _onward(request, visit.someone, visit.place if practising else place_of(visit.someone))


def _onward(request: HttpRequest, someone: Annotator, place: Place) -> HttpResponse:
    """Lead on: by redirect, or to a script by the address, so that the page is fetched once."""
    if request.headers.get("Accept", "").startswith("application/json"):
        return JsonResponse({"next": place_url(someone, place)})
    return to_place(someone, place)


def _show(request: HttpRequest, visit: Visit, screen: Screen, form: AnswerForm) -> HttpResponse:
    """Render a screen with the template of its task type."""
    place, someone = visit.place, visit.someone
    more: dict[str, Any] = {
        "page": screen.page(),
        "label": screen.task_type.label,
        "form": form,
        "key": request.POST.get("key") or secrets.token_urlsafe(16),
        "keep": visit.kept_as,
        "active_ms": _milliseconds(visit),
        "draft_url": reverse("draft", args=[someone.access_key, place.step, place.number]),
        "position": place.number,
        "total": visit.total,
        "saved": visit.answer is not None or visit.draft is not None,
        "late": visit.claim.state == Claim.State.TIMED_OUT,
        "practising": place.step is Step.PRACTICE,
        "time_left": time_left(visit.claim, now=timezone.now()),
        "is_last": visit.is_last,
        "own_keys": own_keys(screen),
        "back_url": _before(visit),
    }
    if place.step is Step.PRACTICE and visit.answer is not None and request.method != "POST":
        more["feedback"] = feedback_on(screen, visit.answer)
        more["next_url"] = place_url(someone, place_of(someone))
    return render(request, screen.task_type.template_name, frame(someone) | more)


def _is_last(screens: Sequence[Assignment], place: Place) -> bool:
    """Whether this is the one screen of a form that has no answer yet."""
    unanswered = [n for n, screen in enumerate(screens, 1) if not hasattr(screen, "answer")]
    return place.step is Step.JUDGE and unanswered == [place.number]


def _before(visit: Visit) -> str:
    if visit.place.number == 1:
        return ""
    return place_url(visit.someone, Place(visit.place.step, visit.place.number - 1))


def _so_far(visit: Visit, screen: Screen) -> dict[str, Any]:
    """Return what the page shows as chosen: the draft, else the answer given before."""
    if visit.draft is not None:
        return dict(visit.draft.posted)
    if visit.answer is not None:
        return screen.task_type.encode(visit.answer.values, screen.presentation)
    return {}


def _milliseconds(visit: Visit) -> int:
    """Return the active time so far, so that it goes on counting on another device."""
    if visit.draft is not None:
        return int((_seconds("".join(visit.draft.posted.get("active_ms", [])[:1])) or 0) * 1000)
    return int((visit.answer.active_seconds or 0) * 1000) if visit.answer is not None else 0


def _seconds(milliseconds: str) -> float | None:
    return int(milliseconds) / 1000 if milliseconds.isascii() and milliseconds.isdigit() else None
