"""What staff may do changes in Django's admin or by a command, and every change stands in the log."""

from io import StringIO

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command

from annotation.models import AuditEvent
from annotation.services.audit import audit_verify
from annotation.services.staff import staff_account_set
from tests.factories import AUTHOR, NOW

pytestmark = pytest.mark.django_db
IDS = "annotation.view_platform_ids"


@pytest.fixture
def ada(admin_client):
    """Return an account without rights, made on the page by the superuser."""
    secret = "a long one 8142"  # noqa: S105  of an account in a test
    posted = {
        "username": "ada",
        "password1": secret,
        "password2": secret,
        "usable_password": "true",
    }
    assert admin_client.post("/admin/auth/user/add/", posted).status_code == 302
    return User.objects.get(username="ada")


def changes(verb="rights_change"):
    return list(AuditEvent.objects.filter(verb=verb).order_by("number"))


def saved(client, account, **more):
    """Save the page of an account as a browser does."""
    posted = {
        "username": account.username, "is_active": "on",
        "date_joined_0": "2026-03-02", "date_joined_1": "09:00:00",
    }  # fmt: skip
    answered = client.post(f"/admin/auth/user/{account.pk}/change/", posted | more)
    assert answered.status_code == 302


def permission():
    return Permission.objects.get(codename="view_platform_ids")


def test_a_new_account_and_each_change_of_its_rights_is_logged_with_both_values(admin_client, ada):
    (made,) = changes()
    nothing = {"active": True, "staff": False, "superuser": False, "groups": [], "permissions": []}
    assert (made.author, made.study) == ("admin", "")
    assert made.data == {"before": None, "after": {"account": "ada"} | nothing}

    group = Group.objects.create(name="payers")
    rights = {"is_staff": "on", "groups": [group.pk], "user_permissions": [permission().pk]}
    saved(admin_client, ada, **rights)
    saved(admin_client, ada, **rights, first_name="Ada")
    _, given = changes()
    assert given.data["before"] == made.data["after"]
    more = {"staff": True, "groups": ["payers"], "permissions": [IDS]}
    assert given.data["after"] == made.data["after"] | more

    admin_client.post(f"/admin/auth/user/{ada.pk}/delete/", {"post": "yes"})
    assert changes()[-1].data == {"before": given.data["after"], "after": None}
    assert audit_verify().first_broken is None


def test_the_rights_of_a_group_and_deleting_from_the_list_are_logged(admin_client):
    admin_client.post(
        "/admin/auth/group/add/", {"name": "payers", "permissions": [permission().pk]}
    )
    group = Group.objects.get()
    chosen = {"action": "delete_selected", "_selected_action": [group.pk], "post": "yes"}
    admin_client.post("/admin/auth/group/", chosen)
    told = {"group": "payers", "permissions": [IDS]}
    assert [event.data for event in changes()] == [
        {"before": None, "after": told},
        {"before": told, "after": None},
    ]


def test_a_new_password_is_logged_without_a_trace_of_it(admin_client, ada):
    secret = "another long one 77"  # noqa: S105  of an account in a test
    path = f"/admin/auth/user/{ada.pk}/password/"
    admin_client.post(path, {"password1": secret, "password2": "mistyped"})
    assert changes("password_change") == []
    admin_client.post(path, {"password1": secret, "password2": secret, "usable_password": "true"})
    (event,) = changes("password_change")
    assert (event.author, event.data) == ("admin", {"account": "ada"})


def test_a_password_of_one_s_own_is_logged_too(client):
    ada = User.objects.create_user("ada", password="the one of before 8", is_staff=True)  # noqa: S106
    client.force_login(ada)
    posted = dict.fromkeys(("new_password1", "new_password2"), "another long one 77")
    client.post("/admin/password_change/", posted | {"old_password": "mistyped"})
    assert changes("password_change") == []
    client.post("/admin/password_change/", posted | {"old_password": "the one of before 8"})
    (event,) = changes("password_change")
    assert (event.author, event.data) == ("ada", {"account": "ada"})


def test_the_password_of_nobody_cannot_be_set(admin_client):
    for nobody in ("999999", "ada"):
        assert admin_client.get(f"/admin/auth/user/{nobody}/password/").status_code == 404


def test_accounts_of_the_shell_are_logged_with_who_made_them(monkeypatch):
    typed = {"DJANGO_SUPERUSER_PASSWORD": "a long one 8142", "LOGNAME": "root-of-it"}
    for name, value in typed.items():
        monkeypatch.setenv(name, value)
    for name in ("ada", "eve"):
        call_command(
            "createsuperuser", username=name, email="", interactive=False, stdout=StringIO()
        )
    assert [event.data["after"]["account"] for event in changes()] == ["ada", "eve"]
    assert changes()[0].author == "command:root-of-it"
    assert changes()[0].data["after"]["superuser"]

    secrets = iter(["another long one 77"] * 2)
    monkeypatch.setattr("getpass.getpass", lambda **_: next(secrets))
    call_command("changepassword", "ada", stdout=StringIO())
    (event,) = changes("password_change")
    assert event.data == {"account": "ada"}
    assert audit_verify().first_broken is None


def test_the_account_of_the_demo_is_logged_and_its_next_password_too():
    for password in ("one", "another"):
        staff_account_set("demo", password, author=AUTHOR, now=NOW)
    assert [event.data["after"]["account"] for event in changes()] == ["demo"]
    assert [event.data for event in changes("password_change")] == [{"account": "demo"}]
