"""Pause, resume and close a study, each after one question."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from annotation.models import Study
from annotation.services.study_states import study_close, study_launch, study_pause
from annotation.views.confirm import asked, asks
from annotation.views.people import study_at
from annotation.views.staff import staff_only


class Move(Protocol):
    """A service that moves a study into another state."""

    def __call__(self, study: Study, *, author: str, now: datetime) -> Any:
        """Move it, or refuse."""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that can be done with an open study, and what is said of it."""

    move: Move
    title: str
    words: str
    done: str


ACTS = {
    "pause": Act(
        study_pause,
        "Pause",
        "Nobody new is let in. Who is in the middle of a form may finish it. You can resume.",
        "The study is paused.",
    ),
    "resume": Act(
        study_launch,
        "Resume",
        "The link opens again, under the plan that was locked.",
        "The study is live again.",
    ),
    "close": Act(
        study_close,
        "Close",
        "The collection ends for good: a closed study is never opened again. Forms that are held "
        "may still be finished.",
        "The study is closed.",
    ),
}


@asks
@staff_only
def move(request: HttpRequest, slug: str, act: str) -> HttpResponse:
    """Ask, and move the study; what does not fit its state is refused in a sentence."""
    study = study_at(slug)
    if act not in ACTS:
        raise Http404
    wanted = ACTS[act]
    if act == "resume" and study.state not in {Study.State.PAUSED, Study.State.LIVE}:
        raise Http404
    return asked(
        request,
        _moves(wanted, study, str(request.user)),
        study=study,
        title=f"{wanted.title} {study.title}",
        words=wanted.words,
        button=wanted.title,
        back=reverse("monitor", args=[slug]),
    )


def _moves(act: Act, study: Study, author: str) -> Callable[[forms.Form], str]:
    def moved(form: forms.Form) -> str:
        del form
        act.move(study, author=author, now=timezone.now())
        return act.done

    return moved
