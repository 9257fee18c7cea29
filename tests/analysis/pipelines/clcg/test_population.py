"""What cannot be analysed is refused or left out by name, never in silence."""

import numpy as np
import pandas as pd
import pytest

from analysis.pipelines.clcg import sums
from analysis.pipelines.clcg.gaps import band_grid, gap_set
from analysis.pipelines.clcg.panel import panel_of
from analysis.pipelines.clcg.population import Settings
from analysis.pipelines.clcg.sums import ClcgError, collect, merged
from tests.analysis.pipelines.clcg.worlds import population, row, simulated, small_panel

GOOD = [row("en", 0.8), row("pt", 0.7), row("sw", 0.5), row("fon", 0.2)]


def small(*rows, settings=None):
    return population(pd.DataFrame(rows), small_panel(), settings or Settings(resamples=50))


def languages(**columns):
    plain = {"name": "", "resource_class": np.nan, "script": "", "isolate": np.nan}
    return pd.DataFrame(plain | {"fertility": np.nan, "sensitivity_class": np.nan} | columns)


def test_a_language_that_the_panel_does_not_name_is_an_error_with_its_rows():
    with pytest.raises(ClcgError, match=r"does not name: xx \(2 rows\)"):
        small(*GOOD, row("xx", 0.1), row("xx", 0.1, item_id="i2"))


def test_a_panel_language_without_rows_is_left_out_by_name():
    found = small(*GOOD[:3])
    assert [(e.kind, e.name, e.rows) for e in found.excluded] == [("language", "fon", 0)]
    assert found.panel.targets == ("sw",)


def test_a_model_without_reference_rows_is_left_out_with_its_rows():
    found = small(*GOOD, row("sw", 0.0, model="lone"), row("fon", 0.0, model="lone"))
    assert [(e.kind, e.name, e.rows) for e in found.excluded] == [("model", "lone", 2)]
    assert gap_set(band_grid(found)).micro.value == pytest.approx(0.45)


def test_a_document_in_one_language_only_is_left_out_with_its_rows():
    found = small(
        *GOOD, row("en", 0.0, doc_id="alone"), row("en", 0.0, doc_id="alone", item_id="x")
    )
    assert [(e.kind, e.name, e.rows) for e in found.excluded] == [("document", "alone", 2)]
    assert gap_set(band_grid(found)).reference.value == pytest.approx(0.8)


def test_an_answer_without_a_score_is_counted():
    found = small(*GOOD, row("en", np.nan, item_id="unanswerable"))
    assert [(e.kind, e.rows) for e in found.excluded] == [("row", 1)]
    assert found.sums.unscored == 1


def test_a_generated_item_without_a_level_is_counted_and_a_human_one_stays():
    human = {"level": "", "source": "human", "item_id": "h"}
    found = small(*GOOD, row("sw", 0.5, level="", item_id="x"), row("sw", 0.5, **human))
    assert [(e.name, e.rows) for e in found.excluded] == [("generated items without a level", 1)]
    assert found.sums.is_in("source", "human").any()


def test_a_failure_with_a_score_keeps_it_and_is_counted():
    found = small(*GOOD[:3], row("fon", 0.3, status="unparseable"))
    assert found.sums.fallback == 1
    assert gap_set(band_grid(found)).micro.value == pytest.approx(0.8 - 0.4)


def test_accuracy_takes_the_place_of_the_score_on_the_lowest_level():
    rows = [r | {"level": "L0", "accuracy": 1.0} for r in GOOD]
    found = small(*rows, settings=Settings(band=("L0",), resamples=50))
    assert gap_set(band_grid(found)).reference.value == pytest.approx(1.0)


def test_rows_without_a_language_are_closed_book_or_an_error():
    with pytest.raises(ClcgError, match="a row has no language"):
        small(*GOOD, row("", 0.2))
    assert small(*GOOD, row("", 0.2, scope="closed_book")).excluded == ()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row("sw", 0.5), row("fon", 0.2)], "No model has a row in the reference language"),
        ([row("en", 0.5), row("pt", 0.2)], "No target language has rows in the band"),
        ([r | {"level": "L0"} for r in GOOD], "has a level of the band"),
    ],
)
def test_nothing_to_compare_is_an_error(rows, message):
    with pytest.raises(ClcgError, match=message):
        small(*rows)


def test_no_rows_are_an_error():
    with pytest.raises(ClcgError, match="no rows"):
        collect([])


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        (["target", "target", "target"], "names 0 languages with the role 'reference'"),
        (["reference", "reference", "target"], "names 2 languages"),
        (["reference", "baseline", "baseline"], "Only one language can be the baseline, not b, c"),
        (["reference", "baseline"], "names no 'target'"),
    ],
)
def test_a_panel_needs_one_reference_and_a_target(roles, message):
    codes = list("abc")[: len(roles)]
    with pytest.raises(ClcgError, match=message):
        panel_of(languages(language=codes, role=roles))


def test_a_panel_keeps_what_is_known_of_its_languages():
    found = panel_of(
        languages(
            language=["en", "ne", "quy"],
            role=["reference", "target", "target"],
            resource_class=[5, 1, np.nan],
            script=["Latin", "Devanagari", "Latin"],
            sensitivity_class=[np.nan, np.nan, 1],
        )
    )
    assert found.factors["non_latin"] == {"en": 0.0, "ne": 1.0, "quy": 0.0}
    assert found.classes == {1: ("ne",)}
    assert found.sensitivity == {"quy": 1}


def parts(frame, size):
    return [frame.iloc[i : i + size] for i in range(0, len(frame), size)]


def test_the_size_of_the_chunks_changes_nothing():
    frame = simulated()
    one, many = collect([frame]), collect(parts(frame, 137))
    assert one.labels == many.labels
    assert all((one.codes[name] == many.codes[name]).all() for name in one.codes)
    assert np.abs(one.total - many.total).max() < 1e-9
    assert (one.count == many.count).all()


def test_shards_add_up_to_the_whole():
    frame = simulated()
    whole = collect([frame])
    found = merged([collect([part]) for part in parts(frame, 1500)])
    assert found.rows == whole.rows
    assert found.labels == whole.labels
    assert all((found.codes[name] == whole.codes[name]).all() for name in whole.codes)
    assert np.abs(found.squares - whole.squares).max() < 1e-9


def test_files_that_have_too_many_labels_only_together_are_refused(monkeypatch):
    """A packed key would make one cell of two."""
    frame = simulated()
    one, other = frame[frame["model"] == frame["model"].iloc[0]], frame
    shards = [collect([some]) for some in (one, other)]
    monkeypatch.setitem(sums.BITS, "model", 0)
    with pytest.raises(ClcgError, match="more than 1 different values of 'model'"):
        merged(shards)


def test_reading_tells_its_progress_and_can_be_stopped():
    seen = []

    def progress(done, _total):
        seen.append(done)
        if done > 2000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(parts(simulated(), 1000), progress=progress)
    assert seen == [1000, 2000, 3000]
