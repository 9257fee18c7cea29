"""The judgments of a study, whatever they came from: one row an answer, one column a dimension."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.frames import JudgedItems, Preferences, Ratings
from analysis.pipelines.human.labels import label_numbers
from analysis.stats import ratings as stats

Floats = NDArray[np.float64]
TIED_DECIMALS = 12
ScaleKind = Literal["nominal", "ordinal", "interval", "multiple"]
Level = Literal["nominal", "ordinal", "interval"]


class HumanError(ValueError):
    """Tables or a plan that do not fit together, in a sentence that says what to do."""


@dataclass(frozen=True)
class Scale:
    """One dimension: its column in the ratings, its level of measurement, its labels in order.

    `grid` holds every value that a numeric scale can take, where it says so (minimum, maximum, step).
    """

    column: str
    kind: ScaleKind
    labels: tuple[str, ...] = ()
    task: str = ""
    grid: tuple[float, ...] = ()

    @property
    def level(self) -> Level:
        """The level at which agreement is measured: choices of several count as whole sets."""
        return "nominal" if self.kind == "multiple" else self.kind

    @property
    def key(self) -> str:
        """The name of the dimension without the task that a column may carry."""
        return self.column.removeprefix(f"{self.task}.") if self.task else self.column

    @property
    def ordered(self) -> bool:
        """Whether a mean of it says something."""
        return self.kind in {"ordinal", "interval"}

    def label_values(self) -> Floats:
        """Return the labels as numbers: what they say, or their places from 1 on."""
        return np.array(label_numbers(self.labels), dtype=np.float64)


@dataclass(frozen=True)
class Sample:
    """The analytic sample of one study.

    Parameters
    ----------
    ratings : DataFrame
        Categorical `item_id` and `annotator` (categories sorted), then a column a dimension: numbers
        (NaN: not rated) or categories in the order of the scale.
    scales : dict of str to Scale
        By column.
    items : DataFrame
        Index `item_id`; the fields as texts, empty where an item has none.
    preferences : DataFrame
        As `frames.Preferences`, empty where nothing was compared.
    systems : tuple of str
        The two sides of every comparison from low to high, where the study ranks conditions.
    """

    ratings: pd.DataFrame
    scales: Mapping[str, Scale]
    items: pd.DataFrame
    preferences: pd.DataFrame
    systems: tuple[str, ...] = ()
    funnel: Mapping[str, object] | None = None
    name: str = ""
    notes: tuple[str, ...] = field(default=())

    def scale(self, key: str, task: str | None = None) -> Scale | None:
        """Return a dimension by its column or, within a task, by its key."""
        for name in ([f"{task}.{key}"] if task else []) + [key]:
            if name in self.scales:
                return self.scales[name]
        return None

    def values(self, scale: Scale) -> Floats:
        """Return a dimension as numbers, a row an answer; NaN where not rated."""
        column = self.ratings[scale.column]
        if scale.kind == "interval":
            return column.to_numpy(dtype=np.float64)
        codes = np.asarray(column.cat.codes, dtype=np.int64)
        numbers = np.append(scale.label_values(), np.nan)
        return np.asarray(numbers[codes], dtype=np.float64)

    def texts(self, scale: Scale) -> pd.Series:
        """Return a dimension as labels, a row an answer; missing where not rated."""
        return self.ratings[scale.column].astype(object)

    def rated(self, scale: Scale) -> stats.Ratings:
        """Return the ratings of one dimension as statistics take them."""
        column = self.ratings[scale.column]
        given = np.asarray(column.notna())
        item = self.ratings[Ratings.ITEM].cat.codes.to_numpy()[given]
        rater = self.ratings[Ratings.ANNOTATOR].cat.codes.to_numpy()[given]
        labels: NDArray[np.generic]
        code: NDArray[np.integer]
        if scale.kind == "interval":
            labels, code = np.unique(column.to_numpy(np.float64)[given], return_inverse=True)
        elif scale.ordered:
            labels = np.asarray(scale.labels, dtype=np.str_)
            code = column.cat.codes.to_numpy()[given]
        else:
            # In whichever order a table declares them, sums come out the same to the last digit.
            labels, place = np.unique(np.asarray(scale.labels, np.str_), return_inverse=True)
            code = place[column.cat.codes.to_numpy()[given]]
        return stats.Ratings(
            item, rater, code, labels, n_items=self.n_items, n_raters=self.n_annotators
        )

    def item_means(self, scale: Scale) -> pd.Series:
        """Return the mean of an ordered dimension by item, for the items that were rated.

        Rounded where sums of the same ratings in another order part, so that equal means are ties.
        """
        frame = pd.DataFrame(
            {Ratings.ITEM: self.ratings[Ratings.ITEM], "value": self.values(scale)}
        )
        means = frame.dropna().groupby(Ratings.ITEM, observed=True)["value"].mean()
        return means.round(TIED_DECIMALS)

    def item_field(self, name: str) -> pd.Series | None:
        """Return a field of the items as texts, or None where no item has it."""
        return self.items[name] if name in self.items.columns else None

    def item_scores(self, name: str, scale: Scale) -> pd.Series | None:
        """Return a field of the items as numbers, or None where no item has it.

        Labels of the scale, as an automatic judge gives them, count what the scale makes of them.
        """
        field = self.item_field(name)
        if field is None:
            return None
        labels = dict(zip(scale.labels, scale.label_values(), strict=True)) if scale.ordered else {}
        return item_numbers(field).fillna(field.map(labels).astype("float64"))

    @property
    def n_items(self) -> int:
        """Items that the ratings know."""
        return len(self.ratings[Ratings.ITEM].cat.categories)

    @property
    def n_annotators(self) -> int:
        """Annotators that the ratings know."""
        return len(self.ratings[Ratings.ANNOTATOR].cat.categories)

    def of_rows(self, kept: NDArray[np.bool_], name: str) -> "Sample":
        """Return the sample with some answers only; preferences stay as they are."""
        return replace(self, ratings=self.ratings[kept].reset_index(drop=True), name=name)


def item_numbers(field_of_items: pd.Series) -> pd.Series:
    """Return a field as numbers; what is none is NaN."""
    return pd.to_numeric(field_of_items, errors="coerce").astype("float64")


def empty_items() -> pd.DataFrame:
    """Return a table of items without fields."""
    return pd.DataFrame(index=pd.Index([], name=JudgedItems.ITEM, dtype=str))


def empty_preferences() -> pd.DataFrame:
    """Return a table of preferences without rows."""
    names = [column.name for column in Preferences.TABLE.columns]
    return pd.DataFrame({name: pd.Series(dtype=str) for name in names})
