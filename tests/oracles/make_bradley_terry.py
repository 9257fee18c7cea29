"""Write `bradley_terry.json`: strengths by a general optimiser in another parametrisation.

The likelihood is written out in worths and ν as Davidson (1970) prints it, and maximised by
BFGS with numerical gradients and Nelder-Mead in turn over their logarithms, judgment by
judgment. `baseball` holds the 1987 American League East (Agresti, Categorical Data Analysis), whose
strengths are printed in the documentation of the R package BradleyTerry2.

    python -m tests.oracles.make_bradley_terry
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
WINS = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
PRINTED = {
    "Boston": 1.1077,
    "Cleveland": 0.6839,
    "Detroit": 1.4364,
    "Milwaukee": 1.5814,
    "New York": 1.2476,
    "Toronto": 1.2945,
    "Baltimore": 0.0,
}


def baseball() -> list[list[Any]]:
    """Return the games, one row each: winner, loser, 1."""
    return [
        [TEAMS[i], TEAMS[j], 1]
        for i, row in enumerate(WINS)
        for j, wins in enumerate(row)
        for _ in range(wins)
    ]


def simulated() -> list[list[Any]]:
    """Return judgments of five systems with ties, from fixed draws."""
    rng = np.random.default_rng(20)
    strength, nu = np.array([0.9, 0.4, 0.0, -0.3, -1.0]), 0.6
    rows = []
    for _ in range(240):
        i, j = rng.choice(5, 2, replace=False)
        p = np.exp([strength[i], strength[j], np.log(nu) + (strength[i] + strength[j]) / 2])
        rows.append([f"s{i}", f"s{j}", float([1, 0, 0.5][rng.choice(3, p=p / p.sum())])])
    return rows


def minus_log_likelihood(x: np.ndarray, rows: list[list[Any]], names: list[str]) -> float:
    """Sum over judgments, in worths and ν."""
    worth = dict(zip(names, [*np.exp(x[: len(names) - 1]), 1.0], strict=True))
    nu = float(np.exp(x[-1])) if len(x) == len(names) else 0.0
    total = 0.0
    for one, two, outcome in rows:
        tie = nu * (worth[one] * worth[two]) ** 0.5
        seen = {1: worth[one], 0: worth[two], 0.5: tie}[outcome]
        total -= float(np.log(seen / (worth[one] + worth[two] + tie)))
    return total


def maximum(rows: list[list[Any]]) -> dict[str, Any]:
    """Return centred log worths and ν at the maximum."""
    names = sorted({name for row in rows for name in row[:2]})
    ties = any(row[2] == 0.5 for row in rows)
    x = np.zeros(len(names) - 1 + ties)
    for _ in range(3):
        x = minimize(
            minus_log_likelihood, x, (rows, names), method="BFGS", options={"gtol": 1e-9}
        ).x
        x = minimize(
            minus_log_likelihood,
            x,
            (rows, names),
            method="Nelder-Mead",
            options={"xatol": 1e-10, "fatol": 1e-13, "maxiter": 20000, "maxfev": 20000},
        ).x
    strengths = np.append(x[: len(names) - 1], 0.0)
    return {
        "players": names,
        "strengths": (strengths - strengths.mean()).tolist(),
        "nu": float(np.exp(x[-1])) if ties else 0.0,
    }


def main() -> None:
    """Write the file."""
    cases = [
        {"id": name, "rows": rows, "expected": maximum(rows)}
        for name, rows in (("baseball", baseball()), ("ties", simulated()))
    ]
    cases[0]["printed"] = PRINTED
    path = Path(__file__).with_name("bradley_terry.json")
    path.write_text(json.dumps({"cases": cases}), encoding="utf-8")


if __name__ == "__main__":
    main()
