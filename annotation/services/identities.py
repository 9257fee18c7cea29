"""The platform's ids of people: encrypted, looked up by a keyed hash, deleted when payment is done."""

import base64
import hashlib
import hmac
from datetime import datetime

from cryptography.fernet import Fernet
from django.conf import settings
from django.db import transaction

from annotation.errors import StateForbids
from annotation.models import Annotator, PlatformIdentity, PlatformSession, Study
from annotation.selectors.unlinking import unlinking
from annotation.services.audit import audit_record


def lookup_of(study: Study, provider: str, value: str) -> str:
    """Return the keyed hash of an id; without the key it says nothing about the id."""
    return keyed_digest("lookup", str(study.pk), provider, value).hex()


def keyed_digest(purpose: str, *parts: str) -> bytes:
    """Return the hash of some texts under the identity key, by a key of its own for each purpose."""
    return hmac.new(_key(purpose), "\0".join(parts).encode(), hashlib.sha256).digest()


def encrypted(value: str) -> bytes:
    """Return an id as only the holder of the identity key can read it."""
    return _fernet().encrypt(value.encode())


def decrypted(ciphertext: bytes) -> str:
    """Return the id in a ciphertext."""
    return _fernet().decrypt(bytes(ciphertext)).decode()


@transaction.atomic
def identities_unlink(study: Study, *, author: str, now: datetime) -> int:
    """Delete every platform id of a closed study; answers, pseudonyms and payments stay.

    Before it is closed this would make a stranger of everyone who comes back.
    """
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if study.state != Study.State.CLOSED:
        raise StateForbids(
            f"{study.slug} is {study.state}; its people may still come back and must be known "
            "again. Close it (study_close) before you unlink it."
        )
    people = Annotator.objects.filter(study=study)
    PlatformSession.objects.filter(annotator__in=people).delete()
    removed, _ = PlatformIdentity.objects.filter(annotator__in=people).delete()
    audit_record(
        "identities_unlink", study=study.slug, author=author, now=now, data={"people": removed}
    )
    return removed


def identities_unlink_due(*, author: str, now: datetime) -> dict[str, int]:
    """Unlink every study whose day has come; return how many ids went, by its slug."""
    kept = PlatformIdentity.objects.values("annotator__study")
    gone: dict[str, int] = {}
    for study in Study.objects.filter(state=Study.State.CLOSED, pk__in=kept).order_by("pk"):
        due = unlinking(study).due
        if due is not None and due <= now:
            gone[study.slug] = identities_unlink(study, author=author, now=now)
    return gone


def _key(purpose: str) -> bytes:
    return hmac.new(settings.IDENTITY_KEY.encode(), purpose.encode(), hashlib.sha256).digest()


def _fernet() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_key("encryption")))
