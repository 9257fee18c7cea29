"""Cross-validation, continuous answers, mini-batch Adam, and the sampler's absence."""

import sys

import numpy as np
import pandas as pd
import pytest

from analysis.pipelines.irt.adam_check import compare_with_adam
from analysis.pipelines.irt.document import document
from analysis.pipelines.irt.fits import fit_all
from analysis.pipelines.irt.gaps import gaps_of
from analysis.pipelines.irt.posterior import posterior_local_gaps
from analysis.pipelines.irt.responses import ResponsesError, collect
from analysis.pipelines.irt.result_tables import result_tables
from analysis.pipelines.irt.study import Settings, analyse
from analysis.pipelines.irt.summary import summarise
from analysis.pipelines.irt.variants import END, cross_validate
from analysis.reports.irt import irt_report
from analysis.reports.irt_words import sampled_words
from analysis.stats.rasch_bayes import MissingExtraError, Posterior, sample, split_rhat
from tests.analysis.pipelines.irt.studies import small, small_table


def continuous_table():
    table = small_table()
    rng = np.random.default_rng(1)
    noise = rng.beta(1, 5, len(table))
    return table.assign(p_correct=np.where(table["correct"] == 1, 1 - noise, noise))


def test_every_answer_is_held_out_once_and_predicted_better_than_by_the_mean():
    answers = small()
    found = cross_validate(answers, folds=5, seed=1)
    assert sum(fold.n for fold in found.folds) == answers.given
    mean = np.concatenate([block.answers.ravel() for block in answers.blocks]).mean()
    entropy = -(mean * np.log(mean) + (1 - mean) * np.log(1 - mean))
    scores = found.estimates()
    assert scores["bce"].value < entropy
    assert 0.6 < scores["auc"].value < 1
    assert "standard deviation over folds" in scores["bce"].notes[0]


def test_folds_are_repeatable():
    first, again, other = (cross_validate(small(), folds=3, seed=s).folds for s in (1, 1, 2))
    assert first == again
    assert first != other


def test_infinite_estimates_are_predicted_at_the_end_of_the_scale():
    answers = small()
    answers.specific["FR"].answers[:, :, 0] = 1
    found = cross_validate(answers, folds=5, seed=1)
    assert found.bounded >= 5
    assert END == 8.0


def test_continuous_answers_are_fitted_through_the_same_margins():
    answers = collect([continuous_table()], continuous=True)
    assert answers.agnostic.answers.dtype == np.float32
    fits = fit_all(answers)
    assert fits.residual < 1e-8
    soft, hard = (gaps_of(f).grid.points[1] for f in (fits, fit_all(collect([small_table()]))))
    assert np.corrcoef(soft.ravel(), hard.ravel())[0, 1] > 0.9


def test_continuous_answers_are_scored_against_the_yes_or_no_ones():
    table = continuous_table()
    soft, hard = collect([table], continuous=True), collect([table])
    found = cross_validate(soft, folds=3, seed=1, outcomes=hard)
    assert sum(fold.n for fold in found.folds) == hard.given
    with pytest.raises(ResponsesError, match="needs the yes-or-no column `correct`"):
        cross_validate(soft, folds=3, seed=1)


def test_outcomes_of_other_items_are_refused():
    table = continuous_table()
    soft, hard = collect([table], continuous=True), small(models=12)
    other = hard.specific["FR"].only(items=np.arange(120) < 100)
    hard.specific["FR"] = other
    with pytest.raises(ResponsesError, match="are not of the same items"):
        cross_validate(soft, folds=3, seed=1, outcomes=hard)


def test_minibatch_adam_ends_near_the_optimum_with_noise_left():
    fits = fit_all(small())
    found = compare_with_adam(fits, gaps_of(fits), seed=1, steps=400)
    assert 0 < found.rms < 0.5
    assert found.largest >= found.rms
    assert found.steps == 400


def test_without_the_extra_the_sampler_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpyro", None)
    with pytest.raises(MissingExtraError, match="the optional extra `bayes`"):
        sample(np.eye(3), warmup=1, draws=1, chains=1, seed=1)


def test_the_sampler_needs_a_complete_block_of_a_known_locale():
    answers = small()
    with pytest.raises(ResponsesError, match="XX is not among the locales: FR, ZH"):
        posterior_local_gaps(fit_all(answers), "XX", 1)
    answers.specific["ZH"].answers[0, 0, 0] = 2
    with pytest.raises(ResponsesError, match="needs a complete block in two languages; CS_ZH"):
        posterior_local_gaps(fit_all(answers), "ZH", 1)


def drawn(fits, locale, *, factor=0.8, rhat=1.004, divergences=0):
    """A posterior as the sampler would return it: abilities around `factor` of the exact ones."""
    centre = factor * fits.specific[locale].fit.ability
    noise = np.random.default_rng(1).normal(0, 0.1, (400, centre.size))
    return Posterior(centre + noise, divergences, rhat, 900.0)


@pytest.fixture
def sampled(monkeypatch):
    """A study of one locale, sampled by a stand-in for the extra; the chains as they are asked for."""

    def made(**chains):
        answers = small()
        posterior = drawn(fit_all(answers), "FR", **chains)
        monkeypatch.setattr("analysis.pipelines.irt.posterior.sample", lambda *_, **__: posterior)
        settings = Settings(resamples=0, folds=0, nuts=("FR",))
        return analyse(answers, settings, clock=iter((0.0, 1.0)).__next__)

    return made


def test_the_posterior_stands_beside_the_exact_gaps_in_document_table_and_report(sampled):
    study = sampled()
    found = document(study, summarise(study))["posterior"]["FR"]
    assert found["shrunk_to"] == pytest.approx(0.8, abs=0.02)
    assert found["settled"]
    table = result_tables(study, summarise(study))["posterior"]
    assert table["locale"].unique().tolist() == ["FR"]
    exact = study.gaps.grid.points[1, :, 0]
    assert table["local"].to_numpy() == pytest.approx(exact)
    assert table["posterior"].to_numpy() == pytest.approx(0.8 * exact, abs=0.03)
    assert (table["posterior_low"] < table["posterior"]).all()
    model = table["model"][3]
    assert found["local"][model].value == table["posterior"][3]
    assert found["local_maximum_likelihood"][model].value == table["local"][3]
    (section,) = (s for s in irt_report(study).sections if s.heading == "Sampled Local gaps")
    assert section.tables == ("posterior",)
    words = section.sentences[0]
    assert words.startswith("FR: 0 divergent transitions, largest R-hat 1.004, smallest effective")
    assert "shrink the gaps to 0.8" in words


@pytest.mark.parametrize("chains", [{"rhat": 1.02}, {"rhat": None}, {"divergences": 3}])
def test_chains_that_have_not_settled_are_not_to_be_used(sampled, chains):
    study = sampled(**chains)
    assert document(study, summarise(study))["posterior"]["FR"]["settled"] is False
    assert "have not settled: do not use these intervals" in sampled_words(study)[0]


def test_chains_that_disagree_have_a_large_rhat():
    rng = np.random.default_rng(1)
    together = rng.normal(size=(4, 500, 3))
    apart = together + np.arange(4)[:, None, None]
    assert split_rhat(together) < 1.02
    assert split_rhat(apart) > 1.5


def test_a_table_of_probabilities_alone_needs_the_continuous_variant():
    table = pd.DataFrame(continuous_table()).assign(correct=np.nan)
    with pytest.raises(ResponsesError, match="the other variant takes 'p_correct'"):
        collect([table])
