"""How far results move with the encoder: the same traces, scored again with other vectors."""

from collections.abc import Mapping

import pandas as pd

from analysis.pipelines.trace.agreement import evaluation
from analysis.pipelines.trace.analyse import TraceResult
from analysis.stats.association import spearman
from analysis.stats.results import Estimate

KEY = ["dataset", "model", "problem_id", "language_a", "language_b"]


def encoder_sensitivity(first: TraceResult, others: Mapping[str, TraceResult]) -> pd.DataFrame:
    """Return one row a run: means, dissociation, and agreement with the first run's scores.

    Every run has calibrations of its own. Pairs that only one run could score are left out of the
    comparison and counted.
    """
    runs = {"as asked": first, **others}
    return pd.DataFrame([_row(name, first, run) for name, run in runs.items()])


def _row(name: str, first: TraceResult, run: TraceResult) -> dict[str, object]:
    both = first.right.merge(run.right, on=KEY, suffixes=("", "_other"))
    whole = evaluation(run.right, run.draws)
    share = whole["dissociation"]
    return {
        "run": name,
        "encoder_steps": run.encoders[0].id,
        "encoder_wholes": run.encoders[1].id,
        "pairs": len(run.right),
        "pairs_in_both": len(both),
        "mean_S": run.right["S"].mean(),
        "mean_tau": run.right["tau"].astype(float).mean(),
        "mean_H": run.right["H"].mean(),
        "spearman_S": spearman(both["S"], both["S_other"]).value,
        "spearman_tau": spearman(both["tau"], both["tau_other"]).value,
        "mean_absolute_difference_S": (both["S"] - both["S_other"]).abs().mean(),
        "dissociation": share.value if isinstance(share, Estimate) else None,
        "undefined": (share.reason or "") if isinstance(share, Estimate) else "",
    }
