"""Each check can fail, and says what is wrong."""

import pytest

from annotation.exports import checks
from annotation.exports.columns import Column, Table
from annotation.exports.people import People
from annotation.quality.funnel import FunnelEnd
from tests import factories

END = FunnelEnd(annotators=2, judgments=3, items=2, items_2plus=1, records=6, decisive=0)
TABLE = Table("things", "Things.", (Column("a", "text", "A.", ("Item.key",)),))


def codebook(tmp_path, table, *told):
    """Write a table and a codebook that tells of some columns; return the check of them."""
    (tmp_path / "things.csv").write_text(table)
    lines = "".join(f"things,{column}\n" for column in told)
    (tmp_path / "codebook.csv").write_text("table,column\n" + lines)
    return checks.codebook_complete(tmp_path, [TABLE])


def test_a_codebook_that_tells_of_all_is_complete(tmp_path):
    assert codebook(tmp_path, "a,b\n", "a", "b").ok


@pytest.mark.parametrize(("table", "told"), [("a,b\n", "a"), ("a\n", "ab")])
def test_a_column_on_one_side_only_is_found(tmp_path, table, told):
    check = codebook(tmp_path, table, *told)
    assert not check.ok
    assert check.detail == "in one of the two only: things.b"


def sample(answers=3, records=6, items=("i", "j")):
    return checks.Sample(answers, records, items=set(items), annotators={"p1"})


@pytest.mark.django_db
def test_counts_that_differ_tell_what_to_do():
    study = factories.imported()
    assert checks.counts_agree(study, sample(), END).ok
    for wrong in (sample(answers=2), sample(records=5), sample(items="i")):
        check = checks.counts_agree(study, wrong, END)
        assert not check.ok
        assert "qc tiny --apply" in check.detail


@pytest.mark.django_db
def test_a_name_that_the_database_uses_or_two_people_share_is_found():
    study = factories.live()
    internal = factories.annotator(study).pseudonym
    assert checks.pseudonyms_new(study, People({1: "p1", 2: "p2"})).ok
    assert not checks.pseudonyms_new(study, People({1: "p1", 2: internal})).ok
    assert not checks.pseudonyms_new(study, People({1: "p1", 2: "p1"})).ok


def test_a_judge_who_is_not_listed_is_found():
    assert checks.annotators_listed(People({1: "p1"}), sample()).ok
    assert not checks.annotators_listed(People({1: "p2"}), sample()).ok


def test_a_plan_that_was_changed_is_found(tmp_path):
    (tmp_path / "plan.json").write_text("{}")
    empty = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    assert checks.plan_unchanged(tmp_path, empty).ok
    assert not checks.plan_unchanged(tmp_path, empty[::-1]).ok
