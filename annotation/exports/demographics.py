"""What people said about themselves, as coarsely as it may leave, and the check of it on the files."""

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from annotation.exports.columns import Column, Row, Table, options
from annotation.exports.kanonymity import Anonymised, K, Person, anonymised, uniform
from annotation.exports.people import ANNOTATOR, TO_ANNOTATORS, People, ends
from annotation.models import Demographics, Study
from annotation.selectors.studies import study_definition
from annotation.studyfile.definition import Demographic

NAME: Final = "demographics"
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
        )


def described(study: Study, people: People) -> Described:
    """Return what leaves of what the people of a release said."""
    questions = study_definition(study).recruitment.demographics
    answers = dict(
        Demographics.objects.filter(annotator__study=study).values_list("annotator", "answers")
    )
    ended = ends(study)
    persons = {
        name: Person(
            tuple(answers.get(pk, {}).get(q.key, "") for q in questions), ended.get(pk, "")
        )
        for pk, name in people.names.items()
    }
    return Described(questions, anonymised(persons, questions))


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

    Whether they came to the end counts too, and every table that names people is joined. None where
    nothing is said.
    """
    said: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
    for table in tables:
        columns = [c.name for c in table.columns if _tells_of_person(c)]
        if columns and ANNOTATOR in table.columns:
            for row in _rows(folder / f"{table.name}.csv"):
                said[row["annotator"]].update((table.name, c, row[c]) for c in columns)
    groups: dict[frozenset[tuple[str, str, str]], int] = defaultdict(int)
    for cells in said.values():
        groups[frozenset(cells)] += 1
    telling = [n for cells, n in groups.items() if any(t == NAME and v for t, _, v in cells)]
    return min(telling, default=None)


def _tells_of_person(column: Column) -> bool:
    return bool({"Demographics.answers", "Annotator.state"}.intersection(column.sources))


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
