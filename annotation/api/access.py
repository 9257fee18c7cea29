"""Who may use the API, and which study an address means."""

from typing import Any, cast

from django.http import Http404
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from annotation.models import ApiToken, Study
from annotation.selectors.tokens import studies_of, token_with
from annotation.services.tokens import token_digest

SCHEME = b"bearer"


class TokenUser:
    """The program behind a token, as the framework wants to see a user."""

    is_authenticated = True
    is_active = True

    def __init__(self, token: ApiToken) -> None:
        self.token = token

    def __str__(self) -> str:
        return f"token:{self.token.prefix}"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer SECRET`; no cookie is looked at, so that nothing can be forged."""

    def authenticate(self, request: Request) -> tuple[TokenUser, ApiToken] | None:
        """Return whose secret it is; refuse one that is nobody's."""
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != SCHEME:
            return None
        secret = words[1].decode("latin-1") if len(words) == len(("scheme", "secret")) else ""
        token = token_with(token_digest(secret))
        if token is None:
            raise AuthenticationFailed("The token is unknown or revoked.")
        return TokenUser(token), token

    def authenticate_header(self, request: Request) -> str:
        """Return what a program without a token is told to bring."""
        del request
        return "Bearer"


class HasToken(BasePermission):
    """Whoever has a token that stands; which studies it opens, `study_of` says."""

    message = "Bring a token: Authorization: Bearer SECRET."

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether there is a token."""
        del view
        return isinstance(request.auth, ApiToken)


class TokenThrottle(SimpleRateThrottle):
    """So many requests a minute by one token, counted in each web process by itself."""

    scope = "token"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """Return what is counted together; without a token, the address."""
        del view
        who = request.auth.pk if isinstance(request.auth, ApiToken) else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI document describes the token."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme."""
        del auto_schema
        return {"type": "http", "scheme": "bearer"}


def token_of(request: Request) -> ApiToken:
    """Return the token of a request that the permission let in."""
    return cast("ApiToken", request.auth)


def study_of(request: Request, slug: str) -> Study:
    """Return the study of an address; one that the token does not open is not there."""
    study = studies_of(token_of(request)).filter(slug=slug).first()
    if study is None:
        raise Http404(f"This token opens no study called {slug!r}.")
    return study
