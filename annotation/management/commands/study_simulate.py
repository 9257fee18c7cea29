"""study_simulate SLUG: annotators who were never born, through the services or the real pages."""

import time
from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.conf import settings

from annotation.errors import StateForbids
from annotation.management.numbers import decimal, share, whole
from annotation.management.study_command import Document, StudyCommand
from annotation.models import Study
from annotation.selectors.studies import study_named
from annotation.services.audit import audit_record
from annotation.simulation.over_http import site_check
from annotation.simulation.population import Population
from annotation.simulation.scenario import SCENARIOS, scenario_plays
from annotation.simulation.study import simulate
from annotation.simulation.tally import Tally

SPREAD, SECONDS = decimal(0), decimal(0, above=True)
OPTIONS = {
    "ability": (share, "mean ability, 0 (guesses) to 1 (never wrong)"),
    "ability_sd": (SPREAD, "spread of ability over people"),
    "leniency_sd": (SPREAD, "spread of leniency over people, in scale points"),
    "careless": (share, "share who answer without reading, and fail attention checks"),
    "abandon": (share, "share who leave in the middle"),
    "return_share": (share, "of those, the share who say so; the others vanish and time out"),
    "declines": (share, "share who do not consent"),
    "ineligible": (share, "share who are screened out"),
    "seconds": (SECONDS, "median seconds for an item"),
}


class Command(StudyCommand):
    help = "Send simulated annotators through a study that is open."

    def declare(self, parser: ArgumentParser) -> None:
        super().declare(parser)
        defaults = Population()
        parser.add_argument(
            "--annotators", type=whole(1), default=50, help="how many arrive, at most"
        )
        parser.add_argument("--seed", type=int, default=defaults.seed)
        for name, (kind, text) in OPTIONS.items():
            option = f"--{name.replace('_', '-')}"
            parser.add_argument(option, type=kind, default=getattr(defaults, name), help=text)
        parser.add_argument(
            "--follows",
            default=defaults.follows,
            metavar="FIELD",
            help="the hidden number of an item that people judge by; by default what is planted in "
            "it, or its texts",
        )
        parser.add_argument(
            "--until-complete",
            action="store_true",
            help="apply the quality rules and top up between waves, until every item is judged",
        )
        parser.add_argument(
            "--among-people",
            action="store_true",
            help="although real people have entered the study",
        )
        parser.add_argument(
            "--http",
            nargs="?",
            const=settings.SITE_URL,
            help="through the pages of the server at this address, instead of the services",
        )
        parser.add_argument(
            "--scenario",
            choices=sorted(SCENARIOS),
            help="play a script through an untouched study; `paper` makes the funnel of the first "
            "paper out of answer-quality. Only --seed counts beside it",
        )

    def run(self, *, now: datetime, author: str, **options: Any) -> Document:
        study = study_named(options["slug"])
        if not study.open_to_annotators:
            raise StateForbids(f"{study.slug} is {study.state}; study_launch opens it.")
        began = time.monotonic()
        tally = _played(study, options, author=author, now=now)
        data = {"arrived": tally.counts["arrived"], "seed": options["seed"]}
        audit_record("study_simulate", study=study.slug, author=author, now=now, data=data)
        return tally.as_dict() | {"seconds": round(time.monotonic() - began, 1)}


def _played(study: Study, options: dict[str, Any], *, author: str, now: datetime) -> Tally:
    if options["scenario"]:
        return scenario_plays(study, options["scenario"], seed=options["seed"], now=now)
    if options["http"] is not None:
        site_check(study, options["http"])
    population = Population(
        seed=options["seed"],
        follows=options["follows"],
        **{name: options[name] for name in OPTIONS},
    )
    return simulate(
        study,
        population,
        annotators=options["annotators"],
        until_complete=options["until_complete"],
        site=options["http"],
        among_people=options["among_people"],
        author=author,
        now=now,
    )
