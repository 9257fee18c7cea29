"""Makes gwet_ac.json with the Python package irrCAC 0.4.4 (by A. Fergadis, after Gwet's R package).

Run from the root of the repository, with irrCAC on the path (``pip install --no-deps irrCAC``):
``python -m tests.oracles.make_gwet_ac``. Items without any rating are left out first: irrCAC
divides by their number of ratings.
"""

import json
from typing import Any

import numpy as np
import pandas as pd
from irrCAC.raw import CAC  # type: ignore[import-not-found]  # used here only, not a dependency

from tests.oracles.read import HERE, cases

DIGITS = 12
USED = ("alpha_krippendorff_4x12", "alpha_wikipedia_3x15", "alpha_sim_6x80_missing55")
NAMES = {"identity": "identity", "linear": "linear", "quadratic": "quadratic"}


def abstractors() -> list[list[float]]:
    """Return the 100 ratings of the two abstractors of Gwet's cont3x3abstractors."""
    table = np.array([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
    rows, columns = np.indices(table.shape)
    return [
        np.repeat(rows.ravel() + 1.0, table.ravel()).tolist(),
        np.repeat(columns.ravel() + 1.0, table.ravel()).tolist(),
    ]


def values(matrix: list[list[float]]) -> tuple[list[float], dict[str, dict[str, Any]]]:
    """Return the coefficients of a raters-by-items table under each kind of weights."""
    frame = pd.DataFrame(np.array(matrix, dtype=float).T).dropna(how="all")
    labels = sorted(np.unique(frame.to_numpy()[~np.isnan(frame.to_numpy())]).tolist())
    found: dict[str, dict[str, Any]] = {}
    for name, theirs in NAMES.items():
        cac = CAC(frame, weights=theirs, categories=labels, digits=DIGITS)
        est = cac.gwet()["est"]
        found[name] = {
            key: float(est[theirs_key])
            for key, theirs_key in (
                ("value", "coefficient_value"),
                ("observed", "pa"),
                ("expected", "pe"),
                ("se", "se"),
            )
        }
        found[name]["ci"] = [float(x) for x in est["confidence_interval"]]
    return labels, found


def main() -> None:
    """Write the file."""
    tables = {
        c["id"]: c["reliability_data"] for c in cases("krippendorff_alpha") if c["id"] in USED
    }
    tables["gwet_cont3x3abstractors"] = abstractors()
    out = []
    for key, matrix in tables.items():
        labels, found = values(matrix)
        out.append({"id": key, "ratings": matrix, "labels": labels, "expected": found})
    text = json.dumps({"call": "irrCAC.raw.CAC(...).gwet()", "cases": out}, allow_nan=False)
    (HERE / "gwet_ac.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
