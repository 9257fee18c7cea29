"""One order for the same judgments, whatever people are called and in whichever order rows came."""

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import Preferences, Ratings
from analysis.pipelines.human.sample import Sample

# Whose ratings are put side by side at the same time; all of a large study would be many copies of it.
PEOPLE_AT_ONCE = 2_000


def ordered(sample: Sample) -> Sample:
    """Return the sample with rows by item and person, and people numbered by what they said.

    A person's number is the rank of the SHA-256 of all they said, so that another name, or another
    order of the rows, gives the same resamples and the same sums to the last digit. Two people who
    said the same of the same items may change places, which changes nothing.
    """
    names = _by_content(sample)
    rank = {name: place for place, name in enumerate(names)}
    new = [f"{place:08}" for place in range(len(names))]
    ratings, preferences = sample.ratings, sample.preferences.reset_index(drop=True)
    who = ratings[Ratings.ANNOTATOR]
    known = np.array([rank[str(name)] for name in who.cat.categories], dtype=np.int64)
    present = np.sort(known)
    places = np.searchsorted(present, known)
    codes = places[who.cat.codes.to_numpy()] if len(ratings) else np.empty(0, dtype=np.int64)
    people = pd.Categorical.from_codes(codes, categories=pd.Index([new[n] for n in present]))
    renamed = ratings.assign(**{Ratings.ANNOTATOR: people})
    order = np.lexsort((people.codes, ratings[Ratings.ITEM].cat.codes.to_numpy()))
    preferences = preferences.assign(
        **{
            Preferences.ANNOTATOR: [
                new[rank[str(name)]] for name in preferences[Preferences.ANNOTATOR]
            ]
        }
    ).sort_values([Preferences.PAIR, Preferences.ANNOTATOR], kind="stable", ignore_index=True)
    return replace(
        sample,
        ratings=renamed.iloc[order].reset_index(drop=True),
        preferences=preferences,
        items=sample.items.sort_index(kind="stable"),
    )


def _by_content(sample: Sample) -> list[str]:
    """Return the names of all people in the order of the digest of what they said."""
    compared = _preferences_told(sample.preferences)
    digests = {
        name: hashlib.sha256(told + compared.pop(name, b"")).digest()
        for name, told in _ratings_told(sample.ratings)
    }
    digests |= {name: hashlib.sha256(told).digest() for name, told in compared.items()}
    return sorted(digests, key=digests.__getitem__)


def _ratings_told(ratings: pd.DataFrame) -> Iterator[tuple[str, bytes]]:
    """Yield each person with all that they rated, by item; some people at a time are numbers."""
    who = ratings[Ratings.ANNOTATOR].cat
    codes, columns = who.codes.to_numpy(), _numbers(ratings)
    order = np.lexsort((columns[0], codes))
    if _same_as_before(codes[order], columns[0][order]).any():
        order = np.lexsort((*columns[::-1], codes))
    ends = np.searchsorted(codes[order], np.arange(len(who.categories)), side="right").tolist()
    for first in range(0, len(ends), PEOPLE_AT_ONCE):
        last = min(first + PEOPLE_AT_ONCE, len(ends))
        begin = start = ends[first - 1] if first else 0
        rows = order[start : ends[last - 1]]
        table = np.column_stack([column[rows].astype(np.float64) for column in columns])
        for name, end in zip(who.categories[first:last], ends[first:last], strict=True):
            yield str(name), table[begin - start : end - start].tobytes()
            begin = end


def _same_as_before(*columns: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return where all columns repeat the row above."""
    same: NDArray[np.bool_] = np.logical_and.reduce([c[1:] == c[:-1] for c in columns])
    return same


def _numbers(ratings: pd.DataFrame) -> list[NDArray[np.generic]]:
    """Return the item and every dimension as numbers, an entry an answer; NaN as one and the same.

    Dimensions by their names and labels by theirs, and none that nobody rated: tables of the same
    judgments may hold columns and scales in another order, or leave out what is empty.
    """
    found: list[NDArray[np.generic]] = [ratings[Ratings.ITEM].cat.codes.to_numpy()]
    for name in sorted(ratings.columns):
        column = ratings[name]
        if name in {Ratings.ITEM, Ratings.ANNOTATOR} or not column.notna().any():
            continue
        if isinstance(column.dtype, pd.CategoricalDtype):
            found.append(_by_label(column))
        else:
            values = column.to_numpy(np.float64)
            found.append(np.where(np.isnan(values), -np.inf, values))
    return found


def _by_label(column: pd.Series) -> NDArray[np.int32]:
    """Return the place of each label among those given, in the order of their letters; -1 for none."""
    codes = column.cat.codes.to_numpy()
    given = np.unique(codes[codes >= 0])
    labels = column.cat.categories.to_numpy(dtype=object)[given].astype(str)
    place = np.full(len(column.cat.categories) + 1, -1, dtype=np.int32)
    place[given[np.argsort(labels)]] = np.arange(len(given))
    return place[codes]


def _preferences_told(preferences: pd.DataFrame) -> dict[str, bytearray]:
    """Return, by person, all that they preferred, whatever order the rows came in."""
    told = sorted(name for name in preferences.columns if name != Preferences.ANNOTATOR)
    table = preferences.sort_values(told, kind="stable")
    # Lists, since pandas would make a Series of each row.
    rows = map("\x1f".join, zip(*(table[name].astype(str).tolist() for name in told), strict=True))
    found: defaultdict[str, bytearray] = defaultdict(bytearray)
    for name, row in zip(table[Preferences.ANNOTATOR].tolist(), rows, strict=True):
        found[str(name)] += f"{row}\x1e".encode()
    return found
