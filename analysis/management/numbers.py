"""Numbers as options of commands take them: what means nothing is refused as it is typed."""

from argparse import ArgumentTypeError
from collections.abc import Callable


def count_from(least: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from the least on."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise ArgumentTypeError(f"{text!r} is not a whole number from {least} on")
        return int(text)

    return number


count = count_from(0)


def between(low: float, high: float) -> Callable[[str], float]:
    """Return a reader of numbers within limits."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise ArgumentTypeError(f"{text!r} is not a number from {low:g} to {high:g}")
        return value

    return number
