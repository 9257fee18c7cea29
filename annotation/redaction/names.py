"""Names as people introduce them, in some languages; a name without such a phrase is not found."""

import re
from collections.abc import Iterator
from typing import Final

# A capital and small letters, in any alphabet that has them; with what joins the parts of a name.
_PART = r"[^\W\d_a-zа-яёß-öø-ÿ][^\W\d_]*(?:[-'\u2019][^\W\d_]+)*"  # noqa: RUF001  Cyrillic too
_JOIN = r"(?:de|da|do|del|la|van|von|der|den|bin|al|el|y|di)"
_NAME = rf"{_PART}(?:\s+(?:{_JOIN}\s+)*{_PART}){{0,3}}"
_PHRASES = (
    r"my\s+(?:full\s+|first\s+)?name\s+is", r"my\s+name[\u2019']s", r"call\s+me", r"this\s+is",
    r"me\s+llamo", r"mi\s+nombre\s+es", r"ich\s+hei(?:ß|ss)e", r"mein\s+name\s+ist",
    r"je\s+m[\u2019']appelle", r"mon\s+nom\s+est", r"me\s+chamo", r"meu\s+nome\s+é", r"mi\s+chiamo",
    r"меня\s+зовут", r"мое\s+имя", r"моё\s+имя", r"jina\s+langu\s+ni", r"naitwa",
)  # fmt: skip
_SIGNED = r"(?:regards|cheers|best|thanks|saludos|grüße|gruß|cordialement|с\s+уважением)\s*,"  # noqa: RUF001
_TITLES = r"(?:Mr|Mrs|Ms|Dr|Prof|Sra?|Herr|Frau|Mme|Mlle|Señora?|Г-н|Г-жа)"
_INTRODUCED: Final = re.compile(rf"(?i:\b(?:{'|'.join(_PHRASES)}))\s+(?P<name>{_NAME})")
# After these, two parts or more: "I am Spanish" is no name.
_I_AM: Final = re.compile(
    r"(?i:\b(?:I\s+am|I[\u2019']m|ich\s+bin|je\s+suis|yo\s+soy|eu\s+sou))\s+"
    rf"(?P<name>{_PART}(?:\s+(?:{_JOIN}\s+)*{_PART}){{1,3}})"
)
_CLOSING: Final = re.compile(
    rf"(?:(?:^|\s)[—–]\s*|(?i:\b{_SIGNED})\s*)(?P<name>{_NAME})\s*[.!]?\s*$", re.MULTILINE
)
_TITLED: Final = re.compile(rf"\b{_TITLES}\.?\s+(?P<name>{_NAME})")
# Alphabets without capitals: the words up to a sign or a closing verb.
_UNCASED: Final = re.compile(
    r"(?:اسمي|मेरा\s+नाम)\s+(?P<name>[^\s،。.,!?؟।]+(?:\s+(?!है|هو|و)[^\s،。.,!?؟।]+)?)"
    r"|(?:我叫|我的名字是|我是)(?P<han>[\u4e00-\u9fff]{2,4})(?=[\uff0c。,.!\uff01\s]|$)"
    r"|(?:tên\s+tôi\s+là|Tên\s+tôi\s+là)\s+(?P<viet>[^\s,.!?]+(?:\s+[^\W\d_a-z][^\s,.!?]*){0,3})"
)


def names(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a name stands, from its first letter up to its last."""
    for pattern in (_INTRODUCED, _I_AM, _CLOSING, _TITLED):
        for match in pattern.finditer(text):
            yield match.span("name")
    for match in _UNCASED.finditer(text):
        group = next(name for name, value in match.groupdict().items() if value)
        yield match.span(group)
