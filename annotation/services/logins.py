"""login_failed and login_wait: who guesses passwords is slowed down, by all processes together."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from annotation.models import FailedLogin
from annotation.services.identities import keyed_digest

WINDOW: Final = timedelta(minutes=15)
# Failures within the window after which nobody may try again; an address may serve a whole office.
BY_ACCOUNT: Final = 5
BY_ADDRESS: Final = 30


def login_wait(account: str, address: str, *, now: datetime) -> timedelta | None:
    """Return how long this account, or whoever is at this address, must wait; None: not at all."""
    waits = [
        _wait(key, most, now=now)
        for key, most in ((_account(account), BY_ACCOUNT), (_address(address), BY_ADDRESS))
    ]
    return max((wait for wait in waits if wait is not None), default=None)


@transaction.atomic
def login_failed(account: str, address: str, *, now: datetime) -> None:
    """Count a failure, under keyed hashes; what no longer counts is deleted."""
    FailedLogin.objects.filter(at__lt=now - WINDOW).delete()
    FailedLogin.objects.bulk_create(
        FailedLogin(key=key, at=now) for key in (_account(account), _address(address))
    )


def login_succeeded(account: str) -> None:
    """Forget the failures of an account whose owner came in."""
    FailedLogin.objects.filter(key=_account(account)).delete()


def _wait(key: str, most: int, *, now: datetime) -> timedelta | None:
    recent = FailedLogin.objects.filter(key=key, at__gte=now - WINDOW).order_by("-at")
    times = list(recent.values_list("at", flat=True)[:most])
    return times[-1] + WINDOW - now if len(times) == most else None


def _account(name: str) -> str:
    # Whether there is such an account makes no difference: none can be found out by it.
    return keyed_digest("failed login", "account", name.strip().casefold()).hex()


def _address(address: str) -> str:
    return keyed_digest("failed login", "address", address).hex()
