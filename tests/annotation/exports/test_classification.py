"""Every stored column has a class; one without does not leave."""

import pytest
from django.apps import apps

from annotation.exports import classification
from annotation.exports.classification import CLASSES, Kind, kept_back
from annotation.exports.columns import Column, Table


def stored_columns():
    """Return every column of the database, those of Django's own tables too."""
    return {
        f"{model.__name__}.{field.name}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
    }


def test_every_stored_column_has_a_class():
    missing = stored_columns() - CLASSES.keys()
    assert not missing, f"classify in annotation/exports/classification.py: {sorted(missing)}"


def test_no_class_is_left_of_a_column_that_is_gone():
    assert CLASSES.keys() - stored_columns() == set()


def test_no_column_stands_in_two_classes():
    lists = [
        text.split()
        for name, text in vars(classification).items()
        if name.startswith("_") and name[1:].lower() in set(Kind) and isinstance(text, str)
    ]
    assert len(lists) == len(Kind)
    assert sum(map(len, lists)) == len(CLASSES)


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("Annotator.access_key", Kind.IDENTIFIER),
        ("PlatformIdentity.ciphertext", Kind.IDENTIFIER),
        ("Annotator.arrived_at", Kind.QUASI_IDENTIFIER),
        ("Answer.values", Kind.FREE_TEXT),
        ("Form.seq", Kind.INTERNAL),
        ("User.email", Kind.IDENTIFIER),
        ("AnalysisRun.result", Kind.INTERNAL),
        ("Item.fields", Kind.PUBLIC),
    ],
)
def test_what_matters_most_is_what_it_is(column, kind):
    assert CLASSES[column] is kind
    assert (column in kept_back()) is (kind is not Kind.PUBLIC)


def column(*sources, made=""):
    return Column("x", "text", "A column.", sources, made=made)


def test_a_column_leaves_when_all_its_sources_are_public():
    assert column("Item.key", "Item.task").leaves()
    assert not column("Item.key", "Annotator.access_key").leaves()


def test_a_source_that_is_not_public_leaves_only_changed():
    assert not column("Answer.submitted_at").leaves()
    assert column("Answer.submitted_at", made="the month only").leaves()


def test_what_nobody_classified_does_not_leave_however_it_was_changed():
    assert not column("Annotator.shoe_size").leaves()
    assert not column("Annotator.shoe_size", made="rounded").leaves()
    assert not column(made="out of thin air").leaves()


def test_a_table_names_what_it_leaves_behind():
    table = Table("people", "People.", (column("Item.key"), column("Draft.posted")))
    assert len(table.columns) == 1
    assert table.left_behind() == ["people.x"]
