"""What in a typed text could tell who typed it: suggestions for a person who decides.

Names have no form that a program knows them by: only those that a phrase introduces are found.
"""

import base64
import binascii
import ipaddress
import re
from collections.abc import Callable, Iterator
from typing import Final

import phonenumbers

from annotation.redaction.findings import Finding, Kind, without_overlap
from annotation.redaction.names import names

Known = Callable[[str], bool]
# Numbers without a country's prefix are read as of one of these.
REGIONS: Final = ("GB", "US", "DE", "FR", "ES", "IN", "KE", "BR", "PE", "RU")
LEAST_DIGITS = 7
_ID: Final = re.compile(r"[0-9a-f]{24}", re.IGNORECASE)
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
# Of the signs that ids have too, so many may begin or end one.
_SIGNS: Final = "._-"
MOST_SIGNS: Final = 3
_WORD: Final = re.compile(r"[A-Za-z0-9._-]{4,100}")
_EMAIL: Final = re.compile(r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+")
_AT = r"\s*[(\[{<]?\s*(?:@|\bat\b|\barroba\b|\bchez\b)\s*[)\]}>]?\s*"
_DOT = r"\s*[(\[{<]?\s*(?:\.|\bdot\b|\bpunto\b|\bpoint\b|\bpunkt\b)\s*[)\]}>]?\s*"
_ENDING = r"(?:com|org|net|edu|gov|info|de|fr|es|uk|ru|in|br|pe|ke|eu|io)"
_OBFUSCATED: Final = re.compile(
    rf"\b[\w.+-]+(?:\s+(?:dot|punto|point|punkt)\s+[\w+-]+){{0,2}}{_AT}[\w-]+(?:{_DOT}[\w-]+){{0,3}}{_DOT}{_ENDING}\b",
    re.IGNORECASE,
)
_URL: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"]+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|me)/[^\s<>\"]+",
    re.IGNORECASE,
)
_HANDLE: Final = re.compile(r"(?<![\w@./])@\w[\w.]{2,29}\b")
_ACCOUNT: Final = re.compile(
    r"\b(?:telegram|whatsapp|instagram|insta|twitter|discord|skype|reddit|tiktok)\b"
    r"(?:\s+(?:is|as|under|account|user|handle|name|me))*\s*[:=]?\s*(?P<handle>\w[\w.#-]*[\w])",
    re.IGNORECASE,
)
_IP: Final = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:]+)(?![\w:])", re.I
)
_HEALTH: Final = re.compile(
    r"\b(?:I|I'm|I am|I have|I've|my)\b[^.!?\n]{0,40}\b(?:depress\w+|anxiety|autis\w+|adhd|dyslexi\w+|"
    r"cancer|diabet\w+|pregnan\w+|disab\w+|blind|deaf|epilep\w+|hiv|medication|diagnos\w+|surgery)\b",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"\b(?:I live in|I'm from|I am from|I was born in|I work (?:at|for|in)|here in|vivo en|soy de|"
    r"ich wohne in|ich komme aus|j'habite à|moro em|я живу в)\s+\S+",
    re.IGNORECASE,
)


def findings_in(text: str, known: Known = lambda _: False) -> tuple[Finding, ...]:
    """Return what could tell who typed a text; `known` says whether a word is an id on record."""
    return without_overlap(
        finding for find in (_ids, _addresses, _phones, _others) for finding in find(text, known)
    )


def _ids(text: str, known: Known) -> Iterator[Finding]:
    yield from _all(_ID, text, Kind.ID)
    for match in _BASE64.finditer(text):
        if any(_ID.search(plain) or known(plain) for plain in _decoded(match[0])):
            yield Finding(*match.span(), Kind.ID)
    for match in _WORD.finditer(text):
        if any(known(spelled) for spelled in _spelled(match[0])):
            yield Finding(*match.span(), Kind.ID)


def _spelled(run: str) -> Iterator[str]:
    """Yield the ids that a run of letters and signs may be: signs at its ends are its own or the text's."""
    before, after = (len(run) - len(bare) for bare in (run.lstrip(_SIGNS), run.rstrip(_SIGNS)))
    if before == len(run):
        return
    for own_before in range(min(before, MOST_SIGNS) + 1):
        for own_after in range(min(after, MOST_SIGNS) + 1):
            word = run[before - own_before : len(run) - after + own_after]
            yield from {word, word.lower(), word.upper()}


def _decoded(run: str) -> Iterator[str]:
    """Yield what base64 or hexadecimal digits may stand for."""
    digits = run.rstrip("=").replace("-", "+").replace("_", "/")
    for start in range(4):
        part = digits[start:]
        part = part[:-1] if len(part) % 4 == 1 else part
        yield base64.b64decode(part + "=" * (-len(part) % 4)).decode("latin-1")
    if re.fullmatch(r"(?:[0-9A-Fa-f]{2})+", run):
        yield binascii.unhexlify(run).decode("latin-1")


def _addresses(text: str, _known: Known) -> Iterator[Finding]:
    yield from _all(_EMAIL, text, Kind.EMAIL)
    yield from _all(_OBFUSCATED, text, Kind.EMAIL)
    yield from _all(_URL, text, Kind.URL)
    for match in _IP.finditer(text):
        if _is_address(match[0]):
            yield Finding(*match.span(), Kind.IP)


def _is_address(word: str) -> bool:
    try:
        ipaddress.ip_address(word)
    except ValueError:
        return False
    return True


def _phones(text: str, _known: Known) -> Iterator[Finding]:
    if sum(letter.isdigit() for letter in text) < LEAST_DIGITS:
        return
    for region in REGIONS:
        for match in phonenumbers.PhoneNumberMatcher(text, region):
            yield Finding(match.start, match.end, Kind.PHONE)


def _others(text: str, _known: Known) -> Iterator[Finding]:
    yield from _all(_HANDLE, text, Kind.HANDLE)
    for match in _ACCOUNT.finditer(text):
        if not match["handle"].islower() or re.search(r"[\d._#]", match["handle"]):
            yield Finding(*match.span("handle"), Kind.HANDLE)
    for start, end in names(text):
        yield Finding(start, end, Kind.NAME)
    yield from _all(_HEALTH, text, Kind.HEALTH)
    yield from _all(_PLACE, text, Kind.PLACE)


def _all(pattern: re.Pattern[str], text: str, kind: Kind) -> Iterator[Finding]:
    return (Finding(*match.span(), kind) for match in pattern.finditer(text))
