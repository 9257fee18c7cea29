"""What must not stand in a release, and the search for it in the finished files, decoded."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.fernet import InvalidToken

from annotation.errors import Refused
from annotation.exports.contents import Unread, pieces
from annotation.exports.encodings import DIGESTS, ENCODINGS, decoded, readable
from annotation.exports.needles import PIECE, Needles
from annotation.models import Annotator, Item, PlatformIdentity, PlatformSession, Study
from annotation.selectors.studies import study_definition
from annotation.services.identities import decrypted

# From this length on an identifier is looked for inside longer words too.
LONG = 12
# Below this length it cannot be told from ordinary words and numbers.
SHORTEST = 4
# A platform's id of 24 hexadecimal digits begins with the second in which its account was made.
TRUNCATED = 8
COMPLETION_CODE = "completion code"
PLATFORM_ID = "platform id"
PLATFORM_SESSION = "platform session"
KEYS = ("internal pseudonym", "access key", "entry token")
# Of these, digests and beginnings are looked for too: others know them, or can guess them.
_FROM_PLATFORM = frozenset({PLATFORM_ID, PLATFORM_SESSION})
_ID = re.compile(rb"[A-Za-z0-9._-]{%d,}" % SHORTEST)
_RUN = re.compile(rb"[A-Za-z0-9._+/=%%-]{%d,}" % SHORTEST)
_WORD = re.compile(rb"[A-Za-z0-9]{%d,}" % SHORTEST)
_OBJECT_ID = re.compile(r"[0-9a-f]{24}")
_HEX_WORD = re.compile(rb"[0-9a-f]{%d,23}" % TRUNCATED)
_CHUNK = 2_000
# As many different words are remembered; most of a long table is the same ones again.
_REMEMBERED = 200_000
# The longest id that is found across a cut, even in base64.
_OVERLAP = 512


@dataclass(frozen=True, slots=True)
class Leak:
    """A kind of identifier that stands in a file; not the identifier, for this is printed."""

    file: str
    kind: str


@dataclass(slots=True)
class Identifiers:
    """All that names a person or a payment; `too_short` and `like_items` cannot be looked for.

    Those of a person are kept in small letters, as eight bytes each. Codes are the study's own and
    few; short ones are looked for as they are spelled, for `DONE17` is not `done17`.
    """

    long: Needles = field(default_factory=Needles)
    short: Needles = field(default_factory=Needles)
    codes: dict[bytes, str] = field(default_factory=dict)
    # With characters that ids do not have: looked for anywhere.
    odd: dict[bytes, str] = field(default_factory=dict)
    digests: Needles = field(default_factory=Needles)
    truncated: Needles = field(default_factory=Needles)
    kinds: list[str] = field(default_factory=list)
    too_short: int = 0
    # Ids of items, in small letters; a short id of a person that is one by chance stands in every file.
    items: frozenset[str] = frozenset()
    like_items: int = 0
    # Of other studies, stored under a key that is no longer set.
    unreadable: int = 0

    def add(self, text: str, kind: str) -> None:
        """Note one identifier."""
        needle = text.encode()
        if len(needle) < SHORTEST:
            self.too_short += 1
        elif not _ID.fullmatch(needle):
            self.odd[text.lower().encode()] = kind
        elif kind == COMPLETION_CODE and len(needle) < LONG:
            self.codes[needle] = kind
        elif len(needle) < LONG and text.lower() in self.items:
            self.like_items += 1
        else:
            self._place(needle, kind)
        if kind in _FROM_PLATFORM:
            self._add_derived(text, kind)

    def kind_names(self, numbers: Iterable[int]) -> set[str]:
        """Return the kinds of what was found."""
        return {self.kinds[number] for number in numbers}

    def __len__(self) -> int:
        return len(self.long) + len(self.short) + len(self.codes) + len(self.odd)

    def _place(self, needle: bytes, kind: str) -> None:
        place = self.long if len(needle) >= LONG else self.short
        place.add(needle.lower(), self._number(kind))

    def _add_derived(self, text: str, kind: str) -> None:
        number = self._number(f"digest of a {kind}")
        for spelled in sorted({text, text.lower(), text.upper()}):
            for digest in (hashlib.md5, hashlib.sha1, hashlib.sha256):
                found = digest(spelled.encode(), usedforsecurity=False).hexdigest()
                self.digests.add(found.encode(), number)
        if _OBJECT_ID.fullmatch(text.lower()):
            number = self._number(f"truncated {kind}")
            for length in range(TRUNCATED, len(text)):
                self.truncated.add(text.lower()[:length].encode(), number)

    def _number(self, kind: str) -> int:
        if kind not in self.kinds:
            self.kinds.append(kind)
        return self.kinds.index(kind)


@dataclass(slots=True)
class Search:
    """What was found, and which files hold what no text could be made of."""

    found: set[Leak] = field(default_factory=set)
    unread: Unread = field(default_factory=Unread)


def identifiers_of(study: Study) -> Identifiers:
    """Return every key, token and platform id that the database knows, and the study's codes."""
    keys = Item.objects.filter(study=study).values_list("key", flat=True)
    found = Identifiers(items=frozenset(key.lower() for key in keys if len(key) < LONG))
    people = Annotator.objects.order_by()
    for row in people.values_list("pseudonym", "access_key", "entry_token").iterator(_CHUNK):
        for text, kind in zip(row, KEYS, strict=True):
            found.add(text, kind)
    sources = ((PlatformIdentity, PLATFORM_ID), (PlatformSession, PLATFORM_SESSION))
    for model, kind in sources:
        rows = model.objects.order_by().values_list("annotator__study", "ciphertext")
        for owner, ciphertext in rows.iterator(_CHUNK):
            opened = _open(bytes(ciphertext), own=owner == study.pk)
            if opened is None:
                found.unreadable += 1
            else:
                found.add(opened, kind)
    for code in study_definition(study).recruitment.codes.values():
        found.add(code, COMPLETION_CODE)
    return found


