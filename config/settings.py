"""All settings, read from the environment; `docs/reference/settings.md` lists the variables."""

import os
import secrets
import sys
from datetime import timedelta
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.database import database_from_url

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("PARALLAX_VAR", BASE_DIR / "var"))
TESTING = "pytest" in sys.modules


def flag(name: str, *, default: bool) -> bool:
    """Read a yes/no variable; anything but the listed words is an error, never a silent True."""
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    raw = os.environ.get(name, "").strip().lower()
    if not raw:
        return default
    if raw not in words:
        message = f"{name} must be one of {', '.join(words)}; it is {raw!r}."
        raise ImproperlyConfigured(message)
    return words[raw]


def kept_secret(name: str, file_name: str) -> str:
    """Take a secret from the environment, or make one once and keep it readable by us alone."""
    if value := os.environ.get(name):
        return value
    path = VAR_DIR / file_name
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(48))
    return path.read_text().strip()


DEBUG = flag("DEBUG", default=False)
SECRET_KEY = kept_secret("SECRET_KEY", "secret_key")
# Encrypts platform ids and keys their look-up hash; apart from SECRET_KEY so that either can rotate.
IDENTITY_KEY = kept_secret("IDENTITY_KEY", "identity_key")
# Keys the chain of the log; it must stay what it is, and out of the database.
AUDIT_KEY = kept_secret("AUDIT_KEY", "audit_key")
# Where the archives lie that were made from the page of a release; never served but to staff.
RELEASES_DIR = Path(os.environ.get("RELEASES_DIR", VAR_DIR / "releases"))
# Texts and their translations: what a translation scores, for the pages of pairs of traces.
PARALLEL_TEXTS = Path(
    os.environ.get("PARALLEL_TEXTS", BASE_DIR / "fixtures" / "trace" / "parallel.csv")
)
ALLOWED_HOSTS = os.environ.get("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]").split(",")
CSRF_TRUSTED_ORIGINS = [x for x in os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(",") if x]
# Where the site is reached from outside; printed by commands and used for links.
SITE_URL = os.environ.get("SITE_URL", "http://127.0.0.1:8000").rstrip("/")
HTTPS = flag("HTTPS", default=SITE_URL.startswith("https://"))

INSTALLED_APPS = [
    "annotation.apps.AnnotationConfig",
    "analysis.apps.AnalysisConfig",
    "django_linear_migrations",
    "rest_framework",
    "drf_spectacular",
    "whitenoise.runserver_nostatic",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASE_URL = os.environ.get("DATABASE_URL") or f"sqlite:///{VAR_DIR / 'parallax.sqlite3'}"
DATABASES = {"default": database_from_url(DATABASE_URL)}
if TESTING:
    # A file, since tests with several connections need one; of this process alone, since several
    # runs may share a machine.
    name = f"test_parallax_{os.getpid()}"
    sqlite = DATABASES["default"]["ENGINE"].endswith("sqlite3")
    DATABASES["default"]["TEST"] = {"NAME": f"{VAR_DIR / name}.sqlite3" if sqlite else name}
# Where background runs are handed to Celery instead of `work`; empty: the database is the queue.
CELERY_BROKER_URL = os.environ.get("CELERY_BROKER_URL", "")
# After so long without a word a worker is taken for dead, and another does what it had.
RUN_SILENT_FOR = timedelta(seconds=float(os.environ.get("RUN_SILENT_SECONDS", "60")))
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "studies"
LOGOUT_REDIRECT_URL = "login"

LANGUAGE_CODE = "en"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = TESTING or DEBUG
# Else every test client would first walk through all static files.
WHITENOISE_AUTOREFRESH = TESTING or DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": (
            "django.contrib.staticfiles.storage.StaticFilesStorage"
            if TESTING or DEBUG
            else "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
# Nothing goes to other sites; "no-referrer" would also blank the Origin that the CSRF check reads.
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
if HTTPS:
    SECURE_SSL_REDIRECT = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["annotation.api.access.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["annotation.api.access.HasToken"],
    "DEFAULT_THROTTLE_CLASSES": ["annotation.api.access.TokenThrottle"],
    # The suite sends more than any program would.
    "DEFAULT_THROTTLE_RATES": {"token": None if TESTING else "1200/min"},
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Parallax",
    "DESCRIPTION": "Studies, judgments by pseudonym, and analyses, for programs with a token.",
    "VERSION": "1",
    "SERVE_PERMISSIONS": ["annotation.api.access.HasToken"],
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "StudyState": "annotation.models.Study.State",
        "RunState": "analysis.models.AnalysisRun.State",
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {"links_hidden": {"()": "config.redaction.LinksHidden"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "plain",
            "filters": ["links_hidden"],
        }
    },
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL", "INFO")},
}
