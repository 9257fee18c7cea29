"""What was said, decided and logged is stored once and stays as it was."""

import pytest
from django.db import DatabaseError, connection, models, transaction

from annotation.models import (
    Annotator,
    Answer,
    AnswerRevision,
    AuditEvent,
    Claim,
    Consent,
    Exclusion,
    ExclusionRevocation,
    Form,
    InstrumentVersion,
    Item,
    Passage,
    PlanLock,
    PlatformIdentity,
    PlatformSession,
    Study,
)
from tests import factories
from tests.annotation.models.refusals import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def answer() -> Answer:
    claim = factories.done_by_someone(factories.live(items=3, replication=1))
    return Answer.objects.filter(assignment__claim=claim).earliest("pk")


@pytest.fixture
def study(answer: Answer) -> Study:
    return answer.assignment.item.study


@pytest.fixture
def person(answer: Answer) -> Annotator:
    return answer.assignment.annotator


@pytest.mark.parametrize(
    ("model", "constraint"),
    [
        (Study, "study_state_known"),
        (Form, "form_state_known"),
        (Claim, "claim_state_known"),
        (Annotator, "annotator_state_known"),
    ],
)
def test_no_row_is_in_a_state_that_does_not_exist(
    answer: Answer, model: type[models.Model], constraint: str
) -> None:
    with refused(constraint):
        model._default_manager.update(state="lost")


def test_no_payment_is_in_a_state_that_does_not_exist(answer: Answer) -> None:
    with refused("annotator_payment_known"):
        Annotator.objects.update(payment="maybe")


@pytest.mark.parametrize("state", ["live", "paused", "closed"])
def test_a_study_that_was_never_launched_is_not_live(study: Study, state: str) -> None:
    with refused("study_launched_before_it_is_live"):
        Study.objects.update(state=state, launched_at=None, closed_at=factories.NOW)


def test_a_closed_study_says_when_it_was_closed(study: Study) -> None:
    with refused("study_closed_after_its_launch"):
        Study.objects.update(state="closed", closed_at=None)


def test_a_study_is_not_closed_before_it_was_launched(study: Study) -> None:
    with refused("study_closed_after_its_launch"):
        Study.objects.update(state="closed", closed_at=factories.NOW - factories.MINUTE)


@pytest.mark.parametrize("model", [PlanLock, AuditEvent, AnswerRevision])
def test_what_is_final_is_never_updated(answer: Answer, model: type[models.Model]) -> None:
    row = model._default_manager.all()[:1].get()
    field = {"PlanLock": "sha256", "AuditEvent": "author", "AnswerRevision": "key"}
    with refused("is never changed"):
        model._default_manager.filter(pk=row.pk).update(**{field[model.__name__]: "else"})


@pytest.mark.parametrize("table", ["annotation_planlock", "annotation_auditevent"])
def test_what_is_final_is_never_deleted(answer: Answer, table: str) -> None:
    with refused("is never changed"), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table}")  # noqa: S608  a name of the test's own


def test_a_submission_is_stored_once(answer: Answer) -> None:
    known = answer.revisions.get()
    columns = "annotation_answerrevision.answer_id, annotation_answerrevision.key"
    with refused("revision_key_once", columns):
        revision(answer, number=2, key=known.key).save()
    columns = "annotation_answerrevision.answer_id, annotation_answerrevision.number"
    with refused("revision_number_once", columns):
        revision(answer, number=known.number, key="another").save()


def revision(answer: Answer, *, number: int, key: str) -> AnswerRevision:
    """Return a revision, not stored yet."""
    return AnswerRevision(
        answer=answer, number=number, key=key, values={}, received_at=factories.NOW
    )


@pytest.mark.parametrize("field", ["server_seconds", "active_seconds"])
def test_no_answer_took_less_than_no_time(answer: Answer, field: str) -> None:
    with refused("answer_times_not_negative"):
        Answer.objects.filter(pk=answer.pk).update(**{field: -1.0})


def test_a_screen_is_answered_once(answer: Answer) -> None:
    again = Answer(
        assignment=answer.assignment,
        instrument=answer.instrument,
        values={},
        submitted_at=factories.NOW,
        server_seconds=1.0,
    )
    with refused("annotation_answer_pkey", "annotation_answer.assignment_id"):
        again.save(force_insert=True)


def test_a_platform_id_is_one_person_of_a_study(study: Study, person: Annotator) -> None:
    identity(study, person).save(force_insert=True)
    other = factories.annotator(study)
    columns = "annotation_platformidentity.study_id, annotation_platformidentity.lookup"
    with refused("identity_once_a_study", columns):
        identity(study, other).save(force_insert=True)