def search(
    paths: list[Path],
    identifiers: Identifiers,
    about_people: frozenset[str],
    tell: Callable[[int, int], None] | None = None,
) -> Search:
    """Look for the identifiers in all files.

    A short id of a person, and the beginning of a long one, are looked for only in the files that
    tell about people (named without ending): in the study's own texts, which were there before
    anybody came, it is a word like any. `tell` is told how many bytes of how many were searched.
    """
    done = Search()
    sizes = [path.stat().st_size for path in paths]
    # An archive holds tables about people too; its own texts are searched beside it.
    scans = {about: _Scan(identifiers, about_people=about) for about in (True, False)}
    for number, path in enumerate(paths):
        scan = scans[path.stem in about_people]
        before, read = sum(sizes[:number]), 0
        for piece in pieces(path, done.unread):
            done.found.update(Leak(path.name, kind) for kind in scan.read(piece))
            read = min(read + len(piece), sizes[number])
            if tell:
                tell(before + read, sum(sizes))
    return done


def searched(identifiers: Identifiers, unread: Sequence[str]) -> str:
    """Say what was looked for, how, and what could not be."""
    told = (
        f"{len(identifiers):,} keys, tokens, platform ids and codes looked for: "
        f"{', '.join(ENCODINGS)}; {len(identifiers.digests):,} digests of platform ids "
        f"({', '.join(DIGESTS)}, unsalted), and their first {TRUNCATED} characters or more; "
        "Parquet and archives unpacked"
    )
    limits = (
        (
            identifiers.too_short,
            f"of fewer than {SHORTEST} characters cannot be told from ordinary text and were not",
        ),
        (
            identifiers.like_items,
            f"of fewer than {LONG} characters are ids of items too, by chance, and were not",
        ),
        (
            identifiers.unreadable,
            "of other studies are stored under an older IDENTITY_KEY and were not",
        ),
    )
    told += "".join(f"; {number:,} {why}" for number, why in limits if number)
    return told + (f"; searched as bytes only: {', '.join(unread)}" if unread else "")


