"""A whole study, simulated: wave after wave, with quality control and top-ups between."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import connection

from annotation.errors import StateForbids
from annotation.models import Annotator, Study
from annotation.selectors.progress import study_progress
from annotation.selectors.studies import study_definition
from annotation.services.claims import OPEN_ENDED, slots_release_expired
from annotation.services.exclusions import exclusions_apply
from annotation.services.top_up import top_up
from annotation.simulation.in_process import person_plays
from annotation.simulation.over_http import person_browses
from annotation.simulation.population import Person, Population, drawn
from annotation.simulation.standings import standings
from annotation.simulation.tally import Tally

GAP = timedelta(minutes=2)
BROWSERS = 4


def simulate(
    study: Study,
    population: Population,
    *,
    annotators: int,
    until_complete: bool,
    site: str | None,
    author: str,
    now: datetime,
    among_people: bool = False,
) -> Tally:
    """Send people in, at most `annotators` of them; stop when nothing is left to judge.

    A study that real people have entered is refused, unless that is meant.
    """
    if not among_people and Annotator.objects.filter(study=study, simulated=False).exists():
        raise StateForbids(
            f"Real people have entered {study.slug}; invented judgments would stand among theirs. "
            "Simulate a copy under another slug, or say --among-people."
        )
    tally = Tally()
    first = Annotator.objects.filter(study=study).count()
    limit = study_definition(study).recruitment.time_limit_minutes
    lease = OPEN_ENDED if limit is None else timedelta(minutes=limit)
    # On the people's own clock everything lies in the past, the last lease included.
    start = now - (annotators + 1) * GAP - 2 * lease
    known = standings(study, population.follows) if population.follows else {}
    sent = 0
    for wave in _waves(study, annotators, until_complete=until_complete):
        drawn_now = (drawn(population, first + sent + n) for n in range(wave))
        people = [replace(person, known=known) for person in drawn_now]
        if site:
            _browse(study, people, tally, site)
        else:
            for n, person in enumerate(people):
                person_plays(study, person, tally, start=start + (sent + n) * GAP)
        sent += wave
        if not site:
            slots_release_expired(study, now=now)
        if until_complete:
            exclusions_apply(study, author=author, now=now)
            top_up(study, author=author, now=now)
    return tally


def _waves(study: Study, annotators: int, *, until_complete: bool) -> Iterator[int]:
    """Yield how many people come next: all at once, or as many as are still needed."""
    if not until_complete:
        yield annotators
        return
    left = annotators
    while left > 0:
        wanted = min(left, study_progress(study).needed_annotators)
        if wanted == 0:
            return
        left -= wanted
        yield wanted


def _browse(study: Study, people: list[Person], tally: Tally, site: str) -> None:
    def browse(person: Person) -> None:
        try:
            person_browses(study, person, tally, site=site)
        finally:
            connection.close()

    with ThreadPoolExecutor(BROWSERS) as browsers:
        for result in [browsers.submit(browse, person) for person in people]:
            result.result()
