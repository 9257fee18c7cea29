"""The pairs of traces of a study, and one of them step by step: for researchers alone."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from analysis.runs.kinds import TRACE_PAIRS
from analysis.runs.queue import run_ask, run_cancel
from analysis.runs.traced import TracedTask, traced_tasks
from analysis.runs.watch import Watch, watch
from analysis.views.shown import shown_watch
from analysis.views.shown_pair import shown_judgments, shown_pair
from analysis.views.trace_rows import COLUMNS, PairRow, Wanted, pair_rows, scale_of
from annotation.models import Study
from annotation.selectors.item_judgments import item_judgments
from annotation.selectors.studies import study_definition
from annotation.views.people import study_at
from annotation.views.staff import staff_only

ON_A_PAGE = 50


@require_safe
@staff_only
def traces(request: HttpRequest, slug: str) -> HttpResponse:
    """List the pairs of a study; `part` asks for how far the run is."""
    study, tasks = _traced(slug)
    found = watch(study, TRACE_PAIRS)
    context = {"study": study, "watch": shown_watch(found, timezone.now())}
    if "part" in request.GET:
        return render(request, "monitor/trace_progress.html", context)
    wanted = Wanted.of(request.GET)
    rows = pair_rows(study, study_definition(study), tasks, _computed(study, found))
    page = Paginator(wanted.arranged(rows), ON_A_PAGE).get_page(request.GET.get("page"))
    context |= {
        "computed": bool(_computed(study, found)),
        "page": page,
        "wanted": wanted,
        "query": wanted.query(),
        "sort": f"{'-' * wanted.down}{wanted.sort}",
        "columns": [_column(name, wanted) for name in COLUMNS],
        "pairs": sorted({row.pair for row in rows}),
        "scales": _scales(study, tasks),
    }
    return render(request, "monitor/traces.html", context)


@require_safe
@staff_only
def trace_pair(request: HttpRequest, slug: str, item: str) -> HttpResponse:
    """Show two traces, which step met which, their scores, and what people said."""
    study, tasks = _traced(slug)
    one = get_object_or_404(study.items.filter(practice=False, task__in=tasks), key=item)
    found = watch(study, TRACE_PAIRS)
    computed = _computed(study, found)
    definition = study_definition(study)
    wanted = Wanted.of(request.GET)
    rows = pair_rows(study, definition, tasks, computed)
    judgments = item_judgments(study, one)
    context = {
        "study": study,
        "item": one,
        "row": next(row for row in rows if row.item == item),
        "around": _around(wanted.arranged(rows), item),
        "query": wanted.query(),
        "watch": shown_watch(found, timezone.now()),
        "computed": item in computed,
        "pair": shown_pair(one.fields, tasks[one.task], definition, computed.get(item, {})),
        "judgments": shown_judgments(judgments),
        "scale": scale_of(definition, tasks[one.task]),
        "human": tasks[one.task].human,
    }
    return render(request, "monitor/trace_pair.html", context)


@require_POST
@staff_only
def traces_start(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for the alignment of all pairs; asked twice while it is on its way, it is one."""
    study, _ = _traced(slug)
    run_ask(
        study,
        TRACE_PAIRS,
        {},
        input_sha256=study.folder_sha256,
        author=str(request.user),
        now=timezone.now(),
    )
    return _back(request, slug)


@require_POST
@staff_only
def traces_cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Stop the run that is on its way."""
    study, _ = _traced(slug)
    last = watch(study, TRACE_PAIRS).last
    if last is not None:
        run_cancel(last, now=timezone.now())
    return _back(request, slug)


def _back(request: HttpRequest, slug: str) -> HttpResponse:
    item = request.POST.get("item", "")
    there = reverse("trace_pair", args=[slug, item]) if item else reverse("traces", args=[slug])
    return HttpResponseRedirect(there, status=303)


def _traced(slug: str) -> tuple[Study, dict[str, TracedTask]]:
    study = study_at(slug)
    tasks = traced_tasks(study_definition(study))
    if not tasks:
        raise Http404("The plan of this study has no section `trace`.")
    return study, tasks


def _computed(study: Study, found: Watch) -> Mapping[str, Any]:
    """Return what the last run found, if it was of the items as they are."""
    done = found.done
    if done is None or done.input_sha256 != study.folder_sha256:
        return {}
    pairs: Mapping[str, Any] = (done.result or {}).get("pairs", {})
    return pairs


def _column(name: str, wanted: Wanted) -> dict[str, Any]:
    """Return the head of a column: a click sorts by it, the highest score first, or turns it round."""
    here = name == wanted.sort
    down = not wanted.down if here else name not in {"item", "pair"}
    return {
        "title": COLUMNS[name],
        "query": wanted.query(sort=f"{'-' * down}{name}"),
        "sorted": ("descending" if wanted.down else "ascending") if here else "",
    }


def _scales(study: Study, tasks: Mapping[str, TracedTask]) -> list[dict[str, Any]]:
    definition = study_definition(study)
    distinct = {task.human: scale_of(definition, task) for task in tasks.values()}
    return [{"human": human, "scale": scale} for human, scale in distinct.items()]


def _around(rows: list[PairRow], item: str) -> dict[str, Any]:
    """Return the pairs before and after one in the list that it was opened from."""
    keys = [row.item for row in rows]
    if item not in keys:
        return {}
    at = keys.index(item)
    return {
        "before": keys[at - 1] if at else "",
        "after": keys[at + 1] if at + 1 < len(keys) else "",
        "place": at + 1,
        "total": len(keys),
    }
