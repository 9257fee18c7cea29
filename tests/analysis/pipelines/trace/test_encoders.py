"""The guards around encoders, and the cache that encodes nothing twice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.pipelines.trace.cache import MemoryStore, Progress, embed, key_of, shards
from analysis.pipelines.trace.encoders import (
    EncoderError,
    HashingEncoder,
    encodable,
    encode_checked,
)
from tests.analysis.pipelines.trace.meaning import MeaningEncoder


@settings(deadline=None)
@given(st.text())
def test_what_reaches_an_encoder_is_clean(text):
    try:
        clean = encodable(text)
    except EncoderError:
        assert not text.replace("\0", "").strip()
        return
    assert clean
    assert "\0" not in clean
    clean.encode("utf-8")


def test_an_empty_text_is_refused():
    with pytest.raises(EncoderError, match="leave it out"):
        encodable(" \0 ")


def test_rows_that_are_not_unit_vectors_are_refused():
    class Long(MeaningEncoder):
        def encode(self, texts):
            return 2 * super().encode(texts)

    class Narrow(MeaningEncoder):
        def encode(self, texts):
            return super().encode(texts)[:, :3]

    with pytest.raises(EncoderError, match="not of length 1"):
        encode_checked(Long(), ["a"])
    with pytest.raises(EncoderError, match="promises 64 numbers"):
        encode_checked(Narrow(), ["a"])


def test_the_hashing_encoder_repeats_itself():
    encoder = HashingEncoder()
    rows = encoder.encode(["one text", "one text", "another"])
    assert (rows[0] == rows[1]).all()
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-6)
    assert encoder.encode([]).shape == (0, 256)
    assert encoder.token_counts(["one two"]) == [2]


def test_each_text_is_encoded_once_and_equal_forms_share_a_vector():
    encoder, store = MeaningEncoder(), MemoryStore()
    # One e with its accent composed, one decomposed.
    vectors = embed(["caf\u00e9", "cafe\u0301", "tea", "tea"], encoder, store)
    assert sorted(encoder.seen) == ["caf\u00e9", "tea"]
    assert (vectors.of(["caf\u00e9"]) == vectors.of(["cafe\u0301"])).all()
    embed(["tea", "more"], encoder, store)
    assert encoder.seen.count("tea") == 1


def test_another_encoder_has_another_key():
    assert key_of("a@1", "text") != key_of("a@2", "text")
    assert key_of("a@1", " text ") == key_of("a@1", "text")


def test_no_text_gives_an_empty_table():
    assert embed([], MeaningEncoder(), MemoryStore()).rows.shape == (0, 64)


def test_progress_ends_where_it_should():
    told = []
    store = MemoryStore()
    embed([f"text {n}" for n in range(5)], MeaningEncoder(), store)
    embed([f"text {n}" for n in range(80)], MeaningEncoder(), store, progress=told.append)
    assert told[0] == Progress(0, 75, 5)
    assert told[-1] == Progress(75, 75, 5)


@settings(deadline=None)
@given(st.lists(st.text(min_size=1), max_size=30), st.integers(1, 5))
def test_shards_are_a_partition(texts, number):
    dealt = shards(texts, number)
    assert len(dealt) == number
    assert sorted(text for shard in dealt for text in shard) == sorted(set(texts))
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1


class KilledError(Exception):
    pass


class Dying(MeaningEncoder):
    """Dies at the third batch, as a killed run would."""

    def encode(self, texts):
        if len(self.seen) >= 64:
            raise KilledError
        return super().encode(texts)


def test_a_killed_run_goes_on_without_encoding_anything_twice():
    store, texts = MemoryStore(), [f"text [m{n}]" for n in range(100)]
    dying, second = Dying(), MeaningEncoder()
    with pytest.raises(KilledError):
        embed(texts, dying, store)
    vectors = embed(texts, second, store)
    assert len(dying.seen) == 64
    assert sorted(dying.seen + second.seen) == sorted(texts)
    assert (vectors.rows == embed(texts, MeaningEncoder(), MemoryStore()).rows).all()
