"""What is known of models and locales from elsewhere: levels, regions, sizes, adaptations."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

from analysis.frames import IrtLocales, IrtModels, IrtRegions
from analysis.pipelines.irt.summaries import Region


@dataclass(frozen=True)
class Background:
    """Each part may be empty; what rests on it is then left out of the result.

    `main` are the models of the summaries (all, where none is marked): the published tables stand on
    24 of 79 models, so which ones enter is said, not implied.
    """

    levels: dict[str, int] = field(default_factory=dict)
    regions: dict[str, Region] = field(default_factory=dict)
    sizes: dict[str, float] = field(default_factory=dict)
    families: dict[str, str] = field(default_factory=dict)
    adapted: dict[str, str] = field(default_factory=dict)
    main: tuple[str, ...] = ()

    def main_of(self, models: Sequence[str]) -> tuple[str, ...]:
        """Return the models that enter the summaries, in the given order."""
        chosen = tuple(model for model in models if model in self.main)
        return chosen or tuple(models)


def background(
    models: pd.DataFrame | None = None,
    locales: pd.DataFrame | None = None,
    regions: pd.DataFrame | None = None,
) -> Background:
    """Return the background from the tables that were given."""
    levels = {} if locales is None else _mapping(locales, IrtLocales.LOCALE, IrtLocales.LEVEL)
    if models is None:
        return Background(levels={str(k): int(v) for k, v in levels.items()})
    sized = models[models[IrtModels.SIZE].notna()]
    return Background(
        levels={str(k): int(v) for k, v in levels.items()},
        regions=_regions(models, regions),
        sizes={k: float(v) for k, v in _mapping(sized, IrtModels.MODEL, IrtModels.SIZE).items()},
        families=_named(models, IrtModels.FAMILY),
        adapted=_named(models, IrtModels.ADAPTED),
        main=tuple(models[IrtModels.MODEL][models[IrtModels.MAIN] == 1]),
    )


def _mapping(table: pd.DataFrame, key: str, value: str) -> dict[str, float]:
    return dict(zip(table[key], table[value], strict=True))


def _named(models: pd.DataFrame, column: str) -> dict[str, str]:
    filled = models[models[column] != ""]
    return dict(zip(filled[IrtModels.MODEL], filled[column], strict=True))


def _regions(models: pd.DataFrame, regions: pd.DataFrame | None) -> dict[str, Region]:
    if regions is None:
        return {}
    of_model = _named(models, IrtModels.REGION)
    homes = regions.groupby(IrtRegions.REGION, sort=False)[IrtRegions.LOCALE].agg(tuple)
    return {
        str(name): Region(tuple(m for m, region in of_model.items() if region == name), locales)
        for name, locales in homes.items()
    }
