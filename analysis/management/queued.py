"""What a command says of a run that waits for a worker, instead of doing it here and now."""

import json

from analysis.runs.models import AnalysisRun

WAITS = (
    "Run {run} waits for a worker (manage.py work, or serve); several share its parts. How far it is: "
    "manage.py runs, or the page /analyses/. Its files, once it is done: manage.py runs --files {run} "
    "--out DIR."
)


def queued_words(run: AnalysisRun, *, as_json: bool) -> str:
    """Return the number of a run that was asked for, and for a person what to do with it."""
    if as_json:
        return json.dumps({"run": run.pk, "state": run.state})
    return WAITS.format(run=run.pk)
