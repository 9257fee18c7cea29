"""What a person may say about themselves: asked once, before the work, and skipped without a word."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from annotation.models import Annotator
from annotation.selectors.place import Step, place_of
from annotation.selectors.studies import study_definition
from annotation.services.demographics import LARGEST, demographics_record
from annotation.studyfile.definition import Demographic
from annotation.views.person import frame, of_person, to_place


@of_person
@require_http_methods(["GET", "HEAD", "POST"])
def about(request: HttpRequest, someone: Annotator) -> HttpResponse:
    """Show the questions, or store what was said to them."""
    place = place_of(someone)
    if place.step is not Step.ABOUT:
        return to_place(someone, place)
    questions = study_definition(someone.study).recruitment.demographics
    answers = {q.key: request.POST.get(q.key, "").strip() for q in questions}
    if request.POST.get("skip"):
        answers = {}
    asked = [_asked(question, answers.get(question.key, "")) for question in questions]
    problems = [question for question in asked if question["wrong"]]
    if request.method == "POST" and not problems:
        demographics_record(someone, answers, now=timezone.now())
        return to_place(someone)
    more = {"questions": asked, "problems": problems, "largest": LARGEST}
    status = 422 if problems else 200
    return render(request, "annotation/about.html", frame(someone) | more, status=status)


def _asked(question: Demographic, answer: str) -> dict[str, Any]:
    known = answer in question.options
    if question.kind == "number":
        known = answer.isascii() and answer.isdigit() and int(answer) <= LARGEST
    return {
        "key": question.key,
        "ask": question.ask,
        "number": question.kind == "number",
        "answer": answer,
        "options": [{"value": o, "chosen": o == answer} for o in question.options],
        "wrong": bool(answer) and not known,
    }
