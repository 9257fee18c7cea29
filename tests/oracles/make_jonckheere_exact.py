"""Makes jonckheere_exact.json: J over every arrangement of small samples, in exact fractions.

Run from the root of the repository: ``python -m tests.oracles.make_jonckheere_exact``.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from tests.oracles.read import HERE

SAMPLES = {
    "no ties, 2-2-3": [[3, 1], [4, 2], [5, 7, 6]],
    "ties, 2-3-2": [[1, 2], [2, 2, 3], [3, 4]],
    "many ties, 3-3-3": [[1, 1, 2], [1, 2, 2], [2, 3, 3]],
    "two groups, 4-4": [[1, 3, 3, 5], [2, 3, 6, 6]],
    "four groups, 2-2-2-2": [[5, 1], [2, 2], [4, 3], [5, 5]],
    "unequal, 1-5-2": [[2], [1, 1, 3, 4, 4], [4, 6]],
}


def statistic(groups: list[list[int]]) -> Fraction:
    """Count larger later values over all pairs of groups, ties one half."""
    total = Fraction(0)
    for one in range(len(groups)):
        for two in range(one + 1, len(groups)):
            for a in groups[one]:
                for b in groups[two]:
                    total += 1 if b > a else Fraction(1, 2) if b == a else 0
    return total


def arrangements(positions: list[int], sizes: list[int]) -> Iterator[list[list[int]]]:
    """Yield every way to deal positions into groups of the given sizes."""
    if len(sizes) == 1:
        yield [positions]
        return
    for first in combinations(positions, sizes[0]):
        rest = [p for p in positions if p not in first]
        for others in arrangements(rest, sizes[1:]):
            yield [list(first), *others]


def main() -> None:
    """Write the file."""
    out = []
    for name, groups in SAMPLES.items():
        pooled = [v for group in groups for v in group]
        dealt = arrangements(list(range(len(pooled))), [len(group) for group in groups])
        every = [statistic([[pooled[p] for p in part] for part in deal]) for deal in dealt]
        mean = sum(every) / len(every)
        variance = sum((j - mean) ** 2 for j in every) / len(every)
        observed = statistic(groups)
        out.append(
            {
                "id": name,
                "groups": groups,
                "arrangements": len(every),
                "J": str(observed),
                "mean": str(mean),
                "variance": str(variance),
                "p_increasing_exact": str(Fraction(sum(j >= observed for j in every), len(every))),
            }
        )
    text = json.dumps({"call": "enumeration in exact fractions", "cases": out})
    (HERE / "jonckheere_exact.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
