"""What an admin may change while data come in; each is a form page, a reason, and one service."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from annotation.models import Annotator, Answer, Exclusion
from annotation.selectors.progress import people_needed
from annotation.services.exclusions import (
    exclusion_by_hand,
    exclusion_revoke,
    exclusions_apply,
)
from annotation.services.payments import payment_decide
from annotation.services.top_up import top_up
from annotation.views.confirm import LONGEST_REASON, ReasonForm, asked, asks
from annotation.views.people import person_at, study_at
from annotation.views.staff import staff_only


class PaymentForm(forms.Form):
    """A decision on a payment."""

    payment = forms.ChoiceField(label="Payment", choices=Annotator.Payment.choices)
    # What stood there when the page was opened.
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=10)
    reason = forms.CharField(
        label="Why? (needed where you do not pay; it can be told to the person)",
        max_length=LONGEST_REASON,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


@asks
@staff_only
def annotator_exclude(request: HttpRequest, slug: str, pseudonym: str) -> HttpResponse:
    """Leave a person out."""
    person = person_at(slug, pseudonym)

    def act(form: forms.Form) -> str:
        reason = form.cleaned_data["reason"]
        exclusion_by_hand(person, reason=reason, author=str(request.user), now=timezone.now())
        return f"{person} is left out, and their slots are open again."

    return asked(
        request,
        act,
        form=ReasonForm,
        study=person.study,
        title=f"Leave {person} out",
        words="All their judgments leave the analysis and their slots open again. Nothing is "
        "deleted, their payment stays as it is, and this can be taken back.",
        button="Leave out",
        back=_of(person),
    )


@asks
@staff_only
def judgment_exclude(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Leave one judgment out."""
    answers = Answer.objects.select_related("assignment__annotator__study", "assignment__item")
    answer = get_object_or_404(
        answers, pk=pk, assignment__kind="judge", assignment__annotator__study__slug=slug
    )
    person = answer.assignment.annotator

    def act(form: forms.Form) -> str:
        reason = form.cleaned_data["reason"]
        exclusion_by_hand(answer, reason=reason, author=str(request.user), now=timezone.now())
        return f"The judgment of {answer.assignment.item.key} is left out."

    return asked(
        request,
        act,
        form=ReasonForm,
        study=person.study,
        title=f"Leave out one judgment of {person}",
        words=f"Their judgment of {answer.assignment.item.key} leaves the analysis; the next "
        "top-up gives its slot to somebody else. Nothing is deleted, and this can be taken back.",
        button="Leave out",
        back=_of(person),
    )


@asks
@staff_only
def revoke(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take an exclusion back."""
    exclusions = Exclusion.objects.select_related("study", "annotator__study")
    exclusion = get_object_or_404(exclusions, pk=pk, study__slug=slug)

    def act(form: forms.Form) -> str:
        reason = form.cleaned_data["reason"]
        back = exclusion_revoke(
            exclusion, reason=reason, author=str(request.user), now=timezone.now()
        )
        return f"Taken back; {back} judgment{'' if back == 1 else 's'} count again by it."

    return asked(
        request,
        act,
        form=ReasonForm,
        study=exclusion.study,
        title="Take an exclusion back",
        words=f"It was made because: {exclusion.reason}. Judgments whose slots nobody has filled "
        "since count again; the others are kept and do not count.",
        button="Take back",
        back=_of(exclusion.annotator),
    )


@asks
@staff_only
def annotator_payment(request: HttpRequest, slug: str, pseudonym: str) -> HttpResponse:
    """Decide on a payment."""
    person = person_at(slug, pseudonym)

    def act(form: forms.Form) -> str:
        decided = form.cleaned_data
        payment_decide(
            person,
            decided["payment"],
            reason=decided["reason"],
            seen=decided["seen"] or None,
            author=str(request.user),
            now=timezone.now(),
        )
        return f"Payment of {person}: {decided['payment']}."

    return asked(
        request,
        act,
        form=PaymentForm,
        initial={"payment": person.payment, "seen": person.payment},
        study=person.study,
        title=f"Payment of {person}",
        words="What is paid is independent of what is analysed: a person who is left out may be "
        "paid, and one who is not paid may stay in. The platform pays; this records the decision.",
        button="Record",
        back=_of(person),
    )


@asks
@staff_only
def rules_apply(request: HttpRequest, slug: str) -> HttpResponse:
    """Record what the study's rules leave out."""
    study = study_at(slug)

    def act(form: forms.Form) -> str:
        del form
        before = Exclusion.objects.filter(study=study).count()
        exclusions_apply(study, author=str(request.user), now=timezone.now())
        new = Exclusion.objects.filter(study=study).count() - before
        return f"{new} exclusion{'' if new == 1 else 's'} recorded."

    return asked(
        request,
        act,
        study=study,
        title="Apply the rules",
        words="Records what the rules of the study leave out now and opens the slots again. What "
        "somebody took back stays in; what stands already stays.",
        button="Apply",
        back=reverse("monitor", args=[slug]),
    )


@asks
@staff_only
def more_people(request: HttpRequest, slug: str) -> HttpResponse:
    """Plan what exclusions emptied into new forms, and say how many more people are needed."""
    study = study_at(slug)

    def act(form: forms.Form) -> str:
        del form
        opened = top_up(study, author=str(request.user), now=timezone.now())
        _, _, needed = people_needed(study)
        return (
            f"{opened} new form{'' if opened == 1 else 's'} opened; {needed} more "
            f"{'person is' if needed == 1 else 'people are'} needed."
        )

    opened, empty, needed = people_needed(study)
    return asked(
        request,
        act,
        study=study,
        title="Top up",
        words=f"{needed} more {'person is' if needed == 1 else 'people are'} needed: "
        f"{opened} form{' waits' if opened == 1 else 's wait'} already, and "
        f"{empty} slot{'' if empty == 1 else 's'} emptied by exclusions will be planned into new "
        "ones. Let that many people in on the platform.",
        button="Open the forms",
        back=reverse("monitor", args=[slug]),
    )


def _of(person: Annotator) -> str:
    return reverse("annotator", args=[person.study.slug, person.pseudonym])
