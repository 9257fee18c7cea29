"""The log of a study, to read."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.selectors.story import SENTENCES, story
from annotation.services.audit import audit_verify
from annotation.views.people import study_at
from annotation.views.staff import staff_only

WORD = 150
# How many events of the log are recomputed for the page; audit_verify does all.
CHECKED = 200


@require_safe
@staff_only
def story_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell what was done to the study, by day, the newest first."""
    study = study_at(slug)
    wanted = {
        name: request.GET.get(name, "").replace("\x00", "")[:WORD].strip()
        for name in ("verb", "author", "annotator")
    }
    before = request.GET.get("before", "")
    number = int(before) if before.isascii() and before.isdigit() and len(before) < 16 else None  # noqa: PLR2004
    context = {
        "study": study,
        "story": story(study, **wanted, before=number),
        "wanted": wanted,
        "verbs": [(key, key.replace("_", " ")) for key in SENTENCES],
        "chain": audit_verify(newest=CHECKED),
        "checked": CHECKED,
        "filtered": any(wanted.values()),
    }
    return render(request, "monitor/story.html", context)
