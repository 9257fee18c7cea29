"""What is known beforehand: the panel of languages, cutoffs of models, dates of documents."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pandas as pd

from analysis.frames import Cutoffs, Documents, Languages
from analysis.pipelines.clcg.sums import ClcgError

LATIN = "Latin"
FACTORS = {
    "resource_class": "resource class (0 least, 5 most)",
    "fertility": "tokenizer fertility",
    "non_latin": "script other than Latin",
    "isolate": "isolate",
}


@dataclass(frozen=True)
class Panel:
    """The languages by role, and what is known of each.

    `factors` maps each factor to the languages of which it is known; `sensitivity` holds classes that
    only the sensitivity analysis uses.
    """

    reference: str
    baseline: str | None
    targets: tuple[str, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    factors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    sensitivity: Mapping[str, int] = field(default_factory=dict)

    @property
    def compared(self) -> tuple[str, ...]:
        """All languages but the reference: the baseline first, then the targets."""
        return self.targets if self.baseline is None else (self.baseline, *self.targets)

    @property
    def languages(self) -> tuple[str, ...]:
        """All languages, the reference first."""
        return (self.reference, *self.compared)

    @property
    def classes(self) -> dict[int, tuple[str, ...]]:
        """Compared languages by resource class; those without one are in none."""
        known = self.factors.get("resource_class", {})
        found = sorted({int(known[code]) for code in self.compared if code in known})
        return {c: tuple(x for x in self.compared if known.get(x) == c) for c in found}

    def without(self, languages: tuple[str, ...]) -> "Panel":
        """Return the panel without some compared languages."""
        baseline = None if self.baseline in languages else self.baseline
        targets = tuple(code for code in self.targets if code not in languages)
        return replace(self, baseline=baseline, targets=targets)


def panel_of(table: pd.DataFrame) -> Panel:
    """Return the panel of a table of languages, or say which role is missing or doubled."""
    by_role = {
        role: tuple(table.loc[table[Languages.ROLE] == role, Languages.LANGUAGE])
        for role in (Languages.REFERENCE, Languages.BASELINE, Languages.TARGET)
    }
    references, baselines, targets = by_role.values()
    if len(references) != 1:
        raise ClcgError(
            f"The table of languages names {len(references)} languages with the role "
            f"{Languages.REFERENCE!r}; exactly one is needed."
        )
    if len(baselines) > 1:
        raise ClcgError(f"Only one language can be the baseline, not {', '.join(baselines)}.")
    if not targets:
        raise ClcgError(f"The table of languages names no {Languages.TARGET!r}.")
    return Panel(
        references[0],
        baselines[0] if baselines else None,
        targets,
        _names(table),
        {
            "resource_class": _known(table, Languages.CLASS),
            "fertility": _known(table, Languages.FERTILITY),
            "non_latin": _non_latin(table),
            "isolate": _known(table, Languages.ISOLATE),
        },
        {code: int(value) for code, value in _known(table, Languages.SENSITIVITY).items()},
    )


def _names(table: pd.DataFrame) -> dict[str, str]:
    codes, names = table[Languages.LANGUAGE], table[Languages.NAME]
    return {code: name or code for code, name in zip(codes, names, strict=True)}


def _known(table: pd.DataFrame, column: str) -> dict[str, float]:
    rows = table[table[column].notna()]
    pairs = zip(rows[Languages.LANGUAGE], rows[column], strict=True)
    return {code: float(value) for code, value in pairs}


def _non_latin(table: pd.DataFrame) -> dict[str, float]:
    rows = table[table[Languages.SCRIPT] != ""]
    pairs = zip(rows[Languages.LANGUAGE], rows[Languages.SCRIPT], strict=True)
    return {code: float(script != LATIN) for code, script in pairs}


@dataclass(frozen=True)
class Dates:
    """Knowledge cutoffs by model and first availability by document, where they are known."""

    cutoffs: Mapping[str, pd.Timestamp] = field(default_factory=dict)
    available: Mapping[str, pd.Timestamp] = field(default_factory=dict)

    def is_new(self, model: str, document: str) -> bool | None:
        """Return whether a document appeared after a model's cutoff; None where a date is missing."""
        cutoff, available = self.cutoffs.get(model), self.available.get(document)
        if cutoff is None or available is None:
            return None
        return bool(available > cutoff)


def dates_of(models: pd.DataFrame | None, documents: pd.DataFrame | None) -> Dates:
    """Return the dates of the tables of models and documents."""
    return Dates(
        _dates(models, Cutoffs.MODEL, Cutoffs.CUTOFF),
        _dates(documents, Documents.DOCUMENT, Documents.AVAILABLE),
    )


def _dates(table: pd.DataFrame | None, key: str, column: str) -> dict[str, pd.Timestamp]:
    if table is None:
        return {}
    rows = table[table[column].notna()]
    return {str(k): pd.Timestamp(v) for k, v in zip(rows[key], rows[column], strict=True)}
