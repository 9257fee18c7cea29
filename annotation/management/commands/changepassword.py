"""changepassword: Django's own, with the new password noted in the log."""

from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.utils import timezone

from annotation.management.database import ready_database
from annotation.management.study_command import author
from annotation.services.staff import accounts_record, passwords


class Command(changepassword.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, and log it; not in one transaction, for which others would wait while somebody types."""
        ready_database()
        before = passwords()
        super().handle(*args, **options)
        accounts_record(before, author=author(), now=timezone.now())
