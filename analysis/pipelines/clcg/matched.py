"""Item-level rows of the further scopes and their matches in the primary scope.

Only items that were also asked in another scope are kept row by row; the primary scope is read a second
time for them, so that memory grows with the further scopes and not with the table.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from analysis.frames import Scores
from analysis.pipelines.clcg.sums import row_scores

CLOSED_KEY = [Scores.MODEL, Scores.ITEM]
GROUNDED_KEY = [Scores.MODEL, Scores.LANGUAGE, Scores.ITEM]
ITEM_KEY = [*GROUNDED_KEY, Scores.DOCUMENT, Scores.LEVEL, Scores.SOURCE]
SCORE = "_score"


@dataclass
class FurtherScopes:
    """The rows of the closed-book and the grounded scope, gathered while the table is read."""

    metric: str
    parts: list[pd.DataFrame] = field(default_factory=list)

    def watched(self, chunks: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        """Pass the chunks through, keeping what is not of the primary scope."""
        for chunk in chunks:
            other = chunk[Scores.SCOPE] != Scores.FULL
            if other.any():
                self.parts.append(_kept(chunk[other], self.metric))
            yield chunk

    def rows(self, scope: str) -> pd.DataFrame:
        """Return the mean score of each model, language and item in a scope."""
        if not self.parts:
            return pd.DataFrame(columns=[*ITEM_KEY, SCORE])
        rows = pd.concat(self.parts, ignore_index=True)
        return _means(rows[rows[Scores.SCOPE] == scope])


@dataclass(frozen=True)
class Matches:
    """Rows of the primary scope with the score of their match: `_score` beside `_score_other`."""

    closed: pd.DataFrame
    grounded: pd.DataFrame
    closed_rows: int
    grounded_rows: int


def matches_of(chunks: Iterable[pd.DataFrame], further: FurtherScopes) -> Matches:
    """Read the primary scope again for the items that another scope has too."""
    closed, grounded = further.rows(Scores.CLOSED), further.rows(Scores.GROUNDED)
    wanted = set(closed[Scores.ITEM]) | set(grounded[Scores.ITEM])
    parts = []
    for chunk in chunks if wanted else ():
        chosen = (chunk[Scores.SCOPE] == Scores.FULL) & chunk[Scores.ITEM].isin(wanted)
        if chosen.any():
            parts.append(_kept(chunk[chosen], further.metric))
    rows = (
        pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*ITEM_KEY, SCORE])
    )
    primary = _means(rows)
    # The closed book has no passage in any language: one score a model and item, for all languages.
    known = closed.groupby(CLOSED_KEY, sort=True, as_index=False)[SCORE].mean()
    return Matches(
        primary.merge(known, on=CLOSED_KEY, suffixes=("", "_other")),
        primary.merge(grounded[[*GROUNDED_KEY, SCORE]], on=GROUNDED_KEY, suffixes=("", "_other")),
        len(known),
        len(grounded),
    )


def _kept(chunk: pd.DataFrame, metric: str) -> pd.DataFrame:
    scores, _ = row_scores(chunk, [metric])
    rows = chunk[[*ITEM_KEY, Scores.SCOPE]].assign(**{SCORE: scores[:, 0]})
    return pd.DataFrame(rows[np.isfinite(rows[SCORE])])


def _means(rows: pd.DataFrame) -> pd.DataFrame:
    if rows.empty:
        return pd.DataFrame(columns=[*ITEM_KEY, SCORE])
    return pd.DataFrame(rows.groupby(ITEM_KEY, sort=True, as_index=False)[SCORE].mean())


def of_models(rows: pd.DataFrame, models: Sequence[str], languages: Sequence[str]) -> pd.DataFrame:
    """Return the matched rows of the models and languages that the analysis has."""
    kept = rows[Scores.MODEL].isin(models) & rows[Scores.LANGUAGE].isin(languages)
    return rows[kept]
