"""One order for the same judgments, whatever people are called and in whichever order rows came."""

import hashlib
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import Preferences, Ratings
from analysis.pipelines.human.sample import Sample


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
    said: dict[str, hashlib._Hash] = {}
    _add_ratings(said, sample.ratings)
    _add_preferences(said, sample.preferences)
    return sorted(said, key=lambda name: said[name].digest())


def _add_ratings(said: "dict[str, hashlib._Hash]", ratings: pd.DataFrame) -> None:
    who = ratings[Ratings.ANNOTATOR].cat
    table = _numbers(ratings)
    codes = who.codes.to_numpy()
    order = np.lexsort((table[:, 0], codes))
    if _same_as_before(codes[order], table[order, 0]).any():
        order = np.lexsort((*table.T[::-1], codes))
    ends = np.searchsorted(codes[order], np.arange(len(who.categories)), side="right")
    begin = 0
    for name, end in zip(who.categories, ends, strict=True):
        digest = said.setdefault(str(name), hashlib.sha256())
        digest.update(np.ascontiguousarray(table[order[begin:end]]).tobytes())
        begin = end


def _same_as_before(*columns: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Return where all columns repeat the row above."""
    same: NDArray[np.bool_] = np.logical_and.reduce([c[1:] == c[:-1] for c in columns])
    return same


def _numbers(ratings: pd.DataFrame) -> NDArray[np.float64]:
    """Return the item and every dimension as numbers, a row an answer; NaN as one and the same."""
    columns = [ratings[Ratings.ITEM].cat.codes.to_numpy(np.float64)]
    for name in ratings.columns:
        if name not in {Ratings.ITEM, Ratings.ANNOTATOR}:
            column = ratings[name]
            categorical = isinstance(column.dtype, pd.CategoricalDtype)
            values = column.cat.codes if categorical else column
            columns.append(values.to_numpy(np.float64))
    table: NDArray[np.float64] = np.column_stack(columns)
    table[np.isnan(table)] = -np.inf
    return table


def _add_preferences(said: "dict[str, hashlib._Hash]", preferences: pd.DataFrame) -> None:
    told = sorted(name for name in preferences.columns if name != Preferences.ANNOTATOR)
    table = preferences.sort_values(told, kind="stable")
    # Lists, since pandas would make a Series of each row.
    rows = map("\x1f".join, zip(*(table[name].astype(str).tolist() for name in told), strict=True))
    for name, row in zip(table[Preferences.ANNOTATOR].tolist(), rows, strict=True):
        said.setdefault(str(name), hashlib.sha256()).update(f"{row}\x1e".encode())
