"""What every agreement coefficient must do, over the table COEFFICIENTS."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from analysis.stats.agreement import COEFFICIENTS, all_coefficients
from analysis.stats.ratings import Ratings

SCALE = [1.0, 2.0, 3.0, 4.0]
NAN = float("nan")
KEYS = sorted(COEFFICIENTS)
INVARIANT = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@st.composite
def tables(draw, key):
    """Draw a raters-by-items table on SCALE that suits the coefficient."""
    raters = 2 if COEFFICIENTS[key].only_pairs else draw(st.integers(2, 5))
    items = draw(st.integers(2, 9))
    cells = st.sampled_from(SCALE)
    if key != "fleiss_kappa":
        cells |= st.just(NAN)
    return draw(hnp.arrays(float, (raters, items), elements=cells))


def value(key, table, labels=SCALE):
    """Return the coefficient's value; None where undefined, which must come with a reason."""
    found = COEFFICIENTS[key].compute(Ratings.from_matrix(table, labels))
    assert (found.value is None) <= bool(found.reason)
    return found.value


def same(one, two):
    """Compare two values or two absences."""
    assert (one is None) == (two is None), (one, two)
    if one is not None:
        assert one == pytest.approx(two, abs=1e-9)


@pytest.mark.parametrize("key", KEYS)
@INVARIANT
@given(st.data())
def test_order_of_raters_does_not_matter(key, data):
    table = data.draw(tables(key))
    order = data.draw(st.permutations(range(len(table))))
    same(value(key, table), value(key, table[order]))


@pytest.mark.parametrize("key", KEYS)
@INVARIANT
@given(st.data())
def test_order_of_items_does_not_matter(key, data):
    table = data.draw(tables(key))
    order = data.draw(st.permutations(range(table.shape[1])))
    same(value(key, table), value(key, table[:, order]))


@pytest.mark.parametrize("key", [k for k in KEYS if COEFFICIENTS[k].nominal])
@INVARIANT
@given(st.data())
def test_names_of_labels_do_not_matter_to_a_nominal_coefficient(key, data):
    table = data.draw(tables(key))
    renamed = dict(zip(SCALE, data.draw(st.permutations(SCALE)), strict=True)) | {NAN: NAN}
    other = np.array([[renamed.get(v, NAN) for v in row] for row in table.tolist()])
    same(value(key, table), value(key, other))


@pytest.mark.parametrize("key", [k for k in KEYS if not COEFFICIENTS[k].nominal])
def test_names_of_labels_matter_to_the_others(key):
    table = np.array([[1.0, 2.0, 3.0, 4.0, 1.0], [1.0, 2.0, 4.0, 4.0, 2.0]])
    swapped = np.where(table == 2.0, 4.0, np.where(table == 4.0, 2.0, table))
    assert value(key, table) != pytest.approx(value(key, swapped), abs=1e-3)


@pytest.mark.parametrize("key", [k for k in KEYS if COEFFICIENTS[k].ignores_unused_labels])
@INVARIANT
@given(st.data())
def test_an_unused_label_at_the_end_of_the_scale_does_not_matter(key, data):
    table = data.draw(tables(key))
    same(value(key, table), value(key, table, [*SCALE, 5.0]))


@pytest.mark.parametrize("key", [k for k in KEYS if not COEFFICIENTS[k].ignores_unused_labels])
def test_an_unused_label_matters_to_the_others(key):
    table = np.array([[1.0, 2.0, 3.0, 4.0, 1.0], [1.0, 2.0, 4.0, 4.0, 2.0]])
    assert value(key, table) != pytest.approx(value(key, table, [*SCALE, 5.0]), abs=1e-3)


@pytest.mark.parametrize("key", KEYS)
@INVARIANT
@given(st.data())
def test_an_item_without_ratings_is_as_if_it_were_not_there(key, data):
    table = data.draw(tables(key))
    wider = np.hstack([table, np.full((len(table), 1), NAN)])
    same(value(key, table), value(key, wider))


@pytest.mark.parametrize("key", [k for k in KEYS if not COEFFICIENTS[k].only_pairs])
@INVARIANT
@given(st.data())
def test_a_rater_without_ratings_is_as_if_absent(key, data):
    table = data.draw(tables(key))
    taller = np.vstack([table, np.full((1, table.shape[1]), NAN)])
    same(value(key, table), value(key, taller))


