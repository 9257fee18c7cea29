"""From rows to blocks, and what is refused, named and counted."""

import numpy as np
import pandas as pd
import pytest

from analysis.pipelines.irt.responses import ResponsesError, collect
from analysis.pipelines.irt.selection import filter_models, keep_items
from tests.analysis.pipelines.irt.studies import small, small_table


def rows(*cells):
    columns = ["model", "item", "subset", "locale", "query", "correct"]
    return pd.DataFrame(cells, columns=columns)


def minimal(**changed):
    """Two models, two items a set."""
    made = []
    for model in ("a", "b"):
        for place, queries in (("", ("en", "zh")), ("ZH", ("en", "zh"))):
            for query in queries:
                for item in ("i1", "i2"):
                    right = int((model == "a") == (item == "i1"))
                    subset = "CS" if place else "CA"
                    made.append((model, f"{item}{place}", subset, place, query, right))
    return rows(*made).assign(**changed)


def test_chunks_come_back_as_the_blocks_they_were_made_of():
    answers, table = small(), small_table()
    found = collect(table[i : i + 999] for i in range(0, len(table), 999))
    assert found.models == answers.models
    assert found.given == answers.given
    assert found.local_query == {"FR": "fr", "ZH": "zh"}
    for block, made in zip(found.blocks, answers.blocks, strict=True):
        assert block.items == made.items
        places = [block.queries.index(query) for query in made.queries]
        assert np.array_equal(block.answers[:, places], made.answers)


def test_the_order_of_rows_does_not_matter():
    table = small_table()
    mixed = collect([table.sample(frac=1, random_state=3)])
    model = mixed.models.index("m03")
    item = mixed.agnostic.items.index("ca-0007")
    query = mixed.agnostic.queries.index("fr")
    row = table.query("model == 'm03' and item == 'ca-0007' and query == 'fr'")
    assert mixed.agnostic.answers[model, query, item] == row["correct"].item()


def test_an_empty_answer_is_not_asked_and_is_counted():
    table = minimal()
    table["correct"] = table["correct"].astype(float)
    table.loc[0, "correct"] = np.nan
    found = collect([table])
    assert (found.given, found.empty) == (15, 1)
    assert found.agnostic.answers[0, 0, 0] == 2


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (minimal().iloc[:0], "the table of responses has no row"),
        (minimal(correct=np.nan), "no row has a 'correct'; the other variant takes 'p_correct'"),
        (minimal().query("subset == 'CS'"), "no row has the subset CA"),
        (minimal().query("subset == 'CA'"), "no row has the subset CS"),
        (minimal(locale=""), r"8 CS rows have no locale.*first: model 'a', item 'i1ZH'"),
        (minimal(locale="ZH"), r"8 CA rows name a locale; leave it empty"),
        (
            minimal().query("query == 'zh'"),
            "CA, CS_ZH was never asked in the base language 'en'.*found: zh",
        ),
        (pd.concat([minimal()] * 2), "8 rows of CA repeat a model, item and query"),
        (
            pd.concat([minimal(), rows(("a", "i1ZH", "CS", "ZH", "fr", 1))]),
            "CS_ZH was asked in zh, fr beside en",
        ),
    ],
)
def test_what_cannot_be_analysed_is_told_in_words(table, sentence):
    with pytest.raises(ResponsesError, match=sentence):
        collect([table])


def test_a_model_at_or_below_the_threshold_on_one_set_is_dropped_with_the_set():
    answers = small()
    answers.specific["FR"].answers[2, 1] = np.arange(120) % 4 == 0
    kept, dropped = filter_models(answers, 0.35)
    assert "m02" not in kept.models
    assert [d.model for d in dropped] == ["m02"]
    assert dropped[0].reason == "accuracy 0.250 on CS_FR in fr, not above 0.35"
    assert kept.agnostic.answers.shape[0] == 11


def test_a_model_that_answered_nothing_is_named():
    answers = small()
    for block in answers.blocks:
        block.answers[4] = 2
    _, dropped = filter_models(answers, 0.35)
    assert (dropped[0].model, dropped[0].reason) == ("m04", "answered nothing")


def test_no_model_left_is_an_error_with_an_example():
    with pytest.raises(ResponsesError, match="no model passes the filter; the first, m00"):
        filter_models(small(), 0.99)


def kept_table(*cells):
    return pd.DataFrame(cells, columns=["item", "locale", "keep"])


def test_exactly_the_kept_items_are_used_and_the_rest_is_counted():
    table = kept_table(
        ("cs_fr-0000", "FR", 1),
        ("cs_fr-0001", "FR", 0),
        ("cs_fr-0002", "FR", 1),
        ("nowhere", "FR", 1),
    )
    kept = keep_items(small(), table)
    assert kept.answers.specific["FR"].items == ("cs_fr-0000", "cs_fr-0002")
    assert kept.left_out == ("ZH",)
    assert kept.unknown == 1
    assert len(kept.answers.agnostic.items) == 200
    judged = {row.locale: (row.judged, row.rejected) for row in kept.judged}
    assert judged == {"FR": (3, 1), "ZH": (0, 0)}


def test_without_a_verdict_every_named_item_is_kept_and_there_is_no_error_rate():
    table = kept_table(("cs_zh-0003", "", np.nan), ("ca-0001", "", np.nan))
    kept = keep_items(small(), table)
    assert kept.answers.specific["ZH"].items == ("cs_zh-0003",)
    assert kept.answers.agnostic.items == ("ca-0001",)
    assert kept.judged == ()


def test_kept_items_of_another_study_are_an_error():
    with pytest.raises(ResponsesError, match="none of the kept items occurs"):
        keep_items(small(), kept_table(("x", "FR", 1)))
