"""Gaps: contrasts free of the anchor, undefined ones with their reason, intervals from items."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.pipelines.irt.bootstrap import with_replicates
from analysis.pipelines.irt.fits import fit_all, fit_block
from analysis.pipelines.irt.gaps import cell_estimate, gaps_of
from tests.analysis.pipelines.irt.studies import small


def gaps(answers):
    return gaps_of(fit_all(answers))


def cell(found, gap, model, locale):
    return cell_estimate(found, gap, model, locale)


def test_knowledge_is_local_less_global_to_machine_precision():
    points = gaps(small()).grid.points
    assert np.array_equal(points[2], points[1] - points[0])


def test_shifting_any_block_changes_no_gap():
    fits = fit_all(small())
    before = gaps_of(fits).grid.points
    moved = dict(fits.specific)
    for shift, (locale, fit) in enumerate(fits.specific.items(), start=1):
        inner = replace(
            fit.fit,
            ability=fit.fit.ability + 1.7 * shift,
            difficulty=fit.fit.difficulty + 1.7 * shift,
        )
        moved[locale] = replace(fit, fit=inner)
    after = gaps_of(replace(fits, specific=moved)).grid.points
    assert np.nanmax(np.abs(after - before)) < 1e-12


def test_the_error_of_a_contrast_adds_both_variances():
    fits = fit_all(small())
    fit = fits.specific["ZH"]
    information = fit.information[:, [fit.block.queries.index("zh"), fit.block.queries.index("en")]]
    found = gaps_of(fits)
    assert np.allclose(found.errors[1][:, 1], np.sqrt((1 / information).sum(axis=1)))
    assert np.allclose(found.errors[2], np.hypot(found.errors[0], found.errors[1]))


def test_joint_and_per_locale_readings_differ_in_global_only():
    answers = small()
    joint, single = (gaps_of(fit_all(answers, r)).grid.points for r in ("joint", "per-locale"))
    assert np.array_equal(joint[1], single[1])
    assert 0 < np.abs(joint[0] - single[0]).max() < 0.1


def test_a_perfect_scorer_is_flagged_with_warms_estimate_beside():
    answers = small()
    answers.specific["FR"].answers[3, 1] = 1
    fits = fit_all(answers)
    found = gaps_of(fits)
    undefined = cell(found, "local", "m03", "FR")
    assert undefined.value is None
    assert undefined.reason == "every answer to CS_FR in fr is correct"
    assert cell(found, "knowledge", "m03", "FR").reason == undefined.reason
    assert cell(found, "global", "m03", "FR").defined
    warm = fits.specific["FR"].warm()[3, 1]
    assert np.isfinite(warm)
    assert warm > np.nanmax(np.where(np.isfinite(fits.specific["FR"].ability), 0, np.nan))


def test_a_model_without_answers_in_one_set_is_undefined_there_only():
    answers = small()
    answers.specific["FR"].answers[3, 1] = 2
    fits = fit_all(answers)
    assert fits.specific["FR"].complete
    found = gaps_of(fits)
    assert cell(found, "local", "m03", "FR").reason == "no answer to CS_FR in fr"
    assert cell(found, "local", "m03", "ZH").defined
    assert cell(found, "local", "m04", "FR").defined


def test_an_item_that_everyone_got_right_is_set_aside_and_counted():
    answers = small()
    plain = gaps(answers).grid.points
    block = answers.specific["ZH"]
    easy = replace(
        block,
        items=(*block.items, "easy"),
        answers=np.concatenate([block.answers, np.ones((12, 2, 1), dtype=np.uint8)], axis=2),
    )
    fits = fit_all(replace(answers, specific=answers.specific | {"ZH": easy}))
    assert fits.specific["ZH"].fit.difficulty[-1] == -np.inf
    assert fits.specific["ZH"].fit.extreme_items == fit_block(block).fit.extreme_items + 1
    assert np.allclose(gaps_of(fits).grid.points, plain, atol=1e-9)


def test_a_locale_with_one_item_is_undefined_with_the_reason():
    answers = small()
    one = answers.specific["ZH"].only(items=np.arange(160) == 7)
    found = gaps(replace(answers, specific=answers.specific | {"ZH": one}))
    assert np.isnan(found.grid.points[1][:, 1]).all()
    assert "answer to CS_ZH in" in cell(found, "local", "m00", "ZH").reason
    assert np.isfinite(found.grid.points[:, :, 0]).all()


def test_a_locale_asked_in_the_base_language_only_says_so():
    answers = small()
    english = answers.specific["ZH"].only(queries=("en",))
    found = gaps(
        replace(answers, specific=answers.specific | {"ZH": english}, local_query={"FR": "fr"})
    )
    reason = cell(found, "knowledge", "m00", "ZH").reason
    assert reason == "the locale was asked in the base language only"


def test_a_language_without_agnostic_answers_leaves_local_defined():
    answers = small()
    found = gaps(replace(answers, agnostic=answers.agnostic.only(queries=("en", "zh"))))
    assert cell(found, "global", "m00", "FR").reason == "CA was not asked in fr"
    assert cell(found, "local", "m00", "FR").defined


def test_an_incomplete_block_is_fitted_cell_by_cell():
    answers = small()
    rng = np.random.default_rng(2)
    block = answers.specific["ZH"]
    block.answers[rng.random(block.answers.shape) < 0.1] = 2
    fits = fit_all(answers)
    assert not fits.specific["ZH"].complete
    assert fits.residual < 1e-8
    found = with_replicates(gaps_of(fits), fits, 20, 1)
    assert np.isfinite(found.grid.replicates[:, 1, :, 1]).mean() > 0.9


def test_replicates_are_repeatable_and_more_keep_the_first():
    fits = fit_all(small())
    found = gaps_of(fits)
    first, again, more = (with_replicates(found, fits, n, 3).grid.replicates for n in (10, 10, 15))
    other = with_replicates(found, fits, 10, 4).grid.replicates
    assert np.array_equal(first, again)
    assert np.array_equal(first, more[:10])
    assert not np.array_equal(first, other)
    assert np.array_equal(first[:, 2], first[:, 1] - first[:, 0])


def test_a_cell_has_the_interval_of_its_replicates_or_the_closed_one():
    fits = fit_all(small())
    closed = cell(gaps_of(fits), "local", "m01", "FR")
    drawn = with_replicates(gaps_of(fits), fits, 200, 3)
    boot = cell(drawn, "local", "m01", "FR")
    limits = np.quantile(drawn.grid.replicates[:, 1, 1, 0], [0.025, 0.975])
    assert (boot.low, boot.high) == pytest.approx(tuple(limits))
    assert boot.seed == 3
    assert "local independence" in closed.notes[0]
    assert boot.high - boot.low == pytest.approx(closed.high - closed.low, rel=0.25)
