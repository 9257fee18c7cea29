"""Payments: what is owed, approved at once and taken back, and platform ids for those who may see them."""

import io
import zipfile
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.errors import Conflict, StateForbids
from annotation.models import Annotator, AuditEvent, Claim
from annotation.providers import Entry
from annotation.selectors.payments import checks_that_count, owed, people_owed, proposed, totals
from annotation.services.exclusions import exclusion_by_hand
from annotation.services.identities import identities_unlink
from annotation.services.payment_files import payment_files
from annotation.services.payments import payment_decide, payments_approve, payments_undo
from annotation.services.sessions import (
    annotator_return,
    annotator_withdraw,
    consent_give,
    screening_record,
    session_start,
)
from annotation.services.study_states import study_close
from annotation.studyfile.definition import EligibilityQuestion, PaymentRules, Recruitment
from annotation.views import payments
from tests.factories import (
    AUTHOR,
    CHECK,
    NOW,
    answered,
    claimed,
    definition,
    finished,
    live,
    screens_of,
)

pytestmark = pytest.mark.django_db
ASKED = EligibilityQuestion("english", "Do you read English?", ("yes",))
RULES = PaymentRules("GBP", "3.50", "0.50", partial="1.00", fee_percent="33.3", minutes=20)


def study_of(provider="prolific", rules=RULES, **shape):
    recruitment = Recruitment(
        provider=provider,
        codes={"complete": "DONE1", "screened_out": "OUT1"},
        eligibility=(ASKED,),
        payment=rules,
        unlink_days=14,
    )
    shape = {"items": 12, "replication": 3, "form_size": 3, "attention": [CHECK]} | shape
    return live(definition(recruitment=recruitment, **shape))


def comes(study, name, *, eligible="yes"):
    """Let a person in whom the platform calls `pid-NAME`."""
    entry = Entry(person=f"pid-{name}", session=f"visit-{name}")
    person = session_start(study, entry, entry_token="", now=NOW)
    consent_give(person, given=True, language="en", now=NOW)
    screening_record(person, {"english": eligible}, now=NOW)
    person.refresh_from_db()
    return person


def works(study, name, **answers):
    person = comes(study, name)
    finished(claimed(person), **answers)
    return person


@pytest.fixture
def study():
    return study_of()


@pytest.fixture
def people(study):
    """One person of each kind, by what became of them."""
    everybody = {name: works(study, name) for name in ("done", "excluded", "withdrawn")}
    exclusion_by_hand(everybody["excluded"], reason="Too fast.", author=AUTHOR, now=NOW)
    annotator_withdraw(everybody["withdrawn"], now=NOW)
    everybody["careless"] = works(study, "careless", confidence="3")
    for name in ("stopped", "left"):
        person = everybody[name] = comes(study, name)
        claim = claimed(person)
        if name == "stopped":
            answered(screens_of(claim)[0])
        annotator_return(person, now=NOW)
    everybody["out"] = comes(study, "out", eligible="no")
    everybody["working"] = comes(study, "working")
    return everybody


def rows(study):
    found = owed(study, people_owed(study).order_by("pk"))
    return {one.person.pseudonym: one for one in found}


def test_what_is_owed_hangs_on_what_was_done_and_on_nothing_else(study, people):
    found = {name: rows(study)[person.pseudonym] for name, person in people.items()}
    assert {name: (one.kind, one.amount) for name, one in found.items()} == {
        "done": ("complete", Decimal("3.50")),
        "excluded": ("complete", Decimal("3.50")),
        "withdrawn": ("complete", Decimal("3.50")),
        "careless": ("complete", Decimal("3.50")),
        "stopped": ("partial", Decimal(0)),
        "left": ("none", Decimal(0)),
        "out": ("screened_out", Decimal("0.50")),
        "working": ("open", Decimal(0)),
    }
    assert found["excluded"].left_out
    payment_decide(people["stopped"], "approved", reason="", author=AUTHOR, now=NOW)
    assert rows(study)[people["stopped"].pseudonym].amount == Decimal("1.00")


def test_the_totals_are_the_sums_of_the_rows(study, people):
    found = totals(study)
    assert sum(one.people for one in found) == len(people)
    assert sum(one.amount for one in found) == sum(one.amount for one in rows(study).values())


@pytest.mark.parametrize(
    ("minutes", "checks"), [(None, 2), (4, 1), (4 + 59 / 60, 1), (5, 2), (60, 2)]
)
def test_how_many_failed_checks_count_follows_the_platform(minutes, checks):
    assert checks_that_count(minutes) == checks


