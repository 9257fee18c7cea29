"""Tables of ratings, items and preferences, and a study file, as one sample."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import JudgedItems, LongJudgments, Preferences, Ratings
from analysis.pipelines.human.sample import (
    HumanError,
    Sample,
    Scale,
    empty_items,
    empty_preferences,
)

KEYS = (Ratings.ITEM, Ratings.ANNOTATOR)
KINDS = ("nominal", "ordinal", "interval", "multiple")
MOST_STEPS = 1001  # a finer numeric scale has no list of its values


def sample_of(
    ratings: pd.DataFrame | None,
    *,
    items: pd.DataFrame | None = None,
    preferences: pd.DataFrame | None = None,
    document: Mapping[str, Any] | None = None,
) -> Sample:
    """Return the sample of the tables; a study file or lock (`document`) declares the scales."""
    declared = declared_scales(document or {})
    wide = _empty_ratings() if ratings is None else ratings
    known = empty_items() if items is None else items.set_index(JudgedItems.ITEM)
    frame, scales, notes = _typed(wide, declared)
    compared = empty_preferences() if preferences is None else preferences
    order = ranked_conditions(document or {})
    return Sample(frame, scales, known, compared, order, notes=tuple(notes))


def wide_ratings(judgments: pd.DataFrame) -> pd.DataFrame:
    """Turn judgments with a row a dimension into ratings with a column a dimension."""
    names = judgments[LongJudgments.DIMENSION]
    tasks = judgments.groupby(LongJudgments.DIMENSION)[LongJudgments.TASK].nunique()
    shared = names.isin(tasks[tasks > 1].index)
    column = names.where(~shared, judgments[LongJudgments.TASK] + "." + names)
    frame = judgments.assign(**{LongJudgments.DIMENSION: column})
    wide = frame.pivot_table(
        index=list(KEYS),
        columns=LongJudgments.DIMENSION,
        values=LongJudgments.VALUE,
        aggfunc="first",
    )
    return wide.fillna("").reset_index().rename_axis(columns=None)


def ranked_conditions(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the conditions of `higher:` from low to high; empty where none is declared."""
    for task in _tasks(document).values():
        higher = task.get("higher")
        if isinstance(higher, Mapping) and higher.get("order"):
            return tuple(str(condition) for condition in higher["order"])
    return ()


def declared_scales(document: Mapping[str, Any]) -> dict[str, Scale]:
    """Return the scales that a study file, a lock or `dimensions:` declares, by column."""
    scales: dict[str, Scale] = {}
    for task, key, declared in _dimensions(document):
        scale = _scale(key, declared, task)
        if scale is None:
            continue
        scales.setdefault(key, scale)
        if task:
            scales[f"{task}.{key}"] = _scale(f"{task}.{key}", declared, task) or scale
    return scales


def _tasks(document: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    tasks = document.get("instruments", document.get("tasks", {}))
    return {str(k): v for k, v in tasks.items() if isinstance(v, Mapping)} if tasks else {}


def _dimensions(document: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    own = document.get("dimensions") or {}
    for key, declared in own.items():
        yield "", str(key), declared
    for name, task in _tasks(document).items():
        listed = task.get("dimensions") or []
        if isinstance(listed, Mapping):
            listed = listed.get("extend", [])
        for declared in listed:
            yield name, str(declared["key"]), declared


def _scale(column: str, declared: Mapping[str, Any], task: str) -> Scale | None:
    kind = str(declared.get("scale", ""))
    if kind == "text":
        return None
    if kind not in KINDS:
        raise HumanError(
            f"The scale of {column} is {kind!r}; it must be one of {', '.join(KINDS)}."
        )
    options = declared.get("labels") or [
        option["value"] if isinstance(option, Mapping) else option
        for option in declared.get("options") or []
    ]
    labels = tuple(str(option) for option in options)
    if kind == "ordinal" and not labels:
        raise HumanError(f"{column} is ordinal: its labels are needed, from low to high.")
    return Scale(column, kind, labels, task, grid_of(declared))  # type: ignore[arg-type]  # checked


def grid_of(declared: Mapping[str, Any]) -> tuple[float, ...]:
    """Return every value of a numeric scale with minimum, maximum and step; else nothing."""
    low, high = (
        declared.get(short, declared.get(long))
        for short, long in (("min", "minimum"), ("max", "maximum"))
    )
    step = declared.get("step")
    if low is None or high is None or not step:
        return ()
    steps = round((high - low) / step) + 1
    return tuple(float(low + n * step) for n in range(steps)) if steps <= MOST_STEPS else ()


def _empty_ratings() -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(dtype=str) for name in KEYS})


