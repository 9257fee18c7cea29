"""Parts of the gap that wait while the file HOLD is there, and say beside it who has them."""

import os
import time
from pathlib import Path

from analysis.runs.clcg import clcg, clcg_part

__all__ = ["clcg", "held_part"]


def held_part(parameters, part, report):
    """Do the part once it may be done; whoever is to stop hears of it meanwhile."""
    hold = Path(os.environ["HOLD"])
    hold.with_name(Path(part["file"]).stem).write_text(str(os.getpid()))
    while hold.exists():
        report(0.0, "")
        time.sleep(0.05)
    return clcg_part(parameters, part, report)
