"""The number of a receipt is drawn with the question, so that a second click leads to the first one's."""

from django.core import signing
from django.http import HttpRequest

from annotation.services.erasure import receipt_number

_SALT = "receipt"


def receipt_drawn() -> str:
    """Return a new number, signed, for the form that asks."""
    return signing.dumps(receipt_number(), salt=_SALT)


def receipt_given(request: HttpRequest) -> str:
    """Return the number that came with the form; a form of another's making has none."""
    try:
        return str(signing.loads(request.POST.get("receipt", ""), salt=_SALT))
    except signing.BadSignature:
        return ""
