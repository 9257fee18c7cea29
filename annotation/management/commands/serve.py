"""serve: the web server and a worker beside it, ready in one command."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from annotation.management.database import ready_database
from annotation.management.numbers import whole
from annotation.management.supervisor import (
    Child,
    stopped_by_signals,
    supervise,
    worker_child,
)
from annotation.management.web_server import require_free, server_arguments


class Command(BaseCommand):
    help = "Bring the database and the static files up to date; serve the pages and do the runs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default="127.0.0.1:8000", help="address:port")
        parser.add_argument(
            "--workers", type=whole(1), default=2, help="processes that serve pages"
        )
        parser.add_argument(
            "--no-work", action="store_true", help="pages alone; background runs are done elsewhere"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        require_free(options["bind"])
        stop = stopped_by_signals()
        ready_database(upgrade=True)
        call_command("collectstatic", interactive=False, verbosity=0)
        self._say(f"Serving on http://{options['bind']}/  (Ctrl-C ends it)")
        web = Child("web server", server_arguments(options["bind"], workers=options["workers"]))
        elsewhere = options["no_work"] or settings.CELERY_BROKER_URL
        worker = [] if elsewhere else [worker_child(settings.BASE_DIR / "manage.py")]
        status = supervise([web, *worker], stop, self._say)
        if status:
            sys.exit(1)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
