"""A database beside the configured one, for benches that write."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection

from annotation.models import Study
from annotation.services.study_import import study_import
from annotation.services.study_states import study_launch
from annotation.studyfile import read_study

STUDY = Path(settings.BASE_DIR) / "fixtures" / "studies" / "answer-quality"


@contextmanager
def scratch_database() -> Iterator[None]:
    """Point this process at an empty database of the configured kind, and drop it afterwards."""
    usual = connection.settings_dict["NAME"]
    with TemporaryDirectory() as folder:
        name = f"bench_parallax_{secrets.token_hex(4)}"
        sqlite = connection.vendor == "sqlite"
        connection.settings_dict["TEST"]["NAME"] = f"{folder}/{name}.sqlite3" if sqlite else name
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        try:
            yield
        finally:
            connection.creation.destroy_test_db(usual, verbosity=0)


def demo_study(now: datetime) -> Study:
    """Import and launch the answer-quality study: 200 forms of 10 with a check."""
    study = study_import(read_study(STUDY), author="bench", now=now).study
    study_launch(study, author="bench", now=now)
    study.refresh_from_db()
    return study
