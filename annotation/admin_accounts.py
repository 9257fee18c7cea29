"""Django's admin of accounts and groups, with every change of what somebody may do in the log."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from annotation.services.staff import (
    Rights,
    accounts_record,
    passwords,
    rights_of,
    rights_record,
)


class LoggedRights(admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Logs, in the transaction of the change, what the owner could do before and can do after."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        """Save groups and permissions, which come last, and log what has changed by then."""
        super().save_related(request, form, formsets, change)
        before = getattr(form, "rights_before", None)
        self._record(request, before, rights_of(form.instance))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Save the row; note first what the stored one could do."""
        stored = self.get_queryset(request).filter(pk=obj.pk).first() if change else None
        form.rights_before = rights_of(stored) if stored else None
        super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete one."""
        with transaction.atomic():
            self._record(request, rights_of(obj), None)
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> None:
        """Delete those that were chosen in the list."""
        with transaction.atomic():
            for owner in queryset:
                self._record(request, rights_of(owner), None)  # type: ignore[arg-type]  # of this admin
            super().delete_queryset(request, queryset)

    def _record(self, request: HttpRequest, before: Rights | None, after: Rights | None) -> None:
        rights_record(before, after, author=str(request.user), now=timezone.now())


admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class AccountAdmin(LoggedRights, UserAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Accounts."""

    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002  Django's name
        form_url: str = "",
    ) -> HttpResponse:
        """Give somebody a new password, and log that it was done."""
        return _logged(
            request, lambda: super(AccountAdmin, self).user_change_password(request, id, form_url)
        )


@never_cache
def own_password(request: HttpRequest) -> HttpResponse:
    """Give oneself a new password, as Django's admin has it, and log that it was done."""
    return _logged(request, lambda: admin.site.password_change(request))


def _logged(request: HttpRequest, change: Callable[[], HttpResponse]) -> HttpResponse:
    """Do what may change a password, and log it in the same transaction."""
    with transaction.atomic():
        before = passwords()
        answered = change()
        accounts_record(before, author=str(request.user), now=timezone.now())
    return answered


@admin.register(Group)
class RolesAdmin(LoggedRights, GroupAdmin):
    """Groups, and what their members may do."""
