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
    """Return a warning where an attention check does not tell which answer it wants."""
    wanted = {expect, *(o.label for o in dimension.options if o.value == expect)}
    if dimension.scale is Scale.TEXT or any(_says(ask, word) for word in wanted):
        return ""
    return (
        f"The instruction names neither {' nor '.join(shown(w) for w in sorted(wanted))}; a fair "
        "check says outright which answer to give."
    )


def _says(text: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None
