"""What the report of the trace pipeline says, in sentences; the document of the run holds the numbers."""

from collections.abc import Mapping
from typing import Any

from analysis.reports.estimates import bracketed
from analysis.stats.results import Estimate

LIMITS = (
    "S and τ are read as ranks within one language pair: their level depends on the encoder.",
    (
        "τ depends on the floor of the calibration, and a trace whose own steps are alike stays "
        "below 1 even with itself. tau_self shows that under the calibration of the pair; sentences "
        "of one language lie closer together than translations do, so it is no upper limit."
    ),
    "The encoder hardly sees numbers: two steps that differ in a figure only count as alike.",
    "A language is checked by its script only; two languages in Latin script are not told apart.",
    "The traces are what the models wrote, not how they came to the answer.",
)
# At which best match a step counts as not met, where one is named.
THRESHOLD = "0.4"


def shown(found: Estimate, form: str = ".3f") -> str:
    """Return an estimate as a reader sees it, or why there is none."""
    return bracketed(found, form)


def dissociation_words(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Say what dissociation is and what it comes to."""
    return (
        (
            "Dissociation is the share of the top quarter by H that is not in the top quarter by S. If H and "
            "S had nothing to do with each other it would be 0.75."
        ),
        f"Here it is {shown(document['dissociation'])}.",
    )


def position_words(found: Mapping[str, Any]) -> tuple[str, ...]:
    """Say where along the anchor's trace the other language stops following."""
    if "reason" in found:
        return (f"Nothing can be said of places in the trace: {found['reason']}.",)
    branch = found["branch"][THRESHOLD]
    where = branch["position"]
    first = (
        f" The first such step stands at {shown(where, '.2f')} of the way."
        if where.value is not None
        else ""
    )
    return (
        (
            f"Best match of the last step less that of those in the middle: "
            f"{shown(found['last_minus_middle'], '+.3f')}; where both traces have as many steps: "
            f"{shown(found['last_minus_middle_equal_steps'], '+.3f')}."
        ),
        (
            f"A share of {shown(branch['rate'])} of the traces has a step that is met less than "
            f"{THRESHOLD}.{first} Compare such places between languages; by themselves they mean nothing."
        ),
    )


def signal_words(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Say what divergence has to do with errors, and with language."""
    return (
        *_review(document["review"]),
        *_difficulty(document["difficulty"]),
        *_control(document["control"]),
    )


def _review(found: Mapping[str, Any]) -> tuple[str, ...]:
    if "reason" in found:
        return (f"No review lift: {found['reason']}.",)
    lift = found["lift"]
    if lift["S"].value is None:
        return (f"No review lift: {lift['S'].reason}.",)
    each = "; ".join(f"{name} {shown(lift[name], '.2f')}" for name in ("S", "tau", "H"))
    return (
        (
            f"Of the pairs whose answers agree {found['base_rate'].value:.1%} share a wrong answer. Whoever reads "
            f"the least similar quarter first meets these so many times as often as in any order: {each}. That "
            "sets priorities and detects nothing: most of what is read is right."
        ),
    )


def _difficulty(found: Mapping[str, Any]) -> tuple[str, ...]:
    if found["raw"].value is None:
        return ()
    raw, matched = found["raw"], found["matched"]
    plain = f"S of pairs with right answers less that of shared errors is {shown(raw)}"
    if matched.value is None:
        return (f"{plain}; it cannot be matched on difficulty: {matched.reason}.",)
    return (f"{plain}; among problems of one difficulty {shown(matched)}, which is a lower bound.",)


def _control(found: Mapping[str, Any]) -> tuple[str, ...]:
    if "delta" not in found:
        return (f"No same-language control: {found['reason']}.",)
    return (
        (
            f"S of two answers in one language, to paraphrases, less that of answers in two languages is "
            f"{shown(found['delta'])}; without what the calibration adds, {shown(found['adjusted'])}."
        ),
    )
