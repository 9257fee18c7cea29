"""What is unusual about an annotator, in words: a reason to look, never a reason to exclude.

Each sign is a stated rule, so that nobody is listed for what a reader could not check by hand.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.monitor.agreement import SoFar
from analysis.pipelines.monitor.observed import Observed

# Hasty: so many answers, and this share of one's own, faster than the bound.
HASTY_AT_LEAST, HASTY_SHARE = 3, 1 / 3
# Without a rule of the study, fast is less than this share of the median over all answers.
FAST_SHARE = 0.25
# Always the same: so many answers, when somebody who answers like all the others would do so with
# less than this probability.
SAME_AT_LEAST, SAME_BY_CHANCE = 5, 0.001
# Disagrees: alpha without this person rises by so many standard deviations more than the mean rise.
RISE_DEVIATIONS, RATERS_AT_LEAST = 3.0, 10
WEIGHTS = {"failed": 3.0, "contradicts": 2.0, "same": 2.0, "fast": 1.5, "disagrees": 1.0}


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that is unusual about one person; `size` orders people, the larger the odder.

    `words` says it; of a disagreement they are the dimension, since several make one sentence.
    """

    person: int
    kind: str
    words: str
    size: float
    alpha: float | None = None
    without: float | None = None


@dataclass(frozen=True, slots=True)
class Unusual:
    """A person with all that is unusual about them."""

    person: int
    signs: tuple[Sign, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """What is unusual, a phrase each."""
        on = [sign.words for sign in self.signs if sign.kind == "disagrees"]
        others = tuple(sign.words for sign in self.signs if sign.kind != "disagrees")
        return others + ((f"disagrees with the others on {', '.join(on)}",) if on else ())

    @property
    def size(self) -> float:
        """How much there is."""
        return sum(sign.size for sign in self.signs)


def unusual(
    observed: Observed, agreement: Sequence[SoFar], fast: float | None = None
) -> list[Unusual]:
    """Return everyone about whom something is unusual, the oddest first.

    Parameters
    ----------
    fast : float, optional
        Seconds below which an answer is hasty by the study's own rule.
    """
    found: dict[int, list[Sign]] = {}
    for sign in _signs(observed, agreement, fast):
        found.setdefault(sign.person, []).append(sign)
    people = [Unusual(person, tuple(signs)) for person, signs in found.items()]
    return sorted(people, key=lambda one: (-one.size, one.person))


def _signs(observed: Observed, agreement: Sequence[SoFar], fast: float | None) -> Iterator[Sign]:
    counted = set(np.unique(np.asarray(observed.people, dtype=np.int64)).tolist())
    for person, times in observed.failed.items():
        if person in counted:
            words = f"failed {_times(times, 'attention check')}"
            yield Sign(person, "failed", words, WEIGHTS["failed"] * times)
    yield from _contradicting(observed)
    yield from _hasty(observed, fast)
    for one in agreement:
        yield from _always_the_same(one)
        yield from _disagreeing(one)


def _contradicting(observed: Observed) -> Iterator[Sign]:
    people, times = _sums(observed.people, np.asarray(observed.contradictions, dtype=np.float64))
    for n in np.flatnonzero(times):
        words = f"contradicts themselves {_often(int(times[n]))}"
        yield Sign(int(people[n]), "contradicts", words, WEIGHTS["contradicts"] * times[n])


def _hasty(observed: Observed, fast: float | None) -> Iterator[Sign]:
    seconds = np.asarray(observed.seconds, dtype=np.float64)
    known = ~np.isnan(seconds)
    if not known.any():
        return
    bound = float(np.median(seconds[known])) * FAST_SHARE if fast is None else fast
    people, hasty = _sums(observed.people, (known & (seconds < bound)).astype(np.float64))
    _, timed = _sums(observed.people, known.astype(np.float64))
    odd = (hasty >= HASTY_AT_LEAST) & (hasty >= HASTY_SHARE * timed)
    for n in np.flatnonzero(odd):
        words = f"{hasty[n]:.0f} of {timed[n]:.0f} in under {bound:.3g} s"
        yield Sign(int(people[n]), "fast", words, WEIGHTS["fast"] * (1 + hasty[n] / timed[n]))


def _always_the_same(one: SoFar) -> Iterator[Sign]:
    """Find who gave one label only, where the others' answers make that improbable."""
    ratings = one.gathered.ratings()
    if not ratings.n:
        return
    given = np.bincount(ratings.rater, minlength=ratings.n_raters)
    low = np.full(ratings.n_raters, len(ratings.labels))
    np.minimum.at(low, ratings.rater, ratings.code)
    high = np.zeros(ratings.n_raters, dtype=np.intp)
    np.maximum.at(high, ratings.rater, ratings.code)
    of_all = np.bincount(ratings.code, minlength=len(ratings.labels))
    # The label's share among all the others' answers.
    others = np.maximum(ratings.n - given, 1)
    share = (of_all[np.minimum(low, len(of_all) - 1)] - given) / others
    chance = np.clip(share, 0.0, 1.0) ** given
    odd = (low == high) & (given >= SAME_AT_LEAST) & (chance < SAME_BY_CHANCE)
    for n in np.flatnonzero(odd):
        words = f"always {_named(ratings.labels[low[n]])} on {one.gathered.dimension}, {_often(int(given[n]))}"
        yield Sign(int(one.raters[n]), "same", words, WEIGHTS["same"])


def _disagreeing(one: SoFar) -> Iterator[Sign]:
    alpha = one.agreement.value
    rated = ~np.isnan(one.without)
    if alpha is None or rated.sum() < RATERS_AT_LEAST:
        return
    rise = one.without - alpha
    mean, deviation = float(np.mean(rise[rated])), float(np.std(rise[rated]))
    if deviation == 0:
        return
    standing_out = (rise - mean) / deviation
    for n in np.flatnonzero(rated & (rise > 0) & (standing_out > RISE_DEVIATIONS)):
        without = float(one.without[n])
        yield Sign(
            person=int(one.raters[n]),
            kind="disagrees",
            words=one.gathered.dimension,
            size=WEIGHTS["disagrees"] * standing_out[n] / RISE_DEVIATIONS,
            alpha=alpha,
            without=without,
        )


def _sums(
    people: "array[int]", values: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Add values up by person."""
    who, place = np.unique(np.asarray(people, dtype=np.int64), return_inverse=True)
    sums = np.bincount(place, weights=values, minlength=len(who))
    return who, sums.astype(np.float64)


def _named(label: np.generic) -> str:
    if isinstance(label, np.floating):
        return f"{label:g}"
    return f"“{label}”" if str(label) else "nothing"


def _times(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _often(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
