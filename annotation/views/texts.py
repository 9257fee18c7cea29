"""The typed texts of a study, to be read before any of them leaves."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import Refused
from annotation.models import Answer, Study
from annotation.redaction.findings import Finding, redacted
from annotation.selectors.texts import TypedText, text_counts, texts_reviewed, typed_texts
from annotation.services.known_ids import suggestions
from annotation.services.texts import (
    LONGEST,
    Reading,
    text_accept,
    text_edit,
    text_refuse,
    text_reopen,
)
from annotation.views.people import study_at
from annotation.views.staff import staff_only

ON_A_PAGE = 25
SHOWN = {"open": "Waiting", "decided": "Decided"}
ACTS = {"accept": text_accept, "refuse": text_refuse, "reopen": text_reopen}


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as the page has it: in parts, each with the kind of what it seems to be, or none."""

    typed: TypedText
    parts: tuple[tuple[str, str, bool], ...]
    proposed: str
    refused: str = ""


@require_safe
@staff_only
def texts(request: HttpRequest, slug: str) -> HttpResponse:
    """List the texts that wait, or those that were decided upon."""
    return _page(request, study_at(slug), request.GET)


@require_POST
@staff_only
def text_decide(request: HttpRequest, slug: str, pk: int, dimension: str) -> HttpResponse:
    """Decide on one text and lead on to the next; what is refused is told beside the text."""
    study = study_at(slug)
    answers = Answer.objects.select_related("assignment")
    answer = get_object_or_404(answers, pk=pk, assignment__annotator__study=study)
    act, words = request.POST.get("act", ""), request.POST.get("text", "")
    reading = Reading(str(request.user), timezone.now(), request.POST.get("seen", ""))
    try:
        if act == "edit":
            text_edit(answer, dimension, reading, text=words)
        elif act in ACTS:
            ACTS[act](answer, dimension, reading)
        else:
            raise Http404
    except Refused as refused:
        told = {"key": (pk, dimension), "words": words, "message": refused.message}
        return _page(request, study, request.POST, told)
    where = {"show": _wanted(request.POST), "page": request.POST.get("page", "1")[:9]}
    if where["show"] == "open" and act != "reopen":
        where |= {"last": str(pk), "of": dimension}
    return HttpResponseRedirect(f"{reverse('texts', args=[slug])}?{urlencode(where)}", status=303)


def _page(
    request: HttpRequest, study: Study, given: Any, told: dict[str, Any] | None = None
) -> HttpResponse:
    every = typed_texts(study) if texts_reviewed(study) else []
    show = _wanted(given)
    listed = [one for one in every if (one.state == "open") == (show == "open")]
    page = Paginator(listed, ON_A_PAGE).get_page(given.get("page"))
    found = suggestions(study, [one.text for one in page.object_list])
    shown = [_shown(*pair, told) for pair in zip(page.object_list, found, strict=True)]
    there = {(one.typed.answer, one.typed.dimension) for one in shown}
    last = (given.get("last", ""), given.get("of", ""))
    context = {
        "study": study,
        "reviews": texts_reviewed(study),
        "counts": text_counts(every),
        "page": page,
        "shown": shown,
        "show": show,
        "lists": SHOWN,
        "longest": LONGEST,
        "last": next((t for t in every if (str(t.answer), t.dimension) == last and t.review), None),
        # Said above the list where its text is not in it any more.
        "refused": told["message"] if told and told["key"] not in there else "",
    }
    return render(request, "monitor/texts.html", context, status=409 if told else 200)


def _wanted(given: Any) -> str:
    show = str(given.get("show", ""))
    return show if show in SHOWN else "open"


def _shown(typed: TypedText, found: tuple[Finding, ...], told: dict[str, Any] | None) -> Shown:
    mine = told if told and told["key"] == (typed.answer, typed.dimension) else None
    proposed = (mine["words"] if mine else "") or redacted(typed.text, found)
    return Shown(typed, _parts(typed.text, found), proposed, mine["message"] if mine else "")


def _parts(text: str, found: tuple[Finding, ...]) -> tuple[tuple[str, str, bool], ...]:
    """Cut a text at its findings: words, kind (empty: none), and whether they are taken out."""
    parts, at = [], 0
    for one in found:
        parts.append((text[at : one.start], "", False))
        parts.append((text[one.start : one.end], one.kind.value, one.redacts))
        at = one.end
    parts.append((text[at:], "", False))
    return tuple(part for part in parts if part[0])
