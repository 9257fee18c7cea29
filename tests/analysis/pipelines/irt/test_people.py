"""From judgments to the items to keep."""

import pandas as pd

from analysis.pipelines.irt.people import kept_items
from analysis.pipelines.irt.selection import keep_items
from tests.analysis.pipelines.irt.studies import small

RATINGS = pd.DataFrame(
    [
        ("good", "a", 3, "yes"),
        ("good", "b", 3, "yes"),
        ("flagged", "a", 3, "yes"),
        ("flagged", "b", 2, "yes"),
        ("wrong", "a", 1, "yes"),
        ("global", "a", 3, "yes"),
        ("global", "b", 3, "no"),
        ("silent", "a", 3, ""),
        ("unrated", "a", None, "yes"),
    ],
    columns=["item_id", "annotator", "translation_quality", "local_culture"],
)
ITEMS = pd.DataFrame({"item_id": ["good", "flagged", "wrong"], "locale": ["FR", "FR", "ZH"]})


def test_one_flag_rejects_and_half_a_vote_is_no_majority():
    found = kept_items(RATINGS, ITEMS).set_index("item")
    assert found["keep"].to_dict() == {
        "good": 1,
        "flagged": 0,
        "wrong": 0,
        "global": 0,
        "silent": 0,
    }
    assert found["error"].to_dict() == dict.fromkeys(found.index, 0) | {"wrong": 1}
    assert found.loc["wrong", "locale"] == "ZH"
    assert found.loc["global", "locale"] == ""


def test_a_lower_demand_keeps_acceptable_translations():
    found = kept_items(RATINGS, ITEMS, quality=2).set_index("item")
    assert found["keep"][["good", "flagged", "wrong"]].tolist() == [1, 1, 0]


def test_the_error_rate_is_of_wrong_translations_not_of_items_left_out():
    names = [f"cs_fr-{i:04d}" for i in range(10)]
    ratings = pd.DataFrame(
        {
            "item_id": names,
            "annotator": "a",
            "translation_quality": [1, 1, 2, 2, 2, 3, 3, 3, 3, 3],
            "local_culture": "yes",
        }
    )
    table = kept_items(ratings, pd.DataFrame({"item_id": names, "locale": "FR"}))
    kept = keep_items(small(), table)
    assert len(kept.answers.specific["FR"].items) == 5
    assert (kept.judged[0].judged, kept.judged[0].rejected) == (10, 2)
