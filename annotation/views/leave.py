"""Leaving: stop, withdraw, or have everything deleted; and the receipt of that."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from annotation.errors import PersonGone
from annotation.models import Annotator, Erasure
from annotation.selectors.place import current_claim, person_with
from annotation.selectors.standing import outcome_of
from annotation.selectors.studies import study_definition
from annotation.services.erasure import BY_THEMSELVES, annotator_erase
from annotation.services.sessions import annotator_return, annotator_withdraw
from annotation.views.person import frame, message, to_place
from annotation.views.receipts import receipt_drawn, receipt_given

# What the tables of a person hold, in the person's words.
ERASED = {
    "annotators": "your place in the list of people",
    "answer revisions": "answers as you sent them, each time",
    "answers": "answers as they stood last",
    "audit details": "what the log says of you",
    "assignments": "pages that were made for you",
    "claims": "sets that you were given",
    "consents": "consents",
    "demographics": "answers about yourself",
    "drafts": "answers that you typed and did not send",
    "exclusions": "decisions to leave something of yours out",
    "exclusion revocations": "such decisions that were taken back",
    "exposures": "notes of what you have read",
    "platform identities": "your id on the platform, encrypted",
    "platform sessions": "your visits from the platform, encrypted",
    "screenings": "answers to the questions before the work",
    "text reviews": "texts of yours that were read for a release",
}


@csrf_exempt
@cache_control(no_store=True, private=True)
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, key: str) -> HttpResponse:
    """Stop, withdraw, or have everything deleted: two clicks, from every page, no mail."""
    someone = person_with(key)
    if request.method == "POST":
        return _left(request, someone)
    if someone is None:
        return message(request, "unknown", status=404)
    definition = study_definition(someone.study)
    outcome = outcome_of(someone)
    more = {
        "working": current_claim(someone) is not None,
        "state": someone.state,
        "code": definition.recruitment.codes.get(outcome, "") if outcome else "",
        "receipt": receipt_drawn(),
        # This is where it leads.
        "withdraw_url": "",
    }
    return render(request, "annotation/leave.html", frame(someone) | more)


@require_safe
@cache_control(no_store=True, private=True)
def erased(request: HttpRequest, receipt: str) -> HttpResponse:
    """Show the receipt of an erasure to whoever has its number."""
    receipts = Erasure.objects.select_related("study").defer("study__document", "study__design")
    erasure = get_object_or_404(receipts, receipt=receipt)
    definition = study_definition(erasure.study)
    more = {
        "title": definition.title,
        "language": definition.language,
        "contact": definition.recruitment.contact,
        "erasure": erasure,
        "deleted": [(ERASED.get(name, name), n) for name, n in erasure.counts.items()],
    }
    return render(request, "annotation/erased.html", more)


def _left(request: HttpRequest, someone: Annotator | None) -> HttpResponse:
    """Do what was chosen; a second click on the deletion leads to the receipt of the first."""
    receipt = receipt_given(request)
    try:
        if someone is not None:
            return _chosen(request, someone, receipt)
    except (PersonGone, Annotator.DoesNotExist):
        # Deleted between the look and the act, by another click.
        pass
    if receipt and Erasure.objects.filter(receipt=receipt).exists():
        return _to_receipt(receipt)
    return message(request, "unknown", status=404)


def _chosen(request: HttpRequest, someone: Annotator, receipt: str) -> HttpResponse:
    choice, now = request.POST.get("leave"), timezone.now()
    if choice == "erase":
        erasure = annotator_erase(someone, author=BY_THEMSELVES, now=now, receipt=receipt)
        return _to_receipt(erasure.receipt)
    if choice == "withdraw":
        annotator_withdraw(someone, now=now)
    elif choice == "stop":
        annotator_return(someone, now=now)
    someone.refresh_from_db()
    return to_place(someone)


def _to_receipt(receipt: str) -> HttpResponse:
    return HttpResponseRedirect(reverse("erased", args=[receipt]), status=303)
