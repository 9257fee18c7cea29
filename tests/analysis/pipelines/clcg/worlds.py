"""Small tables of scores, and shorthands to analyse them."""

import numpy as np
import pandas as pd

from analysis.frames import Scores
from analysis.pipelines.clcg.matched import FurtherScopes, matches_of
from analysis.pipelines.clcg.panel import Dates, Panel, panel_of
from analysis.pipelines.clcg.population import Settings, population_of
from analysis.pipelines.clcg.simulate import LANGUAGE_GAPS, Sizes, simulate
from analysis.pipelines.clcg.sums import collect

CLASSES = {
    "pt": 4,
    "eu": 4,
    "ka": 3,
    "ceb": 3,
    "fon": 0,
    "ay": 1,
    "gn": 1,
    "mg": 1,
    "ne": 1,
    "sm": 1,
}
SMALL = Sizes(documents=12, repeated=4, per_level=1, human=1)
FAST = Settings(resamples=200, splits=20)


def row(language, score, **others):
    """Return one row; all that is not said is the same for every row."""
    plain = {
        Scores.MODEL: "m", Scores.LANGUAGE: language, Scores.DOCUMENT: "d1", Scores.REP: 0,
        Scores.ITEM: "i1", Scores.LEVEL: "L3", Scores.SOURCE: "llm", Scores.SCOPE: Scores.FULL,
        Scores.STATUS: Scores.OK, Scores.SCORE: score,
    }  # fmt: skip
    return plain | others


def small_panel(**changes):
    """Return a panel of four languages."""
    stated = {
        "reference": "en",
        "baseline": "pt",
        "targets": ("sw", "fon"),
        "factors": {"resource_class": {"pt": 4, "sw": 2, "fon": 0}},
    }
    return Panel(**(stated | changes))


def wide_panel():
    """Return the panel of the simulated languages."""
    targets = [code for code in LANGUAGE_GAPS if code != "pt"]
    table = pd.DataFrame(
        {
            "language": ["en", "pt", *targets],
            "name": "",
            "role": ["reference", "baseline", *["target"] * len(targets)],
            "script": "Latin",
            "isolate": 0.0,
        }
    )
    table["resource_class"] = table["language"].map(CLASSES | {"en": 5}).astype(float)
    table["fertility"] = 1 + np.arange(len(table)) % 5
    table["sensitivity_class"] = np.where(table["language"] == "quy", 1.0, np.nan)
    return panel_of(table)


def simulated(seed=1, sizes=SMALL, truth=None):
    """Return a small simulated table."""
    return simulate(sizes, np.random.default_rng(seed), truth)


def population(frame, panel=None, settings=FAST, dates=None, metrics=(Scores.SCORE,)):
    """Return the population of a frame."""
    return population_of(collect([frame], metrics), panel or wide_panel(), settings, dates)


def matches(frame):
    """Return the matches of a frame."""
    further = FurtherScopes(Scores.SCORE)
    for _ in further.watched([frame]):
        pass
    return matches_of([frame], further)


def dated(new_from="d2"):
    """Return dates in which documents from a name on are new to the model `m`."""
    cutoff = pd.Timestamp("2025-06-30")
    available = {
        f"d{i}": pd.Timestamp("2025-01-01" if f"d{i}" < new_from else "2025-12-01")
        for i in range(1, 5)
    }
    return Dates({"m": cutoff}, available)
