"""Who is staff: the one rule behind every page that is not an annotator's."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

View = Callable[..., HttpResponseBase]
LOOKS = ("GET", "HEAD")


def staff_only(view: View) -> View:
    """Let staff in; lead others to the log-in, and from there to what they looked at.

    Where a session has ended, an act (a POST) leads back to the page that it was asked on: its own
    address answers nobody who only looks. Who is logged in and not staff is told so: another log-in
    as the same would lead nowhere.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if _is_staff(request.user):
            return view(request, *args, **kwargs)
        if request.user.is_authenticated:
            raise PermissionDenied
        looks = request.method in LOOKS
        return redirect_to_login(request.get_full_path() if looks else _page_before(request))

    return guarded


def _is_staff(user: Any) -> bool:
    return bool(user.is_active and getattr(user, "is_staff", False))


def _page_before(request: HttpRequest) -> str:
    """Return the path of this site's page that a request came from; of another's, the studies."""
    before = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(before, allowed_hosts={request.get_host()}):
        return reverse("studies")
    return urlsplit(before).path or reverse("studies")
