"""The parser finds the steps, sentences, answer line and preamble that a reader finds."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.pipelines.trace.markers import chinese_number
from analysis.pipelines.trace.normalise import normalise
from analysis.pipelines.trace.parser import Settings, parse
from analysis.pipelines.trace.splitter import sentences
from tests.analysis.pipelines.trace.written_traces import ALL, STEPS

by_name = pytest.mark.parametrize("written", ALL, ids=lambda written: written.name)


def found(parsed):
    return [[sentence.text for sentence in step.sentences] for step in parsed.steps]


@by_name
def test_steps_and_sentences(written):
    parsed = parse(written.text)
    assert (parsed.rule, found(parsed)) == (written.rule, written.steps)
    assert parsed.fallback == (written.rule == "whole")


@by_name
def test_answer_line_and_preamble(written):
    parsed = parse(written.text)
    assert (parsed.answer_line.text if parsed.answer_line else None) == written.answer
    assert (parsed.preamble.text if parsed.preamble else None) == written.preamble


@by_name
def test_offsets_lead_back_to_the_raw_text(written):
    parsed = parse(written.text)
    pieces = [piece for step in parsed.steps for piece in (step.text, *step.sentences)]
    pieces += [piece for piece in (parsed.preamble, parsed.answer_line) if piece]
    for piece in pieces:
        assert normalise(written.text[piece.start : piece.end]).text.strip() == piece.text


@by_name
def test_text_behind_the_answer_changes_nothing(written):
    parsed = parse(written.text)
    if parsed.answer_line and parsed.rule == "headers":
        longer = parse(written.text + "\nMore talk. And more!")
        assert found(longer) == found(parsed)


@by_name
def test_canonical_text_parses_to_itself(written):
    steps = parse(written.text).steps
    canonical = "\n".join(f"Step {n}: {step.text.text}" for n, step in enumerate(steps, 1))
    if written.rule != "headers" or "nested" not in written.name:
        again = parse(canonical)
        assert [step.text.text for step in again.steps] == [step.text.text for step in steps]


def test_the_table_is_wide_enough():
    names = [written.name for written in ALL]
    scripts = {
        unicodedata.name(character).split()[0]
        for steps in STEPS.values()
        for step in steps
        for character in "".join(step)
        if character.isalpha()
    }
    assert len(ALL) >= 150
    assert len(set(names)) == len(names)
    assert scripts >= {"LATIN", "CYRILLIC", "ARABIC", "DEVANAGARI", "CJK", "BENGALI", "TELUGU"}
    assert "THAI" in scripts


def test_the_preamble_can_be_scored():
    text = "First, the idea.\nStep 1: Add.\nStep 2: Halve."
    assert found(parse(text)) == [["Add."], ["Halve."]]
    assert found(parse(text, Settings(preamble="step")))[0] == ["First, the idea."]


def test_the_sentence_rule_can_be_switched_off():
    parsed = parse("Add both. Halve it.", Settings(unmarked="whole"))
    assert (parsed.rule, parsed.fallback, len(parsed.steps)) == ("whole", True, 1)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_parsed_and_offsets_hold(text):
    parsed = parse(text)
    for step in parsed.steps:
        assert 0 <= step.text.start < step.text.end <= len(text)
        assert step.sentences
        assert normalise(text[step.text.start : step.text.end]).text.strip() == step.text.text


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=100))
def test_normal_text_is_composed_and_mapped(text):
    normal = normalise(text)
    assert len(normal.offsets) == len(normal.text) + 1
    assert unicodedata.is_normalized("NFC", normal.text)
    assert list(normal.offsets) == sorted(normal.offsets)


def test_sentences_of_a_part_do_not_see_the_rest():
    text = "One. Two. Three."
    assert [text[start:end] for start, end in sentences(text, 5, 9)] == ["Two."]


@pytest.mark.parametrize(
    ("numeral", "value"),
    [("〇", 0), ("九", 9), ("十", 10), ("十二", 12), ("二十", 20), ("一百零五", 105)],
)
def test_chinese_numerals(numeral, value):
    assert chinese_number(numeral) == value