def _typed(
    wide: pd.DataFrame, declared: Mapping[str, Scale]
) -> tuple[pd.DataFrame, dict[str, Scale], list[str]]:
    columns: dict[str, Any] = {name: categories(wide[name]) for name in KEYS}
    scales: dict[str, Scale] = {}
    notes = []
    for name in map(str, wide.columns):
        if name in KEYS:
            continue
        texts = wide[name].mask(wide[name] == "")
        if not texts.notna().any():
            notes.append(f"The column {name} is empty; it is left out.")
            continue
        scales[name], columns[name] = _column(name, texts, declared.get(name))
    return pd.DataFrame(columns), scales, notes


def categories(names: pd.Series) -> pd.Categorical:
    """Return names as categories in sorted order."""
    codes, uniques = pd.factorize(names, sort=True)
    return pd.Categorical.from_codes(codes, categories=pd.Index(uniques))


def recoded(
    codes: NDArray[np.integer], met: Sequence[str], labels: Sequence[str] | None = None
) -> pd.Categorical:
    """Return places among the labels that were met as categories in the order of a scale.

    What is no label of it is missing, as is a place below 0; without a scale the labels are sorted.
    """
    order = sorted(set(met)) if labels is None else list(labels)
    place = {label: n for n, label in enumerate(order)}
    moved = np.array([*(place.get(label, -1) for label in met), -1])
    index: pd.Index[Any] = pd.Index(order, dtype=object)
    return pd.Categorical.from_codes(moved[codes], categories=index)


def _column(name: str, texts: pd.Series, declared: Scale | None) -> tuple[Scale, Any]:
    """Return the scale of a column and its values: numbers, or categories in their order."""
    if declared is None or declared.kind == "interval":
        numbers = pd.to_numeric(texts, errors="coerce").astype("float64")
        wrong = texts.notna() & ~np.isfinite(numbers)
        if not wrong.any():
            return declared or Scale(name, "interval"), numbers.to_numpy()
        if declared is not None:
            raise _strange(name, texts, wrong, "a number")
    found = sorted(set(texts.dropna()))
    scale = _with_labels(name, declared, found)
    known = pd.Index(scale.labels)
    places = known.get_indexer(pd.Index(texts.astype(object)))
    wrong = texts.notna() & (places < 0)
    if wrong.any():
        raise _strange(name, texts, wrong, f"one of {', '.join(scale.labels)}")
    return scale, pd.Categorical.from_codes(places, categories=known)


def _with_labels(name: str, declared: Scale | None, found: list[str]) -> Scale:
    """Return the declared scale, or one of the labels that occur where order does not matter."""
    if declared is None:
        return Scale(name, "nominal", tuple(found))
    if declared.kind == "ordinal" or (declared.labels and set(found) <= set(declared.labels)):
        return declared
    return Scale(name, declared.kind, tuple(found), declared.task)


def _strange(name: str, texts: pd.Series, wrong: pd.Series, due: str) -> HumanError:
    row = int(np.flatnonzero(wrong)[0])
    return HumanError(
        f"Row {row + 1} of the ratings has {texts.iloc[row]!r} in {name}, which is not {due}."
    )


def preferences_have_systems(frame: pd.DataFrame) -> bool:
    """Whether each comparison names its two systems."""
    named = [name for name in (Preferences.SYSTEM_A, Preferences.SYSTEM_B) if name in frame.columns]
    return len(named) > 1 and bool((frame[named] != "").all(axis=None)) and len(frame) > 0
