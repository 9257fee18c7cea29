"""Numbers as a page shows them: digits grouped, units named, the undefined in words."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from analysis.runs.models import AnalysisRun
from analysis.runs.watch import Watch
from annotation.selectors.progress import FEW_BANDS

Numbers = Mapping[str, Any]

STAGES = {
    "arrived": "Arrived",
    "finished": "Finished a form",
    "attention": "Passed the checks",
    "contradiction": "Consistent",
    "hasty": "Took their time",
    "by_hand": "Not left out by hand",
}
MINUTE, HOUR, DAY = 60, 3600, 86_400
# A queued run that nobody takes for so long says that there is no worker.
UNTAKEN_SECONDS = 15
CHART_HEIGHT = 72


def shown_watch(found: Watch, now: datetime) -> dict[str, Any]:
    """Return the age of the numbers, and what is the matter where they are not on their way."""
    done, last = found.done, found.last
    age = (now - done.ended_at).total_seconds() if done and done.ended_at else None
    return {
        "age": None if age is None else f"updated {duration(max(0.0, age))} ago",
        "at": done.ended_at if done else None,
        "waiting": found.waiting,
        "progress": round(100 * last.progress) if last and found.waiting else 0,
        "doing": last.doing if last and found.waiting else "",
        "untaken": untaken(last, now) if last else "",
        "failed": last.error if last and last.state == "failed" else "",
    }


def untaken(run: AnalysisRun, now: datetime) -> str:
    """Return for how long nobody has taken a run; nothing where that is no time, or it is taken."""
    seconds = (now - run.asked_at).total_seconds()
    waits = run.state == AnalysisRun.State.QUEUED and seconds > UNTAKEN_SECONDS
    return duration(seconds) if waits else ""


def shown_numbers(found: Numbers) -> dict[str, Any]:
    """Return the snapshot of a run as the page shows it."""
    return {
        "facts": _facts(found),
        "funnel": [
            _funnel(found["funnel"]["stages"], "annotators"),
            _funnel(found["funnel"]["stages"], "judgments"),
        ],
        "coverage": _coverage(found["coverage"], found["items"], found.get("replication")),
        "over_assigned": found["over_assigned"],
        "needed": found["needed_annotators"],
        "unplanned": found["unplanned_slots"],
        "pace": _pace(found["pace"]),
        "agreement": [_agreement(one) for one in found["agreement"]],
        "unusual": [_unusual(one) for one in found["unusual"]],
        "unusual_more": found["unusual_total"] - len(found["unusual"]),
    }


def duration(seconds: float) -> str:
    """Return a time in the unit in which one would say it."""
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 2 * HOUR:
        return f"{seconds / MINUTE:.0f} min"
    if seconds < 2 * DAY:
        return f"{seconds / HOUR:.0f} h"
    return f"{seconds / DAY:.0f} days"


def signed(value: float, digits: int) -> str:
    """Return a number with a minus sign that is as wide as a digit."""
    return f"{value:.{digits}f}".replace("-", "−")


def _facts(found: Numbers) -> list[dict[str, str]]:
    form, item = found["median_seconds_form"], found["median_seconds_item"]
    # Simulated people say that they take their time, and are done with a form at once.
    told = form is not None and (item is None or form >= item)
    checks = found["checks"]
    passed = "–" if checks["value"] is None else f"{100 * checks['value']:.1f} %"
    met = f"passed every check, of {checks['n']:,} who met one" if checks.get("n") else "checks met"
    return [
        _count(found["annotators"], "annotator{s} in the sample"),
        _count(found["judgments"], "judgment{s}"),
        {"value": f"{found['items_judged']:,}", "name": f"of {found['items']:,} items judged"},
        {
            "value": "–" if item is None else duration(item),
            "name": "median for an item" + (f", {duration(form)} for a form" if told else ""),
        },
        {"value": passed, "name": met},
    ]


def _count(count: int, name: str) -> dict[str, str]:
    return {"value": f"{count:,}", "name": name.format(s="" if count == 1 else "s")}


def _funnel(stages: Sequence[Numbers], unit: str) -> dict[str, Any]:
    left = [int(stage[f"left_{unit}"]) for stage in stages]
    return {
        "unit": unit,
        "stages": [
            {
                "name": STAGES.get(stage["stage"], stage["stage"]),
                "width": f"{100 * count / max(left[0], 1):.2f}",
                "shown": f"{count:,}",
                "removed": f"{stage[f'removed_{unit}']:,}" if stage[f"removed_{unit}"] else "",
            }
            for stage, count in zip(stages, left, strict=True)
        ],
    }


def _coverage(
    bands: Sequence[Sequence[int]], items: int, replication: int | None
) -> list[dict[str, Any]]:
    """Return the bands from most to none, each with where its part of the bar begins.

    More judgments than the replication are wanted of anchors alone.
    """
    most = max((times for times, _ in bands), default=0)
    full = {most: "all that is wanted"}
    if replication is not None and replication < most:
        full = {
            replication: "all that is wanted of usual items",
            most: "all that is wanted of anchors",
        }
    shown, start = [], 0.0
    few = len(bands) <= FEW_BANDS
    for times, count in sorted((times, count) for times, count in bands if few or count):
        width = 100 * count / items if items else 0.0
        kind = "full" if times in full else {0: "none", 1: "few"}.get(times, "some")
        shown.append(
            {
                "times": f"{times}, {full[times]}" if times in full else str(times),
                "items": f"{count:,}",
                "x": f"{start:.3f}",
                "width": f"{width:.3f}",
                "kind": kind,
            }
        )
        start += width
    return shown[::-1]


def _pace(found: Numbers) -> dict[str, Any]:
    hours = [(datetime.fromisoformat(hour), count) for hour, count in found["by_hour"]]
    most = max((count for _, count in hours), default=0)
    width = 100 / max(len(hours), 1)
    last = found["last_hour"]
    return {
        "total": f"{sum(count for _, count in hours):,}",
        "most": f"{most:,}",
        "last": datetime.fromisoformat(last) if last else None,
        "hours": [
            {
                "at": hour,
                "count": f"{count:,}",
                "x": f"{n * width:.3f}",
                "width": f"{width * 0.8:.3f}",
                "height": f"{CHART_HEIGHT * count / most:.1f}" if most else "0",
                "y": f"{CHART_HEIGHT * (1 - count / most):.1f}" if most else str(CHART_HEIGHT),
            }
            for n, (hour, count) in enumerate(hours)
        ],
        "any": most > 0,
    }


def _agreement(one: Numbers) -> dict[str, Any]:
    value, low, high = one["value"], one.get("low"), one.get("high")
    shown = {
        "task": one["task"],
        "dimension": one["dimension"],
        "level": one["level"],
        "n_items": f"{one['n_items']:,}",
        "reason": one.get("reason", ""),
        "threshold": f"{one['threshold']:.2f}",
        "threshold_at": _place(one["threshold"]),
        "zero_at": _place(0.0),
        "defined": value is not None,
    }
    if value is None:
        return shown
    percent = one["percent_agreement"]
    shown |= {
        "value": signed(value, 3),
        "at": _place(value),
        "percent": "" if percent is None else f"{100 * percent:.0f} %",
        "below": value < one["threshold"],
    }
    if low is not None and high is not None:
        shown |= {
            "interval": f"{signed(low, 2)} to {signed(high, 2)}",
            "low_at": _place(low),
            "high_at": _place(high),
        }
    return shown


def _place(alpha: float) -> str:
    """Return where an alpha stands on an axis from -0.2 to 1, in percent of its width."""
    return f"{2 + 96 * (min(max(alpha, -0.2), 1.0) + 0.2) / 1.2:.2f}"


def _unusual(one: Numbers) -> dict[str, Any]:
    without = one["without"]
    return {
        "annotator": one["annotator"],
        "signs": one["signs"],
        "change": None if without is None else f"{signed(one['alpha'], 3)} → {signed(without, 3)}",
    }
