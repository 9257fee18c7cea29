"""What was planned, and whether an analysis is it: canonical parameters, compared as JSON."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.pipelines.human.sample import HumanError

Parameters = Mapping[str, Any]

SEED = 42
EXACT = 2**53  # beyond it a float no longer tells one whole number from the next
RESAMPLED = {"bootstrap": 2000, "confidence": 0.95, "sample": "analytic"}
# Every parameter that an entry of the plan may leave out, by kind of analysis.
DEFAULTS: Mapping[str, Parameters] = {
    "agreement": {"dimension": None, "threshold": 0.67},
    "preference": {"task": None, "model": "crossed_logistic", "side": "greater"},
    "triangulation": {"task": None, "method": "spearman", "by": None},
    "ceiling": {"task": None, "median": 4.5, "separation": 0.5, "bins": "terciles"},
    "judges": {"task": None, "map": {}},
    "conditions": {"task": None},
    "sensitivity": {"drop": "judgments"},
    "trace": {
        "task": None,
        "method": "williams",
        "positive_from": 0.75,
        "within": None,
        "groups": None,
        "anchors": "anchor",
    },
    "translation": {"task": None, "by": None, "majority": 0.5},
}
# What an entry must say, since nothing can stand for it.
NEEDED: Mapping[str, tuple[str, ...]] = {
    "triangulation": ("human", "automatic"),
    "ceiling": ("dimension", "by", "score"),
    "judges": ("human", "automatic"),
    "conditions": ("dimension", "by"),
    "sensitivity": ("name", "where"),
    "trace": ("human", "automatic"),
    "translation": ("measure",),
}


@dataclass(frozen=True)
class Request:
    """One analysis with all its parameters, and whether the locked plan holds exactly these."""

    kind: str
    parameters: Parameters
    prespecified: bool

    def __getitem__(self, name: str) -> Any:
        """Return a parameter; None where the analysis has none of that name."""
        return self.parameters.get(name)

    def labels(self) -> dict[str, object]:
        """Return the members that stand beside every number."""
        return {"prespecified": self.prespecified, "parameters": dict(self.parameters)}


@dataclass(frozen=True)
class Plan:
    """The plan of a study, each entry as it was written, and the digest it was locked under.

    Nothing is prespecified by a plan that is not locked yet.
    """

    entries: Mapping[str, tuple[Parameters, ...]] = field(default_factory=dict)
    seed: int = SEED
    sha256: str | None = None
    locked: bool = True

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        entries = {kind: [dict(entry) for entry in each] for kind, each in self.entries.items()}
        return {"sha256": self.sha256, "locked": self.locked, "seed": self.seed, "entries": entries}


@dataclass(frozen=True)
class Overrides:
    """What a run asks for instead of the plan; it makes the numbers post hoc."""

    bootstrap: int | None = None
    seed: int | None = None
    sample: str | None = None

    def over(self, parameters: Parameters) -> Parameters:
        """Return the parameters with what is asked for in its place."""
        asked = {name: value for name, value in vars(self).items() if value is not None}
        return dict(parameters) | {k: v for k, v in asked.items() if k in parameters}


def read_plan(document: Mapping[str, Any], sha256: str | None = None) -> Plan:
    """Read `plan:` of a study file, of a lock, or a file that holds the kinds themselves."""
    plan = document.get("plan", document)
    if not isinstance(plan, Mapping):
        raise HumanError("`plan` must hold kinds of analysis, such as `agreement:`.")
    entries = {
        kind: tuple(_entries(kind, plan[kind])) for kind in DEFAULTS if plan.get(kind) is not None
    }
    seed = document.get("seed", SEED)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise HumanError(f"`seed` is {seed!r} and must be a whole number from 0 on.")
    text = canonical_json(dict(document))
    return Plan(entries, seed, sha256 or hashlib.sha256(text.encode()).hexdigest())


def _entries(kind: str, node: Any) -> Iterator[Parameters]:
    for entry in node if isinstance(node, list) else [node]:
        if not isinstance(entry, Mapping):
            raise HumanError(
                f"`{kind}` of the plan holds {entry!r}; entries of parameters are due."
            )
        missing = [name for name in NEEDED.get(kind, ()) if name not in entry]
        if missing:
            raise HumanError(f"An entry of `{kind}` in the plan lacks {', '.join(missing)}.")
        yield entry


def completed(kind: str, entry: Parameters, seed: int) -> Parameters:
    """Return the entry with every parameter that it leaves out."""
    return {"seed": seed} | dict(RESAMPLED) | dict(DEFAULTS[kind]) | dict(entry)


def planned(plan: Plan, kind: str) -> list[Parameters]:
    """Return the completed entries of a kind; a breakdown `by` fields is one entry a field more."""
    found = []
    for entry in plan.entries.get(kind, ()):
        whole = completed(kind, entry, plan.seed)
        found += _with_breakdowns(whole) if kind == "triangulation" else [whole]
    return found


def _with_breakdowns(entry: Parameters) -> list[Parameters]:
    by = entry["by"] or []
    fields = [by] if isinstance(by, str) else list(by)
    return [dict(entry) | {"by": field} for field in [None, *fields]]


def requests(
    plan: Plan, kind: str, unplanned: Sequence[Parameters], overrides: Overrides
) -> list[Request]:
    """Return the analyses of a kind: those of the plan, then those that it does not hold.

    `unplanned` are entries to run beside the plan; one that the plan holds already is not repeated.
    """
    locked = planned(plan, kind)
    known = {canonical_json(parameters) for parameters in locked}
    further = [completed(kind, entry, plan.seed) for entry in unplanned]
    found: dict[str, Request] = {}
    for parameters in [*locked, *further]:
        asked = overrides.over(parameters)
        text = canonical_json(asked)
        found.setdefault(text, Request(kind, asked, plan.locked and text in known))
    return list(found.values())


def canonical_json(value: Any) -> str:
    """Return the one way to write a value: sorted keys, no spaces, 4.0 as 4, no NaN."""
    return json.dumps(
        _plain(value),
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
        default=str,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < EXACT:
        return int(value)
    return value
