"""From scores to a study: what is drawn, that nothing of it is told, that the folder is a study."""

import json
from collections import Counter
from io import StringIO

import numpy as np
import pandas as pd
import pytest
import yaml
from django.core.management import CommandError, call_command

from analysis.management.sampling import read_spec
from analysis.pipelines.clcg.drawing import even_shares
from analysis.pipelines.clcg.sample_spec import spec_of
from analysis.pipelines.clcg.simulate import Sizes
from analysis.pipelines.clcg.sums import ClcgError
from annotation.studyfile import inspect_study
from fixtures.generate.clcg_scores import FOLDER
from tests.analysis.pipelines.clcg.worlds import simulated

WORDS = [
    "river",
    "mill",
    "clock",
    "bell",
    "rope",
    "tower",
    "bridge",
    "ferry",
    "kiln",
    "loom",
    "salt",
    "orchard",
]
SPEC = {
    "study": "walk", "title": "A walk", "seed": 5, "predictions": "predictions.parquet",
    "items": "items.jsonl", "passages": "passages.jsonl", "languages": "languages.csv",
    "judged": "judged.csv", "responses": 120, "pairs": 16, "judged_quota": 40, "cap_per_document": 6,
    "replication": 3, "form_size": 8,
}  # fmt: skip


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """Write scores, and texts made up for them: thirty documents, so that forms can avoid repeats."""
    folder = tmp_path_factory.mktemp("source")
    scores = simulated(3, Sizes(documents=30, repeated=3, per_level=1, human=2))
    scores.to_parquet(folder / "scores.parquet", index=False)
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(WORDS, 4)) for _ in range(len(scores))]
    predictions = scores.drop(columns=["status", "token_f1"]).assign(prediction=texts)
    predictions.to_parquet(folder / "predictions.parquet", index=False)
    one = scores.drop_duplicates("item_id")
    items = [
        {"item_id": item, "question": f"What is said of {item}?", "reference": "a bell",
         "facts": ["There is a bell.", "It rings."], "passage_id": document}
        for item, document in zip(one["item_id"], one["doc_id"], strict=True)
    ]  # fmt: skip
    lines = [row | {"facts": json.dumps(row["facts"])} for row in items]
    pd.DataFrame(lines).to_json(folder / "items.jsonl", orient="records", lines=True)
    documents = sorted(scores["doc_id"].unique())
    passages = [
        {"passage_id": d, "text": f"Document {d} tells of a bell.", "lang": "en"} for d in documents
    ]
    pd.DataFrame(passages).to_json(folder / "passages.jsonl", orient="records", lines=True)
    (folder / "languages.csv").write_bytes((FOLDER / "languages.csv").read_bytes())
    target = scores[
        (scores["rep"] == 0) & ~scores["language"].isin(["en", "pt"]) & (scores["status"] == "ok")
    ]
    few = target.sample(400, random_state=1)
    labels = [
        {
            "model": r.model,
            "language": r.language,
            "item_id": r.item_id,
            "judge": judge,
            "label": "correct",
        }
        for r in few.itertuples()
        for judge in ("one", "two")
    ]
    pd.DataFrame(labels[:-1]).to_csv(folder / "judged.csv", index=False)
    return folder


def sample(source, out, **changes):
    spec = source / f"spec-{out.name}.yaml"
    spec.write_text(yaml.safe_dump(SPEC | changes), encoding="utf-8")
    printed = StringIO()
    call_command(
        "sample", str(source / "scores.parquet"), spec=spec, out=out, json=True, stdout=printed
    )
    return json.loads(printed.getvalue())


@pytest.fixture(scope="module")
def drawn(source, tmp_path_factory):
    out = tmp_path_factory.mktemp("study") / "walk"
    return out, sample(source, out)


def rows(folder, name):
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]


def test_the_folder_is_a_study_without_a_fault_or_a_warning(drawn):
    folder, realised = drawn
    found = inspect_study(folder)
    assert [str(e) for e in found.errors] == []
    assert [str(w) for w in found.warnings] == []
    assert found.items == {"response": 120, "comparison": 16}
    assert realised["items"] == 136
    assert json.loads((folder / "sampling.json").read_text()) == realised


