"""Scores of one answer against its reference answers: exact match, token F1, accuracy.

Normalisation and token F1 are those of SQuAD's evaluation (Rajpurkar et al. 2016, 2018): small letters,
no ASCII punctuation, no English articles, single blanks.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence

_ARTICLES = re.compile(r"\b(a|an|the)\b", re.UNICODE)
_PUNCTUATION = str.maketrans("", "", string.punctuation)
NOT_STATED = "not stated"
CATEGORIES = ("yes", "no", "true", "false", NOT_STATED)


def normalised(text: str) -> str:
    """Return the text as answers are compared.

    >>> normalised("  The  Tower, of a King! ")
    'tower of king'
    """
    bare = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", bare).split())


def exact_match(answer: str, references: Sequence[str]) -> float:
    """Return 1 where the answer equals a reference after normalisation, else 0.

    >>> exact_match("the Tower", ["A tower"])
    1.0
    """
    return float(any(normalised(answer) == normalised(one) for one in references))


def token_f1(answer: str, references: Sequence[str]) -> float:
    """Return the largest harmonic mean of precision and recall of tokens over the references.

    Tokens are counted with repetition. Where either side has no token, the score is whether neither
    has one.

    >>> token_f1("The ferry pulls itself.", ["A ferry pulls itself across"])
    0.8571428571428571
    """
    return max(_f1(answer, one) for one in references)


def _f1(answer: str, reference: str) -> float:
    given, wanted = normalised(answer).split(), normalised(reference).split()
    if not given or not wanted:
        return float(given == wanted)
    shared = (Counter(given) & Counter(wanted)).total()
    if not shared:
        return 0.0
    precision, recall = shared / len(given), shared / len(wanted)
    return 2 * precision * recall / (precision + recall)


def category(text: str) -> str | None:
    """Return the category that an answer names at its start, or None where it names none.

    >>> category("Yes, because the text says so."), category("Not stated in the passage")
    ('yes', 'not stated')
    >>> category("Nobody knows") is None
    True
    """
    words = normalised(text)
    found = [one for one in CATEGORIES if words == one or words.startswith(f"{one} ")]
    return max(found, key=len, default=None)


def accuracy(answer: str, references: Sequence[str]) -> float:
    """Return 1 where the answer names the category of a reference, else 0.

    A reference that is none of the known categories has to be matched exactly.

    >>> accuracy("No. It is stone.", ["no"]), accuracy("It is not stated.", ["Not stated"])
    (1.0, 0.0)
    """
    given = category(answer)
    return float(
        any(
            given == category(one) if category(one) is not None else exact_match(answer, [one])
            for one in references
        )
    )