@pytest.mark.parametrize(("minutes", "proposal"), [(4, "look"), (5, "approve")])
def test_a_failed_check_is_a_reason_to_look_and_never_a_rejection(minutes, proposal):
    study = study_of(rules=PaymentRules("GBP", "1", minutes=minutes))
    person = works(study, "careless", confidence="3")
    one = rows(study)[person.pseudonym]
    assert one.proposal == proposal
    assert bool(one.why) == (proposal == "look")
    assert Annotator.objects.get(pk=person.pk).payment == "pending"


def test_many_are_approved_and_taken_back_at_once_but_not_what_was_decided_since(study, people):
    names = [one.person.pseudonym for one in proposed(study)]
    assert len(names) == 5
    batch, count = payments_approve(study, names, author=AUTHOR, now=NOW)
    assert count == Annotator.objects.filter(payment="approved").count() == 5
    one = people["done"]
    payment_decide(one, "rejected", reason="Copied.", author="eve", now=NOW)
    assert payments_undo(study, batch, author=AUTHOR, now=NOW) == (4, 1)
    assert payments_undo(study, batch, author=AUTHOR, now=NOW) == (0, 1)
    assert not Annotator.objects.filter(payment="approved").exists()
    assert Annotator.objects.get(pk=one.pk).payment == "rejected"


def test_of_two_admins_the_second_is_told_and_changes_nothing(study, people):
    names = [one.person.pseudonym for one in proposed(study)]
    payment_decide(people["done"], "rejected", reason="Copied.", author="eve", now=NOW)
    with pytest.raises(Conflict, match="meanwhile on 1 of the 5 people; nothing was approved"):
        payments_approve(study, names, author=AUTHOR, now=NOW)
    assert not Annotator.objects.filter(payment="approved").exists()
    with pytest.raises(Conflict, match="is rejected, and was pending"):
        payment_decide(
            people["done"], "approved", reason="", author=AUTHOR, now=NOW, seen="pending"
        )


def test_the_same_approval_by_somebody_else_is_no_double_click(study, people):
    names = [one.person.pseudonym for one in proposed(study)]
    batch, _ = payments_approve(study, names, author=AUTHOR, now=NOW)
    assert payments_approve(study, names, author=AUTHOR, now=NOW) == (batch, 5)
    with pytest.raises(Conflict, match="meanwhile on 5 of the 5 people"):
        payments_approve(study, names, author="eve", now=NOW)
    assert AuditEvent.objects.filter(verb="payment_decide").count() == 5


def test_prolific_gets_a_list_of_ids_for_each_end(study, people):
    names = [one.person.pseudonym for one in proposed(study)]
    payments_approve(study, names, author=AUTHOR, now=NOW)
    payment_decide(people["stopped"], "approved", reason="", author=AUTHOR, now=NOW)
    payment_decide(people["careless"], "rejected", reason='No "care", none', author="a", now=NOW)
    assert payment_files(study, author="ada", now=NOW) == {
        "complete.txt": "pid-done\npid-excluded\npid-withdrawn\n",
        "screened_out.txt": "pid-out\n",
        "return.txt": "pid-left\n",
        "bonus.csv": "pid-stopped,1.00\n",
        "rejected.csv": 'pid-careless,"No ""care"", none"\n',
    }
    event = AuditEvent.objects.get(verb="platform_ids_export")
    assert (event.author, event.data["complete.txt"]) == ("ada", 3)


def test_a_second_form_is_paid_as_a_bonus():
    study = study_of(forms_per_annotator=2)
    person = works(study, "twice")
    finished(claimed(person), now=NOW)
    assert rows(study)[person.pseudonym].amount == Decimal("7.00")
    payments_approve(study, [person.pseudonym], author=AUTHOR, now=NOW)
    assert payment_files(study, author="ada", now=NOW)["bonus.csv"] == "pid-twice,3.50\n"


def test_clickworker_gets_the_code_beside_the_id():
    study = study_of(provider="clickworker")
    person = works(study, "w")
    payments_approve(study, [person.pseudonym], author=AUTHOR, now=NOW)
    assert payment_files(study, author="ada", now=NOW)["complete.csv"] == "pid-w,DONE1\n"


def test_after_the_ids_were_deleted_there_are_no_files(study, people):
    study_close(study, author=AUTHOR, now=NOW)
    identities_unlink(study, author=AUTHOR, now=NOW)
    with pytest.raises(StateForbids, match="ids of this study's people were deleted"):
        payment_files(study, author="ada", now=NOW)
    assert len(rows(study)) == len(people)


# The pages.


@pytest.fixture
def staff(client, django_user_model):
    user = django_user_model.objects.create_user("ada", is_staff=True)
    client.force_login(user)
    client.user = user
    return client


def text(response):
    return " ".join(response.content.decode().split())


