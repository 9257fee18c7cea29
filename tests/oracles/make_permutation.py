"""Makes permutation.json: the difference of two means in every dealing, in exact fractions.

Run from the root of the repository: ``python -m tests.oracles.make_permutation``.
"""

import json
from fractions import Fraction
from itertools import combinations

from tests.oracles.read import HERE

SAMPLES = {
    "two against two": [["1", "2"], ["3", "4"]],
    "no ties, 3-4": [["1", "2", "3"], ["4", "5", "6", "7"]],
    "ties, 4-4": [["1", "3/2", "3/2", "2"], ["1/2", "1", "1", "3/2"]],
    "thirds, 5-3": [["1/3", "2/3", "1", "1", "4/3"], ["2/3", "5/3", "2"]],
    "all equal, 3-3": [["1", "1", "1"], ["1", "1", "1"]],
    "one against five": [["5"], ["1", "2", "3", "4", "0"]],
    "quarters, 8-7": [
        ["0", "1/4", "1/2", "3/4", "1", "1", "5/4", "3/2"],
        ["1/2", "3/4", "1", "5/4", "3/2", "7/4", "2"],
    ],
}


def mean(values: list[Fraction]) -> Fraction:
    """Return the mean as a fraction."""
    return sum(values, Fraction(0)) / len(values)


def main() -> None:
    """Write the file."""
    out = []
    for name, groups in SAMPLES.items():
        first, second = ([Fraction(value) for value in group] for group in groups)
        pooled = first + second
        places = range(len(pooled))
        observed = mean(first) - mean(second)
        every = [
            mean([pooled[p] for p in chosen]) - mean([pooled[p] for p in places if p not in chosen])
            for chosen in combinations(places, len(first))
        ]
        far = sum(abs(one) >= abs(observed) for one in every)
        out.append(
            {
                "id": name,
                "groups": groups,
                "dealings": len(every),
                "difference": str(observed),
                "p": str(Fraction(far, len(every))),
            }
        )
    text = json.dumps({"call": "enumeration in exact fractions", "cases": out})
    (HERE / "permutation.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
