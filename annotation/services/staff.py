"""Accounts of staff."""

from django.contrib.auth import get_user_model


def staff_account_set(username: str, password: str) -> None:
    """Make a staff account, or give the one there is a new password."""
    accounts = get_user_model().objects
    account, _ = accounts.get_or_create(
        username=username, defaults={"is_staff": True, "is_superuser": True}
    )
    account.set_password(password)
    account.save()
