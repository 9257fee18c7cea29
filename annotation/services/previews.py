"""preview_confirm: somebody has seen a task as annotators see it, and found it as it should be."""

from datetime import datetime

from django.db import transaction

from annotation.models import Study
from annotation.selectors.preparation import LOOKED_AT, tasks_looked_at
from annotation.services.audit import audit_record


@transaction.atomic
def preview_confirm(study: Study, task: str, *, author: str, now: datetime) -> None:
    """Note it once for the folder as it is; another version has to be looked at again."""
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if task in tasks_looked_at(study):
        return
    data = {"task": task, "folder_sha256": study.folder_sha256}
    audit_record(LOOKED_AT, study=study.slug, author=author, now=now, data=data)
