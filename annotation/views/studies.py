"""The page of studies, for staff."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.models import Study
from annotation.selectors.progress import study_progress
from annotation.views.staff import staff_only


@require_safe
@staff_only
def studies(request: HttpRequest) -> HttpResponse:
    """Show every study with its state, its coverage and what it needs."""
    rows = [
        {
            "study": study,
            "progress": study_progress(study),
            "link": request.build_absolute_uri(reverse("entry", args=[study.slug])),
        }
        for study in Study.objects.select_related("plan_lock").order_by("-created_at")
    ]
    return render(request, "studies.html", {"rows": rows, "now": timezone.now()})
