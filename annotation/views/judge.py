"""The pages of a form: practice with feedback, judging, and the drafts behind both."""

import secrets
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import StateForbids
from annotation.models import Annotator, Answer, Assignment, Claim, Draft
from annotation.selectors.place import Place, Step, last_claim, numbered, place_of
from annotation.selectors.screens import Screen, screen_of
from annotation.services.answers import AnswerInvalid, answer_record, draft_save, screen_open
from annotation.tasktypes.forms import AnswerForm
from annotation.views.person import frame, of_person, place_url, to_place
from annotation.views.practice import feedback_on


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
    claim = last_claim(someone)
    screens = numbered(claim, Step(step)) if claim else []
    if not 0 < number <= len(screens):
        return JsonResponse({"stored": False}, status=404)
    posted = {name: request.POST.getlist(name) for name in request.POST}
    now = timezone.now()
    stored = draft_save(screens[number - 1], posted, now=now)
    return JsonResponse({"stored": stored, "at": now.isoformat()}, status=200 if stored else 409)


def _screen(request: HttpRequest, someone: Annotator, place: Place) -> HttpResponse:
    claim = last_claim(someone)
    now_at = place_of(someone)
    screens = numbered(claim, place.step) if claim else []
    if claim is None or not _may_see(place, now_at, len(screens), claim):
        return to_place(someone, now_at)
    assignment = screens[place.number - 1]
    if request.method == "POST":
        return _store(request, someone, assignment, place, len(screens), claim)
    screen_open(assignment, now=timezone.now())
    screen = screen_of(assignment)
    return _show(
        request, someone, screen, screen.form(**_so_far(screen)), place, len(screens), claim
    )


def _may_see(place: Place, now_at: Place, total: int, claim: Claim) -> bool:
    """Whether a screen may be opened: up to where the person is, never beyond, never once sent."""
    if claim.state not in {Claim.State.HELD, Claim.State.TIMED_OUT}:
        return False
    if not 0 < place.number <= total:
        return False
    return place.step is not now_at.step or place.number <= now_at.number


def _store(
    request: HttpRequest,
    someone: Annotator,
    assignment: Assignment,
    place: Place,
    total: int,
    claim: Claim,
) -> HttpResponse:
    try:
        answer_record(
            assignment,
            request.POST,
            key=request.POST.get("key", "")[:64] or secrets.token_urlsafe(16),
            active_seconds=_seconds(request.POST.get("active_ms", "")),
            now=timezone.now(),
        )
    except AnswerInvalid as invalid:
        screen = screen_of(assignment)
        shown = _show(request, someone, screen, invalid.form, place, total, claim)
        shown.status_code = 422
        return shown
    except StateForbids:
        pass
    someone.refresh_from_db()
    return to_place(someone, place if place.step is Step.PRACTICE else None)


def _show(
    request: HttpRequest,
    someone: Annotator,
    screen: Screen,
    form: AnswerForm,
    place: Place,
    total: int,
    claim: Claim,
) -> HttpResponse:
    """Render a screen with the template of its task type."""
    assignment = screen.assignment
    answer = _answer(assignment)
    more: dict[str, Any] = {
        "page": screen.page(),
        "label": screen.task_type.label,
        "form": form,
        "key": request.POST.get("key") or secrets.token_urlsafe(16),
        "keep": f"{place.step}-{place.number}",
        "draft_url": reverse("draft", args=[someone.access_key, place.step, place.number]),
        "position": place.number,
        "total": total,
        "saved": answer is not None or _draft(assignment) is not None,
        "late": claim.state == Claim.State.TIMED_OUT,
        "practising": place.step is Step.PRACTICE,
        "back_url": place_url(someone, Place(place.step, place.number - 1))
        if place.number > 1
        else "",
    }
    if place.step is Step.PRACTICE and answer is not None and request.method != "POST":
        more |= {
            "feedback": feedback_on(screen, answer),
            "next_url": place_url(someone, place_of(someone)),
        }
    return render(request, screen.task_type.template_name, frame(someone) | more)


def _so_far(screen: Screen) -> dict[str, Any]:
    """Return what the page shows as chosen: the draft, else the answer given before."""
    draft = _draft(screen.assignment)
    if draft is not None:
        return dict(draft.posted)
    answer = _answer(screen.assignment)
    return {} if answer is None else screen.task_type.encode(answer.values, screen.presentation)


def _answer(assignment: Assignment) -> Answer | None:
    return getattr(assignment, "answer", None)


def _draft(assignment: Assignment) -> Draft | None:
    return getattr(assignment, "draft", None)


def _seconds(milliseconds: str) -> float | None:
    return int(milliseconds) / 1000 if milliseconds.isascii() and milliseconds.isdigit() else None
