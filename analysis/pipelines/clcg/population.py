"""Which rows enter, and by name which do not: nothing leaves in silence."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analysis.frames import Scores
from analysis.pipelines.clcg.panel import Dates, Panel
from analysis.pipelines.clcg.sums import ClcgError, ScoreSums

Mask = NDArray[np.bool_]
Direction = Literal["greater", "less", "two-sided"]
SHOWN = 8


class UnknownLanguageError(ClcgError):
    """Scores in languages that the panel does not name."""


@dataclass(frozen=True)
class Settings:
    """The parameters of a run; all of them stand in its result.

    `margin` is what counts as equivalent, in the unit of the score; without it nothing is called
    equivalent. `external_band` are the levels of the external corpus. `items` counts the items that
    alone are analysed, where some were chosen.
    """

    score: str = Scores.SCORE
    metrics: tuple[str, ...] = ()
    band: tuple[str, ...] = ("L3", "L4", "L5")
    resamples: int = 2000
    seed: int = 42
    confidence: float = 0.95
    margin: float | None = None
    external_band: tuple[str, ...] = ("L3",)
    splits: int = 200
    items: int | None = None


@dataclass(frozen=True)
class Excluded:
    """What was left out: of which kind, its name, why, and how many scored rows went with it."""

    kind: str
    name: str
    reason: str
    rows: int


@dataclass(frozen=True)
class Population:
    """The rows of the primary scope that are analysed."""

    sums: ScoreSums
    panel: Panel
    models: tuple[str, ...]
    dates: Dates
    settings: Settings
    excluded: tuple[Excluded, ...]

    @property
    def band(self) -> Mask:
        """Which cells lie in the band of levels."""
        return self.sums.is_in(Scores.LEVEL, *self.settings.band)

    @property
    def documents(self) -> tuple[str, ...]:
        """Documents with any row, in order."""
        return tuple(self.sums.rows_by(Scores.DOCUMENT))


def population_of(
    sums: ScoreSums, panel: Panel, settings: Settings, dates: Dates | None = None
) -> Population:
    """Take the primary scope; exclude by name what no contrast can be made of.

    A language that the panel does not name is an error, since it may be a misspelt one. Left out and
    named are languages without rows in the band, models without reference rows there, and documents
    that occur in one language only.
    """
    refuse_unknown_languages(sums, panel)
    full = sums.only(sums.is_in(Scores.SCOPE, Scores.FULL))
    if not full.is_in(Scores.LEVEL, *settings.band).any():
        raise ClcgError(
            f"No row of the scope {Scores.FULL!r} has a level of the band {', '.join(settings.band)}."
        )
    excluded: list[Excluded] = []
    full = _without_models(full, panel, settings, excluded)
    full = _without_documents(full, excluded)
    full = _without_levels(full, excluded)
    panel = _present(full, panel, settings, excluded)
    full = full.only(full.is_in(Scores.LANGUAGE, *panel.languages))
    if sums.unscored:
        reason = "parsed, in any scope, as where the item has no right answer"
        excluded.append(Excluded("row", "answers without a score", reason, sums.unscored))
    models = tuple(full.rows_by(Scores.MODEL))
    return Population(full, panel, models, dates or Dates(), settings, tuple(excluded))


def refuse_unknown_languages(sums: ScoreSums, panel: Panel) -> None:
    """Refuse languages that the panel does not name, with their rows."""
    rows = sums.rows_by(Scores.LANGUAGE)
    unknown = {code: n for code, n in rows.items() if code and code not in panel.languages}
    if unknown:
        named = ", ".join(
            f"{code} ({counted_rows(n)})" for code, n in list(unknown.items())[:SHOWN]
        )
        what = "a language" if len(unknown) == 1 else f"{len(unknown)} languages"
        raise UnknownLanguageError(
            f"The scores have {what} that the table of languages does not name: {named}. Add what is "
            "missing with its role, or take the rows out."
        )


def counted_rows(count: int) -> str:
    """Return a number of rows in words."""
    return f"{count:,} row{'' if count == 1 else 's'}"


def _without_models(
    sums: ScoreSums, panel: Panel, settings: Settings, excluded: list[Excluded]
) -> ScoreSums:
    reference = sums.is_in(Scores.LANGUAGE, panel.reference)
    reference &= sums.is_in(Scores.LEVEL, *settings.band)
    good = set(sums.only(reference).rows_by(Scores.MODEL))
    lost = {model: n for model, n in sums.rows_by(Scores.MODEL).items() if model not in good}
    if not good:
        raise ClcgError(
            f"No model has a row in the reference language {panel.reference!r} in the band "
            f"{', '.join(settings.band)}: there is nothing to compare with."
        )
    reason = f"no row in the reference language {panel.reference!r} in the band"
    excluded += [Excluded("model", model, reason, n) for model, n in lost.items()]
    return sums.only(~sums.is_in(Scores.MODEL, *lost)) if lost else sums


def _without_documents(sums: ScoreSums, excluded: list[Excluded]) -> ScoreSums:
    names = sums.labels[Scores.DOCUMENT]
    pairs = np.unique(
        np.column_stack([sums.codes[Scores.DOCUMENT], sums.codes[Scores.LANGUAGE]]), axis=0
    )
    languages = np.bincount(pairs[:, 0], minlength=len(names))
    single = languages == 1
    gone = single[sums.codes[Scores.DOCUMENT]]
    lost = sums.only(gone).rows_by(Scores.DOCUMENT)
    reason = "occurs in one language only"
    excluded += [Excluded("document", name, reason, n) for name, n in lost.items()]
    return sums.only(~gone) if lost else sums


def _without_levels(sums: ScoreSums, excluded: list[Excluded]) -> ScoreSums:
    """Leave out generated items without a level, which belong to no band; human ones need none."""
    gone = sums.is_in(Scores.LEVEL, "") & sums.is_in(Scores.SOURCE, Scores.GENERATED)
    if rows := int(sums.count[gone, 0].sum()):
        reason = "a generated item needs a level to belong to a band"
        excluded.append(Excluded("row", "generated items without a level", reason, rows))
    return sums.only(~gone) if gone.any() else sums


def _present(sums: ScoreSums, panel: Panel, settings: Settings, excluded: list[Excluded]) -> Panel:
    """Take languages without rows in the band out of the panel, and say so."""
    band = sums.only(sums.is_in(Scores.LEVEL, *settings.band)).rows_by(Scores.LANGUAGE)
    elsewhere = sums.rows_by(Scores.LANGUAGE)
    absent = tuple(code for code in panel.compared if code not in band)
    reason = "no rows in the band"
    excluded += [Excluded("language", c, reason, elsewhere.get(c, 0)) for c in absent]
    panel = panel.without(absent)
    if not panel.targets:
        raise ClcgError("No target language has rows in the band: there is no gap to estimate.")
    return panel


def with_settings(population: Population, **changes: object) -> Population:
    """Return the population under other settings, such as another band."""
    return replace(population, settings=replace(population.settings, **changes))  # type: ignore[arg-type]  # names of Settings