def test_the_page_says_what_is_owed_and_names_nobody(staff, study, people):
    shown = text(staff.get("/studies/tiny/payments/"))
    assert "14.50 GBP wait for a decision" in shown
    assert "left out of the analysis; owed all the same" in shown
    assert "are deleted 14 days after the study is closed" in shown
    assert "need the permission to see platform ids" in shown
    assert "pid-" not in shown
    assert people["done"].pseudonym in text(staff.get("/studies/tiny/payments/?show=pending"))
    assert "Nobody's payment is “approved”." in text(
        staff.get("/studies/tiny/payments/?show=approved")
    )


def test_an_empty_study_says_so(staff, study):
    assert "Nobody has come yet." in text(staff.get("/studies/tiny/payments/"))
    assert "Nobody is proposed" in text(staff.get("/studies/tiny/payments/approve/"))


def test_the_page_makes_the_same_queries_whatever_there_is(staff, study, people):
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as seen:
            staff.get("/studies/tiny/payments/")
        counts.append(len(seen))
        for n in range(3):
            works(study, f"more-{n}-{len(counts)}")
    assert counts[0] == counts[1] <= 14


def test_approving_asks_does_and_can_be_undone(staff, study, people):
    asked = staff.get("/studies/tiny/payments/approve/")
    assert "5 people, 14.50 GBP together" in text(asked)
    assert not Annotator.objects.filter(payment="approved").exists()
    names = asked.context["form"].initial["people"]
    done = staff.post("/studies/tiny/payments/approve/", {"people": names}, follow=True)
    assert "5 payments are approved." in text(done)
    assert "with the fee of 33.3 % 19.33 GBP" in text(done)
    again = staff.post("/studies/tiny/payments/approve/", {"people": names}, follow=True)
    assert "5 payments are approved." in text(again)
    undo = text(done).split('<a href="/studies/tiny/payments/undo/')[1].split('"')[0]
    undone = staff.post(f"/studies/tiny/payments/undo/{undo}", follow=True)
    assert "5 payments are to be decided again." in text(undone)
    again = staff.post(f"/studies/tiny/payments/undo/{undo}", follow=True)
    assert "Nothing is left of that approval to take back." in text(again)
    again = staff.post("/studies/tiny/payments/approve/", {"people": names}, follow=True)
    assert undo not in text(again)


def test_more_than_can_be_approved_at_once_are_said_to_wait(staff, study, people, monkeypatch):
    monkeypatch.setattr(payments, "MOST_AT_ONCE", 2)
    asked = text(staff.get("/studies/tiny/payments/approve/"))
    assert "2 people, 7.00 GBP together; 3 more can be approved after them." in asked


def test_platform_ids_are_for_those_who_may_see_them(staff, study, people):
    payment_decide(people["done"], "approved", reason="", author=AUTHOR, now=NOW)
    for method in (staff.get, staff.post):
        assert method("/studies/tiny/payments/files/").status_code == 403
    assert not AuditEvent.objects.filter(verb="platform_ids_export").exists()
    staff.user.user_permissions.add(Permission.objects.get(codename="view_platform_ids"))
    assert "They hold the platform" in text(staff.get("/studies/tiny/payments/files/"))
    response = staff.post("/studies/tiny/payments/files/")
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert archive.read("complete.txt") == b"pid-done\n"
    assert "no-store" in response["Cache-Control"]
    assert AuditEvent.objects.filter(verb="platform_ids_export", author="ada").count() == 1


def test_one_decision_made_on_what_is_no_longer_so_is_refused(staff, study, people):
    path = f"/studies/tiny/annotators/{people['done'].pseudonym}/payment/"
    assert 'name="seen" value="pending"' in text(staff.get(path))
    payment_decide(people["done"], "rejected", reason="Copied.", author="eve", now=NOW)
    response = staff.post(path, {"payment": "approved", "seen": "pending", "reason": ""})
    assert (response.status_code, "Somebody has decided meanwhile" in text(response)) == (400, True)
    assert Annotator.objects.get(pk=people["done"].pk).payment == "rejected"


def test_a_study_is_paused_resumed_and_closed_after_one_question(staff, study):
    states = []
    for act in ("pause", "resume", "close"):
        path = f"/studies/tiny/state/{act}/"
        assert "csrfmiddlewaretoken" in text(staff.get(path))
        # Twice, as by a double click.
        assert [staff.post(path).status_code for _ in range(2)] == [303, 303]
        study.refresh_from_db()
        states.append(study.state)
    assert states == ["paused", "live", "closed"]
    assert "cannot become paused" in text(staff.post("/studies/tiny/state/pause/"))
    assert staff.get("/studies/tiny/state/burn/").status_code == 404
    assert set(AuditEvent.objects.filter(author="ada").values_list("verb", flat=True)) == {
        "study_pause",
        "study_launch",
        "study_close",
    }


def test_whoever_finished_late_is_owed_too(study):
    person = works(study, "late")
    Claim.objects.update(state="timed_out")
    Annotator.objects.update(state="timed_out")
    assert rows(study)[person.pseudonym].kind == "complete"
