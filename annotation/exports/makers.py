"""The tables of a release, a maker each, in the order in which they are made.

A maker writes its table or tables with `Making.add`; one more table is one more maker in MAKERS.
"""

from collections.abc import Callable, Iterator
from typing import Final

from annotation.exports.answers import ReleasedAnswers
from annotation.exports.columns import Row, Table
from annotation.exports.demographics import declared_table, described, told_of_people
from annotation.exports.item_values import ITEM_VALUES, item_value_rows
from annotation.exports.items import PASSAGES, ItemRows, passage_rows
from annotation.exports.making import WRITTEN, Making
from annotation.exports.people import ANNOTATORS, annotator_rows
from annotation.exports.quality import EXCLUSIONS, FUNNEL, ExclusionRows, funnel_rows
from annotation.exports.texts import TEXTS, text_rows
from annotation.exports.writers import Block
from annotation.models import Study
from annotation.selectors.studies import study_definition
from annotation.selectors.texts import text_counts, texts_reviewed, typed_texts

# A block holds the rows of so many.
ANSWERS_AT_ONCE: Final = 500
Maker = Callable[[Making], None]


def make_items(making: Making) -> None:
    """Write what was judged."""
    items = ItemRows(making.study)
    making.fields = items.fields()
    making.add(items.table(), items.rows())


def make_passages(making: Making) -> None:
    """Write the texts that items share."""
    making.add(PASSAGES, passage_rows(making.study))


def make_judgments(making: Making) -> None:
    """Write long, wide and preferences in one pass over the answers."""
    answers = ReleasedAnswers(making.study)
    making.together(answers.tables(), _counted(making, answers))


def make_item_values(making: Making) -> None:
    """Write how often each value was given, in place of all that names people."""
    making.add(ITEM_VALUES, _item_values(making, ReleasedAnswers(making.study)))


def make_annotators(making: Making) -> None:
    """Write who appears, when it is known who judged."""
    making.add(ANNOTATORS, annotator_rows(making.study, making.people, making.sample.annotators))


def make_demographics(making: Making) -> None:
    """Write what people said about themselves, where the study asked."""
    study, people = making.study, making.people
    if not study_definition(study).recruitment.demographics:
        return
    beside = told_of_people(
        [
            (ANNOTATORS, annotator_rows(study, people, making.sample.annotators)),
            (EXCLUSIONS, ExclusionRows(study, people).rows()),
        ]
    )
    making.described = described(study, people, beside)
    making.add(making.described.table(), making.described.rows())


def make_texts(making: Making) -> None:
    """Write the typed texts that somebody has read and let go, where the study lets them leave."""
    if texts_reviewed(making.study):
        texts = typed_texts(making.study)
        making.texts = text_counts(texts)
        making.add(TEXTS, text_rows(texts, making.people))


def make_exclusions(making: Making) -> None:
    """Write what was left out; what people wrote as a reason stays behind."""
    exclusions = ExclusionRows(making.study, making.people)
    making.add(EXCLUSIONS, exclusions.rows())
    making.redacted += exclusions.withheld


def make_funnel(making: Making) -> None:
    """Write the way from all who came to the analysis."""
    making.add(FUNNEL, funnel_rows(making.funnel))


MAKERS: Final[tuple[Maker, ...]] = (
    make_items,
    make_passages,
    make_judgments,
    make_annotators,
    make_demographics,
    make_texts,
    make_exclusions,
    make_funnel,
)

# Of a release that names nobody, not even by a name of its own.
MAKERS_BY_ITEM: Final[tuple[Maker, ...]] = (
    make_items,
    make_passages,
    make_item_values,
    make_funnel,
)


def declared_tables(study: Study) -> list[Table]:
    """Return every table that a release of the study would have, without reading a judgment."""
    judged = ReleasedAnswers(study).tables()
    questions = study_definition(study).recruitment.demographics
    about = [declared_table(questions)] if questions else []
    texts = [TEXTS] if texts_reviewed(study) else []
    people = [ANNOTATORS, *about, *texts]
    return [ItemRows(study).table(), PASSAGES, *judged, *people, EXCLUSIONS, FUNNEL]


def _item_values(making: Making, answers: ReleasedAnswers) -> Iterator[Row]:
    """Count the values of some items at a time, and tell how far the release is."""
    for found in answers.read(making.people):
        making.sample.count(found)
        yield from item_value_rows(found)
        making.progress(making.sample.answers, making.funnel.final.judgments, WRITTEN)


def _counted(making: Making, answers: ReleasedAnswers) -> Iterator[list[Block]]:
    """Count the answers as they pass, and tell how far the release is."""
    sample, total = making.sample, making.funnel.final.judgments
    for found in answers.read(making.people):
        for start in range(0, len(found), ANSWERS_AT_ONCE):
            some = found[start : start + ANSWERS_AT_ONCE]
            sample.count(some)
            yield answers.blocks(some)
        making.progress(sample.answers, total, WRITTEN)
