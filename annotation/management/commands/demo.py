"""demo: studies that run, with people in them, and the links to look at them."""

import secrets
from argparse import ArgumentParser
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.urls import reverse
from django.utils import timezone

from annotation.management.database import ready_database
from annotation.management.numbers import decimal, whole
from annotation.management.study_command import author
from annotation.management.supervisor import (
    Child,
    end,
    stopped_by_signals,
    supervise,
    worker_child,
)
from annotation.management.web_server import LAST_PORT, free_port, start_server
from annotation.models import Annotator, Study
from annotation.services.staff import staff_account_set
from annotation.studyfile import read_study

STUDIES = settings.BASE_DIR / "fixtures" / "studies"
REAL_STUDY = settings.BASE_DIR.parent / "shared" / "data" / "squality"
# How many simulated people come to each study; the first keeps room for a visitor.
PEOPLE = {
    "answer-quality": 60,
    "trace-equivalence": 26,
    "translation-culture": 12,
    "squality": 4,
}
LOGIN = "demo"
MANY = decimal(0, above=True)


class Command(BaseCommand):
    help = "Load the demo studies, simulate their annotators over HTTP, and serve them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=whole(1, LAST_PORT), default=8000, help="the first port to try"
        )
        parser.add_argument("--people", type=MANY, default=1.0, help="times as many annotators")
        parser.add_argument("--leave", action="store_true", help="end when the links are printed")

    def handle(self, *args: Any, **options: Any) -> None:
        ready_database(upgrade=True)
        call_command("collectstatic", interactive=False, verbosity=0)
        port = free_port(options["port"])
        site = f"http://127.0.0.1:{port}"
        slugs = [self._load(folder, site) for folder in _folders()]
        web = Child("web server", (), process=start_server(port))
        try:
            for slug in slugs:
                self._people(slug, site, options["people"])
            self._links(slugs, site)
            if not options["leave"]:
                worker = worker_child(settings.BASE_DIR / "manage.py")
                supervise([web, worker], stopped_by_signals(), self._say)
        except KeyboardInterrupt:
            self.stdout.write("")
        finally:
            end([web])

    def _load(self, folder: Path, site: str) -> str:
        slug = read_study(folder).slug
        self._say(f"{slug}: importing {folder.name}")
        if not Study.objects.filter(slug=slug).exclude(state="draft").exists():
            call_command("study_import", str(folder), stdout=self.stdout)
            call_command("study_launch", slug, site=site, stdout=self.stdout)
        return slug

    def _people(self, slug: str, site: str, times: float) -> None:
        if Annotator.objects.filter(study__slug=slug).exists():
            self._say(f"{slug}: has its annotators already")
            return
        people = max(1, round(PEOPLE.get(slug, 10) * times))
        self._say(f"{slug}: {people} simulated annotators come through the pages of {site}")
        call_command(
            "study_simulate", slug, annotators=people, seed=7, http=site, stdout=self.stdout
        )
        call_command("qc", slug, apply=True, stdout=self.stdout)
        out = settings.VAR_DIR / "demo" / slug
        # What it tells of every file would bury the links that follow; README.md there says as much.
        call_command("study_release", slug, out=out, force=True, stdout=StringIO())
        self._say(f"{slug}: released to {out}")

    def _links(self, slugs: list[str], site: str) -> None:
        password = secrets.token_urlsafe(9)
        staff_account_set(LOGIN, password, author=author(), now=timezone.now())
        self._say("Everything runs. Open:")
        for slug in slugs:
            self.stdout.write(f"  judge     {site}{_entry(slug)}")
            self.stdout.write(f"  monitor   {site}{reverse('monitor', args=[slug])}")
            self.stdout.write(f"  table     {settings.VAR_DIR / 'demo' / slug / 'judgments.csv'}")
        self.stdout.write(f"  studies   {site}{reverse('studies')}")
        self.stdout.write(f"  log-in    {LOGIN} / {password}")
        self.stdout.write("Ctrl-C ends the server; what was made stays.")
        self.stdout.flush()

    def _say(self, line: str) -> None:
        self.stdout.write(self.style.MIGRATE_HEADING(line))
        self.stdout.flush()


def _folders() -> list[Path]:
    folders = sorted(path.parent for path in STUDIES.glob("*/study.yaml"))
    return folders + ([REAL_STUDY] if (REAL_STUDY / "study.yaml").exists() else [])


def _entry(slug: str) -> str:
    """Return a link that lets a visitor in, as the study's platform would make it."""
    study = Study.objects.get(slug=slug)
    visitor = secrets.token_hex(12)
    query = {
        "prolific": f"?PROLIFIC_PID={visitor}&STUDY_ID=demo&SESSION_ID={secrets.token_hex(12)}",
        "clickworker": f"?user_id={visitor}",
    }
    provider = study.document["recruitment"]["provider"]
    return reverse("entry", args=[slug]) + query.get(provider, "")
