"""Analyses over files: queued by a command, followed, cancelled and looked at here."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from analysis.runs.listed import runs_over_files
from analysis.runs.models import AnalysisRun
from analysis.runs.queue import run_cancel
from analysis.views.results import (
    archive_of,
    json_of,
    page_of,
    result_of,
    run_links,
    run_page,
    run_row,
)
from annotation.views.staff import staff_only

# The tables that a run may read, in the order in which its page names them.
TABLES = ("scores", "languages", "models", "documents", "external", "traces", "parallel")


@require_safe
@staff_only
def analyses(request: HttpRequest) -> HttpResponse:
    """List the runs over files."""
    page = run_page(runs_over_files(), request.GET.get("page"))
    rows = [run_row(run) | {"inputs": _inputs(run)} for run in page]
    return render(request, "monitor/analyses.html", {"runs": rows, "page": page})


@require_safe
@staff_only
def analysis(request: HttpRequest, pk: int) -> HttpResponse:
    """Show how far a run is, or what came of it; `part` asks for the part that changes."""
    run = get_object_or_404(runs_over_files(), pk=pk)
    template = "monitor/progress.html" if "part" in request.GET else "monitor/analysis.html"
    context = {"inputs": _inputs(run), "links": run_links("analysis", pk)}
    return render(request, template, run_row(run) | context)


@require_POST
@staff_only
def analysis_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop a run."""
    del request
    run_cancel(get_object_or_404(runs_over_files(), pk=pk), now=timezone.now())
    return HttpResponseRedirect(reverse("analysis", args=[pk]), status=303)


@require_safe
@staff_only
def analysis_html(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show the report itself: one file, to look at or to keep."""
    return page_of(request, result_of(runs_over_files(), pk))


@require_safe
@staff_only
def analysis_json(request: HttpRequest, pk: int) -> HttpResponse:
    """Hand the numbers out as one JSON document."""
    del request
    return json_of(result_of(runs_over_files(), pk), f"analysis-{pk}")


@require_safe
@staff_only
def analysis_files(request: HttpRequest, pk: int) -> HttpResponse:
    """Hand out every file of a report: figures for print, tables, the page."""
    del request
    return archive_of(result_of(runs_over_files(), pk), f"analysis-{pk}")


def _inputs(run: AnalysisRun) -> list[tuple[str, list[str]]]:
    """Return the tables that a run reads, each with its paths."""
    found: list[tuple[str, list[str]]] = []
    for name in TABLES:
        stored: Any = run.parameters.get(name) or []
        paths = [stored] if isinstance(stored, str) else stored
        found += [(name, paths)] if paths else []
    return found
