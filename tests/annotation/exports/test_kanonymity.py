"""Nobody's cells are shared by fewer than k people, and nothing else changes."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from annotation.exports.kanonymity import K, Person, anonymised, uniform
from annotation.studyfile.definition import Demographic

AGE = Demographic("age", "How old are you?", "number", bands=(18, 25, 35, 45, 55, 65))
TONGUE = Demographic(
    "tongue", "Which?", "choice", options=("de", "nl", "fr", "es"),
    merge={"Germanic": ("de", "nl"), "Romance": ("fr", "es")},
)  # fmt: skip
LADDERS = (AGE, TONGUE)
ANSWERS = st.tuples(
    st.one_of(st.just(""), st.integers(16, 80).map(str)), st.sampled_from(["", *TONGUE.options])
)
CROWDS = st.lists(
    st.builds(Person, ANSWERS, st.sampled_from(["completed", "incomplete"])), max_size=60
).map(lambda people: {f"p{n}": one for n, one in enumerate(people)})


def brute_force(people, cells):
    """Return the size of each class, counted by going through the people."""
    return Counter((people[name].beside, cells[name]) for name in people)


@given(CROWDS)
def test_k_holds_and_nothing_else_changes(people):
    done = anonymised(people, LADDERS)
    assert done.cells.keys() == people.keys()
    sizes = brute_force(people, done.cells)
    for (beside, row), size in sizes.items():
        if any(row):
            assert size >= K
        else:
            mine = sum(1 for one in people.values() if one.beside == beside)
            assert size >= K or size == mine
    said = [size for (_, row), size in sizes.items() if any(row)]
    assert done.k == (min(said) if said else None)
    for name, one in people.items():
        full = tuple(
            ladder.coarsened(answer, level)
            for ladder, answer, level in zip(LADDERS, one.answers, done.levels, strict=True)
        )
        assert done.cells[name] in {full, ("", "")}
    emptied = [
        sum(1 for name, one in people.items() if one.answers[n] and not done.cells[name][n])
        for n in (0, 1)
    ]
    assert list(done.emptied) == emptied


@given(CROWDS, st.randoms())
def test_the_order_of_people_does_not_matter(people, rng):
    names = list(people)
    rng.shuffle(names)
    assert anonymised({name: people[name] for name in names}, LADDERS) == anonymised(
        people, LADDERS
    )


def crowd(*groups):
    return {
        f"p{g}.{n}": Person(answers)
        for g, (answers, size) in enumerate(groups)
        for n in range(size)
    }


def test_answers_that_are_common_leave_as_declared():
    done = anonymised(crowd((("20", "de"), 5), (("40", "fr"), 6)), LADDERS)
    assert (done.levels, done.emptied, done.k) == ((0, 0), (0, 0), 5)
    assert set(done.cells.values()) == {("18-24", "de"), ("35-44", "fr")}


def test_rare_answers_get_coarser_before_they_are_emptied():
    done = anonymised(crowd((("20", "de"), 5), (("20", "nl"), 4), (("20", "fr"), 5)), LADDERS)
    assert done.levels == (0, 1)
    assert set(done.cells.values()) == {("18-24", "Germanic"), ("18-24", "Romance")}
    assert (done.emptied, done.k) == ((0, 0), 5)


def test_one_rare_person_does_not_stand_alone_as_the_one_who_is_missing():
    people = crowd((("20", "de"), 60), (("20", "fr"), 5), (("70", "es"), 1))
    done = anonymised(people, LADDERS)
    empty = [name for name, row in done.cells.items() if not any(row)]
    # The rare one, and the smallest class beside.
    assert len(empty) == 6
    assert done.emptied == (6, 6)
    assert done.levels == (0, 0)


def test_whom_nothing_helps_makes_nobodys_answers_coarser():
    """Of three people other things are told, such as why they were left out; no coarser band hides them."""
    people = crowd((("20", "de"), 10)) | {
        f"q{n}": Person(("20", "de"), "left out") for n in range(3)
    }
    done = anonymised(people, LADDERS)
    assert (done.levels, done.k) == ((0, 0), 10)
    assert {done.cells[name] for name in people if name.startswith("q")} == {("", "")}
    assert done.emptied == (3, 3)


def test_too_few_people_say_nothing():
    done = anonymised(crowd((("20", "de"), 4)), LADDERS)
    assert done.k is None
    assert set(done.cells.values()) == {("", "")}
    assert anonymised({}, LADDERS).k is None


def test_a_class_that_gives_a_sensitive_answer_away_is_counted():
    assert uniform([("a", "yes")] * 5 + [("b", "yes"), ("b", "no")], 1) == 1
    assert uniform([("a", "")] * 5, 1) == 0


def test_bands_and_groups_become_coarser():
    assert AGE.labels(0) == ("under 18", "18-24", "25-34", "35-44", "45-54", "55-64", "65 or more")
    assert AGE.labels(1) == ("under 25", "25-44", "45-64", "65 or more")
    assert AGE.labels(2) == ("under 45", "45 or more")
    assert AGE.levels == 3
    assert [AGE.coarsened(a, 0) for a in ("17", "18", "64", "65", "")] == [
        "under 18", "18-24", "55-64", "65 or more", "",
    ]  # fmt: skip
    assert AGE.coarsened("17", 3) == ""
    assert TONGUE.labels(1) == ("Germanic", "Romance")
