"""The people of a study, and one of them: pages to look at, for staff."""

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotation.models import Annotator, Claim, Study
from annotation.selectors.beside import exclusions_of, happened, judged_screens
from annotation.selectors.judgments import standing_exclusions
from annotation.selectors.messages import message_to
from annotation.views.staff import staff_only

ON_A_PAGE = 50
WORD = 80
LEFT_OUT = "left_out"
SHOWN = {"": "all", **dict(Annotator.State.choices), LEFT_OUT: "left out"}


def study_at(slug: str) -> Study:
    """Return the study of an address, without its long documents."""
    return get_object_or_404(Study.objects.defer("document", "design"), slug=slug)


def person_at(slug: str, pseudonym: str) -> Annotator:
    """Return the annotator of an address."""
    people = Annotator.objects.select_related("study").defer("study__document", "study__design")
    return get_object_or_404(people, study__slug=slug, pseudonym=pseudonym)


@require_safe
@staff_only
def annotators(request: HttpRequest, slug: str) -> HttpResponse:
    """List the people of a study, the newest first; `q` looks for the beginning of a pseudonym."""
    study = study_at(slug)
    left_out = standing_exclusions(study).filter(unit="annotator", annotator=OuterRef("pk"))
    finished = Claim.objects.filter(annotator=OuterRef("pk"), state=Claim.State.SUBMITTED)
    people = Annotator.objects.filter(study=study).annotate(
        left_out=Exists(left_out), finished=Exists(finished)
    )
    wanted = request.GET.get("q", "").replace("\x00", "")[:WORD].strip()
    if wanted:
        people = people.filter(pseudonym__startswith=wanted)
    show = request.GET.get("show", "")
    if show == LEFT_OUT:
        people = people.filter(left_out=True)
    elif show in Annotator.State.values:
        people = people.filter(state=show)
    page = Paginator(people.order_by("-arrived_at", "-pk"), ON_A_PAGE).get_page(
        request.GET.get("page")
    )
    context = {"study": study, "page": page, "wanted": wanted, "show": show}
    return render(request, "monitor/annotators.html", context | {"filters": SHOWN.items()})


@require_safe
@staff_only
def annotator_page(request: HttpRequest, slug: str, pseudonym: str) -> HttpResponse:
    """Show all that one person answered beside the others, and what happened to them."""
    person = person_at(slug, pseudonym)
    exclusions = exclusions_of(person)
    screens = judged_screens(person, exclusions)
    context = {
        "study": person.study,
        "person": person,
        "exclusions": exclusions,
        "screens": screens,
        "left_out": any(
            one.unit == "annotator" and not hasattr(one, "revocation") for one in exclusions
        ),
        "counting": sum(1 for screen in screens if screen.counts),
        "happened": happened(person, exclusions),
        "message": message_to(person),
    }
    return render(request, "monitor/annotator.html", context)
