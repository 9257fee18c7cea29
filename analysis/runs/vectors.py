"""Where this machine keeps what it encoded: once for commands and workers, wherever they are started."""

from pathlib import Path

from django.conf import settings


def vectors_file() -> Path:
    """Return the file of the vectors."""
    return Path(settings.VAR_DIR) / "embeddings.sqlite3"
