"""study_launch SLUG: lock the plan and let annotators in (`--pilot`: let them in first to try)."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.conf import settings
from django.urls import reverse

from annotation.management.study_command import Document, StudyCommand
from annotation.selectors.studies import study_named
from annotation.services.study_states import study_launch, study_pilot


class Command(StudyCommand):
    help = "Lock the analysis plan and open the study; --pilot opens it without locking."

    def declare(self, parser: ArgumentParser) -> None:
        super().declare(parser)
        parser.add_argument("--pilot", action="store_true", help="answers will never be analysed")
        parser.add_argument(
            "--site", default=settings.SITE_URL, help="where people reach the site; for the link"
        )

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        study = study_named(options["slug"])
        link = options["site"] + reverse("entry", args=[study.slug])
        if options["pilot"]:
            study = study_pilot(study, author=author, now=now)
            return {"study": study.slug, "state": study.state, "link": link}
        lock = study_launch(study, author=author, now=now)
        return {"study": study.slug, "state": "live", "plan_sha256": lock.sha256, "link": link}
