"""The page of studies, for staff."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotation.models import Study
from annotation.selectors.progress import study_progress
from annotation.views.staff import staff_only

ON_A_PAGE = 20
WORD = 80


@require_safe
@staff_only
def studies(request: HttpRequest) -> HttpResponse:
    """Show the studies, each with its state, its coverage and what it needs; `q` looks for a name."""
    wanted = request.GET.get("q", "").replace("\x00", "")[:WORD].strip()
    found = Study.objects.filter(Q(title__icontains=wanted) | Q(slug__icontains=wanted))
    ordered = found.select_related("plan_lock").order_by("-created_at", "-pk")
    page = Paginator(ordered, ON_A_PAGE).get_page(request.GET.get("page"))
    rows = [_row(study) | {"link": request.build_absolute_uri(_entry(study))} for study in page]
    return render(request, "studies.html", {"rows": rows, "page": page, "wanted": wanted})


def _row(study: Study) -> dict[str, Any]:
    progress = study_progress(study)
    people = {state.replace("_", " "): n for state, n in progress.annotators.items()}
    return {"study": study, "progress": progress, "people": people}


def _entry(study: Study) -> str:
    return reverse("entry", args=[study.slug])
