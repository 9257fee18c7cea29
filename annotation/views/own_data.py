"""A copy of all that is stored of a person, for them: to read, and as a file."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.models import Annotator
from annotation.selectors.own_data import own_data
from annotation.views.person import frame, of_person


@of_person
@require_safe
def own_copy(request: HttpRequest, someone: Annotator) -> HttpResponse:
    """Show it in words."""
    data = own_data(someone)
    for line in (line for one in data["answers"] for line in one["questions"]):
        line["shown"] = _in_a_line(line["answer"])
    return render(request, "annotation/copy.html", frame(someone) | {"data": data})


@of_person
@require_safe
def own_copy_file(request: HttpRequest, someone: Annotator) -> HttpResponse:
    """Hand it out as JSON."""
    del request
    shape = {"indent": 2, "ensure_ascii": False}
    response = JsonResponse(own_data(someone), json_dumps_params=shape)
    response["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return response


def _in_a_line(answer: Any) -> str:
    """Return an answer as a page says it: of several that were chosen, one after the other."""
    return "; ".join(map(str, answer)) if isinstance(answer, list) else str(answer)
