"""Strict JSON: what a machine reads back is what was computed, with no NaN and no Infinity."""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from analysis.stats.results import Estimate


class NotJsonError(ValueError):
    """A value that strict JSON cannot hold, with the member where it stands."""


def json_text(document: object) -> str:
    """Return the document as strict, indented JSON; the same document gives the same bytes."""
    return json.dumps(plain(document), allow_nan=False, ensure_ascii=False, indent=1) + "\n"


def plain(value: object, place: str = "the document") -> Any:
    """Return the value in the types of JSON; estimates become their JSON form."""
    if isinstance(value, Estimate):
        return plain(value.as_dict(), place)
    if isinstance(value, Mapping):
        return {str(key): plain(item, f"{place}.{key}") for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist(), place)
    if isinstance(value, list | tuple):
        return [plain(item, f"{place}[{i}]") for i, item in enumerate(value)]
    return _scalar(value, place)


def _scalar(value: object, place: str) -> object:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        message = f"{place} is {value}: give an estimate without a value and with its reason"
        raise NotJsonError(message)
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise NotJsonError(f"{place} is a {type(value).__name__}, which JSON does not know")
