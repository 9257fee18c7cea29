"""Accounts of staff, and the log of what they may do."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import Group, Permission, User
from django.db import transaction
from django.db.models import QuerySet

from annotation.services.audit import audit_record

Rights = dict[str, Any]


@transaction.atomic
def staff_account_set(username: str, password: str, *, author: str, now: datetime) -> None:
    """Make a staff account, or give the one there is a new password."""
    before = passwords()
    account, _ = User.objects.get_or_create(
        username=username, defaults={"is_staff": True, "is_superuser": True}
    )
    account.set_password(password)
    account.save()
    accounts_record(before, author=author, now=now)


def passwords() -> dict[int, str]:
    """Return what is stored of the password of each account, to tell later which are new."""
    return dict(User.objects.values_list("pk", "password"))


@transaction.atomic
def accounts_record(before: Mapping[int, str], *, author: str, now: datetime) -> None:
    """Log which accounts were made, and which were given a new password, since `passwords` was asked."""
    for account in User.objects.order_by("pk"):
        if account.pk not in before:
            rights_record(None, rights_of(account), author=author, now=now)
        elif account.password != before[account.pk]:
            password_record(account, author=author, now=now)


def rights_of(owner: User | Group) -> Rights:
    """Return what an account or a group may do, as the log has it."""
    if isinstance(owner, Group):
        return {"group": owner.name, "permissions": _names(owner.permissions.all())}
    return {
        "account": owner.username,
        "active": owner.is_active,
        "staff": owner.is_staff,
        "superuser": owner.is_superuser,
        "groups": sorted(owner.groups.values_list("name", flat=True)),
        "permissions": _names(owner.user_permissions.all()),
    }


@transaction.atomic
def rights_record(
    before: Rights | None, after: Rights | None, *, author: str, now: datetime
) -> None:
    """Log a change of what an account or a group may do; None where it was not, or is no more."""
    if before != after:
        data = {"before": before, "after": after}
        audit_record("rights_change", study="", author=author, now=now, data=data)


@transaction.atomic
def password_record(account: User, *, author: str, now: datetime) -> None:
    """Log that somebody gave an account a new password, with which they can be it."""
    audit_record(
        "password_change", study="", author=author, now=now, data={"account": account.username}
    )


def _names(permissions: QuerySet[Permission]) -> list[str]:
    return sorted(
        f"{app}.{name}"
        for app, name in permissions.values_list("content_type__app_label", "codename")
    )
