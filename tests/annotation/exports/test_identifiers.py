"""The search for identifiers finds what is there and nothing else."""

import base64
import hashlib
import json
import zipfile
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from annotation.exports.identifiers import (
    COMPLETION_CODE,
    Identifiers,
    Leak,
    search,
)

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
    return {leak.kind for leak in search([path], known, TABLE).found}


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
        (PID[:-1], {"truncated platform id"}),
        (PID[:8], {"truncated platform id"}),
        (PID[:7], set()),
        (PID[1:], set()),
        ("60412345", set()),
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


def test_signs_at_the_ends_of_a_short_id_are_its_own(tmp_path):
    signed = Identifiers()
    signed.add("-47-11_", "signed id")
    assert found(tmp_path, signed, "a,-47-11_,b") == {"signed id"}


def test_what_is_too_short_is_counted_and_not_looked_for(known):
    assert known.too_short == 1
    assert len(known) == 5


def test_a_finding_names_the_file_and_not_the_id(tmp_path, known):
    path = tmp_path / "items.csv"
    path.write_text(PID)
    assert search([path], known, TABLE).found == {Leak("items.csv", "platform id")}
    assert PID not in repr(Leak("items.csv", "platform id"))


def _percent(text):
    return "".join(f"%{byte:02x}" for byte in text.encode())


def _b64(text, *, url=False):
    encode = base64.urlsafe_b64encode if url else base64.b64encode
    return encode(text.encode()).decode()


ENCODED = {
    "upper case": str.upper,
    "mixed case": lambda text: text.title(),
    "base64": _b64,
    "base64 url-safe": lambda text: _b64(f"??>{text}", url=True),
    "base64 without padding": lambda text: _b64(f"{text}x").rstrip("="),
    "base64, one byte on": lambda text: _b64(f"a{text}bc"),
    "base64, two bytes on": lambda text: _b64(f"ab{text}c"),
    "base64 of upper case": lambda text: _b64(text.upper()),
    "base64 after another letter": lambda text: f"k{_b64(text)}",
    "base64 after two": lambda text: f"kk{_b64(text)}",
    "base64 after three": lambda text: f"kkk{_b64(text)}",
    "hexadecimal": lambda text: text.encode().hex(),
    "hexadecimal, capitals": lambda text: text.encode().hex().upper(),
    "hexadecimal after a digit": lambda text: f"a{text.encode().hex()}",
    "percent": _percent,
    "percent twice": lambda text: quote(_percent(text), safe=""),
    "base64 in an address": lambda text: f"https://x.example/?id={quote(_b64(text))}&z=1",
}


@pytest.mark.parametrize("encode", ENCODED.values(), ids=ENCODED)
def test_an_id_is_found_in_every_encoding_and_another_is_not(tmp_path, known, encode):
    assert found(tmp_path, known, f"a,see {encode(PID)} there,b\n") == {"platform id"}
    stranger = "60aabbccddeeff0011223344"
    assert found(tmp_path, known, f"a,see {encode(stranger)} there,b\n") == set()


@pytest.mark.parametrize("name", ["md5", "sha1", "sha256"])
def test_a_digest_that_anybody_can_make_is_found(tmp_path, known, name):
    for spelled in (PID, PID.upper()):
        digest = hashlib.new(name, spelled.encode()).hexdigest()
        for written in (digest, digest.upper()):
            assert found(tmp_path, known, written) == {"digest of a platform id"}
    keyed = hashlib.new(name, f"salt{PID}".encode()).hexdigest()
    assert found(tmp_path, known, keyed) == set()


def test_a_short_id_is_found_in_base64_where_it_stands_alone(tmp_path):
    identifiers = Identifiers()
    identifiers.add("4711001", "platform id")
    assert found(tmp_path, identifiers, _b64("4711001")) == {"platform id"}
    assert found(tmp_path, identifiers, _b64("x4711001x")) == set()


def test_parquet_and_archives_are_read(tmp_path, known):
    table = pa.table({"text": ["clean", None, PID.upper()], "tags": [["a"], [], ["b"]]})
    pq.write_table(table, tmp_path / "judgments.parquet", compression="gzip")
    clean = pa.table({"text": ["clean"] * 3}).replace_schema_metadata({"by": _b64(PID)})
    pq.write_table(clean, tmp_path / "items.parquet")
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("items.csv", "clean " * 100 + PID)
        archive.write(tmp_path / "judgments.parquet", f"{KEY}.parquet")
    assert PID.encode() not in (tmp_path / "a.zip").read_bytes()
    paths = sorted(tmp_path.iterdir())
    assert search(paths, known, TABLE).found == {
        Leak("a.zip", "platform id"),
        Leak("a.zip", "access key"),
        Leak("items.parquet", "platform id"),
        Leak("judgments.parquet", "platform id"),
    }


def test_a_file_that_is_no_text_is_named(tmp_path, known):
    path = tmp_path / "figure.png"
    path.write_bytes(b"\x89PNG\0\0" + PID.encode())
    done = search([path], known, TABLE)
    assert done.unread.files == {"figure.png"}
    assert done.found == {Leak("figure.png", "platform id")}


def test_a_word_longer_than_a_piece_is_searched_to_its_end(tmp_path, known):
    for before in (0, 65_530, 131_060, 300_000):
        assert found(tmp_path, known, "x" * before + PID) == {"platform id"}, before
    assert found(tmp_path, known, json.dumps(["x" * 300_000])) == set()
