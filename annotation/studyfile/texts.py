"""`texts:` — what people read before and after their work."""

from collections.abc import Mapping

from annotation.studyfile.definition import Recruitment
from annotation.studyfile.files import StudyFiles
from annotation.studyfile.section import Section
from annotation.studyfile.wording import shown

KEYS = ("consent", "instructions", "debrief")
# Read before the last answer is given: a code that stands there is given away.
READ_BEFORE = ("consent", "instructions")


def read_texts(study: Section, files: StudyFiles) -> dict[str, str]:
    """Return each text as it stands; only the debriefing may be left out."""
    texts = dict.fromkeys(KEYS, "")
    section = study.section("texts", KEYS)
    if section is None:
        study.fault_at("texts", "The consent and the instructions are missing: name their files.")
        return texts
    for key in KEYS:
        name = section.text(key, "" if key == "debrief" else None)
        if name:
            node = section.at(key)
            texts[key] = files.read_text(name, line=node.line, field=node.path) or ""
    return texts


def check_codes_kept(study: Section, texts: Mapping[str, str], recruitment: Recruitment) -> None:
    """Warn where a text gives a code away before it is earned."""
    section = study.section("texts", KEYS)
    if section is None:
        return
    for key in READ_BEFORE:
        for outcome, code in recruitment.codes.items():
            if code and code in texts[key]:
                message = f"The text holds the code of {shown(outcome)}, so everyone has it."
                section.warn_at(key, message)
