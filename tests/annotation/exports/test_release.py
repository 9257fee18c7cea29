"""A release holds the analytic sample, names nobody, and is the same when made again."""

import hashlib
import json
import re
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.errors import Refused, StateForbids
from annotation.exports.answers import SLOTS_OF_AN_ITEM
from annotation.exports.classification import CLASSES
from annotation.exports.making import SEARCHED, WRITTEN
from annotation.models import Annotator, Answer, Item, PlanLock, PlatformIdentity
from annotation.selectors.judgments import counted_answers
from annotation.selectors.quality import study_funnel
from annotation.services.identities import encrypted
from annotation.services.sessions import annotator_withdraw
from tests import factories
from tests.annotation.exports import released

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return released.collected()


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def test_the_tables_hold_the_analytic_sample(study, out):
    released.release(study, out)
    wide, long = released.rows(out, "judgments_wide"), released.rows(out, "judgments")
    end = study_funnel(study).final
    assert len(wide) == end.judgments == counted_answers(study).count() > 0
    assert {(row["item_id"], row["annotator"]) for row in wide} == {
        (row["item_id"], row["annotator"]) for row in long
    }
    assert len({row["annotator"] for row in wide}) == end.annotators == 5


def test_by_item_it_counts_every_value_and_tells_of_no_person(study, out, tmp_path):
    released.release(study, tmp_path / "whole")
    named = {row["annotator"] for row in released.rows(tmp_path / "whole", "annotators")}
    long = released.rows(tmp_path / "whole", "judgments")
    columns = ("item_id", "task", "dimension", "scale", "value", "missing")
    whole = Counter(tuple(row[column] for column in columns) for row in long)

    document = released.release(study, out, by_item=True)
    rows = released.rows(out, "item_values")
    assert {tuple(r[c] for c in columns): int(r["people"]) for r in rows} == whole
    assert max(whole.values()) > 1
    files = released.everything(out)
    assert not {f"{name}.csv" for name in ("judgments", "annotators", "exclusions")} & set(files)
    text = b"\n".join(files.values()).decode(errors="replace")
    assert [name for name in named if name in text] == []
    assert not re.search(r"\bp[0-9a-f]{16}\b", text)
    assert "It is not told whose judgments are whose" in (out / "README.md").read_text()
    assert {check["check"] for check in document["checks"] if check["ok"]} >= {
        "no identifier stands in any file",
        "every column is in the codebook and vice versa",
        "row counts agree with the funnel",
    }


def test_long_and_wide_tell_the_same(study, out):
    released.release(study, out)
    wide = {(row["item_id"], row["annotator"]): row for row in released.rows(out, "judgments_wide")}
    long = released.rows(out, "judgments")
    for row in long:
        assert wide[row["item_id"], row["annotator"]][row["dimension"]] == row["value"]
        assert bool(row["value"]) != bool(row["missing"])
    filled = sum(1 for row in wide.values() for cell in list(row.values())[2:] if cell)
    assert filled == sum(1 for row in long if row["value"])


def test_values_are_those_that_were_stored(study, out):
    released.release(study, out)
    long = released.rows(out, "judgments")
    told = {(r["item_id"], r["form"], r["position"], r["dimension"], r["value"]) for r in long}
    for answer in counted_answers(study).filter(assignment__item__task="compare"):
        screen = answer.assignment
        place = (screen.item.key, "1", str(screen.position))
        assert (*place, "choice", answer.values["choice"]) in told
        assert (*place, "confidence", str(answer.values["confidence"])) in told


def test_numbers_are_whole_where_they_are_and_an_empty_choice_says_none(study, out):
    released.release(study, out)
    long = released.rows(out, "judgments")
    assert {row["active_seconds"] for row in long} == {"30"}
    recall = {row["value"] for row in long if row["dimension"] == "keypoint_recall"}
    assert recall <= {"0", "1"}
    facts = {row["value"] for row in long if row["dimension"] == "facts_recalled"}
    assert facts
    assert facts <= {"none", "1"}


