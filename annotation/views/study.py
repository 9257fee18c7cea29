"""The page of one study: from draft to launch, what people see, how it is planned."""

import json

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotation.models import Study
from annotation.selectors.preparation import steps_to_launch, tasks_looked_at
from annotation.selectors.studies import study_definition
from annotation.studyfile import plan_document
from annotation.tasktypes import TASK_TYPES
from annotation.views.staff import staff_only
from annotation.views.states import acts_of


@require_safe
@staff_only
def study_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how far a study is on its way, and everything that can be looked at before it opens."""
    study = get_object_or_404(
        Study.objects.select_related("plan_lock").defer("document"), slug=slug
    )
    definition = study_definition(study)
    looked_at = tasks_looked_at(study)
    context = {
        "study": study,
        "definition": definition,
        "steps": steps_to_launch(study),
        "acts": acts_of(study),
        "tasks": [
            {"key": task.key, "label": TASK_TYPES[task.type].label, "seen": task.key in looked_at}
            for task in definition.tasks
        ],
        "plan": json.dumps(plan_document(definition), indent=2, ensure_ascii=False),
        "link": request.build_absolute_uri(reverse("entry", args=[slug])),
    }
    return render(request, "study.html", context)
