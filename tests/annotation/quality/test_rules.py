"""Each rule: what it leaves out, at its bound and beside it, and in which words."""

import pytest

from annotation.quality.records import AnnotatorRecord, JudgedItem
from annotation.quality.rules import RULES, Verdict, rule_version, verdicts


def person(key: int, *judged: JudgedItem, failed: int = 0) -> AnnotatorRecord:
    return AnnotatorRecord(key, completed=True, failed_checks=failed, judged=judged)


def one(key: int, *, contradictions: int = 0, seconds: float | None = 30.0) -> JudgedItem:
    return JudgedItem(key, contradictions=contradictions, seconds=seconds)


def left_out(
    rule: str, exclude: str, people: list[AnnotatorRecord], **bound: float
) -> list[Verdict]:
    return verdicts(rule, exclude, bound, people)


def test_attention_leaves_out_who_failed_as_many_checks_as_exclude() -> None:
    people = [person(1, one(10), failed=1), person(2, one(20), failed=2), person(3, failed=3)]
    assert left_out("attention", "annotator", people, failed=2) == [
        Verdict(2, None, "failed 2 attention checks; 2 exclude"),
        Verdict(3, None, "failed 3 attention checks; 2 exclude"),
    ]


def test_attention_by_judgment_leaves_out_every_judgment_of_the_person() -> None:
    people = [person(1, one(10), one(11), failed=1), person(2, one(20))]
    reason = "failed 1 attention check; 1 excludes"
    assert left_out("attention", "judgment", people, failed=1) == [
        Verdict(1, 10, reason),
        Verdict(1, 11, reason),
    ]


def test_contradictions_add_up_over_the_answers_of_a_person() -> None:
    people = [
        person(1, one(10, contradictions=1), one(11, contradictions=2)),
        person(2, one(20, contradictions=2)),
    ]
    assert left_out("contradiction", "annotator", people, at_least=3) == [
        Verdict(1, None, "3 contradictions between answers; 3 exclude")
    ]


def test_contradictions_of_a_judgment_stand_in_one_answer() -> None:
    people = [person(1, one(10, contradictions=1), one(11, contradictions=2), one(12))]
    assert left_out("contradiction", "judgment", people, at_least=1) == [
        Verdict(1, 10, "1 contradiction in it"),
        Verdict(1, 11, "2 contradictions in it"),
    ]


def test_haste_is_less_than_the_bound_and_no_time_is_no_haste() -> None:
    people = [person(1, one(10, seconds=5.99), one(11, seconds=6.0), one(12, seconds=None))]
    assert left_out("hasty", "judgment", people, faster_than_seconds=6) == [
        Verdict(1, 10, "took 6.0 s; less than 6 s excludes")
    ]


@pytest.mark.parametrize(
    ("seconds", "named"),
    [((1.0, 2.0), True), ((1.0, 9.0), False), ((1.0, None), False), ((), False)],
)
def test_a_person_is_hasty_when_every_judgment_is(
    seconds: tuple[float | None, ...], *, named: bool
) -> None:
    judged = [one(10 + n, seconds=s) for n, s in enumerate(seconds)]
    found = left_out("hasty", "annotator", [person(1, *judged)], faster_than_seconds=6)
    assert found == ([Verdict(1, None, "every judgment took less than 6 s")] if named else [])


def test_the_version_of_a_rule_tells_its_unit_and_its_bound() -> None:
    assert rule_version("hasty", "judgment", {"faster_than_seconds": 2.5}) == (
        "1:judgment:faster_than_seconds=2.5"
    )
    versions = {
        rule_version(rule, exclude, {kind.parameter: bound})
        for rule, kind in RULES.items()
        for exclude in ("annotator", "judgment")
        for bound in (1, 2)
    }
    assert len(versions) == 12


@pytest.mark.parametrize("rule", list(RULES))
@pytest.mark.parametrize("exclude", ["annotator", "judgment"])
def test_nobody_is_left_out_of_nothing(rule: str, exclude: str) -> None:
    assert verdicts(rule, exclude, {RULES[rule].parameter: 1}, []) == []
