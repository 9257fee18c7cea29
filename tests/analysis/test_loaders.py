"""From the database to frames: the sample that the funnel leaves, and the same from a release."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from analysis import loaders
from analysis.loaders import study_plan, study_sample
from analysis.pipelines.human.document import document
from analysis.pipelines.human.plan import Overrides
from analysis.pipelines.human.study import analyse
from analysis.reports.documents import plain
from annotation.models import Answer
from annotation.services.exclusions import exclusion_by_hand
from tests.annotation.exports.test_reading import mapped
from tests.factories import AUTHOR, HASTY, NOW, done_by_someone, imported, live

pytestmark = pytest.mark.django_db
FEW = Overrides(bootstrap=50)


def judged_study(**shape):
    study = live(items=6, responses=6, replication=3, form_size=4, **shape)
    for _ in range(9):
        done_by_someone(study)
    return study


def test_every_dimension_is_a_column_on_its_declared_scale():
    sample = study_sample(judged_study())
    assert sample.scales["adequacy"].labels == ("1", "2", "3", "4", "5")
    assert sample.scales["choice"].labels == ("response_1", "no_difference", "response_2")
    assert sample.scales["keypoint_recall"].kind == "interval"
    assert (len(sample.ratings), sample.n_items, sample.n_annotators) == (36, 12, 9)
    assert set(sample.item_field("model")) == {"", "m0", "m1"}


def test_preferences_know_which_condition_stood_first():
    sample = study_sample(judged_study())
    shown = sample.preferences.groupby("pair_id")["shown_first"].nunique()
    assert len(sample.preferences) == 18
    assert (shown == 2).all()


def test_what_a_rule_leaves_out_is_not_analysed_even_before_it_is_applied():
    study = judged_study(quality=[HASTY])
    assert len(study_sample(study).ratings) == 36
    Answer.objects.filter(pk=Answer.objects.order_by("pk").first().pk).update(active_seconds=1)
    sample = study_sample(study)
    assert len(sample.ratings) == 35
    assert sample.funnel["final"]["judgments"] == 35
    assert len(study_sample(study, "all").ratings) == 36


def test_the_file_of_the_database_is_not_held_while_a_study_is_read(monkeypatch):
    study, seen = judged_study(), []
    read = loaders.collected
    monkeypatch.setattr(loaders, "collected", lambda one: seen.append(mapped()) or read(one))
    study_sample(study)
    assert len(seen) == 1
    assert not seen[0]


def test_an_annotator_left_out_by_hand_is_gone_and_the_funnel_says_so():
    study = judged_study()
    person = study.annotators.first()
    exclusion_by_hand(person, reason="wrote nonsense", author=AUTHOR, now=NOW)
    sample = study_sample(study)
    assert person.pseudonym not in set(sample.ratings["annotator"])
    assert len(sample.ratings) == sample.funnel["final"]["judgments"]


def test_a_launched_study_has_its_lock_and_a_draft_has_none():
    assert study_plan(judged_study()).locked
    draft = study_plan(imported(slug="draft"))
    assert (draft.locked, draft.sha256) == (False, None)


def test_a_study_with_nothing_yet_is_reported_in_words(tmp_path):
    study = live(items=3)
    printed = StringIO()
    call_command("human", study.slug, "--out", str(tmp_path / "r"), stdout=printed)
    text = printed.getvalue()
    assert "Nothing has been judged yet" in text
    assert "Agreement on choice is undefined: nobody rated this dimension." in text
    assert "There is no preference to report: the study has no judgment of a pair." in text


def test_the_released_tables_give_the_numbers_of_the_database(tmp_path):
    study = judged_study()
    call_command("study_release", study.slug, "--out", str(tmp_path / "rel"), stdout=StringIO())
    files = {path.name: path for path in (tmp_path / "rel").rglob("*") if path.is_file()}
    printed = StringIO()
    call_command(
        "human",
        *("--ratings", str(files["judgments_wide.csv"]), "--items", str(files["items.csv"])),
        *("--preferences", str(files["preferences.csv"]), "--plan", str(files["plan.json"])),
        *("--out", str(tmp_path / "r"), "--json", "--resamples", "50"),
        stdout=printed,
    )
    released = json.loads(printed.getvalue())
    own = plain(document(analyse(study_sample(study), study_plan(study), FEW)))
    shared = set(released["agreement"]) & set(own["agreement"])
    assert {"adequacy", "choice", "keypoint_recall", "prefers_higher"} <= shared
    for key in sorted(shared):
        assert released["agreement"][key]["value"] == own["agreement"][key]["value"]
        assert released["agreement"][key].get("low") == own["agreement"][key].get("low")
    for part in ("preference", "triangulation", "conditions", "judges", "ceiling"):
        assert without_tasks(released[part]) == without_tasks(own[part])


def without_tasks(told):
    """Return numbers without the tasks of dimensions, which a table of ratings does not know."""
    if isinstance(told, dict):
        return {key: without_tasks(value) for key, value in told.items() if key != "task"}
    return [without_tasks(one) for one in told] if isinstance(told, list) else told