def without_codes(text: str, study: Study) -> tuple[str, int]:
    """Return a text with the completion codes taken out, and how often one stood there."""
    codes = {c for c in study_definition(study).recruitment.codes.values() if len(c) >= SHORTEST}
    if not codes:
        return text, 0
    longest_first = sorted(codes, key=lambda code: (-len(code), code))
    return re.subn("|".join(map(re.escape, longest_first)), "[code]", text)


def _open(ciphertext: bytes, *, own: bool) -> str | None:
    try:
        return decrypted(ciphertext)
    except InvalidToken:
        if not own:
            return None
        raise Refused(
            "The platform's ids were stored under another IDENTITY_KEY, so the release cannot be "
            "searched for them. Set the key that was in use when people came."
        ) from None


class _Scan:
    """The search in files of one sort; a word that named nobody a moment ago is not looked at again."""

    def __init__(self, identifiers: Identifiers, *, about_people: bool) -> None:
        self._ids = identifiers
        self._about_people = about_people
        self._innocent: set[bytes] = set()

    def read(self, piece: bytes) -> set[str]:
        """Search a piece of a file; return the kinds of what stands in it."""
        words = set(_RUN.findall(piece)) - self._innocent
        found: set[str] = set()
        for some in _pieces_of(words):
            found |= self._long(some) | self._whole(some)
        if self._ids.odd:
            found |= self._odd(piece)
        if not found:
            if len(self._innocent) > _REMEMBERED:
                self._innocent.clear()
            self._innocent |= words
        return found

    def _long(self, words: list[bytes]) -> set[str]:
        plain = [part for word in words for part in readable(word)]
        found: set[str] = set()
        for some in _pieces_of([*words, *plain]):
            text = b"\n".join(some).lower()
            for needles in (self._ids.long, self._ids.digests):
                found |= self._ids.kind_names(needles.within(text))
        return found

    def _whole(self, words: list[bytes]) -> set[str]:
        alone = {part for word in words for part in _alone(word)}
        found = {kind for code, kind in self._ids.codes.items() if code in alone}
        if not self._about_people:
            return found
        small = {word.lower() for word in alone}
        small.update(plain.lower() for word in words for plain in decoded(word))
        found |= self._ids.kind_names(self._ids.short.among(small))
        # Digits alone are a number, until there are as many as no number has.
        begun = {w for w in small if _HEX_WORD.fullmatch(w) and not (w.isdigit() and len(w) < LONG)}
        return found | self._ids.kind_names(self._ids.truncated.among(begun))

    def _odd(self, piece: bytes) -> set[str]:
        texts = [piece, *(d for word in set(_RUN.findall(piece)) for d in decoded(word))]
        text = b"\n".join(texts).decode(errors="replace").lower().encode()
        return {kind for needle, kind in self._ids.odd.items() if needle in text}


def _alone(run: bytes) -> Iterator[bytes]:
    """Yield the words of a run that stand by themselves; the parts of a number do not."""
    for token in _ID.findall(run):
        bare = token.strip(b"._-")
        yield from (token, bare)
        if not bare.replace(b".", b"").isdigit():
            yield from _WORD.findall(bare)


def _pieces_of(words: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield words some at a time; one that is too long is cut, with what overlaps."""
    some: list[bytes] = []
    size = 0
    for word in words:
        for start in range(0, len(word), PIECE // 2):
            part = word[start : start + PIECE // 2 + _OVERLAP]
            if size + len(part) + 1 > PIECE and some:
                yield some
                some, size = [], 0
            some.append(part)
            size += len(part) + 1
    if some:
        yield some
