"""api_token_create and api_token_revoke: who may come in by the API."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from annotation.errors import StateForbids
from annotation.models import ApiToken, Study
from annotation.services.audit import audit_record

PREFIX_LENGTH = 12


def token_digest(secret: str) -> str:
    """Return what is stored of a secret; it is long and random, so that a plain digest suffices."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def api_token_create(
    name: str, studies: Sequence[Study], *, author: str, now: datetime
) -> tuple[ApiToken, str]:
    """Make a token for some studies; return it with its secret, which is shown this once."""
    if not name.strip():
        raise StateForbids("A token needs a name that says who uses it.")
    if not studies:
        raise StateForbids("A token needs at least one study that it may read.")
    secret = f"plx_{secrets.token_urlsafe(32)}"
    token = ApiToken.objects.create(
        name=name.strip(),
        prefix=secret[:PREFIX_LENGTH],
        sha256=token_digest(secret),
        author=author,
        created_at=now,
    )
    token.studies.set(studies)
    for study in studies:
        data = {"token": token.prefix, "name": token.name}
        audit_record("api_token_create", study=study.slug, author=author, now=now, data=data)
    return token, secret


@transaction.atomic
def api_token_revoke(prefix: str, *, author: str, now: datetime) -> ApiToken:
    """End a token at once; revoked again, nothing changes."""
    token = ApiToken.objects.select_for_update(no_key=True).filter(prefix=prefix).first()
    if token is None:
        raise StateForbids(
            f"No token begins with {prefix!r}; api_token_list shows those there are."
        )
    if token.revoked_at is None:
        token.revoked_at = now
        token.save(update_fields=["revoked_at"])
        for study in token.studies.order_by("slug"):
            data = {"token": token.prefix, "name": token.name}
            audit_record("api_token_revoke", study=study.slug, author=author, now=now, data=data)
    return token
