"""work: the background worker that needs no broker."""

import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from analysis.runs.worker import work, work_once
from annotation.management.database import ready_database


class Command(BaseCommand):
    help = "Do queued analyses until stopped; run as many of these as there are processors."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="do what waits now, and end")

    def handle(self, *args: Any, **options: Any) -> None:
        ready_database()
        if options["once"]:
            while work_once():
                pass
            return
        stop = threading.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: stop.set())
        self.stdout.write("Working; Ctrl-C ends after the run in hand.")
        work(stop)
