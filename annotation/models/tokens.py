"""Keys of programs to the API, stored as digests only."""

from django.db import models
from django.db.models import Q

from annotation.models.studies import Study


class ApiToken(models.Model):
    """A key that lets a program read some studies and run analyses of them, until it is revoked."""

    name = models.CharField(max_length=80)
    # The first letters of the secret, by which people call it; the secret itself is nowhere.
    prefix = models.CharField(max_length=12, unique=True)
    sha256 = models.CharField(max_length=64, unique=True)
    studies = models.ManyToManyField(Study, related_name="api_tokens")
    author = models.CharField(max_length=150)
    created_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(sha256=""), name="api_token_has_a_digest"),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True) | Q(revoked_at__gte=models.F("created_at")),
                name="api_token_revoked_after_it_was_made",
            ),
        ]

    def __str__(self) -> str:
        return self.prefix
