"""Tokens of the API, and what each may see."""

from django.db.models import QuerySet

from annotation.models import ApiToken, Study


def token_with(sha256: str) -> ApiToken | None:
    """Return the token of that digest, unless it was revoked."""
    return ApiToken.objects.filter(sha256=sha256, revoked_at__isnull=True).first()


def tokens() -> QuerySet[ApiToken]:
    """Return all tokens, revoked or not, the oldest first."""
    return ApiToken.objects.prefetch_related("studies").order_by("created_at", "pk")


def studies_of(token: ApiToken) -> QuerySet[Study]:
    """Return the studies that a token opens, by slug."""
    studies = Study.objects.filter(api_tokens=token).select_related("plan_lock")
    return studies.defer("document", "design").order_by("slug")
