"""The published numbers recompute, and a number that does not is noticed."""

import copy

import pandas as pd
import pytest

from analysis.pipelines.reproduce import COMPUTATIONS, Check, Reproduction, printed_checks
from analysis.pipelines.reproduce_figure import figure_checks
from tests.oracles.read import HERE, oracle


def printed():
    return copy.deepcopy(oracle("published"))


def figure():
    return copy.deepcopy(oracle("published_irt"))


def cells():
    return pd.read_csv(HERE / "irt_figure5.csv", keep_default_na=False)


def test_every_published_number_recomputes_or_is_listed():
    found = Reproduction(printed_checks(printed()) + figure_checks(figure(), cells()))
    assert len(found.checks) >= 100
    assert [check.id for check in found.checks if check.verdict == "differs"] == []
    assert found.passed + found.known == len(found.checks)
    assert len({check.id for check in found.checks}) == len(found.checks)


def test_what_differs_is_what_the_source_lists():
    found = figure_checks(figure(), cells())
    assert {check.id for check in found if check.verdict == "known"} == {
        "irt.table1.4.knowledge",
        "irt.table3.Krikri-8B.knowledge[0]",
        "irt.table3.Bielik-Minitron-7B.global[1]",
    }


@pytest.mark.parametrize("entry", oracle("published")["checks"], ids=lambda e: e["id"])
def test_no_printed_number_can_move_unnoticed(entry):
    """Each recomputed number stands against the printed one moved by three tolerances."""
    moved = copy.deepcopy(entry)
    step = 3 * max(entry["tol"], 1e-9) if entry["tol"] else 1
    moved["expect"] = shifted(moved["expect"], step)
    assert all(check.verdict == "differs" for check in printed_checks({"checks": [moved]}))


def shifted(expected, step):
    """Return the same structure with `step` added to every number."""
    if isinstance(expected, dict):
        return {key: shifted(value, step) for key, value in expected.items()}
    if isinstance(expected, list):
        return [shifted(value, step) for value in expected]
    return float(expected) + step


def test_a_changed_cell_of_the_figure_is_noticed():
    changed = cells()
    row = (changed["model"] == "GPT-5.4") & (changed["locale"] == "ZH")
    changed.loc[row, "global"] += 1.0
    differing = {c.id for c in figure_checks(figure(), changed) if c.verdict == "differs"}
    assert {"irt.column_means.ZH.global", "irt.table1.4.global"} <= differing


def test_a_listed_exception_that_belongs_to_no_number_is_refused():
    document = printed() | {"known": {"clcg.macro_nett": "a misspelling"}}
    with pytest.raises(ValueError, match=r"clcg\.macro_nett"):
        printed_checks(document)


def test_a_published_number_that_nothing_recomputes_is_refused():
    entry = {"id": "clcg.new", "inputs": {}, "expect": 1, "tol": 0}
    with pytest.raises(ValueError, match=r"Nothing recomputes 'clcg\.new'"):
        printed_checks({"checks": [entry]})


def test_every_computation_is_asked_for():
    assert {entry["id"] for entry in printed()["checks"]} == set(COMPUTATIONS)


def test_a_figure_with_missing_parts_is_refused():
    with pytest.raises(ValueError, match=r"lack the columns \['knowledge'\]"):
        figure_checks(figure(), cells().drop(columns="knowledge"))
    without = cells()
    with pytest.raises(ValueError, match=r"no cells of the models \['GPT-5.4'\]"):
        figure_checks(figure(), without[without["model"] != "GPT-5.4"])
    with pytest.raises(ValueError, match="0 cells of Krikri-8B in EL"):
        figure_checks(figure(), without[without["model"] != "Krikri-8B"])


def test_a_correlation_without_p_is_an_error_of_the_source():
    entry = next(e for e in printed()["checks"] if e["id"] == "clcg.joshi_p")
    entry["inputs"]["rho"] = 1.0
    with pytest.raises(ValueError, match="has no p by t"):
        printed_checks({"checks": [entry]})


def test_tolerance_is_met_at_its_edge():
    edge = Check("x", 0.145, 0.1455, 0.0005)
    assert edge.ok
    assert Check("x", 0.145, 0.14551, 0.0005).verdict == "differs"
    assert Check("x", 0.145, 0.2, 0.0005, known="printed wrongly").verdict == "known"


def test_json_form_has_the_members_others_rely_on():
    form = Reproduction(printed_checks(printed())).as_dict()
    assert {"checks", "passed", "failed"} <= set(form)
    assert {"id", "published", "recomputed", "difference", "ok", "known"} <= set(form["checks"][0])
