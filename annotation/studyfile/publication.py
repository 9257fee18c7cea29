"""`release:` — what only the researcher knows of the archive: its licence, its authors, its name."""

import re
from dataclasses import dataclass
from typing import Final

from annotation.studyfile.definition import Creator, Publication
from annotation.studyfile.section import Section
from annotation.studyfile.wording import shown

KEYS = (
    "licence",
    "creators",
    "description",
    "citation",
    "version",
    "url",
    "country",
    "pay_per_hour",
    "free_text",
)
CREATOR_KEYS = ("name", "orcid", "affiliation")
FREE_TEXT: Final = ("drop", "review")
ORCID = re.compile(r"[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X]")
VERSION = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){1,2}")
URL = re.compile(r"https?://[^\s/]+\.[^\s]+")
ONE_LINE: Final = 300


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence for data, by its SPDX id."""

    spdx: str
    title: str
    url: str


LICENCES: Final = {
    one.spdx: one
    for one in (
        Licence(
            "CC0-1.0", "CC0 1.0 Universal", "https://creativecommons.org/publicdomain/zero/1.0/"
        ),
        Licence(
            "CC-BY-4.0",
            "Creative Commons Attribution 4.0 International",
            "https://creativecommons.org/licenses/by/4.0/",
        ),
        Licence(
            "CC-BY-SA-4.0",
            "Creative Commons Attribution-ShareAlike 4.0 International",
            "https://creativecommons.org/licenses/by-sa/4.0/",
        ),
        Licence(
            "CC-BY-NC-4.0",
            "Creative Commons Attribution-NonCommercial 4.0 International",
            "https://creativecommons.org/licenses/by-nc/4.0/",
        ),
        Licence(
            "CC-BY-NC-SA-4.0",
            "Creative Commons Attribution-NonCommercial-ShareAlike 4.0 International",
            "https://creativecommons.org/licenses/by-nc-sa/4.0/",
        ),
        Licence(
            "ODC-By-1.0",
            "Open Data Commons Attribution License v1.0",
            "https://opendatacommons.org/licenses/by/1-0/",
        ),
        Licence(
            "ODbL-1.0",
            "Open Data Commons Open Database License v1.0",
            "https://opendatacommons.org/licenses/odbl/1-0/",
        ),
        Licence(
            "PDDL-1.0",
            "Open Data Commons Public Domain Dedication and License 1.0",
            "https://opendatacommons.org/licenses/pddl/1-0/",
        ),
    )
}


def read_publication(study: Section) -> Publication:
    """Read the section; what is left out, the release says is missing."""
    section = study.section("release", KEYS)
    if section is None:
        return Publication()
    licence = section.choice("licence", LICENCES, "") if section.has("licence") else ""
    return Publication(
        licence=licence,
        creators=_creators(section),
        description=section.text("description", ""),
        citation=section.text("citation", ""),
        version=_shaped(section, "version", VERSION, "a version such as 1.0 or 1.0.0"),
        url=_shaped(section, "url", URL, "an address that begins with https://"),
        country=section.text("country", "", limit=ONE_LINE),
        pay_per_hour=section.text("pay_per_hour", "", limit=ONE_LINE),
        free_text=section.choice("free_text", FREE_TEXT, FREE_TEXT[0]),
    )


def _shaped(section: Section, key: str, shape: re.Pattern[str], wanted: str) -> str:
    text = section.text(key, "", limit=ONE_LINE)
    if text.strip() and not shape.fullmatch(text):
        section.fault_at(key, f"{shown(text)} is not {wanted}.")
    return text


def _creators(section: Section) -> tuple[Creator, ...]:
    creators: list[Creator] = []
    for node in section.entries("creators"):
        creator = _creator(section.inner(node, CREATOR_KEYS))
        if creator.name and creator.name in [one.name for one in creators]:
            section.fault(node, f"{shown(creator.name)} stands twice.")
        creators.append(creator)
    if section.has("creators") and not creators:
        section.fault_at("creators", "At least one creator must be named.")
    return tuple(creators)


def _creator(section: Section) -> Creator:
    orcid = section.text("orcid", "", limit=ONE_LINE)
    if orcid.strip() and not (ORCID.fullmatch(orcid) and _checks(orcid)):
        message = f"{shown(orcid)} is not an ORCID such as 0000-0002-1825-0097: "
        section.fault_at("orcid", f"{message}mind the last digit, which checks the others.")
    return Creator(
        name=section.text("name", limit=ONE_LINE),
        orcid=orcid,
        affiliation=section.text("affiliation", "", limit=ONE_LINE),
    )


def _checks(orcid: str) -> bool:
    """Whether the last digit of an ORCID fits the others (ISO 7064, MOD 11-2)."""
    total = 0
    for digit in orcid.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    rest = (12 - total % 11) % 11
    return orcid[-1] == ("X" if rest == 10 else str(rest))  # noqa: PLR2004  as the standard has it
