"""Studies and what their folders said."""

from functools import lru_cache

from annotation.errors import StudyNotFound
from annotation.models import Study
from annotation.studyfile import study_from_document
from annotation.studyfile.definition import StudyDefinition


def study_named(slug: str) -> Study:
    """Return the study of that slug, or refuse with the slugs there are."""
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        raise StudyNotFound(slug, list(Study.objects.values_list("slug", flat=True)))
    return study


def study_definition(study: Study) -> StudyDefinition:
    """Return what the study's folder said, without items and passages."""
    return _definition(study.pk, study.folder_sha256)


@lru_cache(maxsize=64)
def _definition(pk: int, folder_sha256: str) -> StudyDefinition:
    # The digest is part of the key: a draft that is imported again is another definition.
    document = Study.objects.values_list("document", flat=True).get(
        pk=pk, folder_sha256=folder_sha256
    )
    return study_from_document(document)
