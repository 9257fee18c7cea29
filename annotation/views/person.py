"""What every page of an annotator shares: who has this link, and where they are.

The link's key is the only credential, so these pages set no cookie, work in a frame, on any device
and after any pause, and cannot be forged from elsewhere: whoever does not know the link cannot post
to it. That is why the check for forged requests is left out here and nowhere else.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt

from annotation.errors import PersonGone
from annotation.models import Annotator
from annotation.selectors.place import Place, Step, person_with, place_of
from annotation.selectors.studies import study_definition

PersonView = Callable[..., HttpResponse]


def of_person(view: PersonView) -> PersonView:
    """Turn the key in the address into the person; nothing is cached on the way."""

    @csrf_exempt
    @cache_control(no_store=True, private=True)
    @wraps(view)
    def found(request: HttpRequest, key: str, **arguments: Any) -> HttpResponse:
        person = person_with(key)
        if person is None:
            return message(request, "unknown", status=404)
        try:
            return view(request, person, **arguments)
        except PersonGone:
            return message(request, "unknown", status=404)

    return found


def to_place(person: Annotator, place: Place | None = None) -> HttpResponse:
    """Lead to where the person is; 303, so that a reload of the next page posts nothing."""
    return HttpResponseRedirect(place_url(person, place or place_of(person)), status=303)


def place_url(person: Annotator, place: Place) -> str:
    """Return the address of a place."""
    if place.step in {Step.PRACTICE, Step.JUDGE}:
        return reverse(place.step, args=[person.access_key, place.number])
    return reverse(place.step, args=[person.access_key])


def frame(person: Annotator) -> dict[str, Any]:
    """Return the variables of `annotator_base.html`."""
    definition = study_definition(person.study)
    return {
        "person_key": person.access_key,
        "title": definition.title,
        "language": definition.language,
        "contact": definition.recruitment.contact,
        "help_url": reverse("help", args=[person.access_key]),
        "withdraw_url": reverse("leave", args=[person.access_key]),
    }


def message(request: HttpRequest, kind: str, *, status: int = 200, **more: Any) -> HttpResponse:
    """Show one of the short pages: what is the case, and what to do."""
    return render(request, f"annotation/{kind}.html", more, status=status)
