"""From all who came to the analytic sample: nothing appears, and nothing is lost uncounted."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.quality.funnel import DeclaredRule, Funnel, funnel
from annotation.quality.records import AnnotatorRecord, JudgedItem
from annotation.quality.rules import RULES, Verdict

ATTENTION = DeclaredRule("attention", "annotator", {"failed": 1})
CONTRADICTION = DeclaredRule("contradiction", "annotator", {"at_least": 2})
HASTY = DeclaredRule("hasty", "judgment", {"faster_than_seconds": 6})


def nothing_revoked(rule: str, version: str, verdict: Verdict) -> bool:
    del rule, version, verdict
    return False


def one(key: int, **changed: object) -> JudgedItem:
    fields: dict[str, object] = {"contradictions": 0, "seconds": 30.0, "records": 2, "item": 1}
    return JudgedItem(key=key, **(fields | changed))  # type: ignore[arg-type]


PEOPLE = [
    AnnotatorRecord(1, completed=True, judged=(one(10, item=1, decisive=1), one(11, item=2))),
    AnnotatorRecord(2, completed=True, failed_checks=1, judged=(one(20), one(21, item=2))),
    AnnotatorRecord(3, completed=False, judged=(one(30),)),
    AnnotatorRecord(
        4,
        completed=True,
        judged=(one(40, seconds=2.0), one(41, item=2), one(42, item=3, finished=False)),
    ),
]


def stages(found: Funnel) -> list[tuple[str, int, int, int, int]]:
    return [
        (s.stage, s.removed_annotators, s.removed_judgments, s.left_annotators, s.left_judgments)
        for s in found.stages
    ]


def test_each_stage_says_what_it_removed_and_what_it_left() -> None:
    found = funnel([PEOPLE], [ATTENTION, HASTY], revoked=nothing_revoked)
    assert stages(found) == [
        ("arrived", 0, 0, 4, 8),
        ("finished", 1, 2, 3, 6),
        ("attention", 1, 2, 2, 4),
        ("hasty", 0, 1, 2, 3),
        ("by_hand", 0, 0, 2, 3),
    ]
    final = found.final
    assert (final.annotators, final.judgments) == (2, 3)
    assert (final.items, final.items_2plus) == (2, 1)
    assert (final.records, final.decisive) == (6, 1)


def test_a_rule_sees_what_the_stages_before_it_left() -> None:
    twice = AnnotatorRecord(
        5,
        completed=True,
        judged=(one(50, contradictions=1, seconds=1.0), one(51, contradictions=1)),
    )
    first_hasty = funnel([[twice]], [HASTY, CONTRADICTION], revoked=nothing_revoked)
    assert first_hasty.final.judgments == 1
    first_contradiction = funnel([[twice]], [CONTRADICTION, HASTY], revoked=nothing_revoked)
    assert first_contradiction.final.annotators == 0
    assert first_contradiction.applied[1].verdicts == ()


def test_what_was_taken_back_stays_in() -> None:
    def revoked(rule: str, version: str, verdict: Verdict) -> bool:
        return (rule, version, verdict.annotator) == ("attention", "1:annotator:failed=1", 2)

    found = funnel([PEOPLE], [ATTENTION], revoked=revoked)
    assert found.applied[0].verdicts == ()
    assert found.final.annotators == 3


def test_what_is_left_out_by_hand_leaves_last() -> None:
    by_hand = [Verdict(1, 10, "not read"), Verdict(2, None, "a robot"), Verdict(4, None, "a bot")]
    found = funnel([PEOPLE], [ATTENTION], revoked=nothing_revoked, by_hand=by_hand)
    assert stages(found)[2:] == [("attention", 1, 2, 2, 4), ("by_hand", 1, 3, 1, 1)]


def test_nobody_came() -> None:
    found = funnel([[]], [ATTENTION, HASTY], revoked=nothing_revoked)
    assert {stage[1:] for stage in stages(found)} == {(0, 0, 0, 0)}
    assert found.as_dict()["final"]["judgments"] == 0


judged_items = st.builds(
    JudgedItem,
    key=st.integers(0, 10_000),
    contradictions=st.integers(0, 3),
    seconds=st.none() | st.floats(0, 20),
    records=st.integers(0, 4),
    decisive=st.integers(0, 1),
    item=st.integers(1, 5),
    finished=st.booleans(),
)
people_lists = st.lists(
    st.builds(
        AnnotatorRecord,
        key=st.integers(1, 10_000),
        completed=st.booleans(),
        failed_checks=st.integers(0, 2),
        judged=st.lists(judged_items, max_size=4).map(tuple),
    ),
    max_size=6,
    unique_by=lambda person: person.key,
)
rule_lists = st.lists(
    st.builds(
        lambda rule, exclude, bound: DeclaredRule(rule, exclude, {RULES[rule].parameter: bound}),
        st.sampled_from(list(RULES)),
        st.sampled_from(["annotator", "judgment"]),
        st.integers(1, 8),
    ),
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(people=people_lists, rules=rule_lists, data=st.data())
def test_counts_are_conserved_at_every_stage(
    people: list[AnnotatorRecord], rules: list[DeclaredRule], data: st.DataObject
) -> None:
    by_hand = [
        Verdict(
            person.key, data.draw(st.sampled_from([None, *(j.key for j in person.judged)])), "x"
        )
        for person in people
        if data.draw(st.booleans())
    ]
    found = funnel([people], rules, revoked=nothing_revoked, by_hand=by_hand)
    cut = data.draw(st.integers(0, len(people)))
    parts = [people[:cut], people[cut:]]
    assert funnel(parts, rules, revoked=nothing_revoked, by_hand=by_hand) == found
    first, *_ = found.stages
    assert first.left_annotators == len(people)
    assert first.left_judgments == sum(len(person.judged) for person in people)
    for before, after in pairwise(found.stages):
        assert after.removed_annotators + after.left_annotators == before.left_annotators
        assert after.removed_judgments + after.left_judgments == before.left_judgments
        assert min(after.removed_annotators, after.removed_judgments) >= 0
    last = found.stages[-1]
    assert (last.left_annotators, last.left_judgments) == (
        found.final.annotators,
        found.final.judgments,
    )
    assert [stage.stage for stage in found.stages] == [
        "arrived",
        "finished",
        *(rule.rule for rule in rules),
        "by_hand",
    ]


@settings(max_examples=80, deadline=None)
@given(people=people_lists, rules=rule_lists)
def test_a_funnel_of_which_everything_is_revoked_removes_nothing_by_rule(
    people: list[AnnotatorRecord], rules: list[DeclaredRule]
) -> None:
    found = funnel([people], rules, revoked=lambda *_: True)
    _, finished, *rest = found.stages
    assert all(stage.left_judgments == finished.left_judgments for stage in rest)
