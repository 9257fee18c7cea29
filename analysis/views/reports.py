"""Reports: started here, computed in the background, looked at when they are there."""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from analysis.runs.kinds import KINDS, REPORTS
from analysis.runs.listed import runs_asked_for
from analysis.runs.models import AnalysisRun
from analysis.runs.queue import run_ask, run_cancel
from analysis.runs.stamp import input_stamp
from analysis.views.results import (
    archive_of,
    json_of,
    page_of,
    result_of,
    run_links,
    run_page,
    run_row,
)
from annotation.views.people import study_at
from annotation.views.staff import staff_only


@require_safe
@staff_only
def reports(request: HttpRequest, slug: str) -> HttpResponse:
    """List the runs of a study and what can be started."""
    study = study_at(slug)
    page = run_page(_runs(slug), request.GET.get("page"))
    context = {
        "study": study,
        "page": page,
        "kinds": [{"key": key, "title": KINDS[key].title} for key in REPORTS],
        "runs": [run_row(run) for run in page],
    }
    return render(request, "monitor/reports.html", context)


@require_POST
@staff_only
def report_start(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a report; asked twice while it is on its way, it is one."""
    study = study_at(slug)
    kind = request.POST.get("kind", "")
    if kind not in REPORTS:
        raise Http404(f"There is no report called {kind!r}.")
    run = run_ask(
        study,
        kind,
        {},
        input_sha256=input_stamp(study),
        author=str(request.user),
        now=timezone.now(),
    )
    return HttpResponseRedirect(reverse("report", args=[slug, run.pk]), status=303)


@require_safe
@staff_only
def report(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show how far a run is, or what came of it; `part` asks for the part that changes."""
    run = get_object_or_404(_runs(slug), pk=pk)
    context = run_row(run) | {"study": run.study, "links": run_links("report", slug, pk)}
    if "part" in request.GET:
        return render(request, "monitor/progress.html", context)
    return render(request, "monitor/report.html", context | {"stale": _stale(run)})


@require_POST
@staff_only
def report_cancel(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Stop a run."""
    del request
    run_cancel(get_object_or_404(_runs(slug), pk=pk), now=timezone.now())
    return HttpResponseRedirect(reverse("report", args=[slug, pk]), status=303)


@require_safe
@staff_only
def report_html(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Show the report itself: one file, to look at or to keep."""
    return page_of(request, result_of(_runs(slug), pk))


@require_safe
@staff_only
def report_json(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Hand the numbers out as one JSON document."""
    del request
    return json_of(result_of(_runs(slug), pk), f"{slug}-{pk}")


@require_safe
@staff_only
def report_files(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Hand out every file of a report: figures for print, tables, the page."""
    del request
    return archive_of(result_of(_runs(slug), pk), f"{slug}-{pk}")


def _runs(slug: str) -> QuerySet[AnalysisRun]:
    return runs_asked_for().filter(study__slug=slug, kind__in=REPORTS)


def _stale(run: AnalysisRun) -> bool:
    """Whether the study has changed since a finished run was asked for."""
    if run.study is None or run.state != AnalysisRun.State.DONE:
        return False
    return run.input_sha256 != input_stamp(run.study)
