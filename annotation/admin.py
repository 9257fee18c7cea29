"""Django's admin over what is stored: to look at, never to change.

Whatever changes a study goes through a service, which checks, writes and records; the platform's ids
of people are not shown at all.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from annotation import (
    admin_accounts,  # noqa: F401  registers itself
    models,
)

admin.site.site_title = "Parallax"
admin.site.site_header = "Parallax: what is stored"
admin.site.index_title = "Tables to look at, and accounts"


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """A table to look at."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nothing is added here."""
        del request
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed here."""
        del request, obj
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted here."""
        del request, obj
        return False


@admin.register(models.Study)
class StudyAdmin(ReadOnly):
    """Studies."""

    list_display = ("slug", "title", "state", "launched_at")
    list_filter = ("state",)


@admin.register(models.PlanLock)
class PlanLockAdmin(ReadOnly):
    """Locked plans."""

    list_display = ("study", "sha256", "locked_at")


@admin.register(models.Item)
class ItemAdmin(ReadOnly):
    """Items."""

    list_display = ("key", "study", "task", "practice")
    list_filter = ("study", "task")
    search_fields = ("key",)


@admin.register(models.Form)
class FormAdmin(ReadOnly):
    """Forms."""

    list_display = ("seq", "study", "state", "top_up")
    list_filter = ("study", "state", "top_up")


@admin.register(models.Annotator)
class AnnotatorAdmin(ReadOnly):
    """People, by pseudonym; their links stay out of sight."""

    list_display = ("pseudonym", "study", "state", "payment", "pilot", "arrived_at")
    list_filter = ("study", "state", "payment")
    search_fields = ("pseudonym",)
    exclude = ("access_key", "entry_token")


@admin.register(models.Claim)
class ClaimAdmin(ReadOnly):
    """Who holds or held which form."""

    list_display = ("form", "annotator", "state", "claimed_at", "lease_until")
    list_filter = ("form__study", "state")
    list_select_related = ("form", "annotator")


@admin.register(models.Answer)
class AnswerAdmin(ReadOnly):
    """Answers."""

    list_display = ("item", "annotator", "values", "surplus", "submitted_at", "server_seconds")
    list_filter = ("assignment__item__study", "surplus", "assignment__kind")
    list_select_related = ("assignment__item", "assignment__annotator")

    @admin.display(ordering="assignment__item__key")
    def item(self, answer: models.Answer) -> str:
        """Return the item that was judged."""
        return answer.assignment.item.key

    @admin.display(ordering="assignment__annotator__pseudonym")
    def annotator(self, answer: models.Answer) -> str:
        """Return who judged it."""
        return answer.assignment.annotator.pseudonym


@admin.register(models.Exclusion)
class ExclusionAdmin(ReadOnly):
    """Exclusions."""

    list_display = ("unit", "annotator", "rule", "rule_version", "reason", "author", "at")
    list_filter = ("study", "unit", "rule")
    list_select_related = ("annotator",)


@admin.register(models.AuditEvent)
class AuditEventAdmin(ReadOnly):
    """The log."""

    list_display = ("number", "at", "study", "verb", "author", "told")
    list_filter = ("study", "verb")
    list_select_related = ("detail",)
