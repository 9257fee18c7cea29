"""A page that asks before something is done.

Shown by GET it changes nothing; the POST answers with a redirect, and sent twice it does the same
once.
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from annotation.errors import Refused
from annotation.models import Study

LONGEST_REASON = 2000
asks = require_http_methods(["GET", "HEAD", "POST"])


class ReasonForm(forms.Form):
    """Why something is done."""

    reason = forms.CharField(
        label="Why?",
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": "Write why; the reason is kept with the act."},
    )


def asked(
    request: HttpRequest,
    act: Callable[[forms.Form], str],
    *,
    study: Study,
    back: str,
    form: type[forms.Form] = forms.Form,
    initial: dict[str, Any] | None = None,
    **words: Any,
) -> HttpResponse:
    """Show the form, or do what it asks and lead back; a refusal stands in the form."""
    filled = form(request.POST if request.method == "POST" else None, initial=initial)
    if filled.is_valid():
        try:
            messages.success(request, act(filled))
        except Refused as refused:
            filled.add_error(None, refused.message)
        else:
            return HttpResponseRedirect(back, status=303)
    status = 400 if filled.errors else 200
    context = {"study": study, "form": filled, "back": back} | words
    return render(request, "monitor/confirm.html", context, status=status)