def test_strata_are_even_and_lower_scores_come_more_often(drawn):
    folder, realised = drawn
    items = rows(folder, "responses.jsonl")
    strata = Counter((i["language"], i["category"], i["model"]) for i in items)
    assert max(strata.values()) <= 2
    assert realised["shortfall"]["responses"] == 0
    assert sum(realised["by_stratum"].values()) == 120
    assert realised["by_bin_wanted"] == pytest.approx({"low": 48, "mid": 36, "high": 36})
    # Where few were judged, a third of a stratum may hold none, and the nearest is taken.
    assert realised["by_bin"] == pytest.approx(realised["by_bin_wanted"], abs=4)


def test_the_quota_the_cap_and_the_labels_are_kept(drawn):
    folder, realised = drawn
    items, pairs = rows(folder, "responses.jsonl"), rows(folder, "pairs.jsonl")
    judged = [i for i in items if i["arm"] == "judged"]
    assert len(judged) == realised["judged"] == 40
    assert all(i["judge_a"] == i["judge_b"] == "correct" and i["ask_error"] for i in judged)
    assert not any(i["language"] in {"en", "pt"} for i in judged)
    documents = Counter(i["doc_id"] for i in [*items, *pairs])
    assert max(documents.values()) <= 6
    assert realised["most_of_a_document"] == max(documents.values())
    keys = Counter((i["model"], i["language"], i["source_item"]) for i in items)
    assert max(keys.values()) == 1


def test_pairs_are_of_one_model_and_item_in_a_higher_and_a_lower_class(drawn):
    folder, _ = drawn
    pairs = rows(folder, "pairs.jsonl")
    assert len({p["source_item"] for p in pairs}) == 16
    for pair in pairs:
        assert pair["resource_class_1"] in (4, 5)
        assert pair["resource_class_2"] in (0, 1)
        assert (pair["condition_1"], pair["condition_2"]) == ("high", "low")
        assert pair["response_1"] != pair["response_2"]
    assert len({(p["model"], p["category"]) for p in pairs}) >= 14


def test_every_item_joins_the_score_it_came_from(source, drawn):
    scores = pd.read_parquet(source / "scores.parquet").astype({"rep": int})
    key = ["model", "language", "doc_id", "rep", "item_id", "scope"]
    known = scores.set_index(
        scores[key[0]].str.cat([scores[k].astype(str) for k in key[1:]], sep="|")
    )["token_f1"]
    for item in rows(drawn[0], "responses.jsonl"):
        own = "|".join(str(item["source_item" if name == "item_id" else name]) for name in key)
        assert known[own] == pytest.approx(item["score"])


def test_an_annotator_sees_nothing_that_tells_the_language(drawn):
    folder, _ = drawn
    study = yaml.safe_load((folder / "study.yaml").read_text())
    for task, name in (("response", "responses.jsonl"), ("comparison", "pairs.jsonl")):
        shown = {
            "id",
            "question",
            "response",
            "response_1",
            "response_2",
            "reference",
            "facts",
            "passage_id",
        }
        steering = {"ask_error", "condition_1", "condition_2"}
        columns = set().union(*rows(folder, name))
        assert columns - shown - steering == set(study["tasks"][task]["hidden"]) & columns
        assert all(len(row["id"]) == 9 for row in rows(folder, name))


def test_the_plan_names_what_the_report_will_tell_by_category_and_class(drawn):
    plan = yaml.safe_load((drawn[0] / "study.yaml").read_text())["plan"]
    by = {(one["human"], one.get("by")) for one in plan["triangulation"]}
    groups = (None, "category", "resource_class")
    assert by == {(human, group) for human in ("adequacy", "keypoint_recall") for group in groups}
    assert {one["by"] for one in plan["conditions"]} == {"resource_class"}


def test_the_probabilities_weigh_the_sample_back_to_the_pool(source, tmp_path):
    sums = []
    scores = pd.read_parquet(source / "scores.parquet")
    pool = scores[(scores["rep"] == 0) & (scores["status"] == "ok")]
    for seed in range(6):
        out = tmp_path / f"s{seed}"
        sample(
            source, out, seed=seed, pairs=0, judged_quota=0, cap_per_document=1000, responses=600
        )
        items = rows(out, "responses.jsonl")
        weights = np.array([1 / i["inclusion_probability"] for i in items])
        values = np.array([i["score"] for i in items])
        sums.append((weights.sum(), (weights * values).sum() / weights.sum(), values.mean()))
    size, weighted, plain = np.mean(sums, axis=0)
    assert size == pytest.approx(len(pool), rel=0.03)
    assert weighted == pytest.approx(pool["token_f1"].mean(), abs=0.012)
    assert plain < weighted - 0.01


