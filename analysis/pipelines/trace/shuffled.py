"""What unrelated traces score: the same traces, paired across problems."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from zlib import crc32

import numpy as np
import pandas as pd

from analysis.pipelines.trace.cache import Vectors
from analysis.pipelines.trace.calibration import Calibrated, Pair
from analysis.pipelines.trace.corpus import Trace
from analysis.pipelines.trace.matrices import locate
from analysis.pipelines.trace.retention import CELL, Candidate, Cell
from analysis.pipelines.trace.scoring import SCORES, score_pairs, whole_cosines
from analysis.stats.trace_scores import Calibration

PER_CELL = 100


def shuffled_scores(
    candidates: Sequence[Candidate],
    steps: Vectors,
    wholes: Vectors,
    calibrations: Mapping[tuple[str, Pair], Calibrated],
    *,
    seed: int,
) -> pd.DataFrame:
    """Score each trace of a with the trace of b of the next problem, in a shuffled round."""
    cells: dict[Cell, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        if candidate.group == "both_right":
            cells[candidate.cell].append(candidate)
    pairs: list[tuple[Trace, Trace, Calibration]] = []
    names: list[Cell] = []
    for cell, members in cells.items():
        calibrated = calibrations.get((cell[0], cell[2:]))
        if calibrated is None or calibrated.main is None:
            continue
        for left, right in _round(members, cell, seed):
            pairs.append((left.a, right.b, calibrated.main))
            names.append(cell)
    if not pairs:
        return pd.DataFrame(columns=[*CELL, *SCORES]).astype(dict.fromkeys(SCORES, float))
    scores = score_pairs(
        (locate(a, steps), locate(b, steps), calibration) for a, b, calibration in pairs
    )
    H = whole_cosines([a for a, _, _ in pairs], [b for _, b, _ in pairs], wholes)
    return pd.DataFrame(names, columns=CELL).assign(S=scores["S"], tau=scores["tau"], H=H)


def _round(
    members: Sequence[Candidate], cell: Cell, seed: int
) -> list[tuple[Candidate, Candidate]]:
    rng = np.random.default_rng([seed, crc32("\0".join(cell).encode())])
    order = rng.permutation(len(members))[:PER_CELL]
    followers = np.roll(order, -1)
    pairs = [(members[i], members[j]) for i, j in zip(order, followers, strict=True)]
    return [(left, right) for left, right in pairs if left.a.problem != right.b.problem]
