"""Makes steiger_delta.json: the covariance of two Fisher-transformed correlations, by differences.

For a normal sample the covariances of the entries of the covariance matrix are known (Isserlis):
n cov(s_ij, s_kl) = S_ik S_jl + S_il S_jk. The covariance of atanh r12 and atanh r13 follows by the
delta method; its derivatives are taken numerically, so nothing of Steiger's closed form enters.

Run from the root of the repository: ``python -m tests.oracles.make_steiger_delta``.
"""

import json

import numpy as np
from numpy.typing import NDArray

from tests.oracles.read import HERE, cases

ENTRIES = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]
STEP = 1e-5


def transformed(entries: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return atanh r12 and atanh r13 of the six entries of a covariance matrix."""
    s = dict(zip(ENTRIES, entries, strict=True))
    return np.arctanh([s[0, k] / np.sqrt(s[0, 0] * s[k, k]) for k in (1, 2)])


def covariance(r12: float, r13: float, r23: float) -> float:
    """Return n times the covariance of the two transformed correlations."""
    sigma = np.array([[1, r12, r13], [r12, 1, r23], [r13, r23, 1.0]])
    point = np.array([sigma[e] for e in ENTRIES])
    jacobian = np.empty((2, len(ENTRIES)))
    for column in range(len(ENTRIES)):
        move = np.eye(len(ENTRIES))[column] * STEP
        jacobian[:, column] = (transformed(point + move) - transformed(point - move)) / (2 * STEP)
    inner = np.array(
        [
            [sigma[i, k] * sigma[j, m] + sigma[i, m] * sigma[j, k] for k, m in ENTRIES]
            for i, j in ENTRIES
        ]
    )
    return float((jacobian @ inner @ jacobian.T)[0, 1])


def main() -> None:
    """Write the file: at the mean of the two correlations, as Steiger pools them."""
    out = []
    for case in cases("dependent_correlations"):
        given = {key: case["input"][key] for key in ("r12", "r13", "r23", "n")}
        mean = (given["r12"] + given["r13"]) / 2
        c = covariance(mean, mean, given["r23"])
        gap = np.arctanh(given["r12"]) - np.arctanh(given["r13"])
        z = float(gap * np.sqrt((given["n"] - 3) / (2 - 2 * c)))
        out.append({"input": given, "covariance": c, "z": z})
    text = json.dumps({"call": "numerical delta method", "cases": out})
    (HERE / "steiger_delta.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
