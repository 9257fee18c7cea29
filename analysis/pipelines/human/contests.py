"""Comparisons of two sides as numbers: which side is the one whose share is reported, who chose it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import Preferences
from analysis.pipelines.human.reading import preferences_have_systems
from analysis.pipelines.human.sample import Floats, HumanError, Sample

Names = NDArray[np.generic]


@dataclass(frozen=True)
class Contest:
    """Judgments between two sides; `choice` is 1 for `side`, 0 for `other`, NaN for neither.

    `shown_first` is 1 where `side` stood first, NaN where it is not known. Annotators are numbered
    by what they chose, not by their names, so that resampling does not depend on pseudonyms.
    """

    side: str
    other: str
    choice: Floats
    annotator: NDArray[np.intp]
    pair: Names
    shown_first: Floats
    confidence: Floats


def contests(sample: Sample) -> list[Contest]:
    """Return the comparisons of each pair of sides, those of the declared conditions first."""
    frame = sample.preferences
    if frame.empty:
        return []
    if not preferences_have_systems(frame):
        return [_contest(frame, Preferences.HIGHER, Preferences.LOWER)]
    found = [_contest(rows, side, other) for side, other, rows in _by_systems(frame, sample)]
    ranked = set(sample.systems)
    return sorted(found, key=lambda one: not {one.side, one.other} <= ranked)


def _by_systems(frame: pd.DataFrame, sample: Sample) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield the two systems and their rows; the later condition, or else the second named, is the side."""
    a, b = frame[Preferences.SYSTEM_A], frame[Preferences.SYSTEM_B]
    if (a == b).any():
        row = int(np.flatnonzero(a == b)[0]) + 1
        raise HumanError(f"Row {row} of the preferences compares {a.iloc[row - 1]!r} with itself.")
    unordered = pd.Series([tuple(sorted(pair)) for pair in zip(a, b, strict=True)], frame.index)
    for _, rows in frame.groupby(unordered, sort=False):
        first = rows.iloc[0]
        side, other = first[Preferences.SYSTEM_B], first[Preferences.SYSTEM_A]
        order = sample.systems
        if side in order and other in order and order.index(side) < order.index(other):
            side, other = other, side
        yield side, other, rows


def _contest(frame: pd.DataFrame, side: str, other: str) -> Contest:
    choice = _placed(frame, Preferences.PREFERRED, {side: 1, other: 0, Preferences.TIE: np.nan})
    names = {side: 1.0, other: 0.0, "1": 1.0, "0": 0.0, "1.0": 1.0, "0.0": 0.0, "": np.nan}
    first = np.full(len(frame), np.nan)
    if Preferences.SHOWN_FIRST in frame.columns:
        first = _placed(frame, Preferences.SHOWN_FIRST, names)
    sure = np.full(len(frame), np.nan)
    if Preferences.CONFIDENCE in frame.columns:
        sure = pd.to_numeric(frame[Preferences.CONFIDENCE], errors="coerce").to_numpy(np.float64)
    pair = frame[Preferences.PAIR].to_numpy(dtype=object)
    who = numbered_by_content(frame[Preferences.ANNOTATOR], pair, choice)
    order = np.lexsort((who, pd.factorize(pair, sort=True)[0]))
    return Contest(
        side, other, choice[order], who[order], pair[order], first[order], sure[order]
    )  # fmt: skip


def _placed(frame: pd.DataFrame, column: str, known: dict[str, float]) -> Floats:
    texts = frame[column].fillna("").astype(str)
    unknown = ~texts.isin(known)
    if unknown.any():
        row = int(np.flatnonzero(unknown)[0])
        allowed = ", ".join(name for name in known if name and not name[0].isdigit())
        raise HumanError(
            f"Row {row + 1} of the preferences has {texts.iloc[row]!r} in {column}; it must be one "
            f"of {allowed}."
        )
    return np.asarray(texts.map(known), dtype=np.float64)


def numbered_by_content(names: pd.Series, items: Names, values: Floats) -> NDArray[np.intp]:
    """Return numbers of people by what they judged and how, so that any renaming gives the same numbers.

    Two people who judged the same things alike keep the order of their names, which `ordered` gives
    by all that they said.
    """
    codes = pd.factorize(names, sort=True)[0]
    place = pd.factorize(items, sort=True)[0]
    value = np.nan_to_num(values, nan=-1.0)
    order = np.lexsort((value, place, codes))
    said = list(zip(place[order].tolist(), value[order].tolist(), strict=True))
    ends = np.cumsum(np.bincount(codes)).tolist()
    by_person = [said[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)]
    rank = np.empty(len(ends), dtype=np.intp)
    rank[sorted(range(len(ends)), key=by_person.__getitem__)] = np.arange(len(ends))
    return rank[codes]
