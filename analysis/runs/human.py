"""The kind of run behind the report of a human study: the same functions as `manage.py human`."""

from collections.abc import Mapping
from typing import Any

from analysis.loaders import study_plan, study_sample
from analysis.pipelines.human.plan import Overrides
from analysis.pipelines.human.study import analyse
from analysis.reports.human import human_report
from analysis.runs.kinds import Report
from analysis.runs.packed import packed
from annotation.models import Study

READ, COMPUTED = 0.3, 0.9


def human(study: Study, parameters: Mapping[str, Any], report: Report) -> dict[str, Any]:
    """Return the numbers, the page and all files of a study's report.

    Parameters: `seed`, `bootstrap` and `sample` in place of the plan's, each of which makes post hoc
    what it changes.
    """

    def tell(done: int, total: int) -> None:
        report(READ + (COMPUTED - READ) * done / total, "Computing")

    report(0.0, "Reading the judgments")
    which = parameters.get("sample") or "analytic"
    found = analyse(
        study_sample(study, which), study_plan(study), Overrides(**parameters), progress=tell
    )
    report(COMPUTED, "Drawing")
    return packed(human_report(found, study.title))
