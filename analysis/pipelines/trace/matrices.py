"""Step similarities of many pairs of traces, and what follows from them, shape by shape.

Every trace has sentences of its own, so the similarities are computed pair by pair. What follows
from them hangs on their shape only, and is computed for all pairs of one shape at once.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from analysis.pipelines.trace.cache import Vectors
from analysis.pipelines.trace.corpus import Trace
from analysis.pipelines.trace.retention import Candidate
from analysis.stats.trace_scores import (
    Calibration,
    Calibrations,
    Floats,
    Starts,
    self_similarities,
    step_similarities,
)

# So many matrices stay within some tens of megabytes, copies and all.
MOST_STACKED = 4_096


class Located(NamedTuple):
    """The unit vectors of a trace's sentences in float64, and where its steps start."""

    rows: Floats
    starts: Starts


class Comparison(NamedTuple):
    """Two traces, the calibration of their languages, and that one with its variants behind it."""

    candidate: Candidate
    main: Calibration
    every: Calibrations


class Matrices(NamedTuple):
    """Step similarities of pairs, and of each trace with itself under the calibration of its pair.

    `between` has one array a pair, (calibrations, n, m); `within` has two, (n, n) of the first trace
    and (m, m) of the second.
    """

    between: list[Floats]
    within: list[Floats]


def locate(trace: Trace, vectors: Vectors) -> Located:
    """Look the sentences of a trace up."""
    return Located(vectors.of(trace.sentences).astype(np.float64), trace.starts)


def step_matrices(comparisons: Sequence[Comparison], vectors: Vectors) -> Matrices:
    """Compute all step similarities; the traces of one problem are looked up once, then let go."""
    between: list[Floats] = []
    within: list[Floats] = []
    for _, some in groupby(comparisons, key=_problem):
        group = list(some)
        traces = {id(trace): trace for one in group for trace in one.candidate[:2]}
        located = {key: locate(trace, vectors) for key, trace in traces.items()}
        between += [_between(one, located) for one in group]
        within += _within(group, located)
    return Matrices(between, within)


def _problem(comparison: Comparison) -> tuple[str, str, str]:
    trace = comparison.candidate.a
    return trace.dataset, trace.model, trace.problem


def _between(one: Comparison, located: Mapping[int, Located]) -> Floats:
    a, b = (located[id(trace)] for trace in one.candidate[:2])
    return step_similarities(a.rows @ b.rows.T, a.starts, b.starts, one.every)


def _within(group: Sequence[Comparison], located: Mapping[int, Located]) -> list[Floats]:
    """Compare each trace with itself, once for all the pairs that it is in."""
    calibrations: dict[int, list[Calibration]] = defaultdict(list)
    for one in group:
        for trace in one.candidate[:2]:
            calibrations[id(trace)].append(one.main)
    found = {
        key: iter(self_similarities(rows @ rows.T, starts, Calibrations(calibrations[key])))
        for key, (rows, starts) in located.items()
    }
    return [next(found[id(trace)]) for one in group for trace in one.candidate[:2]]


def in_batches(
    matrices: Sequence[Floats], columns_of: Callable[[Floats], Mapping[str, Floats]]
) -> dict[str, Floats]:
    """Return columns with a number a matrix, computed over stacks of all matrices of one shape."""
    shapes: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for index, matrix in enumerate(matrices):
        shapes[matrix.shape].append(index)
    found: dict[str, Floats] = {}
    for every in shapes.values():
        for at in range(0, len(every), MOST_STACKED):
            rows = every[at : at + MOST_STACKED]
            stacked = np.stack([matrices[row] for row in rows])
            for name, values in columns_of(stacked).items():
                found.setdefault(name, np.empty(len(matrices)))[rows] = values
    return found