def test_the_same_seed_draws_the_same_and_another_does_not(source, drawn, tmp_path):
    sample(source, tmp_path / "again")
    sample(source, tmp_path / "other", seed=6)
    for name in ("responses.jsonl", "pairs.jsonl", "study.yaml"):
        assert (tmp_path / "again" / name).read_bytes() == (drawn[0] / name).read_bytes()
    assert (tmp_path / "other" / "responses.jsonl").read_bytes() != (
        drawn[0] / "responses.jsonl"
    ).read_bytes()


def test_what_cannot_be_drawn_is_told(source, tmp_path):
    found = sample(source, tmp_path / "much", responses=300, cap_per_document=5, judged_quota=0)
    assert found["responses"] == 150
    assert found["shortfall"]["responses"] == 150
    assert found["shortfall"]["pairs"] == 16
    missing = sum(row["missing"] for row in found["shortfall"]["strata"])
    assert missing == 150
    assert all(row["stratum"] for row in found["shortfall"]["strata"])


def test_a_person_is_told_what_to_do_where_the_sample_falls_short(source, tmp_path):
    told = StringIO()
    spec = source / "short.yaml"
    spec.write_text(yaml.safe_dump(SPEC | {"cap_per_document": 1}))
    call_command(
        "sample", str(source / "scores.parquet"), spec=spec, out=tmp_path / "out", stderr=told,
        stdout=StringIO(),
    )  # fmt: skip
    assert "raise the cap, or ask for fewer" in told.getvalue()


FAULTS = {
    "unknown key": (
        {"respones": 1},
        "spec-out.yaml: 'respones' is no key of a specification. Did you mean 'responses'?",
    ),
    "weights": ({"weights": {"low": 0.5, "mid": 0.3, "high": 0.3}}, "they add up to 1.1"),
    "weights' names": ({"weights": {"low": 1}}, "a share to each of low, mid, high"),
    "strata": ({"strata": ["continent"]}, "strata must be a list out of"),
    "a number": ({"responses": "many"}, "responses must be a whole number from 0 on"),
    "quota": ({"judged_quota": 500}, "judged_quota is 500, of 120 responses"),
    "classes": ({"high": [1], "low": [1]}, "high and low share a resource class"),
    "slug": ({"study": "A Walk"}, "small letters, digits and hyphens"),
    "a score": ({"score": "bleu"}, "'bleu'"),
    "a table": ({"items": "nothing.csv"}, "there is no such file"),
    "predictions": ({"predictions": "scores.parquet"}, "the column is missing"),
    "passages": ({"passages": ""}, "passages are missing: d000000"),
}


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_wrong_specification_is_named(fault, source, tmp_path):
    changes, message = FAULTS[fault]
    with pytest.raises(CommandError) as caught:
        sample(source, tmp_path / "out", **changes)
    assert message in str(caught.value)


def test_missing_keys_are_named():
    with pytest.raises(ClcgError, match="needs title, predictions, items, languages"):
        spec_of({"study": "x"})
    with pytest.raises(ClcgError, match="must be a mapping"):
        spec_of(["study"])
    with pytest.raises(ClcgError, match="judged_quota needs the table"):
        spec_of({k: v for k, v in SPEC.items() if k != "judged"})


def test_even_shares_give_the_rest_to_strata_that_have_more():
    rng = np.random.default_rng(1)
    assert even_shares([5, 1, 5], 7, rng) == [3, 1, 3]
    assert even_shares([2, 2], 9, rng) == [2, 2]
    assert sorted(even_shares([9, 9, 9], 4, rng)) == [1, 1, 2]


def test_a_specification_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "spec.yaml").write_bytes("title: Qualité".encode("latin-1"))
    with pytest.raises(ClcgError, match=r"spec\.yaml is not UTF-8; save it as UTF-8"):
        read_spec(tmp_path / "spec.yaml")


def test_a_specification_nested_beyond_reason_is_refused(tmp_path):
    (tmp_path / "spec.yaml").write_text("[" * 20_000)
    with pytest.raises(ClcgError, match="cannot be read as YAML: it is nested too deeply"):
        read_spec(tmp_path / "spec.yaml")
