"""What must not stand in a release, and the search for it in the finished files, byte by byte."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.fernet import InvalidToken

from annotation.errors import Refused
from annotation.models import Annotator, PlatformIdentity, PlatformSession, Study
from annotation.selectors.studies import study_definition
from annotation.services.identities import decrypted

BLOCK = 1 << 20
# From this length on an identifier is looked for inside longer words too.
LONG = 12
# Below this length it cannot be told from ordinary words and numbers.
SHORTEST = 4
COMPLETION_CODE = "completion code"
_TOKEN = re.compile(rb"[A-Za-z0-9._-]{%d,}" % SHORTEST)
_WORD = re.compile(rb"[A-Za-z0-9]{%d,}" % SHORTEST)
_CHUNK = 2_000


@dataclass(frozen=True, slots=True)
class Leak:
    """A kind of identifier that stands in a file; not the identifier, for this is printed."""

    file: str
    kind: str


@dataclass(slots=True)
class Identifiers:
    """All that names a person or a payment, by length; `too_short` cannot be looked for."""

    long: dict[bytes, str] = field(default_factory=dict)
    short: dict[bytes, str] = field(default_factory=dict)
    # With characters that ids do not have: looked for as they are.
    odd: dict[bytes, str] = field(default_factory=dict)
    too_short: int = 0

    def add(self, text: str, kind: str) -> None:
        """Note one identifier."""
        needle = text.encode()
        if len(needle) < SHORTEST:
            self.too_short += 1
        elif not _TOKEN.fullmatch(needle):
            self.odd[needle] = kind
        else:
            (self.long if len(needle) >= LONG else self.short)[needle] = kind

    def __len__(self) -> int:
        return len(self.long) + len(self.short) + len(self.odd)


def identifiers_of(study: Study) -> Identifiers:
    """Return every key, token, platform id and code of a study."""
    found = Identifiers()
    people = Annotator.objects.filter(study=study)
    for row in people.values_list("pseudonym", "access_key", "entry_token").iterator(_CHUNK):
        for text, kind in zip(
            row, ("internal pseudonym", "access key", "entry token"), strict=True
        ):
            found.add(text, kind)
    sources = (
        (PlatformIdentity.objects.filter(study=study), "platform id"),
        (PlatformSession.objects.filter(annotator__study=study), "platform session"),
    )
    for rows, kind in sources:
        for ciphertext in rows.values_list("ciphertext", flat=True).iterator(_CHUNK):
            found.add(_open(bytes(ciphertext)), kind)
    for code in study_definition(study).recruitment.codes.values():
        found.add(code, COMPLETION_CODE)
    return found


def leaks(paths: list[Path], identifiers: Identifiers, about_people: frozenset[str]) -> set[Leak]:
    """Return what was found, by file.

    A short id of a person is looked for only in the files that tell about people (named without
    ending): in the study's own texts, which were there before anybody came, it is a word like any.
    """
    scan = _Scan(identifiers)
    return {
        Leak(path.name, kind)
        for path in paths
        for kind in scan.kinds(path, short_ids=path.stem in about_people)
    }


def without_codes(text: str, study: Study) -> tuple[str, int]:
    """Return a text with the completion codes taken out, and how often one stood there."""
    codes = {c for c in study_definition(study).recruitment.codes.values() if len(c) >= SHORTEST}
    if not codes:
        return text, 0
    longest_first = sorted(codes, key=lambda code: (-len(code), code))
    return re.subn("|".join(map(re.escape, longest_first)), "[code]", text)


def _open(ciphertext: bytes) -> str:
    try:
        return decrypted(ciphertext)
    except InvalidToken:
        raise Refused(
            "The platform's ids were stored under another IDENTITY_KEY, so the release cannot be "
            "searched for them. Set the key that was in use when people came."
        ) from None


class _Scan:
    """The search in one set of files; a word is looked at once a block."""

    def __init__(self, identifiers: Identifiers) -> None:
        self._ids = identifiers
        self._lengths = sorted({len(needle) for needle in identifiers.long})

    def kinds(self, path: Path, *, short_ids: bool) -> set[str]:
        found: set[str] = set()
        for block in _blocks(path):
            for token in set(_TOKEN.findall(block)):
                found.update(self._inside(token))
                found.update(self._whole(token, short_ids=short_ids))
            found.update(kind for needle, kind in self._ids.odd.items() if needle in block)
        return found

    def _inside(self, token: bytes) -> Iterator[str]:
        for length in self._lengths:
            for start in range(len(token) - length + 1):
                kind = self._ids.long.get(token[start : start + length])
                if kind is not None:
                    yield kind

    def _whole(self, token: bytes, *, short_ids: bool) -> Iterator[str]:
        bare = token.strip(b"._-")
        words = [bare] if _is_number(bare) else [bare, *_WORD.findall(bare)]
        for word in words:
            kind = self._ids.short.get(word)
            if kind is not None and (short_ids or kind == COMPLETION_CODE):
                yield kind


def _is_number(token: bytes) -> bool:
    """Whether a token is a number, whose parts are not ids."""
    return token.replace(b".", b"").isdigit()


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield whole lines, about a megabyte at a time."""
    with path.open("rb") as file:
        while lines := file.readlines(BLOCK):
            yield b"".join(lines)
