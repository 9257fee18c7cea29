"""Where attention checks stand, and in which order one annotator meets the items."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen of a form: the nth item of the annotator's order, or the nth check; from 0."""

    item: int | None = None
    check: int | None = None

    @property
    def is_check(self) -> bool:
        """Whether the screen is an attention check."""
        return self.check is not None


def screens(places: int, check_positions: Sequence[int]) -> list[Screen]:
    """Lay items and checks out; a check declared at position 7 is the seventh screen.

    Items keep their order around the checks. In a form that is shorter than the position, the
    check comes last, so that nobody goes unchecked. Of two checks at one position the second
    follows the first.
    """
    if any(position < 1 for position in check_positions):
        raise ValueError(
            f"A check stands at position {min(check_positions)}; the first screen is 1."
        )
    shown = [Screen(item=index) for index in range(places)]
    for check in sorted(range(len(check_positions)), key=lambda index: check_positions[index]):
        at = check_positions[check] - 1
        while at < len(shown) and shown[at].is_check:
            at += 1
        shown.insert(at, Screen(check=check))
    return shown


def item_order(places: int, seed: int) -> list[int]:
    """Draw the order in which the claim with this seed shows its places."""
    order = list(range(places))
    Random(seed).shuffle(order)  # noqa: S311 (replayed from the stored seed, not secret)
    return order
