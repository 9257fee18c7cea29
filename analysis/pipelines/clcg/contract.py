"""The output contract: one JSON array of answers a call. What cannot be read is said, not guessed."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.frames import Scores

_FENCE = re.compile(r"^```[a-zA-Z]*\s*\n(.*?)\n?```$", re.DOTALL)
ID_KEYS = ("item_id", "id")
ANSWER_KEYS = ("answer", "prediction")


@dataclass(frozen=True)
class Parsed:
    """The answer to one item, with its status."""

    item: str
    answer: str
    status: str


def answers_of(response: str, items: Sequence[str]) -> list[Parsed]:
    """Return an answer for every item that was asked.

    The response is a JSON array, with or without a code fence around it: of objects that name their
    item, or of bare answers in the order of the items, one for each. An item that the array lacks is
    `missing`; all items are `missing` where the response is empty, and `unparseable` where it is no
    such array. Items that were not asked are passed over.
    """
    text = response.strip()
    if not text:
        return [Parsed(item, "", Scores.MISSING) for item in items]
    found = _array(text)
    if found is None:
        return [Parsed(item, "", Scores.UNPARSEABLE) for item in items]
    named = _by_item(found, items)
    if named is None:
        return [Parsed(item, "", Scores.UNPARSEABLE) for item in items]
    return [_parsed(item, named) for item in items]


def _parsed(item: str, named: Mapping[str, object]) -> Parsed:
    if item not in named or named[item] is None:
        return Parsed(item, "", Scores.MISSING)
    answer = _text(named[item])
    if answer is None:
        return Parsed(item, "", Scores.UNPARSEABLE)
    return Parsed(item, answer, Scores.OK if answer.strip() else Scores.MISSING)


def _array(text: str) -> list[object] | None:
    fenced = _FENCE.match(text)
    try:
        found = json.loads(fenced.group(1) if fenced else text)
    except (json.JSONDecodeError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def _by_item(found: list[object], items: Sequence[str]) -> dict[str, object] | None:
    if all(isinstance(one, dict) for one in found):
        named: dict[str, object] = {}
        for one in found:
            identity = _first(one, ID_KEYS)
            if identity is not None:
                # An item that is answered twice keeps its first answer.
                named.setdefault(str(identity), _first(one, ANSWER_KEYS))
        return named
    if len(found) != len(items):
        return None
    return dict(zip(items, found, strict=True))


def _first(one: object, keys: Sequence[str]) -> object:
    members = one if isinstance(one, dict) else {}
    return next((members[key] for key in keys if key in members), None)


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else None
