"""The log-in of staff, which lets nobody guess for long."""

import math

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from annotation.services.logins import login_failed, login_succeeded, login_wait

TOO_MANY_REQUESTS = 429


class StaffLogin(LoginView):
    """Django's log-in; after several failures it is closed for a while, for right passwords too."""

    template_name = "login.html"

    def post(self, request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
        """Log in, or say for how long not."""
        account = request.POST.get("username", "")
        wait = login_wait(account, address_of(request), now=timezone.now())
        if wait is None:
            return super().post(request, *args, **kwargs)
        minutes = max(1, math.ceil(wait.total_seconds() / 60))
        response = self.render_to_response(
            self.get_context_data(form=AuthenticationForm(request), minutes=minutes)
        )
        response.status_code = TOO_MANY_REQUESTS
        response["Retry-After"] = str(math.ceil(wait.total_seconds()))
        return response

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Let the person in, and forget that they mistyped."""
        login_succeeded(form.cleaned_data["username"])
        return super().form_valid(form)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Count the failure."""
        account = self.request.POST.get("username", "")
        login_failed(account, address_of(self.request), now=timezone.now())
        return super().form_invalid(form)


def address_of(request: HttpRequest) -> str:
    """Return where a request comes from: what the proxy in front says, where there is one."""
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.HTTPS else ""
    return forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", "")
