"""Pilot, launch, pause, resume and close a study, each after one question."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from annotation.errors import StateForbids
from annotation.models import Study
from annotation.selectors.preparation import left_before_launch
from annotation.services.study_states import (
    study_close,
    study_launch,
    study_pause,
    study_pilot,
)
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

    #: The states in which a page offers it.
    at: frozenset[str]
    #: The state that it leads to.
    to: str
    move: Move
    title: str
    words: str
    done: str


State = Study.State
ACTS = {
    "pilot": Act(
        frozenset({State.DRAFT}),
        State.PILOT,
        study_pilot,
        "Open the pilot",
        "The link opens, for a few people who try it. What they answer never enters the analysis, "
        "and the launch gives their forms to others. The folder cannot be changed any more.",
        "The study is open as a pilot.",
    ),
    "launch": Act(
        frozenset({State.DRAFT, State.PILOT}),
        State.LIVE,
        study_launch,
        "Launch",
        "The link opens for annotators, and the plan is locked for good: what is not in it will be "
        "called post hoc in every report. The folder cannot be changed any more.",
        "The study is live, and its plan is locked.",
    ),
    "pause": Act(
        frozenset({State.LIVE}),
        State.PAUSED,
        study_pause,
        "Pause",
        "Nobody new is let in. Who is in the middle of a form may finish it. You can resume.",
        "The study is paused.",
    ),
    "resume": Act(
        frozenset({State.PAUSED}),
        State.LIVE,
        study_launch,
        "Resume",
        "The link opens again, under the plan that was locked.",
        "The study is live again.",
    ),
    "close": Act(
        frozenset({State.LIVE, State.PAUSED}),
        State.CLOSED,
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
    return asked(
        request,
        _moves(wanted, study, str(request.user)),
        study=study,
        title=f"{wanted.title} {study.title}",
        words=f"{left_before_launch(study)} {wanted.words}" if act == "launch" else wanted.words,
        button=wanted.title,
        back=reverse("study", args=[slug]),
    )


def acts_of(study: Study) -> dict[str, Act]:
    """Return what can be done with a study as it is."""
    return {name: act for name, act in ACTS.items() if study.state in act.at}


def _moves(act: Act, study: Study, author: str) -> Callable[[forms.Form], str]:
    def moved(form: forms.Form) -> str:
        del form
        try:
            move_it()
        except StateForbids:
            # A second click finds what the first one did.
            study.refresh_from_db(fields=["state"])
            if study.state != act.to:
                raise
        return act.done

    def move_it() -> None:
        # The launch and the resumption are one service, which would take one for the other.
        if act.move is study_launch and study.state not in act.at:
            may = " or ".join(sorted(act.at))
            raise StateForbids(f"{study.slug} is {study.state}; this is for a study that is {may}.")
        act.move(study, author=author, now=timezone.now())

    return moved
