"""The link that a study hands out."""

import secrets

from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt

from annotation.errors import EntryRefused, Refused
from annotation.models import Annotator, Study
from annotation.providers import PROVIDERS, Entry
from annotation.selectors.studies import study_definition
from annotation.services.sessions import session_start
from annotation.views.person import message

_SALT = "entry"


@csrf_exempt
@cache_control(no_store=True, private=True)
def entry(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a person in: by the platform's parameters, or by the button of an open link.

    A platform's link makes the person on GET, once: the platform leads people here by a link, and
    the page that follows no longer carries the platform's id in its address.
    """
    study = Study.objects.filter(slug=slug).exclude(state=Study.State.DRAFT).first()
    if study is None:
        return message(request, "unknown", status=404)
    definition = study_definition(study)
    provider = PROVIDERS[definition.recruitment.provider]
    try:
        who = provider.entry({name: request.GET.getlist(name) for name in request.GET})
        # HEAD is how previews and checkers ask; they are nobody.
        if who is not None and request.method != "HEAD":
            return _come_in(study, who, "")
        if request.method == "POST":
            return _come_in(study, None, _token(request))
    except EntryRefused as refused:
        return message(request, "refused", status=400, reason=refused.message)
    except Refused as refused:
        return message(request, "refused", reason=refused.message, title=definition.title)
    return render(
        request,
        "annotation/welcome.html",
        {
            "title": definition.title,
            "language": definition.language,
            "open": study.open_to_annotators,
            "token": signing.dumps(secrets.token_urlsafe(24), salt=_SALT),
        },
    )


def _come_in(study: Study, who: Entry | None, token: str) -> HttpResponse:
    person = session_start(study, who, entry_token=token, now=timezone.now())
    return to_person(person)


def to_person(person: Annotator) -> HttpResponse:
    """Lead to the person's own link."""
    return HttpResponseRedirect(reverse("person", args=[person.access_key]), status=303)


def _token(request: HttpRequest) -> str:
    """Return what names this click on "Begin"; the same page sent twice is one person."""
    try:
        return str(signing.loads(request.POST.get("token", ""), salt=_SALT))
    except signing.BadSignature:
        raise EntryRefused("This page was not complete. Please open the link again.") from None
