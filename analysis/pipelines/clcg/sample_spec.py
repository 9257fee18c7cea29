"""What a sample for people is to be: the keys of SPEC.yaml, checked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any

from analysis.pipelines.clcg.sums import ClcgError

BINS = ("low", "mid", "high")
STRATA = ("language", "category", "model")
TABLES = ("predictions", "items", "passages", "languages", "judged")
NEEDED = ("study", "title", "predictions", "items", "languages")
SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Spec:
    """A sample of responses and of contrastive pairs.

    The five tables are files beside the specification. `weights` are the shares of the responses from
    the lowest, the middle and the highest third of scores of each stratum; `judged_quota` of them have
    the labels of all judges; no document gives more than `cap_per_document` items. `high` and `low` are
    the resource classes whose responses are set against each other in pairs.
    """

    study: str
    title: str
    predictions: str
    items: str
    languages: str
    passages: str = ""
    judged: str = ""
    seed: int = 42
    score: str = "token_f1"
    rep: int = 0
    responses: int = 600
    pairs: int = 66
    strata: tuple[str, ...] = STRATA
    weights: Mapping[str, float] = field(
        default_factory=lambda: {"low": 0.4, "mid": 0.3, "high": 0.3}
    )
    judged_quota: int = 0
    cap_per_document: int = 12
    high: tuple[int, ...] = (4, 5)
    low: tuple[int, ...] = (0, 1)
    replication: int = 3
    form_size: int = 10
    time_limit_minutes: int = 45


def spec_of(document: object) -> Spec:
    """Return the specification, or say which key is wrong and how."""
    if not isinstance(document, Mapping):
        raise ClcgError("The specification must be a mapping of keys, such as `study: my-study`.")
    known = {f.name: f for f in fields(Spec)}
    for key in document:
        if key not in known:
            near = get_close_matches(str(key), known, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ClcgError(f"{key!r} is no key of a specification.{hint}")
    missing = [key for key in NEEDED if not document.get(key)]
    if missing:
        raise ClcgError(f"The specification needs {', '.join(missing)}.")
    stated = {key: _value(key, value) for key, value in document.items()}
    return _checked(Spec(**stated))


_WHOLE = ("seed", "rep", "responses", "pairs", "judged_quota", "cap_per_document", "replication",
          "form_size", "time_limit_minutes")  # fmt: skip
_LEAST = {"cap_per_document": 1, "replication": 1, "form_size": 1, "time_limit_minutes": 1}


def _value(key: str, value: Any) -> Any:
    if key in _WHOLE:
        least = _LEAST.get(key, 0)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise ClcgError(f"{key} must be a whole number from {least} on, not {value!r}.")
        return value
    if key in {"high", "low"}:
        if not isinstance(value, list) or not all(isinstance(one, int) for one in value):
            raise ClcgError(f"{key} must be a list of resource classes, such as [0, 1].")
        return tuple(value)
    if key == "strata":
        return _strata(value)
    if key == "weights":
        return _weights(value)
    if not isinstance(value, str):
        raise ClcgError(f"{key} must be a text, not {value!r}.")
    return value


def _strata(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not set(value) <= set(STRATA):
        raise ClcgError(f"strata must be a list out of {', '.join(STRATA)}.")
    return tuple(value)


def _weights(value: Any) -> Mapping[str, float]:
    good = isinstance(value, Mapping) and set(value) == set(BINS)
    if not good or not all(isinstance(one, int | float) and one >= 0 for one in value.values()):
        raise ClcgError(f"weights must give a share to each of {', '.join(BINS)}.")
    if abs(sum(value.values()) - 1) > TOLERANCE:
        raise ClcgError(f"weights must add up to 1; they add up to {sum(value.values()):g}.")
    return {name: float(value[name]) for name in BINS}


def _checked(spec: Spec) -> Spec:
    if not SLUG.fullmatch(spec.study):
        raise ClcgError("study must be small letters, digits and hyphens, at most 80.")
    if spec.judged_quota > spec.responses:
        raise ClcgError(f"judged_quota is {spec.judged_quota}, of {spec.responses} responses.")
    if spec.judged_quota and not spec.judged:
        raise ClcgError("judged_quota needs the table of labels: `judged: FILE`.")
    if not spec.responses:
        raise ClcgError("responses must be at least 1.")
    if spec.pairs and set(spec.high) & set(spec.low):
        raise ClcgError("high and low share a resource class; a pair sets one against the other.")
    return spec
