"""What people said about themselves, as coarsely as it may leave, and the check of it on the files."""

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from annotation.exports.cells import plain
from annotation.exports.columns import Column, Row, Table, options
from annotation.exports.kanonymity import Anonymised, K, Person, anonymised, uniform
from annotation.exports.people import ANNOTATOR, TO_ANNOTATORS, People
from annotation.models import Demographics, Study
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import Demographic

NAME: Final = "demographics"
# What is told of a person: rows, each with its table. Cells by themselves would not do: which rule was
# taken back is told by the row.
Told = frozenset[tuple[str, tuple[str, ...]]]
NOT_ASKED: Final = (
    "Nothing that people said about themselves leaves, so there is no cell of which to count the "
    "people."
)
TOO_FEW: Final = (
    f"No answer about the person was shared by {K} people, so every such cell was left empty."
)


@dataclass(frozen=True, slots=True)
class Described:
    """The people of a release with their cells."""

    questions: tuple[Demographic, ...]
    done: Anonymised

    @property
    def why_no_k(self) -> str:
        """Say why there is no smallest group of people; empty where there is one."""
        if not self.questions:
            return NOT_ASKED
        return "" if self.done.k else TOO_FEW

    def table(self) -> Table:
        """Return the table with the values that each column can have."""
        return Table(
            NAME,
            f"One row a person of annotators: what they said about themselves. A combination that "
            f"fewer than {K} people share is left empty.",
            (ANNOTATOR, *(self._column(n) for n in range(len(self.questions)))),
            key=("annotator",),
            refers=(TO_ANNOTATORS,),
        )

    def rows(self) -> Iterator[Row]:
        """Yield the people in the order of their names."""
        keys = [question.key for question in self.questions]
        for name, cells in sorted(self.done.cells.items()):
            yield {"annotator": name} | {
                key: cell or None for key, cell in zip(keys, cells, strict=True)
            }

    def as_dict(self) -> dict[str, Any]:
        """Return what was done, for the manifest: levels, emptied cells, answers given away."""
        return {
            question.key: {
                "level": self.done.levels[n],
                "emptied_cells": self.done.emptied[n],
                "groups_that_all_answered_alike": uniform(list(self.done.cells.values()), n)
                if question.sensitive
                else None,
            }
            for n, question in enumerate(self.questions)
        }

    def _column(self, number: int) -> Column:
        question, level = self.questions[number], self.done.levels[number]
        labels = question.labels(level)
        return Column(
            question.key,
            "text",
            question.ask,
            ("Demographics.answers",),
            level="ordinal" if question.kind == "number" else "nominal",
            values=options(**{label: label for label in labels}),
            missing=f"empty: not said, or shared by fewer than {K} people",
            made=f"made coarse (level {level}), rare combinations left empty",
            of_person=True,
        )


def declared_table(questions: tuple[Demographic, ...]) -> Table:
    """Return the table as it is before anybody answered, when nothing had to be made coarser."""
    finest = (0,) * len(questions)
    return Described(questions, Anonymised({}, finest, finest, None)).table()


def described(study: Study, people: People, beside: Mapping[str, Told]) -> Described:
    """Return what leaves of what the people of a release said; `beside` is what else is told of each."""
    questions = study_definition(study).recruitment.demographics
    answers = dict(
        Demographics.objects.filter(annotator__study=study).values_list("annotator", "answers")
    )
    persons = {
        name: Person(
            tuple(answers.get(pk, {}).get(q.key, "") for q in questions),
            json.dumps(sorted(beside.get(name, ()))),
        )
        for pk, name in people.names.items()
    }
    return Described(questions, anonymised(persons, questions))


def told_of_people(rows: Iterable[tuple[Table, Iterable[Row]]]) -> dict[str, Told]:
    """Return what some tables tell of each person as such, by name."""
    told: defaultdict[str, Told] = defaultdict(frozenset)
    # Most people share what is told of them; it is kept once.
    known: dict[Told, Told] = {}
    for table, some in rows:
        for row in some:
            found = told[str(row[ANNOTATOR.name])] | {told_of_person(table, row)}
            told[str(row[ANNOTATOR.name])] = known.setdefault(found, found)
    return dict(told)


def told_of_person(table: Table, row: Row) -> tuple[str, tuple[str, ...]]:
    """Return what a row tells of its person as such: its table, and its cells as CSV has them.

    The reason for which one answer was left out tells of that answer.
    """
    of_answer = {"reason"} if row.get("item_id") else set()
    cells = tuple(
        "" if column.name in of_answer else plain(row[column.name])
        for column in table.columns
        if column.of_person
    )
    return table.name, cells


def said_of_people(described: Described | None) -> dict[str, Any]:
    """Return what the manifest says of k, and what was done for it."""
    if described is None or not described.questions:
        return {"k": None, "k_reason": NOT_ASKED}
    return {
        "k": described.done.k,
        "k_reason": described.why_no_k,
        "demographics": described.as_dict(),
    }


def smallest_group(folder: Path, tables: Sequence[Table]) -> int | None:
    """Count from the finished files the fewest people who share all that is said of them.

    Every table that names people is joined: whether they came to the end, how much they did, and why
    they were left out count too. None where nothing is said.
    """
    naming = [table for table in tables if ANNOTATOR in table.columns]
    telling = [table for table in naming if any(column.of_person for column in table.columns)]
    said = told_of_people((table, _rows(folder / f"{table.name}.csv")) for table in telling)
    groups = Counter(said.values())
    return min(
        (n for rows, n in groups.items() if any(table == NAME and any(row) for table, row in rows)),
        default=None,
    )


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
