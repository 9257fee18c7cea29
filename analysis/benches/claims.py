"""How many forms are claimed in a second when many people begin at once, and how long one waits."""

import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import numpy as np
from django.db import connection
from django.utils import timezone

from analysis.benches.measure import Row
from analysis.benches.scratch import demo_study, scratch_database
from annotation.models import Annotator, Study
from annotation.services.claims import form_claim
from annotation.services.sessions import consent_give, screening_record, session_start

# How many claim at once, and how many claims are timed; together no more forms than there are.
ROUNDS = {1: 40, 8: 60, 64: 100}


def rows() -> list[Row]:
    """Claim the forms of the demo study, by one person after the other and by many at once."""
    with scratch_database():
        study = demo_study(timezone.now())
        return [_row(study, threads, claims) for threads, claims in ROUNDS.items()]


def _row(study: Study, threads: int, claims: int) -> Row:
    people = [_person(study, f"{threads}-{n}", timezone.now()) for n in range(claims)]
    cpu, wall = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        shares = [people[first::threads] for first in range(threads)]
        waits = [wait for done in pool.map(_claims, shares) for wait in done]
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    p50, p99 = np.quantile(waits, (0.5, 0.99)) * 1_000
    return Row(
        name=(
            f"claim {len(people)} forms on {connection.vendor}, {threads} at once: "
            f"{len(people) / wall:.0f} claims/s, p50 {p50:.0f} ms, p99 {p99:.0f} ms"
        ),
        n=len(people),
        cpu_seconds=cpu,
        wall_seconds=wall,
        per={"claim": cpu / len(people)},
    )


def _person(study: Study, name: str, now: datetime) -> Annotator:
    person = session_start(study, None, entry_token=f"bench-{name}", now=now)
    consent_give(person, given=True, language="en", now=now)
    screening_record(person, {"native_english": "yes"}, now=now)
    return person


def _claims(people: Sequence[Annotator]) -> list[float]:
    """Return the seconds that each of the people, who come one after the other, waits for a form."""
    connection.ensure_connection()
    waits = []
    for person in people:
        began = time.perf_counter()
        form_claim(person, now=person.arrived_at, rng=random.Random(person.pk))  # noqa: S311  repeatable
        waits.append(time.perf_counter() - began)
    connection.close()
    return waits
