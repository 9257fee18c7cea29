"""Makes williams_power.json: how often Williams' t rejects in simulated normal data.

Run from the root of the repository: ``python -m tests.oracles.make_williams_power``. The test is written
out here from its formula, since the function under test uses the library's own.
"""

import json

import numpy as np
from scipy import stats

from tests.oracles.read import HERE

DRAWS, ALPHA = 20_000, 0.05
CASES = [
    (0.34, 0.0, 0.25, 60), (0.34, 0.0, 0.25, 120), (0.34, 0.0, 0.25, 180), (0.34, 0.0, 0.65, 44),
    (0.6, 0.3, 0.5, 40), (0.4, 0.4, 0.3, 50), (0.1, 0.5, 0.2, 30),
]  # fmt: skip


def rejected(r12: float, r13: float, r23: float, n: int, rng: np.random.Generator) -> float:
    """Return the share of samples with p below the level."""
    root = np.linalg.cholesky([[1, r12, r13], [r12, 1, r23], [r13, r23, 1]])
    x = rng.normal(size=(DRAWS, n, 3)) @ root.T
    x -= x.mean(axis=1, keepdims=True)
    products = np.einsum("bni,bnj->bij", x, x)
    size = np.sqrt(np.einsum("bii->bi", products))
    r = products / (size[:, :, None] * size[:, None, :])
    a, b, c = r[:, 0, 1], r[:, 0, 2], r[:, 1, 2]
    determinant = 1 - a**2 - b**2 - c**2 + 2 * a * b * c
    below = 2 * (n - 1) / (n - 3) * determinant + ((a + b) / 2) ** 2 * (1 - c) ** 3
    t = (a - b) * np.sqrt((n - 1) * (1 + c) / below)
    return float((2 * stats.t.sf(np.abs(t), n - 3) < ALPHA).mean())


def main() -> None:
    """Write the file."""
    rng = np.random.default_rng(11)
    out = [
        {"id": f"{case[0]}, {case[1]}, {case[2]}, n {case[3]}", "input": case, "power": rejected(*case, rng)}
        for case in CASES
    ]  # fmt: skip
    text = json.dumps({"call": f"{DRAWS:,} simulated samples, seed 11", "cases": out})
    (HERE / "williams_power.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
