"""The Rasch model by the Adam optimiser, as published: a reference to compare with, nothing more.

Three ways to the gradient: over the dense block, over one long list of answers by look-up and
scatter (as an embedding layer does), and over random mini-batches of that list. With a constant
learning rate mini-batches never settle: the estimates keep a noise of some tenths of a logit, which
the exact fit in `analysis.stats.rasch` has not. After each step the difficulties are projected to
mean zero.

Source: Kingma and Ba (2015), algorithm 1.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.stats.rasch_solver import Floats

RATE = 0.05
DECAY = (0.9, 0.999)
TINY = 1e-8
PIECE_ROWS = 32

Gradient = Callable[[Floats, Floats], tuple[Floats, Floats]]


@dataclass(frozen=True)
class Listed:
    """Answers as a long list: who, on which item, and whether right."""

    person: NDArray[np.intp]
    item: NDArray[np.intp]
    answer: NDArray[Any]


def listed(responses: NDArray[Any]) -> Listed:
    """Return a dense block, shape (P, n), as a list of P n answers."""
    person, item = (index.ravel() for index in np.indices(responses.shape))
    return Listed(person, item, responses.ravel().astype(np.float64))


def adam(
    gradient: Gradient, persons: int, items: int, *, steps: int, rate: float = RATE
) -> tuple[Floats, Floats]:
    """Return abilities (P,) and difficulties (n,) after a fixed number of steps from zero."""
    parameters = np.zeros(persons + items)
    first, second = np.zeros_like(parameters), np.zeros_like(parameters)
    for step in range(1, steps + 1):
        slope = np.concatenate(gradient(parameters[:persons], parameters[persons:]))
        first = DECAY[0] * first + (1 - DECAY[0]) * slope
        second = DECAY[1] * second + (1 - DECAY[1]) * slope**2
        size = np.sqrt(second / (1 - DECAY[1] ** step)) + TINY
        parameters -= rate * first / (1 - DECAY[0] ** step) / size
        parameters -= parameters[persons:].mean()
    return parameters[:persons], parameters[persons:]


def dense_gradient(responses: NDArray[Any]) -> Gradient:
    """Return the full-batch gradient of the loss on a dense block, shape (P, n).

    As fast as it can be made without changing the optimiser: single precision, pieces that fit the
    cache, no exponential a cell, and the answers only through their margins.
    """
    scores = responses.sum(axis=1, dtype=np.float64)
    totals = responses.sum(axis=0, dtype=np.float64)

    def gradient(ability: Floats, difficulty: Floats) -> tuple[Floats, Floats]:
        ease = np.exp(-ability).astype(np.float32)[:, None]
        hardness = np.exp(difficulty).astype(np.float32)
        rows, columns = np.empty(scores.size), np.zeros(totals.size)
        ones = np.ones(totals.size, dtype=np.float32)
        for first in range(0, scores.size, PIECE_ROWS):
            p = 1 / (1 + ease[first : first + PIECE_ROWS] * hardness)
            rows[first : first + PIECE_ROWS] = p @ ones
            columns += p.sum(axis=0)
        return rows - scores, totals - columns

    return gradient


def listed_gradient(data: Listed, persons: int, items: int) -> Gradient:
    """Return the full-batch gradient by looking up and scattering each answer's parameters."""

    def gradient(ability: Floats, difficulty: Floats) -> tuple[Floats, Floats]:
        return _scattered(data, ability, difficulty, persons, items)

    return gradient


def batch_gradient(
    data: Listed, persons: int, items: int, size: int, rng: np.random.Generator
) -> Gradient:
    """Return the gradient over mini-batches: each call takes the next of a shuffled epoch."""
    order = np.empty(0, dtype=np.intp)

    def gradient(ability: Floats, difficulty: Floats) -> tuple[Floats, Floats]:
        nonlocal order
        if order.size == 0:
            order = rng.permutation(data.person.size)
        taken, order = order[:size], order[size:]
        batch = Listed(data.person[taken], data.item[taken], data.answer[taken])
        return _scattered(batch, ability, difficulty, persons, items)

    return gradient


def _scattered(
    data: Listed, ability: Floats, difficulty: Floats, persons: int, items: int
) -> tuple[Floats, Floats]:
    excess = 1 / (1 + np.exp(difficulty[data.item] - ability[data.person])) - data.answer
    rows = np.bincount(data.person, weights=excess, minlength=persons).astype(np.float64)
    columns = np.bincount(data.item, weights=excess, minlength=items).astype(np.float64)
    return rows, -columns
