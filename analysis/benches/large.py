"""A study with very many judgments, written straight into the tables of a scratch database."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.models import Max
from numpy.typing import NDArray
from scipy.special import expit

from analysis.benches.scratch import STUDY
from annotation.models import (
    Annotator,
    Answer,
    Assignment,
    Claim,
    Consent,
    Form,
    Item,
    Slot,
    Study,
)
from annotation.services.study_import import study_import
from annotation.services.study_states import study_launch
from annotation.studyfile import read_study
from annotation.studyfile.definition import StudyDefinition, TaskDefinition

FORM, REPLICATION, AT_ONCE = 10, 10, 20_000
# One item in ten is a comparison, as in the study that this one enlarges.
COMPARED = 10
CHECK_AFTER = 6
MODELS = 6
LABELS = ("correct", "partial_or_omission", "unsupported_addition", "contradiction")
Row = tuple[Any, ...]


def large_study(
    judgments: int, *, slug: str, now: datetime, replication: int = REPLICATION, seed: int = 1
) -> Study:
    """Launch the answer-quality study with few items, and add items and judgments to it.

    A service writes one judgment at a time; a million of them would take hours. Everyone judges
    ten items and passes a check; nobody is left out but who is too fast.
    """
    few = _cut(read_study(STUDY), slug)
    study = study_import(few, author="bench", now=now).study
    study_launch(study, author="bench", now=now)
    plan = _Plan(study, few, judgments // replication // FORM * FORM, replication, now, seed)
    with transaction.atomic():
        for table, rows in plan.tables():
            insert_rows(table, rows)
            _count_on(table)
    study.refresh_from_db()
    return study


def _cut(whole: StudyDefinition, slug: str) -> StudyDefinition:
    """Return the study with a form's share of items, each with its own article."""
    tasks = []
    for task, count in zip(whole.tasks, (FORM - 1, 1), strict=True):
        articles: dict[str, Any] = {}
        for item in task.items:
            articles.setdefault(str(item.fields["article"]), item)
        tasks.append(replace(task, items=tuple(articles.values())[-count:]))
    return replace(whole, slug=slug, tasks=tuple(tasks))


