"""Estimates as the sentences of reports have them."""

from analysis.stats.results import Estimate


def bracketed(found: Estimate, form: str) -> str:
    """Return an estimate and its interval, every number in one format; or why there is none."""
    if found.value is None:
        return f"undefined ({found.reason})"
    text = format(found.value, form)
    if found.low is None or found.high is None:
        return text
    return f"{text} [{found.low:{form}}, {found.high:{form}}]"
