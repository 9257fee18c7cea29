"""What to tell a person through the platform about their pay: a text to copy, and to change."""

from annotation.models import Annotator, Answer, Assignment, AuditDetail
from annotation.providers import PROVIDERS
from annotation.selectors.judgments import check_passed
from annotation.selectors.payments import kind_of, people_owed
from annotation.selectors.studies import study_definition

Payment = Annotator.Payment


def message_to(person: Annotator) -> str:
    """Return what became of their work, what was decided and why, and whom to ask."""
    definition = study_definition(person.study)
    title = f"“{definition.title}”"
    parts = [_became(person, title), _decided(person)]
    if person.payment == Payment.REJECTED:
        parts += [_checks(person), "If you think that this is wrong, please answer this message."]
    if definition.recruitment.contact:
        parts.append(f"Questions: {definition.recruitment.contact}")
    return " ".join(part for part in parts if part)


def _became(person: Annotator, title: str) -> str:
    worker = people_owed(person.study).get(pk=person.pk)
    ended = person.study.state == person.study.State.CLOSED
    kind = kind_of(person.state, worker.forms, answered=worker.answered, ended=ended)
    platform = PROVIDERS[study_definition(person.study).recruitment.provider]
    give_back = f" Please return it on {platform.label}." if platform.names_people else ""
    return {
        "complete": f"Thank you for taking part in {title}.",
        "partial": f"Thank you for beginning {title}. You did not finish it.{give_back}",
        "screened_out": f"Thank you for your interest in {title}. It is for other people this time, "
        f"so it ended before the work.{give_back}",
        "none": f"You opened {title} and left it before the first answer.{give_back}",
        "open": f"You have begun {title}, and can go on by the same link.",
    }[kind]


def _decided(person: Annotator) -> str:
    if person.payment == Payment.APPROVED:
        return "Your work is approved, and you are paid for it."
    if person.payment == Payment.REJECTED:
        return f"We cannot pay you for it: {_reason(person)}"
    return ""


def _reason(person: Annotator) -> str:
    """Return why, as it was written with the last decision."""
    told = AuditDetail.objects.filter(annotator=person, event__verb="payment_decide")
    last = told.order_by("-event__number").first()
    return str((last.data if last else {}).get("reason", ""))


def _checks(person: Annotator) -> str:
    """Say how many checks failed; what would have been right stays with the study."""
    definition = study_definition(person.study)
    answers = Answer.objects.filter(
        assignment__annotator=person, assignment__kind=Assignment.Kind.CHECK
    ).select_related("assignment")
    passed = [check_passed(answer, definition) for answer in answers]
    if all(passed):
        return ""
    return (
        f"Of {len(passed)} question{' that asks' if len(passed) == 1 else 's that ask'} for a stated answer, "
        f"{passed.count(False)} {'was' if passed.count(False) == 1 else 'were'} answered otherwise."
    )
