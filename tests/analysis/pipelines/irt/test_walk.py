"""docs/how-to/keep-translated-items.md, typed as it stands: from people's judgments to the gaps."""

import csv
import json
import re
import shlex
from collections import defaultdict
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from django.db import transaction

from fixtures.generate import irt_questions

ROOT = Path(__file__).resolve().parents[4]
PAGE = ROOT / "docs" / "how-to" / "keep-translated-items.md"
# One worker walks, once.
pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("irt walk")]


def commands():
    """The lines of the page's block, each split into words, without the interpreter."""
    (block,) = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return [shlex.split(line)[1:] for line in block.splitlines()]


def typed(words, folder):
    """Run one line with `out` in a folder of the test; return what it printed."""
    rest = [re.sub("^out(?=/)", str(folder / "out"), word) for word in words]
    rest = [re.sub("^fixtures(?=/)", str(ROOT / "fixtures"), word) for word in rest]
    if rest[:2] == ["-m", "fixtures.generate.irt_questions"]:
        irt_questions.main(rest[2:])
        return ""
    assert rest[0] == "manage.py"
    printed = StringIO()
    call_command(*rest[1:], stdout=printed)
    return printed.getvalue()


@pytest.fixture(scope="module")
def walked(django_db_setup, django_db_blocker, tmp_path_factory):
    """The folder after the walk, and what its last two commands printed; the database is as before."""
    del django_db_setup
    folder = tmp_path_factory.mktemp("walk")
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        # Drawing takes longer than all the rest, and is looked at elsewhere.
        patch.setattr("analysis.reports.irt._figures", lambda *_: {})
        # Who gets which form hangs on it, and so what is kept.
        patch.setattr("django.conf.settings.IDENTITY_KEY", "a key of this walk")
        told = [typed(words, folder) for words in commands()]
        transaction.set_rollback(True)
    return folder / "out", told[-2], told[-1]


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def judged(out):
    """The quality and culture votes on each question, straight from the release."""
    votes = defaultdict(list)
    for row in rows(out / "release" / "judgments_wide.csv"):
        votes[row["item_id"]].append((int(row["translation_quality"]), row["local_culture"]))
    return votes


def test_exactly_the_questions_that_people_kept_are_analysed(walked):
    out, told, _ = walked
    wanted = {
        item
        for item, votes in judged(out).items()
        if min(quality for quality, _ in votes) == 3
        and sum(culture == "yes" for _, culture in votes) > len(votes) / 2
    }
    assert len(judged(out)) == 2 * irt_questions.EACH
    assert 10 < len(wanted) < 35
    used = {row["item"] for row in rows(out / "irt" / "items.csv") if row["locale"]}
    assert used == wanted
    assert told.startswith(f"40 items judged, {len(wanted)} kept, ")


def test_the_rate_of_wrong_translations_stands_beside_the_gaps_of_each_locale(walked):
    out, _, told = walked
    table = {row["locale"]: row for row in rows(out / "irt" / "locale_means.csv")}
    assert set(table) == {"FR", "ZH"}
    for locale, row in table.items():
        of_locale = [v for item, v in judged(out).items() if f"_{locale.lower()}-" in item]
        wrong = sum(any(quality == 1 for quality, _ in votes) for votes in of_locale)
        assert float(row["error_rate"]) == pytest.approx(wrong / irt_questions.EACH)
        assert float(row["error_rate_low"]) < float(row["error_rate"])
        assert np.isfinite([float(row[gap]) for gap in ("global", "local", "knowledge")]).all()
    assert "Rates of wrong translations among the judged items, by locale: FR " in told


def test_what_was_not_judged_is_left_out_and_said(walked):
    out, _, told = walked
    people = json.loads((out / "irt" / "results.json").read_text())["people"]
    assert people["locales_left_out"] == ["TE"]
    assert people["kept_items_not_in_responses"] == 0
    assert people["error_rate_counts"] == "wrong translations"
    assert "No item was kept of TE; they are left out." in told
    assert "TE none judged" in told


def test_every_model_passes_the_filter_on_the_kept_questions(walked):
    out, *_ = walked
    document = json.loads((out / "irt" / "results.json").read_text())
    assert document["dropped"] == []
    assert document["models"] == 8


@pytest.fixture(scope="module")
def by_majority(walked, tmp_path_factory):
    """The folder of the human report of the same release, and of `irt` with its list of items."""
    out, folder = walked[0], tmp_path_factory.mktemp("majority")
    release = out / "release"
    tables = {"ratings": "judgments_wide.csv", "items": "items.csv", "plan": "plan.json"}
    given = [f"--{option}={release / name}" for option, name in tables.items()]
    quick = {"resamples": 20, "stdout": StringIO()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analysis.reports.irt._figures", lambda *_: {})
        patch.setattr("analysis.reports.human._drawn", lambda *_: ({}, {}))
        call_command("human", *given, "--out", str(folder / "human"), **quick)
        answers = str(ROOT / "fixtures" / "irt" / "responses.csv")
        kept = f"--items={folder / 'human' / 'kept.csv'}"
        call_command("irt", answers, kept, "--out", str(folder / "irt"), **quick)
    return folder


def test_the_list_of_the_human_report_is_read_as_well(by_majority):
    listed = rows(by_majority / "human" / "kept.csv")
    wanted = {row["item"] for row in listed if row["keep"] == "1"}
    assert 0 < len(wanted) < len(listed)
    used = {row["item"] for row in rows(by_majority / "irt" / "items.csv") if row["locale"]}
    assert used == wanted


def test_its_rates_are_of_items_not_kept_and_called_that(by_majority):
    people = json.loads((by_majority / "irt" / "results.json").read_text())["people"]
    listed = rows(by_majority / "human" / "kept.csv")
    of_french = [row["keep"] for row in listed if row["locale"] == "FR"]
    assert people["error_rate_counts"] == "items not kept"
    assert people["error_rate"]["FR"]["value"] == pytest.approx(
        of_french.count("0") / len(of_french)
    )
