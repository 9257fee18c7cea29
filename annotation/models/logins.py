"""Log-ins that failed: counted to slow down who guesses, by all processes together."""

from django.db import models


class FailedLogin(models.Model):
    """One failure, under a keyed hash of the account's name or of the address it came from."""

    key = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["key", "at"], name="failed_login_by_key")]

    def __str__(self) -> str:
        return f"failed log-in at {self.at}"
