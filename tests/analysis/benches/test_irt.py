"""The speed that is claimed, as ratios within one process."""

import pytest

from analysis.benches import BENCHES
from analysis.benches.irt import adam_seconds, published_size
from analysis.benches.measure import seconds
from analysis.pipelines.irt.fits import fit_all
from analysis.stats.threads import one_thread


def test_the_bench_is_registered():
    assert BENCHES["irt"] == "analysis.benches.irt"


@pytest.mark.slow
def test_the_exact_fit_beats_six_hundred_steps_of_adam():
    answers = published_size()
    assert answers.given == 3_238_842
    exact, _ = seconds(lambda: fit_all(answers), repeats=5)
    with one_thread():
        assert adam_seconds(answers, "dense") / exact > 30
        assert adam_seconds(answers, "look-up") / exact > 300
