"""The page of an error that nobody foresaw: a sentence, and a number by which the log names it."""

import logging
import secrets

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import requires_csrf_token

logger = logging.getLogger(__name__)


@requires_csrf_token
def broken(request: HttpRequest) -> HttpResponse:
    """Say that it is not the person's fault, and what to do; the trace stands in the log alone."""
    number = secrets.token_hex(4)
    logger.error("The error just logged is number %s on the page that was shown.", number)
    return render(request, "500.html", {"number": number}, status=500)
