"""What enters: the models above the accuracy filter, and the items that people kept."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import KeptItems
from analysis.pipelines.irt.responses import Answers, Block, ResponsesError

NO_ANSWERS = "answered nothing"


@dataclass(frozen=True)
class Dropped:
    """A model that does not enter, and why."""

    model: str
    reason: str


def accuracies(block: Block) -> NDArray[np.float64]:
    """Return the share correct of each model and query among its answers; NaN where it gave none."""
    flat, given = block.flat()
    right = np.where(given, flat, 0).sum(axis=1, dtype=np.float64)
    count = given.sum(axis=1)
    share = np.where(count > 0, right / np.maximum(count, 1), np.nan)
    return share.reshape(block.answers.shape[:2])


def filter_models(answers: Answers, threshold: float) -> tuple[Answers, list[Dropped]]:
    """Keep the models whose accuracy exceeds the threshold on every set in every language.

    A set that a model did not answer at all says nothing about it and does not drop it; a model that
    answered nothing anywhere is dropped.
    """
    shares = [accuracies(block) for block in answers.blocks]
    names = [f"{b.name} in {query}" for b in answers.blocks for query in b.queries]
    table = np.concatenate(shares, axis=1)
    dropped: dict[int, Dropped] = {}
    for i, model in enumerate(answers.models):
        known = np.isfinite(table[i])
        low = known & ~(table[i] > threshold)
        if not known.any():
            dropped[i] = Dropped(model, NO_ANSWERS)
        elif low.any():
            worst = int(np.nanargmin(table[i]))
            reason = f"accuracy {table[i, worst]:.3f} on {names[worst]}, not above {threshold:g}"
            dropped[i] = Dropped(model, reason)
    kept = np.array([i not in dropped for i in range(len(answers.models))])
    if not kept.any():
        first = next(iter(dropped.values()))
        words = f"no model passes the filter; the first, {first.model}: {first.reason}"
        raise ResponsesError(words)
    return answers.of_models(kept), list(dropped.values())


@dataclass(frozen=True)
class Judged:
    """What people judged of one locale's items: how many, and how many they rejected."""

    locale: str
    judged: int
    rejected: int


@dataclass(frozen=True)
class Kept:
    """The outcome of `keep_items`.

    `of_translations` says whether an item that was rejected is one with a wrong translation, as the
    table tells; otherwise it is one that was not kept, for whatever reason.
    """

    answers: Answers
    judged: tuple[Judged, ...]
    left_out: tuple[str, ...]
    unknown: int
    of_translations: bool = False


def keep_items(answers: Answers, table: pd.DataFrame) -> Kept:
    """Use exactly the culture-specific items that people kept.

    A locale without any kept item is left out. The agnostic items stay whole, unless the table names
    some of them. Without a `keep` column every item named is kept, and there is no error rate.
    """
    stated = table[KeptItems.KEEP].notna()
    keep = ~stated | (table[KeptItems.KEEP] == 1)
    specific, left_out, matched = {}, [], 0
    for locale, block in answers.specific.items():
        mask = _kept_mask(block, table[keep])
        matched += int(mask.sum())
        if mask.any():
            specific[locale] = block.only(items=mask)
        else:
            left_out.append(locale)
    if not specific:
        raise ResponsesError("none of the kept items occurs in the responses; compare their ids")
    agnostic_mask = _kept_mask(answers.agnostic, table[keep])
    matched += int(agnostic_mask.sum())
    agnostic = answers.agnostic
    if agnostic_mask.any():
        agnostic = agnostic.only(items=agnostic_mask)
    told = KeptItems.ERROR in table and bool(table[KeptItems.ERROR].notna().any())
    verdict, bad = (KeptItems.ERROR, 1) if told else (KeptItems.KEEP, 0)
    judged = _judged(answers, table, verdict, bad) if stated.any() else ()
    local = {x: q for x, q in answers.local_query.items() if x in specific}
    chosen = replace(answers, agnostic=agnostic, specific=specific, local_query=local)
    unknown = max(int(keep.sum()) - matched, 0)
    return Kept(chosen, judged, tuple(left_out), unknown, of_translations=told)


def rejected_words(kept: Kept) -> str:
    """Return what the rates by locale count."""
    return "wrong translations" if kept.of_translations else "items not kept"


def _here(block: Block, table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows about a block: those of its locale, and those that name no locale."""
    return table[table[KeptItems.LOCALE].isin(("", block.locale))]


def _kept_mask(block: Block, kept: pd.DataFrame) -> NDArray[np.bool_]:
    wanted = set(_here(block, kept)[KeptItems.ITEM])
    return np.array([item in wanted for item in block.items])


def _judged(answers: Answers, table: pd.DataFrame, verdict: str, bad: int) -> tuple[Judged, ...]:
    found = []
    for locale, block in answers.specific.items():
        rows = _here(block, table)
        rows = rows[rows[KeptItems.ITEM].isin(block.items)]
        rejected = int((rows[verdict] == bad).sum())
        found.append(Judged(locale, judged=len(rows), rejected=rejected))
    return tuple(found)
