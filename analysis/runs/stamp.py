"""A digest of what a study holds at a moment: changes when anything that an analysis reads changes."""

import hashlib

from django.db.models import Max

from annotation.models import AnswerRevision, AuditEvent, Claim, Study
from annotation.studyfile import canonical_json


def input_stamp(study: Study) -> str:
    """Return the SHA-256 of the last answer, the last act and the last end of a form of a study.

    Answers only gain revisions, exclusions are acts in the log, and a form that ends says when; so
    the last of each tells whether anything has changed, without reading what is there.
    """
    answers = AnswerRevision.objects.filter(answer__assignment__item__study=study)
    acts = AuditEvent.objects.filter(study=study.slug)
    ended = Claim.objects.filter(form__study=study).aggregate(last=Max("ended_at"))["last"]
    facts = [
        study.slug,
        study.folder_sha256,
        answers.order_by("-pk").values_list("pk", flat=True).first(),
        acts.order_by("-number").values_list("sha256", flat=True).first(),
        ended.isoformat() if ended else None,
    ]
    return hashlib.sha256(canonical_json(facts).encode()).hexdigest()
