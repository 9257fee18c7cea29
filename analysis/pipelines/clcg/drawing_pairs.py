"""Draw contrastive pairs: one model's answers to one item from a higher- and a lower-resource text."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.frames import Predictions, Scores
from analysis.pipelines.clcg.answers import normalised
from analysis.pipelines.clcg.drawing import CATEGORY, even_shares, stratum_names
from analysis.pipelines.clcg.sample_spec import Spec

MARGINS = [CATEGORY, Scores.MODEL]
ONE = [Scores.MODEL, Scores.ITEM]
CLASS = "resource_class"


@dataclass(frozen=True)
class PairDraws:
    """The pairs, one row each with columns `_1` (higher) and `_2` (lower), and what was left out."""

    rows: pd.DataFrame
    missing: int
    identical: int


def draw_pairs(
    candidates: pd.DataFrame, classes: Mapping[str, int], spec: Spec, used: Counter[str]
) -> PairDraws:
    """Draw pairs evenly over categories and models; no item twice, no document above its cap.

    `candidates` have the texts of their answers. Pairs of equal texts cannot be decided and are left
    out and counted.
    """
    rng = np.random.default_rng([spec.seed, 2])
    order = [Scores.MODEL, Scores.ITEM, Scores.LANGUAGE]
    rows = candidates.sort_values(order).reset_index(drop=True)
    rows[CLASS] = rows[Scores.LANGUAGE].map(classes)
    high, low = (rows[rows[CLASS].isin(chosen)] for chosen in (spec.high, spec.low))
    both = high.merge(low, on=[*ONE, Scores.DOCUMENT, CATEGORY, Scores.LEVEL, Scores.SOURCE],
                      suffixes=("_1", "_2"))  # fmt: skip
    texts = [both[f"{Predictions.PREDICTION}_{side}"].map(normalised) for side in (1, 2)]
    same = (texts[0] == texts[1]).to_numpy()
    both = both[~same].reset_index(drop=True)
    chosen = _chosen(both, spec, used, rng) if len(both) else []
    found = both.iloc[chosen].reset_index(drop=True)
    return PairDraws(found, spec.pairs - len(found), int(same.sum()))


def _chosen(
    both: pd.DataFrame, spec: Spec, used: Counter[str], rng: np.random.Generator
) -> list[int]:
    stratum, names = pd.factorize(stratum_names(both, MARGINS), sort=True)
    counts = even_shares(np.bincount(stratum).tolist(), spec.pairs, rng)
    items, documents = both[Scores.ITEM].to_numpy(), both[Scores.DOCUMENT].to_numpy()
    taken: set[str] = set()
    chosen: list[int] = []
    for cell in rng.permutation(len(names)):
        left = counts[cell]
        for place in rng.permutation(np.flatnonzero(stratum == cell)):
            if not left:
                break
            item, document = items[place], documents[place]
            if item in taken or used[document] >= spec.cap_per_document:
                continue
            taken.add(item)
            used[document] += 1
            chosen.append(int(place))
            left -= 1
    return chosen
