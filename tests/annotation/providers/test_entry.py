"""Who a platform's link names: blanks do not count, and nobody shares an empty name."""

from urllib.parse import parse_qs

import pytest

from annotation.errors import EntryRefused
from annotation.providers import PROVIDERS, Entry


def entry(provider: str, query: str) -> Entry | None:
    return PROVIDERS[provider].entry(parse_qs(query, keep_blank_values=True))


PLATFORMS = [("prolific", "PROLIFIC_PID"), ("clickworker", "user_id")]


@pytest.mark.parametrize(("provider", "name"), PLATFORMS)
@pytest.mark.parametrize(
    ("value", "person"),
    [
        ("p1", "p1"),
        ("P1", "P1"),
        ("%20p1%0A", "p1"),
        ("%C2%A0p1%C2%A0", "p1"),
        ("%E2%80%8Bp1", "p1"),
        ("%EF%BB%BFp1%E2%80%8D", "p1"),
        ("5f1c-2.b_9", "5f1c-2.b_9"),
        ("a" * 100, "a" * 100),
    ],
)
def test_an_id_is_taken_without_the_blanks_around_it(
    provider: str, name: str, value: str, person: str
) -> None:
    found = entry(provider, f"{name}={value}")
    assert found is not None
    assert found.person == person


@pytest.mark.parametrize(("provider", "name"), PLATFORMS)
@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("", "is missing"),
        ("%20%0A%E2%80%8B", "is missing"),
        ("%7B%7B%25PROLIFIC_PID%25%7D%7D", "is not an id"),
        ("a" * 5_000, "is not an id"),
        ("../x", "is not an id"),
        ("<b>", "is not an id"),
        ("a b", "is not an id"),
        ("p1,p1", "is not an id"),
        ("p1%00", "is not an id"),
        ("%D1%80%D0%B0%D1%83l", "is not an id"),
    ],
)
def test_what_is_no_id_is_refused_in_a_sentence(
    provider: str, name: str, value: str, sentence: str
) -> None:
    with pytest.raises(EntryRefused, match=f"{name}.*{sentence}") as refusal:
        entry(provider, f"{name}={value}")
    assert refusal.value.code == "entry"
    assert "Please open the study again" in refusal.value.message


@pytest.mark.parametrize(("provider", "name"), PLATFORMS)
def test_a_link_without_the_parameter_is_refused(provider: str, name: str) -> None:
    with pytest.raises(EntryRefused, match=f"{name} is missing"):
        entry(provider, "other=1")


@pytest.mark.parametrize(("provider", "name"), PLATFORMS)
def test_two_different_ids_are_refused_and_the_same_twice_is_one(provider: str, name: str) -> None:
    with pytest.raises(EntryRefused, match=f"names {name} twice, with different values"):
        entry(provider, f"{name}=a&{name}=b")
    with pytest.raises(EntryRefused, match="twice"):
        entry(provider, f"{name}=a&{name}=A")
    found = entry(provider, f"{name}=a&{name}=%20a&{name}=")
    assert found is not None
    assert found.person == "a"


def test_a_visit_may_lack_its_name() -> None:
    assert entry("prolific", "PROLIFIC_PID=p1") == Entry("p1", "")
    assert entry("prolific", "PROLIFIC_PID=p1&SESSION_ID=%20s1") == Entry("p1", "s1")
    with pytest.raises(EntryRefused, match="SESSION_ID"):
        entry("prolific", "PROLIFIC_PID=p1&SESSION_ID=a&SESSION_ID=b")


def test_an_open_link_names_nobody_whatever_it_carries() -> None:
    assert entry("open", "PROLIFIC_PID=p1&user_id=u1") is None


def test_the_way_back_is_the_platforms_own_address_with_the_code() -> None:
    assert PROVIDERS["prolific"].way_back("C1A2B3") == (
        "https://app.prolific.com/submissions/complete?cc=C1A2B3"
    )
    assert PROVIDERS["prolific"].way_back("A&b=1 /ü") == (
        "https://app.prolific.com/submissions/complete?cc=A%26b%3D1+%2F%C3%BC"
    )


@pytest.mark.parametrize("provider", ["open", "clickworker"])
def test_where_a_code_is_typed_in_by_hand_there_is_no_way_back(provider: str) -> None:
    assert PROVIDERS[provider].way_back("C1A2B3") is None


def test_every_provider_is_found_under_its_key() -> None:
    assert {key: provider.key for key, provider in PROVIDERS.items()} == {
        key: key for key in ("open", "prolific", "clickworker")
    }
