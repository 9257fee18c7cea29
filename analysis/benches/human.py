"""What the report of a large human study costs: a million judgments, from tables to files."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit

from analysis.benches.measure import Row, measure
from analysis.frames import JudgedItems, Preferences, Ratings
from analysis.pipelines.human.plan import read_plan
from analysis.pipelines.human.reading import sample_of
from analysis.pipelines.human.sample import Sample, Scale
from analysis.pipelines.human.study import HumanStudy, analyse
from analysis.reports.bundle import report_files
from analysis.reports.human import human_report

JUDGMENTS, COMPARED = 1_000_000, 50_000
ITEMS, PAIRS, ANNOTATORS = 20_000, 2_000, 5_000
LIMIT_SECONDS, LIMIT_MIB = 60.0, 1536
PLAN: Mapping[str, Any] = {
    "seed": 42,
    "plan": {
        "agreement": {"threshold": 0.67, "bootstrap": 2000},
        "preference": {"model": "crossed_logistic", "side": "greater"},
        "triangulation": [
            {"human": "adequacy", "automatic": "token_f1", "by": ["joshi_class"]},
            {"human": "keypoint_recall", "automatic": "token_f1"},
        ],
        "ceiling": {"dimension": "adequacy", "by": "joshi_class", "score": "token_f1"},
        "judges": {"human": "error_category", "automatic": ["judge_a", "judge_b"]},
    },
}
LABELS = ("correct", "omission", "addition", "contradiction")


def rows() -> list[Row]:
    """Measure the report in full, at a tenth of the size and at the whole."""
    return [_row(JUDGMENTS // 10, ITEMS // 10), _row(JUDGMENTS, ITEMS)]


def _row(judgments: int, items: int) -> Row:
    sample = generated(judgments, items, seed=42)
    return measure(
        f"report of {judgments:,} judgments of {items:,} items, files included",
        judgments,
        partial(reported, sample),
        units={"judgment": judgments},
        against=(f"the limit of {LIMIT_SECONDS:g} CPU-s", LIMIT_SECONDS),
        peak=True,
    )


def reported(sample: Sample) -> dict[str, bytes]:
    """Return every file of the report."""
    study: HumanStudy = analyse(sample, read_plan(PLAN))
    return report_files(human_report(study, "A large study"))


def generated(judgments: int, items: int, *, seed: int) -> Sample:
    """Return a study of responses on four scales, and of pairs beside them."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, 1, items)
    item = np.arange(judgments) % items
    who = (item * 7 + np.arange(judgments) // items * 61) % ANNOTATORS
    seen = quality[item] + rng.normal(0, 0.8, judgments)
    error = np.clip(np.rint(1 - seen), 0, len(LABELS) - 1).astype(np.int64)
    scales = {
        "adequacy": Scale("adequacy", "ordinal", tuple("12345")),
        "equivalence": Scale("equivalence", "ordinal", ("different", "partly", "same")),
        "error_category": Scale("error_category", "nominal", LABELS),
        "keypoint_recall": Scale("keypoint_recall", "interval"),
    }
    frame = pd.DataFrame(
        {
            Ratings.ITEM: _named("i", item, items),
            Ratings.ANNOTATOR: _named("w", who, ANNOTATORS),
            "adequacy": _steps(seen, scales["adequacy"]),
            "equivalence": _steps(seen, scales["equivalence"]),
            "error_category": pd.Categorical.from_codes(error, categories=pd.Index(LABELS)),
            "keypoint_recall": np.rint(4 * expit(seen)) / 4,
        }
    )
    compared = sample_of(None, preferences=_pairs(COMPARED * judgments // JUDGMENTS, rng))
    return Sample(frame, scales, _items(quality, rng), compared.preferences)


def _named(letter: str, codes: np.ndarray, count: int) -> "pd.Categorical[str]":
    names = pd.Index([f"{letter}{n:07}" for n in range(count)])
    return pd.Categorical.from_codes(codes, categories=names)


def _steps(seen: np.ndarray, scale: Scale) -> "pd.Categorical[str]":
    """Cut what is seen into the steps of a scale."""
    width = len(scale.labels)
    codes = np.clip(np.rint((width - 1) * expit(seen)), 0, width - 1).astype(np.int64)
    return pd.Categorical.from_codes(codes, categories=pd.Index(scale.labels))


def _items(quality: np.ndarray, rng: np.random.Generator) -> pd.DataFrame:
    n = len(quality)
    label = np.array(LABELS)[np.clip(np.rint(1 - quality), 0, len(LABELS) - 1).astype(int)]
    other = np.array(LABELS)[rng.integers(0, len(LABELS), n)]
    return pd.DataFrame(
        {
            "token_f1": pd.Series(expit(quality + rng.normal(0, 1, n))).round(4).astype(str),
            "joshi_class": pd.Series(rng.integers(0, 6, n)).astype(str),
            "judge_a": label,
            "judge_b": np.where(rng.random(n) < 0.3, other, label),  # noqa: PLR2004  a share
        }
    ).set_index(pd.Index([f"i{k:07}" for k in range(n)], name=JudgedItems.ITEM))


def _pairs(n: int, rng: np.random.Generator) -> pd.DataFrame:
    place = np.arange(n)
    pairs = max(PAIRS * n // COMPARED, 1)
    who, what = place // pairs * 37 % ANNOTATORS + place % 7, place % pairs
    effect = 0.6 * rng.standard_normal(ANNOTATORS + 7)[who] + 0.5 * rng.standard_normal(pairs)[what]
    higher = rng.random(n) < expit(0.4 + effect)
    return pd.DataFrame(
        {
            Preferences.PAIR: [f"p{k:05}" for k in what],
            Preferences.ANNOTATOR: [f"w{k:07}" for k in who],
            Preferences.PREFERRED: np.where(higher, Preferences.HIGHER, Preferences.LOWER),
        }
    ).drop_duplicates([Preferences.PAIR, Preferences.ANNOTATOR], ignore_index=True)
