"""The search for identifiers finds what is there and nothing else."""

import pytest

from annotation.exports.identifiers import COMPLETION_CODE, Identifiers, Leak, leaks

PID = "5f3abc0123456789abcdef01"
KEY = "Zm9vYmFy-_c2VjcmV0c2VjcmV0c2Vj"
TABLE = frozenset({"judgments"})


@pytest.fixture
def known():
    identifiers = Identifiers()
    identifiers.add(PID, "platform id")
    identifiers.add(KEY, "access key")
    identifiers.add("C1A2B3", COMPLETION_CODE)
    identifiers.add("4711001", "short id")
    identifiers.add("Ann Lee ü", "odd id")
    identifiers.add("abc", "tiny id")
    return identifiers


def found(tmp_path, known, text, name="judgments.csv"):
    """Return the kinds found in a file of that content."""
    path = tmp_path / name
    path.write_text(text)
    return {leak.kind for leak in leaks([path], known, TABLE)}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (f"a,{PID},b\n", {"platform id"}),
        (f"a,x{PID}y,b\n", {"platform id"}),
        (f"see https://x.example/?k={KEY}.\n", {"access key"}),
        (f"{PID}{KEY}", {"platform id", "access key"}),
        ("the code is C1A2B3.\n", {COMPLETION_CODE}),
        ("cc=C1A2B3-x", {COMPLETION_CODE}),
        ("user_4711001", {"short id"}),
        ("so said Ann Lee ü.", {"odd id"}),
        ("abc", set()),
        (PID[:-1], set()),
        ("XC1A2B3", set()),
        ("0.4711001,47110012", set()),
        ("", set()),
    ],
)
def test_the_search_finds(tmp_path, known, text, kinds):
    assert found(tmp_path, known, text) == kinds


def test_an_id_is_found_wherever_it_lies_in_a_long_file(tmp_path, known):
    filler = "word and another word, 0.25\n" * 60_000
    assert found(tmp_path, known, filler) == set()
    for place in (0, len(filler) // 2, len(filler)):
        assert found(tmp_path, known, filler[:place] + PID + filler[place:]) == {"platform id"}


def test_a_short_id_is_a_word_like_any_in_the_texts_of_the_study(tmp_path, known):
    assert found(tmp_path, known, "take 4711001", name="items.csv") == set()
    assert found(tmp_path, known, f"C1A2B3 {PID}", name="items.csv") == {
        COMPLETION_CODE,
        "platform id",
    }


def test_what_is_too_short_is_counted_and_not_looked_for(known):
    assert known.too_short == 1
    assert len(known) == 5


def test_a_finding_names_the_file_and_not_the_id(tmp_path, known):
    path = tmp_path / "items.csv"
    path.write_text(PID)
    assert leaks([path], known, TABLE) == {Leak("items.csv", "platform id")}
    assert PID not in repr(Leak("items.csv", "platform id"))
