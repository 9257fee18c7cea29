"""Consent, eligibility, instructions and the end."""

from random import SystemRandom

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotation.errors import NothingToClaim, StateForbids
from annotation.models import Annotator
from annotation.providers import PROVIDERS
from annotation.selectors.place import Step, place_of
from annotation.selectors.standing import forms_left, outcome_of, why_unwanted
from annotation.selectors.studies import study_definition
from annotation.services.claims import form_claim
from annotation.services.sessions import consent_give, screening_record
from annotation.views.markdown import as_html
from annotation.views.person import frame, message, of_person, to_place

State = Annotator.State


@of_person
@require_safe
def person(request: HttpRequest, someone: Annotator) -> HttpResponse:
    """Lead to where the person is."""
    del request
    return to_place(someone)


@of_person
@require_http_methods(["GET", "HEAD", "POST"])
def consent(request: HttpRequest, someone: Annotator) -> HttpResponse:
    """Show the consent text, or store what was said to it."""
    definition = study_definition(someone.study)
    if request.method == "POST":
        if request.POST.get("consent") in {"yes", "no"}:
            consent_give(
                someone,
                given=request.POST["consent"] == "yes",
                language=definition.language,
                now=timezone.now(),
            )
            someone.refresh_from_db()
        return to_place(someone)
    if someone.state != State.DECLINED and place_of(someone).step is not Step.CONSENT:
        return to_place(someone)
    return render(
        request,
        "annotation/consent.html",
        frame(someone) | {"text": as_html(definition.consent)},
    )


@of_person
@require_http_methods(["GET", "HEAD", "POST"])
def eligibility(request: HttpRequest, someone: Annotator) -> HttpResponse:
    """Ask what decides whether a person can take part; answered once."""
    questions = study_definition(someone.study).recruitment.eligibility
    place = place_of(someone)
    if place.step is not Step.ELIGIBILITY:
        return to_place(someone, place)
    answers = {question.key: request.POST.get(question.key, "") for question in questions}
    missing = {q.key for q in questions if answers[q.key] not in q.options}
    if request.method == "POST" and not missing:
        screening_record(someone, answers, now=timezone.now())
        someone.refresh_from_db()
        return to_place(someone)
    asked = [
        {
            "key": q.key,
            "ask": q.ask,
            "options": [{"value": o, "chosen": answers[q.key] == o} for o in q.options],
            "missing": request.method == "POST" and q.key in missing,
        }
        for q in questions
    ]
    status = 422 if request.method == "POST" else 200
    more = {"questions": asked, "problems": [q for q in asked if q["missing"]]}
    return render(request, "annotation/eligibility.html", frame(someone) | more, status=status)


@of_person
@require_http_methods(["GET", "HEAD", "POST"])
def instructions(request: HttpRequest, someone: Annotator) -> HttpResponse:
    """Tell what to do; "Begin" gives the person a form."""
    place = place_of(someone)
    again = someone.state in {State.COMPLETED, State.RETURNED, State.TIMED_OUT}
    if place.step is not Step.INSTRUCTIONS and not (again and request.method == "POST"):
        return to_place(someone, place)
    if request.method == "POST":
        return _begin(request, someone)
    definition = study_definition(someone.study)
    more = {
        "text": as_html(definition.instructions),
        "minutes": definition.recruitment.time_limit_minutes,
        "practice": len(definition.practice),
        "begin": True,
    }
    return render(request, "annotation/instructions.html", frame(someone) | more)


def _begin(request: HttpRequest, someone: Annotator) -> HttpResponse:
    try:
        form_claim(someone, now=timezone.now(), rng=SystemRandom())
    except NothingToClaim as refused:
        return message(request, "full", reason=refused.message, **frame(someone))
    except StateForbids as refused:
        return message(request, "refused", reason=refused.message, **frame(someone))
    return to_place(someone)


@of_person
@require_safe
def help_page(request: HttpRequest, someone: Annotator) -> HttpResponse:
    """Show the instructions again, the keys, and whom to ask."""
    definition = study_definition(someone.study)
    more = {"text": as_html(definition.instructions), "help_url": ""}
    return render(request, "annotation/instructions.html", frame(someone) | more)


@of_person
@require_safe
def finish(request: HttpRequest, someone: Annotator) -> HttpResponse:
    """Thank the person; who is done sees the code and the way back to the platform."""
    if place_of(someone).step is not Step.FINISH:
        return to_place(someone)
    definition = study_definition(someone.study)
    outcome = outcome_of(someone)
    code = definition.recruitment.codes.get(outcome, "") if outcome else ""
    more = {
        "state": someone.state,
        "code": code,
        "back_url": PROVIDERS[definition.recruitment.provider].way_back(code) if code else None,
        "provider": PROVIDERS[definition.recruitment.provider].label,
        "provider_knows": hasattr(someone, "identity"),
        "text": as_html(definition.debrief) if someone.state == State.COMPLETED else "",
        "more_sets": _more_sets(someone),
        "may_return": someone.state == State.RETURNED and someone.study.open_to_annotators,
    }
    return render(request, "annotation/finish.html", frame(someone) | more)


def _more_sets(someone: Annotator) -> int:
    """Return how many further forms to offer to a person who is done with one."""
    if someone.state != State.COMPLETED or why_unwanted(someone):
        return 0
    return forms_left(someone)
