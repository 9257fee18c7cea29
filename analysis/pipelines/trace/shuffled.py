"""What unrelated traces score: the same traces, paired across problems."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from zlib import crc32

import numpy as np
import pandas as pd

from analysis.pipelines.trace.cache import Vectors
from analysis.pipelines.trace.calibration import Calibrated, Pair
from analysis.pipelines.trace.matrices import locate
from analysis.pipelines.trace.retention import Candidate, Cell
from analysis.pipelines.trace.scoring import score_pair

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
    rows = []
    for cell, members in cells.items():
        calibration = calibrations.get((cell[0], cell[2:]))
        if calibration is None or calibration.main is None:
            continue
        for left, right in _round(members, cell, seed):
            score = score_pair(locate(left.a, steps), locate(right.b, steps), calibration.main)
            H = float(wholes.of([left.a.text])[0] @ wholes.of([right.b.text])[0])
            rows.append((*cell, score.S, score.tau, H))
    columns = ["dataset", "model", "language_a", "language_b", "S", "tau", "H"]
    return pd.DataFrame(rows, columns=columns).astype({"S": float, "tau": float, "H": float})


def _round(
    members: Sequence[Candidate], cell: Cell, seed: int
) -> list[tuple[Candidate, Candidate]]:
    rng = np.random.default_rng([seed, crc32("\0".join(cell).encode())])
    order = rng.permutation(len(members))[:PER_CELL]
    followers = np.roll(order, -1)
    pairs = [(members[i], members[j]) for i, j in zip(order, followers, strict=True)]
    return [(left, right) for left, right in pairs if left.a.problem != right.b.problem]
