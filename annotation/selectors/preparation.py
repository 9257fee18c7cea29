"""What is done and what is left from a draft to its launch."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import Annotator, AuditEvent, PlanLock, Study
from annotation.selectors.studies import study_definition

#: The act by which somebody says that a task looks as it should.
LOOKED_AT = "preview_confirm"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way, and what is the case."""

    title: str
    done: bool
    words: str


def tasks_looked_at(study: Study) -> set[str]:
    """Return the tasks that somebody has looked at since the folder was imported as it is now."""
    events = AuditEvent.objects.filter(study=study.slug, verb=LOOKED_AT)
    told = events.values_list("data", flat=True)
    return {data["task"] for data in told if data["folder_sha256"] == study.folder_sha256}


def steps_to_launch(study: Study) -> list[Step]:
    """Return the steps in their order; only the last one opens the study."""
    return [_imported(study), _looked_at(study), _piloted(study), _locked(study)]


def left_before_launch(study: Study) -> str:
    """Say what a launch would skip."""
    return " ".join(step.words for step in (_looked_at(study), _piloted(study)) if not step.done)


def _imported(study: Study) -> Step:
    warnings = [str(warning) for warning in study.design.get("warnings", [])]
    words = " ".join(warnings) or "Every form can be as the folder wants it."
    return Step("The folder is valid, and its forms are planned", done=True, words=words)


def _looked_at(study: Study) -> Step:
    tasks = [task.key for task in study_definition(study).tasks]
    left = [key for key in tasks if key not in tasks_looked_at(study)]
    words = (
        f"Not yet looked at: {', '.join(left)}." if left else "Somebody has looked at every task."
    )
    return Step("Seen as annotators see it", done=not left, words=words)


def _piloted(study: Study) -> Step:
    done = Q(state=Annotator.State.COMPLETED)
    people = Annotator.objects.filter(study=study, pilot=True)
    came = people.aggregate(all=Count("pk"), finished=Count("pk", filter=done))
    words = (
        f"{came['finished']} of {came['all']} who came in the pilot finished. What they answered "
        "never enters the analysis."
        if came["all"]
        else "Nobody has tried it in a pilot, whose answers never enter the analysis."
    )
    return Step("Tried by a few people", done=came["finished"] > 0, words=words)


def _locked(study: Study) -> Step:
    lock = PlanLock.objects.filter(study=study).first()
    if lock is None:
        words = "The launch locks it: what is prespecified is what the plan says then."
    else:
        words = f"Locked {lock.locked_at:%-d %b %Y, %H:%M} UTC under SHA-256 {lock.sha256}."
    return Step("The plan is locked", done=lock is not None, words=words)
