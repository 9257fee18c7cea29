"""The payments of a study: who is owed what, many approved at once, and the platform's files."""

import io
import zipfile
from decimal import Decimal

from django import forms
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.errors import Refused
from annotation.models import Annotator, Study
from annotation.providers import PROVIDERS
from annotation.selectors.payments import Owed, Total, owed, people_owed, proposed, totals
from annotation.selectors.studies import study_definition
from annotation.selectors.unlinking import unlinking
from annotation.services.payment_files import payment_files
from annotation.services.payments import payments_approve, payments_undo
from annotation.views.confirm import asked, asks
from annotation.views.people import study_at
from annotation.views.staff import staff_only

ON_A_PAGE = 50
# Approved in one go; a study with more is approved in several.
MOST_AT_ONCE = 2_000
MAY_SEE_IDS = "annotation.view_platform_ids"
SHOWN = {"": "all", **dict(Annotator.Payment.choices)}


class PeopleForm(forms.Form):
    """Whom an approval is about: exactly those that were listed."""

    people = forms.CharField(widget=forms.HiddenInput, max_length=MOST_AT_ONCE * 20)


@require_safe
@staff_only
def payments(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what everybody is owed and what was decided, and propose."""
    study = study_at(slug)
    show = request.GET.get("show", "")
    people = people_owed(study).order_by("-arrived_at", "-pk")
    if show in Annotator.Payment.values:
        people = people.filter(payment=show)
    page = Paginator(people, ON_A_PAGE).get_page(request.GET.get("page"))
    sums = totals(study)
    context = {
        "study": study,
        "page": page,
        "rows": owed(study, page.object_list),
        "show": show,
        "filters": SHOWN.items(),
        "totals": sums,
        "rules": study_definition(study).recruitment.payment,
        "provider": PROVIDERS[study_definition(study).recruitment.provider],
        "unlinking": unlinking(study),
        "may_see_ids": may_see_ids(request.user),
    }
    return render(request, "monitor/payments.html", context | _sums(study, sums))


@asks
@staff_only
def approve(request: HttpRequest, slug: str) -> HttpResponse:
    """Approve whoever is proposed: those who were listed, or nobody."""
    study = study_at(slug)
    every = [] if request.method == "POST" else proposed(study)
    found = every[:MOST_AT_ONCE]
    names = " ".join(one.person.pseudonym for one in found)

    def act(form: forms.Form) -> str:
        wanted = form.cleaned_data["people"].split()
        batch, count = payments_approve(study, wanted, author=str(request.user), now=timezone.now())
        undo = reverse("payments_undo", args=[slug, batch])
        said = "One payment is approved." if count == 1 else f"{count:,} payments are approved."
        return format_html('{} <a href="{}">Undo…</a>', said, undo)

    return asked(
        request,
        act,
        form=PeopleForm,
        initial={"people": names},
        study=study,
        title="Approve what is proposed",
        words=_about(study, found, len(every)) if request.method != "POST" else "",
        nothing=request.method != "POST" and not found,
        button="Approve",
        back=reverse("payments", args=[slug]),
    )


@asks
@staff_only
def undo(request: HttpRequest, slug: str, batch: str) -> HttpResponse:
    """Take an approval of many back."""
    study = study_at(slug)

    def act(form: forms.Form) -> str:
        del form
        back, kept = payments_undo(study, batch, author=str(request.user), now=timezone.now())
        more = f" {kept:,} were decided anew since and stay as they are." if kept else ""
        if not back:
            return f"Nothing is left of that approval to take back.{more}"
        return f"{back:,} payment{' is' if back == 1 else 's are'} to be decided again.{more}"

    return asked(
        request,
        act,
        study=study,
        title="Undo the approval",
        words="Everybody who was approved in that one go has to be decided on again, except where "
        "somebody has decided anew since. What the platform has paid already stays paid.",
        button="Undo",
        back=reverse("payments", args=[slug]),
    )


@never_cache
@asks
@staff_only
def files(request: HttpRequest, slug: str) -> HttpResponse:
    """Hand out the files with the platform's ids, to who may see them; each time it is noted."""
    study = study_at(slug)
    if not may_see_ids(request.user):
        raise PermissionDenied
    if request.method == "POST":
        try:
            made = payment_files(study, author=str(request.user), now=timezone.now())
        except Refused as refused:
            messages.error(request, refused.message)
            return HttpResponseRedirect(reverse("payments", args=[slug]), status=303)
        return _zipped(study, made)
    context = {
        "study": study,
        "title": "Files for the platform",
        "words": "They hold the platform's ids of people. Keep them only until the platform has "
        "paid. That you took them stands in the log.",
        "form": forms.Form(),
        "button": "Download",
        "back": reverse("payments", args=[slug]),
    }
    return render(request, "monitor/confirm.html", context)


def may_see_ids(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether somebody may see and export the platform's ids of people."""
    return user.is_active and bool(getattr(user, "has_perm", lambda _: False)(MAY_SEE_IDS))


def _about(study: Study, people: list[Owed], proposed_in_all: int) -> str:
    if not people:
        return "Nobody is proposed: every payment is decided, or has to be looked at by itself."
    rules = study_definition(study).recruitment.payment
    count = "One person" if len(people) == 1 else f"{len(people):,} people"
    amounts = [one.amount for one in people if one.amount is not None]
    amount = f", {sum(amounts, Decimal(0)):,.2f} {rules.currency} together" if rules else ""
    if proposed_in_all > len(people):
        amount += f"; {proposed_in_all - len(people):,} more can be approved after them"
    return (
        f"{count}{amount}. Each did what is paid, and no check speaks against it; who has to be "
        "looked at is not among them. If somebody else decides on one of them meanwhile, nothing "
        "is approved. You can undo it."
    )


def _sums(study: Study, sums: list[Total]) -> dict[str, Decimal | bool | None]:
    """Return what is approved and what waits, with the platform's fee where it is declared."""
    rules = study_definition(study).recruitment.payment
    if rules is None:
        return {"approved": None, "waiting": None, "fees": None, "unknown": False}
    approved = [one.amount for one in sums if one.payment == Annotator.Payment.APPROVED]
    waiting = [one.amount for one in sums if one.payment == Annotator.Payment.PENDING]
    paid = sum((amount for amount in approved if amount is not None), Decimal(0))
    fee = paid * Decimal(rules.fee_percent) / 100 if rules.fee_percent else None
    return {
        "approved": paid,
        "waiting": sum((amount for amount in waiting if amount is not None), Decimal(0)),
        "fees": fee,
        "with_fees": None if fee is None else paid + fee,
        "unknown": None in approved or None in waiting,
    }


def _zipped(study: Study, made: dict[str, str]) -> HttpResponse:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in made.items():
            archive.writestr(name, text)
    response = HttpResponse(content.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{study.slug}-payments.zip"'
    return response
