"""The monitor: cheap counts as they are now, the others from the last background run."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from analysis.runs.watch import Watch, monitor_ask, watch
from analysis.views.shown import shown_numbers, shown_watch
from annotation.models import Study
from annotation.selectors.progress import annotators_by_state, open_forms
from annotation.views.staff import staff_only


@require_safe
@staff_only
def monitor(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how the study stands; looking changes nothing."""
    study = _study(slug)
    return render(request, "monitor/page.html", _context(study, watch(study)))


@require_POST
@staff_only
def monitor_refresh(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for new numbers if they are due; answer with the part of the page that changes, or lead back."""
    study = _study(slug)
    found = monitor_ask(study, author=str(request.user), now=timezone.now())
    if "part" in request.POST:
        return render(request, "monitor/numbers.html", _context(study, found))
    return HttpResponseRedirect(reverse("monitor", args=[slug]), status=303)


def _study(slug: str) -> Study:
    studies = Study.objects.select_related("plan_lock").defer("document", "design")
    return get_object_or_404(studies, slug=slug)


def _context(study: Study, found: Watch) -> dict[str, Any]:
    now = timezone.now()
    done = found.done
    return {
        "study": study,
        "states": {
            state.replace("_", " "): count for state, count in annotators_by_state(study).items()
        },
        "open_forms": open_forms(study),
        "watch": shown_watch(found, now),
        "numbers": shown_numbers(done.result) if done and done.result else None,
    }
