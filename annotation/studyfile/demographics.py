"""`recruitment.demographics` — what people may say about themselves, and how coarsely it leaves."""

from typing import Final

from annotation.studyfile.definition import Demographic
from annotation.studyfile.lint import personal_request
from annotation.studyfile.section import LARGEST, Section
from annotation.studyfile.wording import listed, shown
from annotation.studyfile.yaml_nodes import WHOLE

QUESTION_KEYS: Final = ("key", "ask", "kind", "options", "bands", "merge", "sensitive")
KINDS: Final = ("choice", "number")
# Names of columns beside them in the release, and of fields of the page.
TAKEN: Final = ("annotator", "state", "forms_done", "in_analysis")
# Above this age so few people are left that one band holds them all.
TOP: Final = 90


def read_demographics(recruitment: Section) -> tuple[Demographic, ...]:
    """Read the questions; without any, nobody is asked."""
    questions: list[Demographic] = []
    for node in recruitment.entries("demographics"):
        question = _question(recruitment.inner(node, QUESTION_KEYS))
        if question.key and question.key in [q.key for q in questions]:
            recruitment.fault(node, f"The key {shown(question.key)} stands twice.")
        questions.append(question)
    return tuple(questions)


def _question(section: Section) -> Demographic:
    key, ask = section.name("key"), section.text("ask")
    if key in TAKEN:
        section.fault_at("key", f"{shown(key)} is a column of the release already.")
    if asked := personal_request(ask):
        section.warn_at("ask", asked)
    kind = section.choice("kind", KINDS, "choice")
    options = _options(section) if kind == "choice" else ()
    bands = _bands(section) if kind == "number" else ()
    for other in {"choice": ("bands",), "number": ("options", "merge")}.get(kind, ()):
        if section.has(other):
            section.fault_at(other, f"{shown(other)} does not go with a {kind}.")
    merge = _merge(section, options) if kind == "choice" else {}
    sensitive = section.flag("sensitive", default=False)
    return Demographic(key, ask, kind, options, bands, merge, sensitive)


def _options(section: Section) -> tuple[str, ...]:
    options = tuple(section.words("options"))
    if len(options) < 2:  # noqa: PLR2004  a choice
        section.fault_at("options", "At least two options are needed.")
    return options


def _bands(section: Section) -> tuple[int, ...]:
    """Read where the bands begin, in growing order; the last one has no end."""
    cuts: list[int] = []
    for node in section.entries("bands"):
        word = section.word(node)
        if not WHOLE.fullmatch(word) or not 0 < int(word) <= LARGEST:
            section.fault(node, f"{shown(word)} is not a whole number above 0.")
        elif cuts and int(word) <= cuts[-1]:
            section.fault(node, f"{shown(word)} does not come after {cuts[-1]}.")
        else:
            cuts.append(int(word))
    if not cuts:
        section.fault_at("bands", "A number leaves in bands only: say where they begin.")
    elif cuts[-1] > TOP:
        section.warn_at("bands", f"Few people are above {TOP}; let the last band begin there.")
    return tuple(cuts)


def _merge(section: Section, options: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for name in section.mapping("merge"):
        inner = section.inner(section.at("merge"), tuple(section.mapping("merge")))
        members = inner.words(name)
        for member, node in members.items():
            if member not in options:
                section.fault(node, f"{shown(member)} is not one of {listed(options)}.")
            elif any(member in group for group in groups.values()):
                section.fault(node, f"{shown(member)} stands in two groups.")
        groups[name] = tuple(members)
    return groups
