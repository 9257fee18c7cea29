"""What a careful colleague would question before people see it; none of it stops a study."""

import re

from annotation.studyfile.wording import shown
from annotation.tasktypes.instrument import Dimension, Scale

# What recruitment platforms forbid to ask for, and what would identify a person in a release.
PERSONAL = {
    "a name": r"\b(your|full|first|last|family|real)\s+names?\b|\bsurname\b",
    "an e-mail address": r"\be-?mails?\b",
    "a phone number": r"\b(tele)?phone\b|\b(cell|mobile) number\b|\bwhatsapp\b",
    "a date of birth": r"\b(date of birth|birth ?da(te|y)|born on)\b",
    "an address": r"\b(your|home|postal|street) address\b|\bpost ?code\b|\bzip ?code\b",
    "a social media account": r"\b(twitter|instagram|facebook|tiktok|linkedin|social media)\b",
    "an employer": r"\byour employer\b|\bname of (the|your) (company|employer)\b|\bwork for\b",
    "a platform id": r"\b(prolific|worker|clickworker) id\b",
}


def personal_request(text: str) -> str:
    """Return a warning where a question seems to ask for what identifies a person."""
    for what, pattern in PERSONAL.items():
        if re.search(pattern, text, re.IGNORECASE):
            return (
                f"This seems to ask for {what}. Platforms forbid it, and it would identify people; "
                "leave it out."
            )
    return ""


def vague_check(ask: str, expect: str, dimension: Dimension) -> str:
    """Return a warning where an attention check does not tell which answer it wants.

    An option must be named by its label: people do not see the value behind it.
    """
    labels = [option.label for option in dimension.options if option.value == expect]
    named = labels[0] if labels and dimension.scale is not Scale.INTERVAL else expect
    if dimension.scale is Scale.TEXT or _says(ask, named):
        return ""
    seen = "" if named == expect else f", which is what people see of {shown(expect)}"
    return (
        f"The instruction does not name {shown(named)}{seen}; a fair check says outright which "
        "answer to give."
    )


def foreign_interface(language: str) -> str:
    """Return a warning where a study is in a language that the buttons do not speak."""
    if language.lower().split("-")[0] == "en":
        return ""
    return (
        "The study's own texts are shown in this language; buttons and messages of the pages are "
        "in English."
    )


def _says(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None
