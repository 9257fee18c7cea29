"""Keys that came twice are found whether or not all are sorted at once."""

from contextlib import closing

import numpy as np
import pytest

from analysis.table_keys import SeenKeys


@pytest.mark.parametrize("at_once", [100, 1000, 100_000])
def test_exactly_those_that_came_twice_are_found(at_once):
    rng = np.random.default_rng(1)
    hashes = rng.integers(0, 2**63, 3000, dtype=np.uint64) * np.uint64(2)
    hashes[100:110], hashes[2990], hashes[5] = hashes[2000:2010], hashes[0], hashes[0]
    with closing(SeenKeys(at_once)) as keys:
        for block in np.array_split(hashes, 13):
            keys.add(block)
        found = set(keys.doubled().tolist())
        again = set(keys.doubled().tolist())
    assert found == again == {*hashes[2000:2010].tolist(), int(hashes[0])}


def test_without_any_there_are_none():
    with closing(SeenKeys()) as keys:
        assert keys.doubled().size == 0
        keys.add(np.empty(0, np.uint64))
        keys.add(np.array([5], np.uint64))
        assert keys.doubled().size == 0