def test_nothing_of_the_pilot_of_checks_of_practice_or_of_who_withdrew(study, out):
    withdrawn = Annotator.objects.get(state="withdrawn")
    released.release(study, out)
    practice = set(Item.objects.filter(practice=True).values_list("key", flat=True))
    items = {row["item_id"] for row in released.rows(out, "items")}
    assert practice
    assert not practice & items
    # Whoever was given a form is there, but for the one who withdrew.
    people = released.rows(out, "annotators")
    assert len(people) == Annotator.objects.filter(claims__isnull=False).distinct().count() - 1
    before = len(released.rows(out, "judgments_wide"))
    kept = counted_answers(study).exclude(assignment__annotator=withdrawn).first()
    lost = counted_answers(study).filter(assignment__annotator=kept.assignment.annotator).count()
    annotator_withdraw(kept.assignment.annotator, now=released.LATER)
    released.release(study, out, force=True)
    assert len(released.rows(out, "judgments_wide")) == before - lost
    assert len(released.rows(out, "annotators")) == len(people) - 1


def test_a_pilot_does_not_enter(out):
    study = factories.pilot(items=6)
    factories.done_by_someone(study)
    factories.study_launch(study, author="boss", now=released.LATER)
    released.release(study, out)
    assert released.rows(out, "judgments") == released.rows(out, "annotators") == []
    assert released.rows(out, "funnel")[0]["left_annotators"] == "0"


def test_people_are_told_of_coarsely(study, out):
    released.release(study, out)
    people = released.rows(out, "annotators")
    assert list(people[0]) == ["annotator", "state", "forms_done", "in_analysis"]
    told = sorted((p["state"], p["forms_done"], p["in_analysis"]) for p in people)
    assert told == [
        *[("completed", "1", "false")],
        *[("completed", "1", "true")] * 5,
        *[("incomplete", "0", "false")],
    ]


def test_exclusions_name_the_rule_and_never_what_a_person_wrote(study, out):
    document = released.release(study, out)
    by_rule, by_hand = sorted(
        released.rows(out, "exclusions"), key=lambda row: row["by"], reverse=True
    )
    assert (by_rule["unit"], by_rule["rule"], by_rule["by"]) == ("annotator", "attention", "rule")
    assert by_rule["reason"] == "failed 1 attention check; 1 excludes"
    assert (by_hand["unit"], by_hand["by"], by_hand["reason"]) == ("judgment", "person", "")
    assert by_hand["item_id"]
    assert not any(b"Ann Lee" in content for content in released.everything(out).values())
    # The reason, and the code in the debriefing.
    assert document["redacted"] == 2
    assert (
        "completion codes in what people read, were taken out: 2."
        in (out / "README.md").read_text()
    )


def test_what_was_typed_stays_behind(study, out):
    typed = [a for a in Answer.objects.all() if a.values.get("why") == released.TYPED]
    assert typed
    document = released.release(study, out)
    assert "compare.why" in document["dropped_columns"]
    assert not any(b"ann@example.org" in text for text in released.everything(out).values())
    assert "why" not in {row["dimension"] for row in released.rows(out, "judgments")}
    assert "why" not in released.rows(out, "judgments_wide")[0]


def test_no_secret_and_no_platform_id_stands_in_any_byte(study, out):
    document = released.release(study, out)
    people = list(Annotator.objects.values_list("pseudonym", "access_key", "entry_token"))
    secrets = [secret for person in people for secret in person]
    content = b"\n".join(released.everything(out).values())
    for secret in [*secrets, *released.PIDS[:8], "DONE17", "boss"]:
        assert secret.encode() not in content
    assert not re.search(rb"20[0-9]{2}-[0-9]{2}-[0-9]{2}", content)
    assert document["checks"][0]["check"] == "no identifier stands in any file"
    looked_for = 3 * len(people) + 2 * PlatformIdentity.objects.count() + len(["DONE17"])
    assert document["checks"][0]["detail"].startswith(f"{looked_for} keys, tokens")


def test_an_id_planted_in_an_item_stops_the_release(study, out):
    item = Item.objects.get(key="r001")
    item.fields["response"] = f"As {released.PIDS[2]} said."
    item.save()
    with pytest.raises(Refused, match=r"items\.csv holds a platform id") as refused:
        released.release(study, out)
    assert released.PIDS[2] not in refused.value.message
    assert not out.exists()
    assert list(out.parent.iterdir()) == []


def test_a_short_id_that_an_item_has_by_chance_stops_nothing_and_is_counted(study, out):
    PlatformIdentity.objects.filter(annotator__in=Annotator.objects.all()[:1]).update(
        ciphertext=encrypted("R001")
    )
    check, *_ = released.release(study, out)["checks"]
    assert "1 of fewer than 12 characters are ids of items too" in check["detail"]


