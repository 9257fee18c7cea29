"""serve: the web server, ready in one command."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from annotation.management.web_server import server_arguments


class Command(BaseCommand):
    help = "Bring the database and the static files up to date, and serve."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default="127.0.0.1:8000", help="address:port")
        parser.add_argument("--workers", type=int, default=2, help="processes")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        self.stdout.write(f"Serving on http://{options['bind']}/  (Ctrl-C ends it)")
        self.stdout.flush()
        arguments = server_arguments(options["bind"], workers=options["workers"])
        # The server takes this process's place, so that a signal reaches it.
        os.execv(sys.executable, arguments)  # noqa: S606  our own arguments, no shell
