"""Every address of the site, as it stands in the URLconf: a new one fails here until it is placed."""

import itertools

import pytest
from django.apps import apps
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from annotation.models import Assignment
from annotation.services.claims import slots_release_expired
from annotation.studyfile.definition import Recruitment
from tests.factories import MINUTE, annotator, answered, arrived, claimed, finished, live, posted

pytestmark = pytest.mark.django_db

# Who may come without logging in. Everything else is for staff.
PUBLIC = {"login", "entry"}
OF_A_PERSON = "a/<str:key>/"
ARGUMENTS = {"slug": "tiny", "number": 1, "step": "judge", "key": "none"}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
FOUND_NOWHERE = ["nobody", "%00", "x" * 300, "..", "<b>", "' OR 1=1 --", "Ünïcode"]


def patterns(resolver=None, prefix=""):
    """Return the names and routes of all addresses but those of Django's admin."""
    found = []
    for pattern in (resolver or get_resolver()).url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            found.append((pattern.name or "", route, sorted(pattern.pattern.converters)))
        elif not route.startswith("admin"):
            found += patterns(pattern, route)
    return found


EVERY = patterns()
PERSONAL = [(name, names) for name, route, names in EVERY if route.startswith(OF_A_PERSON)]
STAFF = [(n, names) for n, r, names in EVERY if n not in PUBLIC and not r.startswith(OF_A_PERSON)]


def address(name, names, **given):
    arguments = {n: (ARGUMENTS | given).get(n, 1) for n in names}
    return reverse(name, kwargs=arguments)


def contents():
    """Return every row of every table, but when a screen was first opened."""
    rows = {}
    for model in apps.get_models():
        if model._meta.app_label == "sessions":
            continue
        for row in model._default_manager.order_by("pk").values():
            row.pop("opened_at", None)
            rows[model._meta.label, str(row[model._meta.pk.attname])] = row
    return rows


def people(study):
    """Return one person in each state, by the name of the state."""
    now = timezone.now()
    ready, working, done, late = (annotator(study, now=now) for _ in range(4))
    answered(claimed(working, now=now).assignments.order_by("position")[0], now=now)
    finished(claimed(done, now=now), now=now)
    claimed(late, now=now)
    late.claims.update(lease_until=now)
    slots_release_expired(study, now=now + MINUTE)
    return {
        "arrived": arrived(study, now=now),
        "ready": ready,
        "working": working,
        "done": done,
        "late": late,
    }


def test_there_are_addresses_of_each_kind():
    assert {"person", "judge", "draft", "leave"} <= {name for name, _ in PERSONAL}
    assert "studies" in {name for name, _ in STAFF}


@pytest.mark.parametrize(("name", "names"), STAFF, ids=[name for name, _ in STAFF])
@pytest.mark.parametrize("who", ["nobody", "an annotator with an account"])
def test_what_is_for_staff_is_for_nobody_else(client, django_user_model, name, names, who):
    live(items=12)
    if who != "nobody":
        client.force_login(django_user_model.objects.create_user("ann"))
    before = contents()
    for method in (client.get, client.post):
        response = method(address(name, names))
        assert response.status_code in {302, 401, 403, 404, 405}
        if response.status_code == 302:
            assert response["Location"].startswith(reverse("login"))
    assert contents() == before


@pytest.mark.parametrize(("name", "names"), PERSONAL, ids=[name for name, _ in PERSONAL])
def test_a_link_that_is_nobodys_leads_nowhere(client, name, names):
    live(items=12)
    before = contents()
    for key in FOUND_NOWHERE:
        path = address(name, names, key=key)
        for method in (client.get, client.post):
            response = method(path)
            assert response.status_code == 404
            assert "leads nowhere" in response.content.decode()
            assert key not in response.content.decode()
    assert contents() == before


def test_looking_at_every_page_changes_nothing(client, django_user_model):
    study = live(items=12, practice=1)
    client.force_login(django_user_model.objects.create_user("staff", is_staff=True))
    everyone = people(study)
    before = contents()
    for person in everyone.values():
        for step, number in itertools.product(("practice", "judge"), (0, 1, 2, 99)):
            given = {"key": person.access_key, "step": step, "number": number}
            for name, names in PERSONAL:
                client.get(address(name, names, **given))
    for name, names in (*STAFF, ("entry", ["slug"]), ("login", [])):
        client.get(address(name, names))
    assert contents() == before


def test_a_platform_s_link_makes_the_person_once_and_its_reload_nothing(client):
    """The one GET that writes: the platform leads people here by a link."""
    live(items=12, recruitment=Recruitment(provider="prolific"))
    client.get("/s/tiny/?PROLIFIC_PID=p1&SESSION_ID=s1")
    before = contents()
    for _ in range(3):
        client.get("/s/tiny/?PROLIFIC_PID=p1&SESSION_ID=s1")
    assert contents() == before


def test_one_person_cannot_reach_the_form_of_another(client):
    study = live(items=12)
    one, other = annotator(study), annotator(study)
    claim = claimed(one)
    screen = claim.assignments.order_by("position")[0]
    client.post(f"/a/{other.access_key}/judge/1/", posted(screen))
    client.post(f"/a/{other.access_key}/judge/1/draft/", posted(screen))
    assert not Assignment.objects.filter(answer__isnull=False).exists()
    assert not Assignment.objects.filter(draft__isnull=False).exists()


def test_every_page_carries_the_headers(client):
    person = annotator(live(items=12))
    claimed(person)
    for name, names in (*PERSONAL, *STAFF, ("login", []), ("entry", ["slug"])):
        response = client.get(address(name, names, key=person.access_key))
        assert {key: response.headers.get(key) for key in HEADERS} == HEADERS, name


def test_every_page_forbids_what_is_not_its_own(client):
    person = annotator(live(items=12))
    claimed(person)
    for name, names in (*PERSONAL, *STAFF, ("login", []), ("entry", ["slug"])):
        response = client.get(address(name, names, key=person.access_key))
        policy = response.headers["Content-Security-Policy"]
        for rule in (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        ):
            assert rule in policy, name
        assert "unsafe" not in policy


def test_no_page_of_a_person_is_kept_on_the_way(client):
    person = annotator(live(items=12))
    claimed(person)
    for name, names in (*PERSONAL, ("entry", ["slug"])):
        for key in (person.access_key, "nobody"):
            response = client.get(address(name, names, key=key))
            if response.status_code != 405:
                assert "no-store" in response.headers["Cache-Control"], name