def identity(study: Study, person: Annotator) -> PlatformIdentity:
    """Return an identity, not stored yet."""
    return PlatformIdentity(
        annotator=person, study=study, provider="prolific", lookup="f" * 64, ciphertext=b"x"
    )


def test_a_visit_is_stored_once(person: Annotator) -> None:
    visit = {"annotator": person, "lookup": "e" * 64, "ciphertext": b"x"}
    PlatformSession.objects.create(**visit, started_at=factories.NOW)
    columns = "annotation_platformsession.annotator_id, annotation_platformsession.lookup"
    with refused("session_once_a_person", columns):
        PlatformSession.objects.create(**visit, started_at=factories.NOW)


@pytest.mark.parametrize("field", ["pseudonym", "access_key", "entry_token"])
def test_no_two_people_share_what_names_them(person: Annotator, field: str) -> None:
    other = factories.annotator(person.study)
    with refused(f"annotation_annotator_{field}", f"annotation_annotator.{field}"):
        Annotator.objects.filter(pk=other.pk).update(**{field: getattr(person, field)})


def test_consent_is_given_once(person: Annotator) -> None:
    with refused("consent_given_once", "annotation_consent.annotator_id"):
        Consent.objects.create(annotator=person, given=True, text_sha256="0" * 64, language="en")


def test_a_study_has_an_item_a_passage_and_an_instrument_once(study: Study) -> None:
    item = study.items.earliest("pk")
    with refused("item_once", "annotation_item.study_id, annotation_item.key"):
        Item.objects.create(study=study, key=item.key, task=item.task, fields={})
    Passage.objects.create(study=study, key="p", text="Text.")
    with refused("passage_once", "annotation_passage.study_id, annotation_passage.key"):
        Passage.objects.create(study=study, key="p", text="Another.")
    columns = "annotation_instrumentversion.study_id, annotation_instrumentversion.task"
    with refused("instrument_one_current", columns):
        InstrumentVersion.objects.create(study=study, task=item.task, sha256="9", document={})
    known = study.instruments.get()
    with refused("instrument_once", f"{columns}, annotation_instrumentversion.sha256"):
        InstrumentVersion.objects.create(
            study=study, task=item.task, sha256=known.sha256, document={}, current=False
        )


def exclusion(person: Annotator, answer: Answer | None, **changed: str) -> Exclusion:
    """Return an exclusion, not stored yet."""
    fields = {
        "study": person.study,
        "unit": "judgment" if answer else "annotator",
        "annotator": person,
        "answer": answer,
        "rule": "attention",
        "rule_version": "1",
        "reason": "failed 1 attention check",
        "author": "rule",
        "at": factories.NOW,
    }
    return Exclusion(**(fields | changed))


def test_an_exclusion_has_a_reason(person: Annotator) -> None:
    with refused("exclusion_has_a_reason"):
        exclusion(person, None, reason="").save()


def test_an_exclusion_is_of_a_person_or_of_a_judgment(person: Annotator, answer: Answer) -> None:
    with refused("exclusion_unit_fits"):
        exclusion(person, answer, unit="annotator").save()
    with refused("exclusion_unit_fits"):
        exclusion(person, None, unit="judgment").save()
    with refused("exclusion_unit_fits"):
        exclusion(person, None, unit="form").save()


def test_a_rule_speaks_once_of_a_unit_and_a_hand_as_often_as_it_likes(
    person: Annotator, answer: Answer
) -> None:
    for unit, columns in ((None, "annotator_id"), (answer, "answer_id")):
        exclusion(person, unit).save()
        named = "rule_once_an_annotator" if unit is None else "rule_once_an_answer"
        listed = ", ".join(
            f"annotation_exclusion.{column}" for column in (columns, "rule", "rule_version")
        )
        with refused(f"exclusion_{named}", listed):
            exclusion(person, unit).save()
        exclusion(person, unit, rule="by_hand").save()
        exclusion(person, unit, rule="by_hand").save()
    assert Exclusion.objects.count() == 6


def test_an_exclusion_is_taken_back_once(person: Annotator) -> None:
    made = exclusion(person, None)
    made.save()
    taken_back = {"exclusion": made, "reason": "a mistake", "author": "me", "at": factories.NOW}
    ExclusionRevocation.objects.create(**taken_back)
    columns = "annotation_exclusionrevocation.exclusion_id"
    with refused("annotation_exclusionrevocation_pkey", columns):
        ExclusionRevocation.objects.create(**taken_back)


def test_a_study_with_people_cannot_be_deleted(study: Study) -> None:
    with pytest.raises((models.ProtectedError, DatabaseError)), transaction.atomic():
        study.delete()
