"""DATABASE_URL → Django's settings of one database."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

# Immediate transactions take SQLite's write lock at BEGIN, so a writer waits its turn instead of
# failing with "database is locked" when a reader turns into a writer half way.
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 30,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
        "PRAGMA cache_size=-65536; PRAGMA secure_delete=ON; PRAGMA mmap_size=268435456;"
    ),
}


def database_from_url(url: str) -> dict[str, Any]:
    """Return the settings for `sqlite:////path/file.sqlite3` or `postgres://user@host:port/name`."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        path = unquote(parts.path)
        name = path[1:] if path.startswith("//") else path
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": name, "OPTIONS": SQLITE_OPTIONS}
    if parts.scheme in {"postgres", "postgresql"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(parts.port or ""),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": dict(parse_qsl(parts.query)),
        }
    message = f"DATABASE_URL must begin with sqlite:// or postgres://; it begins {parts.scheme!r}."
    raise ImproperlyConfigured(message)
