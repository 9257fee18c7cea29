"""Reports: started here, computed in the background, looked at when they are there."""

import json
from base64 import b64decode
from typing import Any

from csp.constants import NONE, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from analysis.runs.kinds import KINDS, REPORTS
from analysis.runs.models import AnalysisRun
from analysis.runs.queue import run_ask, run_cancel
from analysis.runs.stamp import input_stamp
from analysis.runs.traced import study_is_traced
from analysis.views.shown import duration
from annotation.views.people import study_at
from annotation.views.staff import staff_only

LISTED = 50
HTML, DOCUMENT, ARCHIVE = "html", "document", "archive"
# A report is one file with its styles inside; it runs no script and reaches nothing.
OWN_FILE = {
    "default-src": [NONE],
    "script-src": [NONE],
    "connect-src": [NONE],
    "style-src": [UNSAFE_INLINE],
    "img-src": ["data:"],
    "font-src": ["data:"],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": [NONE],
    "sandbox": ["allow-popups", "allow-downloads"],
}


@require_safe
@staff_only
def reports(request: HttpRequest, slug: str) -> HttpResponse:
    """List the runs of a study and what can be started."""
    study = study_at(slug)
    runs = AnalysisRun.objects.filter(study=study, kind__in=REPORTS).defer("result")
    context = {
        "study": study,
        "traced": study_is_traced(study),
        "kinds": [{"key": key, "title": KINDS[key].title} for key in REPORTS],
        "runs": [_row(run) for run in runs.order_by("-asked_at", "-pk")[:LISTED]],
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
    run = _run(slug, pk)
    template = "monitor/progress.html" if "part" in request.GET else "monitor/report.html"
    context = {"study": run.study, "run": run, "row": _row(run), "stale": _stale(run)}
    traced = run.study is not None and study_is_traced(run.study)
    return render(request, template, context | {"traced": traced})


@require_POST
@staff_only
def report_cancel(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Stop a run."""
    run_cancel(_run(slug, pk), now=timezone.now())
    return HttpResponseRedirect(reverse("report", args=[slug, pk]), status=303)


@require_safe
@staff_only
def report_html(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """Show the report itself: one file, to look at or to keep."""
    found = _result(slug, pk)
    if HTML not in found:
        raise Http404("This run made no page.")
    page = csp_replace(OWN_FILE)(lambda _: HttpResponse(found[HTML]))
    return page(request)


@require_safe
@staff_only
def report_json(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Hand the numbers out as one JSON document."""
    del request
    found = _result(slug, pk)
    text = json.dumps(found.get(DOCUMENT, found), ensure_ascii=False, allow_nan=False, indent=1)
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{slug}-{pk}.json"'
    return response


@require_safe
@staff_only
def report_files(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Hand out every file of a report: figures for print, tables, the page."""
    del request
    found = _result(slug, pk)
    if ARCHIVE not in found:
        raise Http404("This run made no files.")
    response = HttpResponse(b64decode(found[ARCHIVE]), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{slug}-{pk}.zip"'
    return response


def _run(slug: str, pk: int) -> AnalysisRun:
    runs = AnalysisRun.objects.select_related("study").defer(
        "result", "study__document", "study__design"
    )
    return get_object_or_404(runs, pk=pk, study__slug=slug, kind__in=REPORTS)


def _result(slug: str, pk: int) -> dict[str, Any]:
    done = AnalysisRun.objects.filter(kind__in=REPORTS, state=AnalysisRun.State.DONE)
    run = get_object_or_404(done, pk=pk, study__slug=slug)
    return run.result or {}


def _row(run: AnalysisRun) -> dict[str, Any]:
    took = (run.ended_at - run.started_at).total_seconds() if run.ended_at and run.started_at else 0
    return {
        "run": run,
        "title": KINDS[run.kind].title,
        "took": duration(took) if run.state == AnalysisRun.State.DONE else "",
        "percent": round(100 * run.progress),
    }


def _stale(run: AnalysisRun) -> bool:
    """Whether the study has changed since a finished run was asked for."""
    if run.study is None or run.state != AnalysisRun.State.DONE:
        return False
    return run.input_sha256 != input_stamp(run.study)