@pytest.mark.parametrize("key", KEYS)
@INVARIANT
@given(st.data())
def test_absent_rows_of_a_long_table_are_empty_cells(key, data):
    table = data.draw(tables(key))
    rater, item = np.indices(table.shape)
    assume(not np.isnan(table).all(axis=1).any())
    rated = ~np.isnan(table)
    long = Ratings.from_long(item[rated], rater[rated], table[rated], SCALE)
    same(value(key, table), COEFFICIENTS[key].compute(long).value)


@pytest.mark.parametrize("key", [k for k in KEYS if COEFFICIENTS[k].ignores_duplication])
@INVARIANT
@given(st.data())
def test_every_item_twice_changes_nothing(key, data):
    table = data.draw(tables(key))
    same(value(key, table), value(key, np.hstack([table, table])))


@pytest.mark.parametrize("key", [k for k in KEYS if not COEFFICIENTS[k].ignores_duplication])
@INVARIANT
@given(st.data())
def test_every_item_twice_changes_alpha_by_its_correction_for_sample_size(key, data):
    table = data.draw(tables(key))
    once, twice = value(key, table), value(key, np.hstack([table, table]))
    if once is None:
        assert twice is None
        return
    n = Ratings.from_matrix(table, SCALE).pairable().n
    assert 1 - twice == pytest.approx((1 - once) * (2 * n - 1) / (2 * n - 2), abs=1e-9)


@pytest.mark.parametrize("key", KEYS)
@INVARIANT
@given(st.data())
def test_no_value_exceeds_one_and_perfect_agreement_is_one(key, data):
    table = data.draw(tables(key))
    found = value(key, table)
    assert found is None or found <= 1 + 1e-12
    first = np.where(np.isnan(table[0]), 1.0, table[0])
    assume(len(set(first)) > 1)
    assert value(key, np.vstack([first, first])) == pytest.approx(1.0)


DEGENERATE = {
    "all missing": [[NAN, NAN], [NAN, NAN]],
    "one rater": [[1.0, 2.0, 3.0]],
    "no item in common": [[1.0, NAN], [NAN, 2.0]],
    "no items": np.empty((2, 0)),
    "no raters": np.empty((0, 3)),
}
ONE_LABEL = [[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("key", KEYS)
def test_nothing_to_compare_is_undefined_with_a_reason(key, name):
    found = COEFFICIENTS[key].compute(Ratings.from_matrix(DEGENERATE[name], SCALE))
    assert found.value is None
    assert found.low is None
    assert len(found.reason.split()) > 3


@pytest.mark.parametrize("key", [k for k in KEYS if k != "percent_agreement"])
@pytest.mark.parametrize("labels", [SCALE, None])
def test_one_label_is_undefined_and_says_no_variation(key, labels):
    found = COEFFICIENTS[key].compute(Ratings.from_matrix(ONE_LABEL, labels))
    assert found.value is None
    assert "no variation" in found.reason


def test_percent_agreement_of_one_label_is_one():
    assert value("percent_agreement", ONE_LABEL) == 1.0


def test_table_is_reached_by_level():
    data = Ratings.from_matrix([[1, 2, 2, 1], [1, 2, 1, 1]])
    assert set(all_coefficients(data, "ordinal")) == {
        "alpha_ordinal",
        "percent_agreement",
        "gwet_ac2_linear",
        "gwet_ac2_quadratic",
        "cohen_kappa_linear",
        "cohen_kappa_quadratic",
    }
    with pytest.raises(ValueError, match="'numeric' is unknown"):
        all_coefficients(data, "numeric")


def test_a_pair_coefficient_of_three_raters_says_so():
    three = Ratings.from_matrix([[1, 2], [1, 2], [1, 1]])
    assert "two raters, and these are 3" in COEFFICIENTS["cohen_kappa"].compute(three).reason


def test_fleiss_kappa_of_unequal_numbers_of_ratings_points_to_alpha():
    found = COEFFICIENTS["fleiss_kappa"].compute(
        Ratings.from_matrix([[1, 2, 1], [1, 2, 2], [1, NAN, 1]])
    )
    assert "between 2 and 3 ratings" in found.reason
    assert "Krippendorff's alpha" in found.reason


def test_every_estimate_has_a_json_form_without_nan():
    for each in COEFFICIENTS.values():
        form = each.compute(Ratings.from_matrix([[1, 2, 2, 1], [1, 2, 1, 1]])).as_dict()
        numbers = [v for v in form.values() if isinstance(v, float)]
        assert numbers
        assert np.isfinite(numbers).all()