@dataclass
class _Plan:
    """All that is written: who judges what, and how good each item is."""

    study: Study
    definition: StudyDefinition
    items: int
    replication: int
    now: datetime
    seed: int

    def __post_init__(self) -> None:
        """Draw the quality of every item, and number the rows after those that are there."""
        self.rng = np.random.default_rng(self.seed)
        self.quality = self.rng.normal(0, 1, self.items)
        self.people = self.items * self.replication // FORM
        counted = (Item, Annotator, Consent, Form, Claim, Slot, Assignment)
        self.first = {m: 1 + (m.objects.aggregate(n=Max("pk"))["n"] or 0) for m in counted}
        self.versions = {one.task: one.pk for one in self.study.instruments.all()}
        self.single, self.pair = self.definition.tasks

    def tables(self) -> Iterator[tuple[type[models.Model], Iterable[Row]]]:
        """Yield every table with its rows, each after what it refers to."""
        yield Item, self._items()
        yield Annotator, (self._annotator(n) for n in range(self.people))
        yield Consent, ((self.first[Consent] + n, self.first[Annotator] + n, True, "", "en", self.now) for n in range(self.people))  # fmt: skip
        seq = self.study.forms.aggregate(n=Max("seq"))["n"] + 1
        yield Form, ((self.first[Form] + n, self.study.pk, seq + n, "done", False) for n in range(self.people))  # fmt: skip
        yield Claim, (self._claim(n) for n in range(self.people))
        yield Slot, (self._slot(n) for n in range(self.people * FORM))
        yield Assignment, self._screens()
        yield Answer, self._answers()

    def task(self, item: int) -> TaskDefinition:
        """Return the task of an item, of those that are added."""
        return self.pair if item % COMPARED == COMPARED - 1 else self.single

    def _items(self) -> Iterator[Row]:
        noise = self.rng.normal(0, 1, (2, self.items))
        score = np.round(expit(self.quality + noise[0]), 4)
        label = np.clip(np.rint(1 - self.quality), 0, len(LABELS) - 1).astype(int)
        other = np.where(noise[1] > 1, (label + 1) % len(LABELS), label)
        for n in range(self.items):
            task = self.task(n)
            fields = dict(task.items[n % len(task.items)].fields)
            added = {
                "token_f1": float(score[n]),
                "joshi_class": n % MODELS,
                "model": f"model-{n % MODELS}",
                "judge_a": LABELS[label[n]],
                "judge_b": LABELS[other[n]],
            }
            fields |= {name: value for name, value in added.items() if name in fields}
            yield (
                self.first[Item] + n, self.study.pk, f"{n:07}", task.key, json.dumps(fields), None,
                "[]", False, "{}", "",
            )  # fmt: skip

    def _annotator(self, n: int) -> Row:
        name = f"{self.study.slug[:6]}{n:09}"
        return (
            self.first[Annotator] + n, self.study.pk, name, name, "completed", "pending", False,
            True, name, self.now, self.now,
        )  # fmt: skip

    def _claim(self, n: int) -> Row:
        keys = (self.first[model] + n for model in (Claim, Form, Annotator, Consent))
        return (*keys, "submitted", n, self.now, self.now, self.now + timedelta(minutes=10))

    def _slot(self, n: int) -> Row:
        item, replicate = n % self.items, n // self.items + 1
        key, of_item, form = self.first[Slot], self.first[Item] + item, self.first[Form] + n // FORM
        return key + n, of_item, replicate, self.replication, form, n % FORM + 1, n % 2 == 1

    def _screens(self) -> Iterator[Row]:
        """Yield the screens of slots, then one check of everyone."""
        shown = ('{"order": [1, 2], "asked": []}', '{"order": [2, 1], "asked": []}')
        alone = '{"order": [1], "asked": []}'
        first, slots = self.first[Assignment], self.people * FORM
        for n in range(slots + self.people):
            judged = n < slots
            who = n // FORM if judged else n - slots
            item = n % self.items if judged else who * FORM % self.items
            pair = judged and self.task(item) is self.pair
            place = n % FORM + 1 if judged else CHECK_AFTER + 1
            yield (
                first + n, self.first[Claim] + who, self.first[Annotator] + who,
                "judge" if judged else "check", self.first[Slot] + n if judged else None,
                self.first[Item] + item, place + (judged and place > CHECK_AFTER),
                None if judged else 0, shown[n % 2] if pair else alone, True, False, self.now,
            )  # fmt: skip

    def _answers(self) -> Iterator[Row]:
        first, slots = self.first[Assignment], self.people * FORM
        for start in range(0, slots, AT_ONCE):
            place = np.arange(start, min(start + AT_ONCE, slots))
            texts = self._texts(place % self.items)
            seconds = np.round(self.rng.lognormal(3.2, 0.5, len(place)), 3)
            for n, text, took in zip(place.tolist(), texts, seconds.tolist(), strict=True):
                task = self.task(n % self.items).key
                at = self.now + timedelta(seconds=n % 36_000)
                yield first + n, self.versions[task], text, False, at, took, took
        check = json.dumps({self.definition.attention[0].dimension: "2"})
        for n in range(self.people):
            yield (
                first + slots + n,
                self.versions[self.single.key],
                check,
                False,
                self.now,
                9.0,
                9.0,
            )

    def _texts(self, item: NDArray[np.int64]) -> Sequence[str]:
        """Return what people answer, as stored: what an item deserves, as they see it."""
        seen = self.quality[item] + self.rng.normal(0, 0.8, (4, len(item)))
        kinds = expit(seen) * np.array([[5], [3], [3], [4]])
        steps = np.minimum(kinds.astype(np.int64), [[4], [2], [2], [3]])
        facts = self.rng.integers(0, 8, len(item)) & np.where(seen[0] > 0, 7, 3)
        pair = item % COMPARED == COMPARED - 1
        codes = np.vstack([pair, steps, facts]).T
        distinct, place = np.unique(codes, axis=0, return_inverse=True)
        texts = [json.dumps(_values(*row)) for row in distinct.tolist()]
        return [texts[n] for n in place.ravel().tolist()]


def _values(pair: int, adequacy: int, same: int, support: int, error: int, facts: int) -> Any:
    """Return one answer, in the terms in which it is stored."""
    if pair:
        choice = ("response_1", "no_difference", "response_2", "response_2")[error]
        return {"choice": choice, "confidence": str(same + 1)}
    return {
        "question_valid": "valid",
        "adequacy": str(adequacy + 1),
        "equivalence": ("different", "partly", "same")[same],
        "attribution": ("unsupported", "partly", "supported")[support],
        "facts_recalled": [str(n + 1) for n in range(3) if facts >> n & 1],
        "error_category": LABELS[::-1][error],
    }


def _count_on(table: type[models.Model]) -> None:
    """Let the database number the next row after those that came with their numbers."""
    with connection.cursor() as cursor:
        for command in connection.ops.sequence_reset_sql(no_style(), [table]):
            cursor.execute(command)


def insert_rows(table: type[models.Model], rows: Iterable[Row]) -> None:
    """Write rows straight into a table, some at a time, each with all columns in order."""
    quote = connection.ops.quote_name
    about = table._meta  # noqa: SLF001  Django's own name for what is public of it
    columns = [str(field.column) for field in about.concrete_fields]
    marks = ", ".join(["%s"] * len(columns))
    into = f"{quote(about.db_table)} ({', '.join(map(quote, columns))})"
    batch: list[Row] = []
    with connection.cursor() as cursor:
        for row in rows:
            batch.append(row)
            if len(batch) == AT_ONCE:
                cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", batch)  # noqa: S608  names of columns
                batch = []
        cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", batch)  # noqa: S608  names of columns
