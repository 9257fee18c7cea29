"""Whether a value written in `study.yaml` is an answer that a dimension can have."""

import math
from collections.abc import Mapping
from typing import Any

from annotation.studyfile.wording import listed, shown, similar
from annotation.studyfile.yaml_nodes import DECIMAL
from annotation.tasktypes.instrument import Dimension, Scale


def value_fault(dimension: Dimension, value: str, fields: Mapping[str, Any] | None = None) -> str:
    """Say why a value is no answer of a dimension, or nothing.

    `fields` are those of the item that is asked; without them, options that come from an item's
    list are taken on trust as long as they are its numbers.
    """
    if dimension.scale is Scale.TEXT:
        return "" if value.strip() else "The answer is empty."
    if dimension.scale is Scale.INTERVAL:
        return _number_fault(dimension, value)
    if dimension.options_from and fields is None:
        numbered = value.isascii() and value.isdigit() and not value.startswith("0")
        return "" if numbered else f"{shown(value)} is not the number of an option."
    values = dimension.option_values(fields or {})
    if value in values:
        return ""
    return (
        f"{shown(value)} is not an answer to {shown(dimension.key)}, which has "
        f"{listed(values) or 'none'}.{similar(value, values)}"
    )


def _number_fault(dimension: Dimension, value: str) -> str:
    low, high, step = dimension.minimum, dimension.maximum, dimension.step
    if low is None or high is None:
        return ""
    if not DECIMAL.fullmatch(value) or not low <= float(value) <= high:
        return f"{shown(value)} is not a number from {low:g} to {high:g}."
    if step and not on_step(float(value), low, step):
        return f"{shown(value)} is not on the scale, which goes from {low:g} by {step:g}."
    return ""


def on_step(value: float, low: float, step: float) -> bool:
    """Whether a number is a whole count of steps above the lowest."""
    count = (value - low) / step
    return math.isclose(count, round(count), abs_tol=1e-9)
