"""From the tables of a specification to the files of a study: what `sample` does."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from analysis.frames import JudgedResponses, Passages, Predictions, Scores, StudyItems
from analysis.management.language_classes import classes_of
from analysis.pipelines.clcg.drawing import (
    BIN,
    CATEGORY,
    JUDGED,
    draw_responses,
    pool_of,
    stratum_names,
)
from analysis.pipelines.clcg.drawing_pairs import PairDraws, draw_pairs
from analysis.pipelines.clcg.sample_spec import Spec, spec_of
from analysis.pipelines.clcg.study_items import (
    Key,
    judges_of,
    pair_items,
    response_items,
    texts_of,
)
from analysis.pipelines.clcg.sums import ClcgError
from analysis.reports.clcg_study import study_files
from analysis.tables import Table, read_chunks, read_table

CANDIDATES = 50  # items a pair looked at, since some pairs are the same text twice
KEY = [Scores.MODEL, Scores.LANGUAGE, Scores.ITEM]


def read_spec(path: Path) -> Spec:
    """Read SPEC.yaml."""
    try:
        return spec_of(yaml.safe_load(path.read_text(encoding="utf-8")))
    except ClcgError as error:
        raise ClcgError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise ClcgError(f"{path} is not UTF-8; save it as UTF-8.") from None
    except (OSError, yaml.YAMLError) as error:
        raise ClcgError(f"{path} cannot be read as YAML: {error}") from None
    except RecursionError:
        raise ClcgError(f"{path} cannot be read as YAML: it is nested too deeply") from None


def sampled(
    scores: list[Path], spec: Spec, folder: Path
) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Return the files of the study and what the sample came out as; tables stand in `folder`."""
    pool = _pool(scores, spec)
    classes = classes_of(folder / spec.languages, pool[Scores.LANGUAGE])
    judges, labels = judges_of(_optional(folder, spec.judged, JudgedResponses.TABLE))
    judged = np.array([key in labels for key in _keys(pool)], dtype=bool)
    used: Counter[str] = Counter()
    draws = draw_responses(pool, judged, spec, used)
    candidates = _candidates(pool, classes, spec)
    wanted = set(_keys(draws.rows)) | set(_keys(candidates))
    answers = _answers(folder / spec.predictions, wanted, spec)
    # A candidate without a text cannot be shown; a drawn response without one is an error below.
    texts = [answers.get(key, "") for key in _keys(candidates)]
    candidates = candidates.assign(**{Predictions.PREDICTION: texts})
    candidates = candidates[np.array([bool(text.strip()) for text in texts], dtype=bool)]
    pairs = draw_pairs(candidates, classes, spec, used)
    passages = _optional(folder, spec.passages, Passages.TABLE)
    chosen = [*_keys(draws.rows), *_pair_keys(pairs)]
    known = texts_of(
        answers, read_table(folder / spec.items, StudyItems.TABLE), chosen,
        [] if passages is None else list(passages[Passages.PASSAGE]),
    )  # fmt: skip
    items = response_items(draws.rows, known, classes, labels, judges, spec)
    compared = pair_items(pairs.rows, known, spec)
    realised = _realised(draws.rows, draws.shortfall, pairs, used, spec) | {
        "pool": len(pool), "judges": list(judges),
    }  # fmt: skip
    return study_files(items, compared, passages, judges, spec, realised), realised


def _pool(scores: list[Path], spec: Spec) -> pd.DataFrame:
    table = Scores.table({spec.score: (0.0, 1.0)})
    parts = [pool_of(chunk, spec) for chunk in read_chunks(scores, table)]
    pool = pd.concat(parts, ignore_index=True)
    if pool.empty:
        raise ClcgError(
            f"No row can be shown to people: none is parsed, scored by {spec.score!r}, of the scope "
            f"{Scores.FULL!r} and of repetition {spec.rep}."
        )
    return pool.sort_values([Scores.MODEL, Scores.LANGUAGE, Scores.ITEM]).reset_index(drop=True)


def _keys(rows: pd.DataFrame) -> list[Key]:
    return list(zip(*(rows[name].astype(str) for name in KEY), strict=True))


def _optional(folder: Path, name: str, table: Table) -> pd.DataFrame | None:
    return read_table(folder / name, table) if name else None


def _candidates(pool: pd.DataFrame, classes: dict[str, int], spec: Spec) -> pd.DataFrame:
    """Return the rows of some items by lot, in the languages that pairs are made of."""
    number = pool[Scores.LANGUAGE].map(classes)
    rows = pool[number.isin([*spec.high, *spec.low])]
    items = np.array(sorted(set(rows[Scores.ITEM])), dtype=object)
    rng = np.random.default_rng([spec.seed, 4])
    few = rng.permutation(items)[: CANDIDATES * spec.pairs]
    return rows[rows[Scores.ITEM].isin(few)]


def _answers(path: Path, wanted: Iterable[Key], spec: Spec) -> dict[Key, str]:
    keys = set(wanted)
    found: dict[Key, str] = {}
    for chunk in read_chunks(path, Predictions.TABLE):
        rows = chunk[(chunk[Scores.SCOPE] == Scores.FULL) & (chunk[Scores.REP] == spec.rep)]
        texts = rows[Predictions.PREDICTION]
        found |= {k: t for k, t in zip(_keys(rows), texts, strict=True) if k in keys}
    return found


def _pair_keys(pairs: PairDraws) -> list[Key]:
    rows = pairs.rows
    return [
        key
        for side in ("1", "2")
        if len(rows)
        for key in zip(rows["model"], rows[f"language_{side}"], rows["item_id"], strict=True)
    ]


def _realised(
    rows: pd.DataFrame,
    shortfall: list[dict[str, object]],
    pairs: PairDraws,
    used: Counter[str],
    spec: Spec,
) -> dict[str, Any]:
    strata = stratum_names(rows, spec.strata)
    missing = spec.responses - len(rows)
    return {
        "items": len(rows) + len(pairs.rows),
        "responses": len(rows),
        "pairs": len(pairs.rows),
        "by_stratum": strata.value_counts().sort_index().to_dict(),
        "by_category": rows[CATEGORY].value_counts().to_dict(),
        "by_bin": rows[BIN].value_counts().to_dict(),
        "by_bin_wanted": {name: share * spec.responses for name, share in spec.weights.items()},
        "judged": int((rows["arm"] == JUDGED).sum()),
        "most_of_a_document": max(used.values(), default=0),
        "pairs_left_out_as_equal": pairs.identical,
        "shortfall": {"responses": missing, "pairs": pairs.missing, "strata": shortfall},
        "seed": spec.seed,
    }
