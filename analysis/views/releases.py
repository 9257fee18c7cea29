"""The releases of a study: what would leave, what is missing, made in the background, and taken."""

from typing import Any

from django import forms
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from analysis.runs.kinds import RELEASE
from analysis.runs.models import AnalysisRun
from analysis.runs.queue import run_ask, run_cancel
from analysis.runs.stamp import input_stamp
from analysis.views.results import run_row
from annotation.errors import StateForbids
from annotation.exports.classification import kept_back
from annotation.exports.columns import Table
from annotation.exports.facts import Facts
from annotation.exports.makers import declared_tables
from annotation.models import PlanLock, Release, Study
from annotation.selectors.texts import texts_waiting
from annotation.services.releases import release_path, release_taken
from annotation.views.confirm import asked, asks
from annotation.views.people import study_at
from annotation.views.staff import staff_only

GONE = 410
BY_ITEM = "by_item"
FOREVER = (
    "What is published cannot be recalled: whoever has downloaded an archive keeps it, also when "
    "somebody in it asks later to be erased."
)
LINKS = {"page": "releases", "cancel": "release_cancel"}
WHICH = (
    "Nobody is named; but people who published the same ratings elsewhere can be found by them. Counts "
    "by item tell how often each value was given and not by whom, and hold no analysis. Read what is "
    "checked before you publish."
)
NOT_LOCKED = "Nothing was collected yet: study_launch locks the plan, and then there is a release."


class MakeForm(forms.Form):
    """What a release tells of people."""

    tells = forms.ChoiceField(
        label="What it tells",
        choices=[
            ("", "judgments by person, new names"),
            (BY_ITEM, "counts of values by item alone"),
        ],
        required=False,
    )


@require_safe
@staff_only
def releases(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what leaves, what stays behind, and the archives that were made."""
    study, run = study_at(slug), _last_run(slug)
    context: dict[str, Any] = {"study": study, "run": run}
    if run is not None:
        links = {act: reverse(name, args=[slug]) for act, name in LINKS.items()}
        context |= run_row(run) | {"links": links}
        if "part" in request.GET:
            return render(request, "monitor/progress.html", context)
    made = list(Release.objects.filter(study=study).order_by("-number"))
    last = next((one for one in made if one.state == Release.State.MADE), None)
    tables = declared_tables(study)
    context |= {
        "locked": _locked(study),
        "releases": made,
        "last": last,
        "tables": tables,
        "changed": _changed(tables),
        "removed": kept_back(),
        "missing": Facts(study).missing,
        "texts": texts_waiting(study),
    }
    return render(request, "monitor/release.html", context)


@asks
@staff_only
def release_make(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask, and then queue; asked twice while one is on its way, it is one."""
    study = study_at(slug)
    locked = _locked(study)

    def act(form: forms.Form) -> str:
        if not locked:
            raise StateForbids(NOT_LOCKED)
        run = _last_run(slug)
        if run is None or run.ended:
            _asked_for(study, str(request.user), by_item=form.cleaned_data["tells"] == BY_ITEM)
        return "The release is being made; you may leave this page."

    return asked(
        request,
        act,
        form=MakeForm,
        study=study,
        title="Make a release",
        words=f"{FOREVER} {WHICH}" if locked else NOT_LOCKED,
        nothing=not locked,
        button="Make the release",
        back=reverse("releases", args=[slug]),
    )


@require_POST
@staff_only
def release_cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Stop the release that is being made; nothing of it is kept."""
    del request
    study = study_at(slug)
    run = _last_run(slug)
    if run is not None and not run.ended:
        run_cancel(run, now=timezone.now())
    return HttpResponseRedirect(reverse("releases", args=[study.slug]), status=303)


@never_cache
@asks
@staff_only
def release_file(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Hand an archive out, and note who took it; one that was erased is gone for good."""
    found = get_object_or_404(
        Release.objects.select_related("study"), study__slug=slug, number=number
    )
    path = release_path(found)
    if found.state == Release.State.ERASED or not path.exists():
        gone = {"study": found.study, "release": found}
        return render(request, "monitor/release_gone.html", gone, status=GONE)
    if request.method == "POST":
        release_taken(found, author=str(request.user), now=timezone.now())
        name = f"{slug}-release-{number}.zip"
        return FileResponse(
            path.open("rb"), as_attachment=True, filename=name, content_type="application/zip"
        )
    context: dict[str, Any] = {
        "study": found.study,
        "title": f"Take release {number}",
        "words": f"{FOREVER} That you took it stands in the log.",
        "form": forms.Form(),
        "button": "Download",
        "back": reverse("releases", args=[slug]),
    }
    return render(request, "monitor/confirm.html", context)


def _asked_for(study: Study, author: str, *, by_item: bool) -> None:
    run_ask(
        study,
        RELEASE,
        {"author": author, "by_item": by_item},
        input_sha256=input_stamp(study),
        author=author,
        now=timezone.now(),
    )


def _last_run(slug: str) -> AnalysisRun | None:
    runs = AnalysisRun.objects.filter(study__slug=slug, kind=RELEASE).defer("result")
    return runs.order_by("-asked_at", "-pk").first()


def _locked(study: Study) -> bool:
    return PlanLock.objects.filter(study=study).exists()


def _changed(tables: list[Table]) -> list[tuple[str, str]]:
    """Return the columns that leave otherwise than they are stored, each once, and how."""
    found = {column.name: column.made for table in tables for column in table.columns}
    return sorted((name, made) for name, made in found.items() if made)
