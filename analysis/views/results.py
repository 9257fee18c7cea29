"""What every page of a run shows and hands out: how far it is, its page, its numbers, its files."""

import json
from base64 import b64decode
from typing import Any

from csp.constants import NONE, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from analysis.runs.kinds import KINDS
from analysis.runs.listed import files_in
from analysis.runs.models import AnalysisRun
from analysis.views.shown import duration, untaken

ON_A_PAGE = 50
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


def run_page(runs: QuerySet[AnalysisRun], number: str | None) -> Page[AnalysisRun]:
    """Return some of the runs, the newest on the first page."""
    return Paginator(runs, ON_A_PAGE).get_page(number)


def run_row(run: AnalysisRun) -> dict[str, Any]:
    """Return a run as a row of a list shows it."""
    took = (run.ended_at - run.started_at).total_seconds() if run.ended_at and run.started_at else 0
    return {
        "run": run,
        "title": KINDS[run.kind].title,
        "took": duration(took) if run.state == AnalysisRun.State.DONE else "",
        "percent": round(100 * run.progress),
        "untaken": untaken(run, timezone.now()),
    }


def run_links(page: str, *place: object) -> dict[str, str]:
    """Return where the page of a run leads, which the addresses after `page` are named by."""
    acts = {
        act: reverse(f"{page}_{act}", args=place) for act in ("cancel", "html", "json", "files")
    }
    return {"page": reverse(page, args=place)} | acts


def result_of(runs: QuerySet[AnalysisRun], pk: int) -> dict[str, Any]:
    """Return what came of one of these runs; until it is done there is nothing."""
    done = runs.filter(state=AnalysisRun.State.DONE).select_related(None).defer(None)
    run = get_object_or_404(done, pk=pk)
    return run.result or {}


def page_of(request: HttpRequest, result: dict[str, Any]) -> HttpResponseBase:
    """Answer with the report itself: one file, to look at or to keep."""
    if HTML not in result:
        raise Http404("This run made no page.")
    return csp_replace(OWN_FILE)(lambda _: HttpResponse(result[HTML]))(request)


def json_of(result: dict[str, Any], name: str) -> HttpResponse:
    """Answer with the numbers as one JSON document; the database may have sorted what it stores."""
    text = files_in(result).get("results.json") or json.dumps(
        result.get(DOCUMENT, result), ensure_ascii=False, allow_nan=False, indent=1
    )
    return _attached(text, "application/json", f"{name}.json")


def archive_of(result: dict[str, Any], name: str) -> HttpResponse:
    """Answer with every file of a report: figures for print, tables, the page."""
    if ARCHIVE not in result:
        raise Http404("This run made no files.")
    return _attached(b64decode(result[ARCHIVE]), "application/zip", f"{name}.zip")


def _attached(content: str | bytes, kind: str, name: str) -> HttpResponse:
    disposition = f'attachment; filename="{name}"'
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": disposition})
