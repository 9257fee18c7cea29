from collections import Counter

import pytest

from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import Presentation, SimulatedPerson
from annotation.tasktypes.trace import steps_of
from tests.annotation.tasktypes.contract import TaskTypeContract, rendered
from tests.annotation.tasktypes.samples import TRACE, seeded

TASK = TASK_TYPES["trace"]
STRAIGHT, FLIPPED = Presentation(order=(1, 2)), Presentation(order=(2, 1))


class TestTrace(TaskTypeContract):
    key = "trace"
    item = TRACE
    hidden = {"S": "0.4217", "tercile": "tercile-s3cret"}


def test_what_is_missing_does_not_depend_on_the_side():
    posted = {"difference_types": ["missing_claim", "order"], "equivalence": "same"}
    assert TASK.decode(posted, STRAIGHT) == posted
    turned = TASK.decode(posted, FLIPPED)
    assert turned == {"difference_types": ["extra_claim", "order"], "equivalence": "same"}


def test_both_directions_stay_in_the_order_of_the_instrument():
    both = {"difference_types": ["missing_claim", "extra_claim", "wording"]}
    assert TASK.decode(both, FLIPPED) == both


def test_the_codebook_speaks_of_the_traces():
    stored = TASK.stored(TASK.instrument[1])
    assert stored.option_values({}) == TASK.instrument[1].option_values({})
    assert "trace 2" in stored.options[0].anchor
    assert TASK.stored(TASK.instrument[0]) is TASK.instrument[0]


@pytest.mark.parametrize(
    ("trace", "steps"),
    [
        ("one", ["one"]),
        ("one\ntwo\n", ["one", "two\n"]),
        ("one\n\n\ntwo", ["one\n\n", "two"]),
        ("\n\none\n  more\n\ttab\ntwo", ["\n\none\n  more\n\ttab", "two"]),
        ("", [""]),
        ("one\u2028still one\x0bstill", ["one\u2028still one\x0bstill"]),
    ],
)
def test_steps_lose_nothing(trace, steps):
    assert steps_of(trace) == steps
    assert "\n".join(steps_of(trace)) == trace


def test_a_trace_that_numbers_its_steps_gets_no_second_numbers():
    numbered = {**TRACE, "trace_1": "Step 1: half of 48\nStep 2: the sum\nSo 72"}
    page = TASK.page(numbered, STRAIGHT)
    assert [side["numbered"] for side in page["sides"]] == [True, False]
    assert rendered(TASK, numbered).count("own-numbers") == 1


def test_material_is_asked_unless_they_are_the_same():
    material = TASK.instrument[2]
    assert not material.called_for({"equivalence": "same"})
    assert material.called_for({"equivalence": "partially_different"})
    assert "unless you chose “The same” above" in rendered(TASK, TRACE)


def counted(**planted):
    fields, first = {**TRACE, **planted}, TASK.instrument[:1]
    person = SimulatedPerson(ability=0.8)
    answers = (TASK.simulate(fields, first, person, seeded(s)) for s in range(300))
    return Counter(answer["equivalence"] for answer in answers)


def test_simulated_equivalence_follows_what_is_planted_or_scored():
    assert counted(true_equivalence="same").most_common(1)[0][0] == "same"
    assert counted(S="0.5").most_common(1)[0][0] == "partially_different"
    assert counted(S="0.05").most_common(1)[0][0] == "substantially_different"
    assert counted(S="nan") == counted()
