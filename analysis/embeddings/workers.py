"""Batches encoded by several processes, each with a model of its own and one thread."""

from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

from analysis.pipelines.trace.cache import Batches, one_by_one
from analysis.pipelines.trace.encoders import Encoded, Encoder, encode_checked


@dataclass(frozen=True)
class Processes:
    """Encodes over `number` processes; results come back in the order of the batches."""

    number: int

    def __call__(self, encoder: Encoder, batches: Batches) -> Iterable[list[Encoded]]:
        """Yield the encoded batches; with one process or little work, all stays in this one."""
        waiting = list(batches)
        if self.number < 2 or len(waiting) <= self.number:  # noqa: PLR2004  two make a pool
            yield from one_by_one(encoder, waiting)
            return
        # Spawned, not forked: the engine's threads and handles do not survive a fork.
        with ProcessPoolExecutor(self.number, mp_context=get_context("spawn")) as pool:
            yield from pool.map(partial(encode_checked, encoder), waiting)
