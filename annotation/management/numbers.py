"""What an option on the command line may be; anything else ends with exit status 2 and a sentence."""

import math
from argparse import ArgumentTypeError
from collections.abc import Callable


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """Return a type of whole numbers within bounds."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise ArgumentTypeError(f"{text!r} is not a whole number") from None
        _require_within(number, least, most, text)
        return number

    return read


def decimal(
    least: float, most: float | None = None, *, above: bool = False
) -> Callable[[str], float]:
    """Return a type of finite numbers within bounds; `above`: greater than the least one."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            raise ArgumentTypeError(f"{text!r} is not a number") from None
        if not math.isfinite(number):
            raise ArgumentTypeError(f"{text!r} is not a finite number")
        if above and number == least:
            raise ArgumentTypeError(f"{text} is too little: it must be more than {least:g}")
        _require_within(number, least, most, text)
        return number

    return read


# A part of everybody, from nobody (0) to all of them (1).
share = decimal(0, 1)


def _require_within(number: float, least: float, most: float | None, text: str) -> None:
    if number < least:
        raise ArgumentTypeError(f"{text} is too little: it must be {least:g} or more")
    if most is not None and number > most:
        raise ArgumentTypeError(f"{text} is too much: it must be {most:g} or less")
