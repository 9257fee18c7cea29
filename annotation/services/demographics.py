"""demographics_record."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from annotation.models import Annotator, Demographics
from annotation.selectors.studies import study_definition
from annotation.services.claims import annotator_locked

# Nobody is older, and no number of years or languages is larger.
LARGEST = 120


@transaction.atomic
def demographics_record(annotator: Annotator, answers: Mapping[str, str], *, now: datetime) -> None:
    """Store what a person said about themselves, once; what is empty was skipped and is not kept."""
    person = annotator_locked(annotator.pk)
    if Demographics.objects.filter(annotator=person).exists():
        return
    questions = study_definition(person.study).recruitment.demographics
    said = {q.key: answers[q.key] for q in questions if answers.get(q.key)}
    Demographics.objects.create(annotator=person, answers=said, at=now)