def test_hidden_fields_are_published_and_texts_unchanged(study, out):
    nasty = '"><img src=x onerror=alert(1)>, =1+1\r\n\t007 &amp; שלום'
    item = Item.objects.get(key="r001")
    item.fields |= {"response": nasty, "model": "=cmd()"}
    item.save()
    released.release(study, out)
    row = {row["item_id"]: row for row in released.rows(out, "items")}["r001"]
    assert (row["response"], row["model"]) == (nasty, "=cmd()")
    assert json.loads(row["facts"]) == ["It is 1."]
    line = {line["item_id"]: line for line in released.lines(out, "items")}["r001"]
    assert (line["response"], line["facts"]) == (nasty, ["It is 1."])
    assert line["condition_1"] is None


def test_a_field_named_like_a_column_of_the_release_is_kept_apart(study, out):
    Item.objects.filter(key="r001").update(fields={"task": "t", "item_id": "i", "field_task": "f"})
    released.release(study, out)
    row = {row["item_id"]: row for row in released.rows(out, "items")}["r001"]
    assert (row["task"], row["field_item_id"]) == ("rate", "i")
    assert (row["field_task"], row["field_field_task"]) == ("f", "t")


def test_preferences_speak_of_the_higher_condition(study, out):
    released.release(study, out)
    told = {(r["pair_id"], r["annotator"]): r for r in released.rows(out, "preferences")}
    wide = released.rows(out, "judgments_wide")
    shown = {
        (r["item_id"], r["annotator"]): r["order_shown"] for r in released.rows(out, "judgments")
    }
    compared = [row for row in wide if row["choice"]]
    assert len(told) == len(compared) > 0
    # In the factory's pairs the second response is of the higher condition.
    words = {"response_1": "lower", "response_2": "higher", "no_difference": "tie"}
    for row in compared:
        pair = row["item_id"], row["annotator"]
        assert told[pair]["preferred"] == words[row["choice"]]
        assert told[pair]["confidence"] == row["confidence"]
        assert told[pair]["shown_first"] == {"1|2": "0", "2|1": "1"}[shown[pair]]


def test_a_study_without_ranked_conditions_has_no_preferences(out):
    study = factories.live(items=0, responses=6)
    factories.done_by_someone(study)
    released.release(study, out)
    assert not (out / "preferences.csv").exists()


def test_the_same_data_and_key_give_the_same_bytes(study, out, tmp_path):
    first = released.release(study, out)
    second = released.release(study, tmp_path / "again")
    assert first == second
    assert released.everything(out) == released.everything(tmp_path / "again")


def test_another_key_gives_other_names_and_the_same_answers(study, out, tmp_path):
    released.release(study, out)
    released.release(study, tmp_path / "other", key=b"another key, as long as that")
    one, other = (released.rows(folder, "judgments") for folder in (out, tmp_path / "other"))
    assert not {row["annotator"] for row in one} & {row["annotator"] for row in other}
    without = [
        sorted(tuple(v for k, v in row.items() if k != "annotator") for row in table)
        for table in (one, other)
    ]
    assert without[0] == without[1]


def test_rows_are_in_an_order_that_tells_nothing(study, out):
    released.release(study, out)
    for table, keys in {
        "items": ["item_id"],
        "annotators": ["annotator"],
        "judgments": ["item_id", "annotator", "dimension"],
        "judgments_wide": ["item_id", "annotator"],
        "preferences": ["pair_id", "annotator"],
    }.items():
        order = [tuple(row[key] for key in keys) for row in released.rows(out, table)]
        assert order == sorted(order)
        assert len(set(order)) == len(order)


def test_every_column_of_every_table_is_in_the_codebook(study, out):
    released.release(study, out)
    told = {(row["table"], row["column"]) for row in released.rows(out, "codebook")}
    tables = {path.stem for path in out.glob("*.csv")}
    stand = {
        (table, column)
        for table in tables
        for column in (out / f"{table}.csv").read_text().split("\n")[0].split(",")
    }
    assert told == stand
    document = json.loads((out / "codebook.json").read_text())
    assert {t["table"] for t in document["tables"]} == tables
    choice = next(d for d in document["dimensions"] if d["dimension"] == "choice")
    assert [o["value"] for o in choice["options"]] == ["response_1", "no_difference", "response_2"]


