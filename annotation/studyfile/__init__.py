"""Study folders: read, checked, and turned into a definition that the rest of Parallax uses."""

from annotation.studyfile.document import (
    canonical_json,
    folder_digest,
    folder_document,
    plan_document,
    study_from_document,
)
from annotation.studyfile.errors import FolderError, StudyFolderInvalid
from annotation.studyfile.folder import Inspection, inspect_study, read_study

__all__ = [
    "FolderError",
    "Inspection",
    "StudyFolderInvalid",
    "canonical_json",
    "folder_digest",
    "folder_document",
    "inspect_study",
    "plan_document",
    "read_study",
    "study_from_document",
]
