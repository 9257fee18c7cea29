"""What the labels of an ordered scale count as."""

from collections.abc import Sequence


def label_numbers(labels: Sequence[str]) -> tuple[float, ...]:
    """Return labels as numbers: what they say, or their places from 1 on.

    Examples
    --------
    >>> label_numbers(["0", "0.5"]), label_numbers(["no", "partly", "yes"])
    ((0.0, 0.5), (1.0, 2.0, 3.0))
    """
    try:
        return tuple(float(label) for label in labels)
    except ValueError:
        return tuple(float(place) for place in range(1, len(labels) + 1))
