"""Reading a study folder: everything is checked, every fault is told, nothing is half read."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from annotation.studyfile.anchors import check_anchors
from annotation.studyfile.assignment import check_fields, check_sizes, read_assignment
from annotation.studyfile.cells import is_language_tag
from annotation.studyfile.definition import StudyDefinition
from annotation.studyfile.errors import (
    SETTINGS_FILE,
    Findings,
    FolderError,
    StudyFolderInvalid,
)
from annotation.studyfile.files import MAX_SETTINGS_BYTES, StudyFiles
from annotation.studyfile.items import Ids
from annotation.studyfile.lint import foreign_interface
from annotation.studyfile.plan import read_plan
from annotation.studyfile.publication import read_publication
from annotation.studyfile.quality import read_quality
from annotation.studyfile.recruitment import read_recruitment
from annotation.studyfile.screens import read_attention, read_practice
from annotation.studyfile.section import Section
from annotation.studyfile.tasks import TaskReader, passages_of
from annotation.studyfile.texts import check_codes_kept, read_texts
from annotation.studyfile.wording import shown
from annotation.studyfile.yaml_nodes import Node, compose
from annotation.tasktypes import TASK_TYPES
from annotation.tasktypes.base import TaskType

KEYS = (
    "study",
    "title",
    "seed",
    "language",
    "texts",
    "recruitment",
    "assignment",
    "passages",
    "tasks",
    "attention",
    "practice",
    "quality",
    "plan",
    "release",
)
SLUG_CHARACTERS = 80
TITLE_CHARACTERS = 300
LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a folder holds; `study` is None where there are errors."""

    study: StudyDefinition | None
    errors: tuple[FolderError, ...]
    warnings: tuple[FolderError, ...]
    items: Mapping[str, int]


def read_study(folder: Path, types: Mapping[str, TaskType] = TASK_TYPES) -> StudyDefinition:
    """Return the study that a folder describes, or raise StudyFolderInvalid with every fault."""
    inspection = inspect_study(folder, types)
    if inspection.study is None:
        raise StudyFolderInvalid(inspection.errors)
    return inspection.study


def inspect_study(folder: Path, types: Mapping[str, TaskType] = TASK_TYPES) -> Inspection:
    """Read a folder and return all that was found, warnings too."""
    findings = Findings()
    files = StudyFiles(Path(folder), findings)
    study = None
    if files.exists() and (root := _settings(files)) is not None:
        study = _study(Section(root, findings, KEYS), files, types)
    items = {task.key: len(task.items) for task in study.tasks} if study else {}
    sound = study if findings.count == 0 else None
    return Inspection(sound, findings.errors(), findings.warnings(), items)


def _settings(files: StudyFiles) -> Node | None:
    data = files.read_bytes(SETTINGS_FILE, MAX_SETTINGS_BYTES, line=None, field="")
    text = None if data is None else files.decode(SETTINGS_FILE, data)
    return None if text is None else compose(text, files.findings)


def _study(
    section: Section, files: StudyFiles, types: Mapping[str, TaskType]
) -> StudyDefinition | None:
    if not section.members:
        return None
    texts = read_texts(section, files)
    recruitment = read_recruitment(section)
    passages = passages_of(section, files)
    ids = Ids()
    read = TaskReader(files, types, ids, passages).read(section)
    tasks = tuple(task.definition for task in read.read)
    assignment = read_assignment(section, read.named)
    attention = read_attention(section, assignment, read)
    check_fields(section, read.columns(read.named))
    check_sizes(section, assignment, tasks)
    check_anchors(section, assignment, tasks)
    check_codes_kept(section, texts, recruitment)
    return StudyDefinition(
        slug=_slug(section),
        title=section.text("title", limit=TITLE_CHARACTERS),
        seed=section.whole("seed", low=0, high=LARGEST_SEED),
        language=_language(section),
        **texts,
        recruitment=recruitment,
        assignment=assignment,
        tasks=tasks,
        passages=passages or {},
        attention=attention,
        practice=read_practice(section, read, ids, passages),
        quality=read_quality(section, attention, read),
        plan=read_plan(section, read),
        publication=read_publication(section),
    )


def _slug(section: Section) -> str:
    slug = section.text("study")
    letters = slug.replace("-", "").replace("_", "")
    plain = letters.isascii() and letters.isalnum() and slug == slug.lower()
    if slug and (not plain or len(slug) > SLUG_CHARACTERS):
        message = f"{shown(slug)} cannot be a study's name in links: use small letters, digits "
        section.fault_at("study", f"{message}and hyphens, at most {SLUG_CHARACTERS}.")
    return slug


def _language(section: Section) -> str:
    language = section.text("language", "en")
    if language and not is_language_tag(language):
        message = f"{shown(language)} is no language tag such as en or zh-Hans."
        section.fault_at("language", message)
    elif language and (foreign := foreign_interface(language)):
        section.warn_at("language", foreign)
    return language
