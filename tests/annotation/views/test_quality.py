"""The pages of an admin: look at a person, leave out, take back, decide, top up; all by POST, once."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotator, Answer, AuditEvent, Exclusion, ExclusionRevocation
from annotation.selectors.judgments import counted_answers
from annotation.selectors.messages import message_to
from annotation.studyfile.definition import Recruitment
from tests.factories import (
    ATTENTION,
    CHECK,
    NOW,
    annotator,
    answered,
    claimed,
    done_by_someone,
    judge_screens,
    judged_times,
    live,
)

pytestmark = pytest.mark.django_db
WHY = {"reason": "Answered at random."}


@pytest.fixture
def staff(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("ada", is_staff=True))
    return client


@pytest.fixture
def study():
    return live(items=3, form_size=3, replication=3)


@pytest.fixture
def person(study):
    return done_by_someone(study).annotator


def of(person, act=""):
    return f"/studies/tiny/annotators/{person.pseudonym}/{act}"


def text(response):
    return " ".join(response.content.decode().split())


def test_a_person_s_judgments_stand_beside_the_others(staff, study, person):
    done_by_someone(study, confidence="2")
    shown = text(staff.get(of(person)))
    assert "3 judgments in the sample" in shown
    assert shown.count("leave out…") == 3
    assert "c001" in shown
    assert "nobody agrees" in shown
    assert "was given form 1" in shown
    assert "Question 1?" in shown


def test_a_text_of_an_item_is_shown_and_never_run(staff, study, person):
    item = study.items.get(key="c001")
    type(item).objects.filter(pk=item.pk).update(
        fields=item.fields | {"question": "<script>1</script>"}
    )
    shown = text(staff.get(of(person)))
    assert "&lt;script&gt;1&lt;/script&gt;" in shown
    assert "<script>1" not in shown


def test_a_failed_check_says_so_and_is_no_judgment(staff):
    study = live(items=3, form_size=3, attention=[CHECK], quality=[ATTENTION])
    one = annotator(study)
    for screen in claimed(one).assignments.order_by("position"):
        answered(screen, confidence="3")
    shown = text(staff.get(of(one)))
    assert "attention check failed" in shown
    assert shown.count("leave out…") == 3


def test_the_page_of_a_person_makes_the_same_queries_whatever_there_is(staff, study, person):
    def queries():
        with CaptureQueriesContext(connection) as seen:
            staff.get(of(person))
        return len(seen)

    staff.get(of(person))
    few = queries()
    for _ in range(2):
        done_by_someone(study)
    staff.post(of(person, "exclude/"), WHY)
    staff.get(of(person))
    assert few <= queries() <= few + 1 <= 14


def test_leaving_out_asks_first_and_changes_nothing_by_being_looked_at(staff, person):
    shown = text(staff.get(of(person, "exclude/")))
    assert f"Leave {person} out" in shown
    assert "csrfmiddlewaretoken" in shown
    assert not Exclusion.objects.exists()


def test_leaving_out_keeps_who_and_why_and_opens_the_slots(staff, study, person):
    response = staff.post(of(person, "exclude/"), WHY)
    assert (response.status_code, response["Location"]) == (303, of(person))
    exclusion = Exclusion.objects.get()
    assert (exclusion.author, exclusion.reason, exclusion.unit) == (
        "ada",
        "Answered at random.",
        "annotator",
    )
    assert set(judged_times(study).values()) == {0}
    assert AuditEvent.objects.filter(verb="exclusion_by_hand", author="ada").exists()
    shown = text(staff.get(of(person)))
    assert "is left out, and their slots are open again" in shown
    assert "take back…" in shown


def test_a_double_click_leaves_out_once(staff, person):
    for _ in range(2):
        assert staff.post(of(person, "exclude/"), WHY).status_code == 303
    assert Exclusion.objects.count() == 1


@pytest.mark.parametrize("reason", ["", "   ", "x" * 2001])
def test_without_a_reason_nothing_happens(staff, person, reason):
    response = staff.post(of(person, "exclude/"), {"reason": reason})
    assert response.status_code == 400
    assert 'class="error"' in text(response)
    assert not Exclusion.objects.exists()


def test_taking_back_restores_and_is_done_once(staff, study, person):
    staff.post(of(person, "exclude/"), WHY)
    path = f"/studies/tiny/exclusions/{Exclusion.objects.get().pk}/revoke/"
    assert "Answered at random." in text(staff.get(path))
    for _ in range(2):
        assert staff.post(path, {"reason": "I was wrong."}).status_code == 303
    assert ExclusionRevocation.objects.count() == 1
    assert set(judged_times(study).values()) == {1}
    assert "Taken back by ada: I was wrong." in text(staff.get(of(person)))


def test_one_judgment_can_be_left_out_alone(staff, study, person):
    answer = counted_answers(study).order_by("pk").first()
    path = f"/studies/tiny/judgments/{answer.pk}/exclude/"
    assert answer.assignment.item.key in text(staff.get(path))
    for _ in range(2):
        assert staff.post(path, WHY)["Location"] == of(person)
    assert Exclusion.objects.get().answer_id == answer.pk
    assert counted_answers(study).count() == 2


def test_an_attention_check_is_no_judgment_to_leave_out(staff):
    study = live(items=3, form_size=3, attention=[CHECK])
    done_by_someone(study)
    check = Answer.objects.get(assignment__kind="check")
    assert staff.get(f"/studies/tiny/judgments/{check.pk}/exclude/").status_code == 404


def test_a_payment_is_decided_apart_from_the_analysis(staff, study, person):
    path = of(person, "payment/")
    assert staff.post(path, {"payment": "rejected", "reason": ""}).status_code == 400
    assert staff.post(path, {"payment": "everything"}).status_code == 400
    assert staff.post(path, {"payment": "approved"}).status_code == 303
    person.refresh_from_db()
    assert person.payment == "approved"
    assert counted_answers(study).count() == 3
    assert "payment pending → approved" in text(staff.get(of(person)))


def test_a_top_up_says_how_many_people_are_needed_and_opens_forms_once(staff, study, person):
    staff.post(of(done_by_someone(study).annotator, "exclude/"), WHY)
    answer = counted_answers(study).order_by("pk").first()
    staff.post(f"/studies/tiny/judgments/{answer.pk}/exclude/", WHY)
    assert "3 more people are needed: 2 forms wait already, and 1 slot" in text(
        staff.get("/studies/tiny/top-up/")
    )
    for _ in range(2):
        response = staff.post("/studies/tiny/top-up/")
        assert response["Location"] == "/studies/tiny/monitor/"
    assert study.forms.filter(top_up=True).count() == 1


def test_the_rules_are_applied_from_the_monitor(staff):
    study = live(items=3, form_size=3, attention=[CHECK], quality=[ATTENTION])
    one = annotator(study)
    for screen in claimed(one).assignments.order_by("position"):
        answered(screen, confidence="3")
    for _ in range(2):
        assert staff.post("/studies/tiny/rules/").status_code == 303
    exclusion = Exclusion.objects.get()
    assert (exclusion.rule, exclusion.author) == ("attention", "rule")


def test_another_study_s_people_and_exclusions_are_not_found_here(staff, study, person):
    staff.post(of(person, "exclude/"), WHY)
    other = f"/studies/other/annotators/{person.pseudonym}/"
    for path in (
        other,
        other + "exclude/",
        other + "payment/",
        f"/studies/other/exclusions/{Exclusion.objects.get().pk}/revoke/",
        f"/studies/other/judgments/{Answer.objects.first().pk}/exclude/",
        "/studies/other/annotators/",
        "/studies/other/top-up/",
        "/studies/other/rules/",
        "/studies/tiny/annotators/nobody/",
    ):
        assert staff.get(path).status_code == 404


def test_a_forged_post_is_refused(staff, person, django_user_model):
    strict = type(staff)(enforce_csrf_checks=True)
    strict.force_login(django_user_model.objects.get())
    for path in (of(person, "exclude/"), of(person, "payment/"), "/studies/tiny/top-up/"):
        assert strict.post(path, WHY).status_code == 403
    assert not Exclusion.objects.exists()


def test_people_are_listed_in_pages_and_found_by_their_pseudonym(staff, study):
    for _ in range(55):
        annotator(study)
    first = text(staff.get("/studies/tiny/annotators/"))
    assert "1 of 2" in first
    assert text(staff.get("/studies/tiny/annotators/?page=2")).count("/annotators/") >= 5
    one = Annotator.objects.first()
    found = text(staff.get(f"/studies/tiny/annotators/?q={one.pseudonym}"))
    assert found.count(f">{one.pseudonym}</a>") == 1
    assert "begins with “zz”" in text(staff.get("/studies/tiny/annotators/?q=zz"))
    assert staff.get("/studies/tiny/annotators/?q=%00&page=x").status_code == 200


def test_who_holds_a_form_has_judged_nothing_yet(staff, study):
    one = annotator(study)
    assert judge_screens(claimed(one))
    assert "Nothing judged yet." in text(staff.get(of(one)))


def test_the_message_tells_of_pay_and_of_nothing_else(staff):
    study = live(items=3, form_size=3, replication=3, attention=[CHECK], quality=[ATTENTION])
    person = done_by_someone(study, confidence="2").annotator
    assert "Thank you for taking part in “A tiny study”." in text(staff.get(of(person)))
    staff.post(of(person, "exclude/"), WHY)
    assert "Answered at random" not in message_to(person)
    staff.post(
        of(person, "payment/"), {"payment": "rejected", "reason": "Every answer was the same."}
    )
    person.refresh_from_db()
    told = message_to(person)
    assert "We cannot pay you for it: Every answer was the same." in told
    assert "Of 1 question that asks for a stated answer, 1 was answered otherwise." in told
    staff.post(of(person, "payment/"), {"payment": "approved"})
    person.refresh_from_db()
    assert message_to(person).endswith("Your work is approved, and you are paid for it.")


def test_who_has_not_finished_is_told_where_they_stand(staff):
    study = live(
        items=3, form_size=3, recruitment=Recruitment(provider="prolific", contact="us@x.org")
    )
    someone = annotator(study)
    claim = claimed(someone)
    assert message_to(someone).startswith("You have begun “A tiny study”, and can go on")
    answered(claim.assignments.order_by("position")[0])
    study.state, study.closed_at = "closed", NOW
    study.save()
    someone = Annotator.objects.get()
    assert "You did not finish it. Please return it on Prolific." in message_to(someone)
    assert message_to(someone).endswith("Questions: us@x.org")
