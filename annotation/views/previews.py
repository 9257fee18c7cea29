"""A study as annotators see it, shown to staff: nothing of it is stored."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.models import Assignment, Item, Study
from annotation.selectors.preparation import tasks_looked_at
from annotation.selectors.screens import Screen, own_keys, screen_of
from annotation.selectors.studies import study_definition
from annotation.services.previews import preview_confirm
from annotation.studyfile.definition import StudyDefinition
from annotation.tasktypes import TASK_TYPES
from annotation.views.markdown import as_html
from annotation.views.people import study_at
from annotation.views.staff import staff_only

TEXTS = {"consent": "annotation/consent.html", "instructions": "annotation/instructions.html"}


@require_safe
@staff_only
def preview_text(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Show the consent text or the instructions as they are shown before the work."""
    study = study_at(slug)
    if name not in TEXTS:
        raise Http404
    definition = study_definition(study)
    more = {
        "text": as_html(getattr(definition, name)),
        "minutes": definition.recruitment.time_limit_minutes,
        "practice": len(definition.practice),
        "begin": True,
        "preview": {"study": study},
    }
    return render(request, TEXTS[name], _frame(definition) | more)


@require_safe
@staff_only
def preview(request: HttpRequest, slug: str, task: str) -> HttpResponse:
    """Show an item of a task, the practice ones first.

    `page` is its number, `flipped` shows its sides the other way round, `check` asks as that attention
    check does, and `hidden` shows beside it what annotators never see.
    """
    study = study_at(slug)
    definition = _definition_with(study, task)
    items = Item.objects.filter(study=study, task=task).select_related("study", "passage")
    page = Paginator(items.order_by("-practice", "pk"), 1).get_page(request.GET.get("page"))
    flipped = "flipped" in request.GET
    check = _check_asked(request, definition, task)
    screen = _screen(page[0], definition, flipped=flipped, check=check)
    more = {
        "page": screen.page(),
        "label": screen.task_type.label,
        "form": screen.form(initial={}),
        "key": "preview",
        "own_keys": own_keys(screen),
        "practising": screen.assignment.item.practice,
        "preview": {
            "study": study,
            "task": task,
            "item": page[0],
            "place": page,
            "flipped": flipped,
            "sides": len(screen.task_type.alternatives) > 1,
            "check": check,
            "seen": task in tasks_looked_at(study),
            "hidden": _hidden(screen) if "hidden" in request.GET else None,
        },
    }
    return render(request, screen.task_type.template_name, _frame(definition) | more)


@require_POST
@staff_only
def preview_seen(request: HttpRequest, slug: str, task: str) -> HttpResponse:
    """Note that a task looks as it should."""
    study = study_at(slug)
    _definition_with(study, task)
    preview_confirm(study, task, author=str(request.user), now=timezone.now())
    messages.success(request, f"Noted: {task} was looked at, and is as it should be.")
    return HttpResponseRedirect(reverse("study", args=[slug]), status=303)


def _frame(definition: StudyDefinition) -> dict[str, Any]:
    """Return the variables of `annotator_base.html` where there is no annotator."""
    return {
        "title": definition.title,
        "language": definition.language,
        "contact": definition.recruitment.contact,
    }


def _definition_with(study: Study, task: str) -> StudyDefinition:
    definition = study_definition(study)
    if task not in {known.key for known in definition.tasks}:
        raise Http404
    return definition


def _check_asked(request: HttpRequest, definition: StudyDefinition, task: str) -> int | None:
    """Return the number of the attention check that is wanted, if it is one of the task."""
    wanted = request.GET.get("check", "")
    numbers = [n for n, check in enumerate(definition.attention) if check.task == task]
    return next((number for number in numbers if str(number) == wanted), None)


def _screen(item: Item, definition: StudyDefinition, *, flipped: bool, check: int | None) -> Screen:
    """Lay an item out as on the last screen of a form, where also what is asked once is asked."""
    task = definition.task(item.task)
    shown = TASK_TYPES[task.type].present(
        item.all_fields, task.dimensions, flipped=flipped, closes_form=check is None
    )
    return screen_of(Assignment(item=item, presentation=shown.as_json(), check_index=check))


def _hidden(screen: Screen) -> dict[str, Any]:
    """Return what an item holds beside what is shown."""
    names = screen.task_type.shown_fields()
    fields = screen.assignment.item.fields
    return {f: v for f, v in fields.items() if f.removesuffix("_lang") not in names}
