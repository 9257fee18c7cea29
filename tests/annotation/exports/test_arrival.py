"""Nothing in the files of a release tells in which order people came."""

import hashlib
from datetime import timedelta

import pytest
from scipy.stats import kendalltau

from annotation.exports.pseudonyms import Pseudonyms
from annotation.models import Annotator, Study
from annotation.services.claims import form_claim
from tests import factories
from tests.annotation.exports import released

pytestmark = pytest.mark.django_db
PEOPLE = 16
KEYS = tuple(bytes([n]) * 32 for n in range(3))
# Three standard deviations of Kendall's tau of two orders of 16 that have nothing in common.
NEAR_NOTHING = 0.55


@pytest.fixture
def came(settings):
    """Return a study that was judged, and the internal names of its people in the order they came."""
    settings.IDENTITY_KEY = "a key that stays on the server"
    study = factories.live(items=PEOPLE, replication=1, form_size=1, responses=0)
    internal = []
    for number in range(PEOPLE):
        now = factories.NOW + timedelta(hours=number)
        person = factories.annotator(study, now=now)
        # In place of one drawn by chance, so that the test comes out the same each time.
        name = hashlib.sha256(f"person {number}".encode()).hexdigest()[:16]
        Annotator.objects.filter(pk=person.pk).update(pseudonym=name)
        claim = form_claim(person, now=now, rng=factories.seeded(f"person {number}"))
        factories.finished(claim, now=now + factories.MINUTE)
        internal.append(name)
    return study, internal


def correlations(folder, order):
    """Return tau with the true order of whatever in the files has an order, a name each.

    Of every table that names people: in which order they first stand, and of every column the least
    and the last cell beside each of them.
    """
    place = {name: n for n, name in enumerate(order)}
    found = {}
    for path in sorted(folder.glob("*.csv")):
        rows = released.rows(folder, path.stem)
        if not rows or "annotator" not in rows[0]:
            continue
        who = [row["annotator"] for row in rows]
        orders = {"rows": {name: who.index(name) for name in who}}
        for column in rows[0]:
            cells = {name: [] for name in who}
            for row in rows:
                cells[row["annotator"]].append(number_or_text(row[column]))
            ranks = {
                cell: n
                for n, cell in enumerate(sorted({c for some in cells.values() for c in some}))
            }
            for which, pick in (("least", min), ("most", max)):
                orders[f"{column}, {which}"] = {n: ranks[pick(some)] for n, some in cells.items()}
        for what, ranked in orders.items():
            if len(set(ranked.values())) > 1:
                pairs = [(place[name], rank) for name, rank in ranked.items()]
                found[f"{path.stem}: {what}"] = kendalltau(*zip(*pairs, strict=True)).statistic
    return found


def number_or_text(cell):
    """Return a cell so that numbers come in their order, before texts."""
    try:
        return (0, float(cell), cell)
    except ValueError:
        return (1, 0.0, cell)


def told(study: Study, internal, key, folder):
    """Make a release under a key; return what its files tell of the order."""
    released.release(study, folder, key=key)
    return correlations(folder, [Pseudonyms(key, study.slug).of(name) for name in internal])


def test_nothing_in_the_files_follows_the_order_of_arrival(came, tmp_path, monkeypatch):
    found = [told(*came, key, tmp_path / str(n)) for n, key in enumerate(KEYS)]
    assert all("judgments: rows" in one and "annotators: rows" in one for one in found)
    assert {name: t for one in found for name, t in one.items() if abs(t) > NEAR_NOTHING} == {}
    # What hangs on the key alone has no lean over the keys either.
    for name in ("annotators: rows", "annotators: annotator, least"):
        assert abs(sum(one[name] for one in found) / len(found)) < NEAR_NOTHING / len(found) ** 0.5

    # Names given in that order would tell.
    study, internal = came
    numbered = {name: f"p{n:015}" for n, name in enumerate(internal)}
    monkeypatch.setattr(Pseudonyms, "of", lambda _, name: numbered[name])
    unguarded = told(study, internal, KEYS[0], tmp_path / "numbered")
    assert unguarded["annotators: rows"] == 1
    assert unguarded["judgments: annotator, least"] == 1
