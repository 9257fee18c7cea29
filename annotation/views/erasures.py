"""Erasing a person on their request, or recording that somebody decided against it; for staff."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from annotation.models import Erasure
from annotation.services.erasure import annotator_erase, erasure_refuse
from annotation.views.confirm import ReasonForm, asked, asks
from annotation.views.people import person_at
from annotation.views.receipts import receipt_drawn, receipt_given
from annotation.views.staff import staff_only


class ErasureForm(forms.Form):
    """The number that the receipt will have."""

    receipt = forms.CharField(widget=forms.HiddenInput, required=False)


@asks
@staff_only
def annotator_erasure(request: HttpRequest, slug: str, pseudonym: str) -> HttpResponse:
    """Delete a person with all that is theirs; a second click is told what the first one was."""
    receipt, back = receipt_given(request), reverse("annotators", args=[slug])
    if receipt and Erasure.objects.filter(receipt=receipt).exists():
        messages.success(request, _deleted(request, receipt))
        return HttpResponseRedirect(back, status=303)
    person = person_at(slug, pseudonym)

    def act(form: forms.Form) -> str:
        del form
        now = timezone.now()
        erasure = annotator_erase(person, author=str(request.user), now=now, receipt=receipt)
        return _deleted(request, erasure.receipt)

    return asked(
        request,
        act,
        form=ErasureForm,
        initial={"receipt": receipt_drawn()},
        study=person.study,
        title=f"Delete {person} for good",
        words="Their answers, consent, platform id, exclusions and what the log says of them are "
        "deleted, with every stored release and result of this study; their slots open again. "
        "Nothing can bring it back. Copies that were published or taken from here stay where they "
        "are. Decide on their payment first: afterwards nobody knows that they took part.",
        button="Delete for good",
        back=back,
    )


def _deleted(request: HttpRequest, receipt: str) -> str:
    address = request.build_absolute_uri(reverse("erased", args=[receipt]))
    return f"The person is deleted. Send them the receipt: {address}"


@asks
@staff_only
def erasure_refusal(request: HttpRequest, slug: str, pseudonym: str) -> HttpResponse:
    """Record why an erasure that was asked for is not done."""
    person = person_at(slug, pseudonym)

    def act(form: forms.Form) -> str:
        reason = form.cleaned_data["reason"]
        erasure_refuse(person, reason=reason, author=str(request.user), now=timezone.now())
        return f"Recorded: the request of {person} is refused."

    return asked(
        request,
        act,
        form=ReasonForm,
        study=person.study,
        title=f"Refuse to delete {person}",
        words="Somebody has to decide that, and be able to tell the person why, such as research "
        "that deletion would make impossible. The decision stands in the log under your name. The "
        "person can still delete everything by their own link.",
        button="Record the refusal",
        back=reverse("annotator", args=[slug, pseudonym]),
    )
