"""Words as they read once simple encodings are undone; the file is decoded, not every id encoded."""

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_to_bytes

# What is undone; said in the release.
ENCODINGS: Final = (
    "as they are, in any case of letters",
    "base64 (both alphabets, every alignment, with and without padding)",
    "hexadecimal",
    "percent-encoding (twice)",
)
DIGESTS: Final = ("MD5", "SHA-1", "SHA-256")
# Of base64 and of hexadecimal digits: what is shorter holds no id.
SHORTEST_ENCODED = 6
ALIGNMENTS = 4
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{%d,}" % SHORTEST_ENCODED)
_HEX = re.compile(rb"[0-9A-Fa-f]{8,}")
_READABLE = re.compile(rb"[!-~]{4,}")
_STANDARD = bytes.maketrans(b"-_", b"+/")


def decoded(word: bytes) -> Iterator[bytes]:
    """Yield what a word may stand for, in each encoding that it can be written in."""
    if b"%" in word:
        once = unquote_to_bytes(word)
        yield once
        yield unquote_to_bytes(once)
    for run in _HEX.findall(word):
        for start in (0, 1):
            digits = run[start:]
            yield binascii.unhexlify(digits[: len(digits) // 2 * 2])
    for run in _BASE64.findall(word):
        yield from _from_base64(run)


def readable(word: bytes) -> Iterator[bytes]:
    """Yield the parts of what a word stands for that could be an id."""
    for plain in decoded(word):
        yield from _READABLE.findall(plain)


def _from_base64(run: bytes) -> Iterator[bytes]:
    """Yield a run from each of its first digits on: it may begin with what is no part of it."""
    standard = run.translate(_STANDARD)
    for start in range(ALIGNMENTS):
        digits = standard[start:]
        rest = len(digits) % 4
        # One digit alone holds no byte.
        whole = digits[:-1] if rest == 1 else digits
        yield base64.b64decode(whole + b"=" * (-len(whole) % 4))