def test_cells_are_what_the_codebook_allows(study, out):
    released.release(study, out)
    document = json.loads((out / "codebook.json").read_text())
    for table in document["tables"]:
        for line in released.lines(out, table["table"]):
            for column in table["columns"]:
                assert fits(line[column["column"]], column), (table["table"], column, line)


def fits(cell, column):
    """Whether a cell is empty where it may be, of its type, and among the values listed."""
    if cell is None:
        return column["missing"] != "never empty"
    allowed = [option["value"] for option in column["values"]]
    if column["type"] == "list" or not allowed or column["level"] == "multiple":
        return True
    return (str(cell).lower() if isinstance(cell, bool) else str(cell)) in allowed


def test_what_nobody_classified_does_not_leave(study, out, monkeypatch):
    monkeypatch.delitem(CLASSES, "Answer.active_seconds")
    document = released.release(study, out)
    assert "active_seconds" not in released.rows(out, "judgments")[0]
    assert "judgments.active_seconds" in document["dropped_columns"]
    assert all(check["ok"] for check in document["checks"])


def test_the_plan_is_the_locked_one_and_the_sums_hold(study, out):
    document = released.release(study, out)
    lock = PlanLock.objects.get(study=study)
    plan = (out / "plan.json").read_bytes()
    assert hashlib.sha256(plan).hexdigest() == lock.sha256 == document["plan_sha256"]
    files = released.everything(out)
    sums = dict(
        reversed(line.split("  ")) for line in files.pop("SHA256SUMS").decode().splitlines()
    )
    assert sums == {name: hashlib.sha256(text).hexdigest() for name, text in files.items()}
    told = {file["path"]: file["sha256"] for file in document["files"]}
    assert sums.items() <= told.items()


def test_the_texts_are_there_and_the_code_is_not(study, out):
    released.release(study, out)
    assert (out / "consent.md").read_text() == "You may stop at any time."
    assert (out / "debrief.md").read_text() == "Thank you. Your code is [code]."


def test_judgments_that_the_rules_leave_out_must_be_recorded_first(study, out):
    released.judges(study, 8)
    hasty = Answer.objects.filter(
        assignment__annotator__identity__isnull=False, assignment__kind="judge"
    ).order_by("-submitted_at", "-pk")
    counted = counted_answers(study).filter(pk__in=hasty).last()
    Answer.objects.filter(pk=counted.pk).update(active_seconds=1.0)
    with pytest.raises(Refused, match=r"qc tiny --apply"):
        released.release(study, out)
    assert not out.exists()


def test_a_draft_has_nothing_to_release(out):
    with pytest.raises(StateForbids, match="study_launch opens it"):
        released.release(factories.imported(), out)


def test_ids_under_another_key_cannot_be_looked_for(study, out, settings):
    settings.IDENTITY_KEY = "another"
    with pytest.raises(Refused, match="IDENTITY_KEY"):
        released.release(study, out)
    assert not out.exists()


def test_it_asks_as_often_however_many_judge(study, out):
    with CaptureQueriesContext(connection) as few:
        released.release(study, out)
    for number in (8, 9):
        released.judges(study, number)
    with CaptureQueriesContext(connection) as more:
        released.release(study, out, force=True)
    assert len(more) == len(few)


def test_progress_is_told(study, out, monkeypatch):
    monkeypatch.setattr("annotation.exports.answers.SLOTS_AT_ONCE", 2 * SLOTS_OF_AN_ITEM)
    told = {WRITTEN: [], SEARCHED: []}
    released.release(study, out, progress=lambda *one: told[one[2]].append(one[:2]))
    total = study_funnel(study).final.judgments
    assert told[WRITTEN][-1] == (total, total)
    assert len(told[WRITTEN]) == study.items.filter(practice=False).count() / 2
    sizes = {size for _, size in told[SEARCHED]}
    assert told[SEARCHED][-1] == (*sizes, *sizes)
    assert all(steps == sorted(steps) for steps in told.values())


def test_items_and_people_are_taken_some_at_a_time(study, out, tmp_path, monkeypatch):
    released.release(study, out)
    monkeypatch.setattr("annotation.exports.answers.SLOTS_AT_ONCE", 2 * SLOTS_OF_AN_ITEM)
    monkeypatch.setattr("annotation.exports.items.AT_ONCE", 2)
    monkeypatch.setattr("annotation.selectors.collected.SCREENS_AT_ONCE", 2)
    released.release(study, tmp_path / "chunked")
    assert released.everything(out) == released.everything(tmp_path / "chunked")
