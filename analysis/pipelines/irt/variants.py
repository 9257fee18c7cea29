"""Other ways to the abilities, and five-fold cross-validation to compare them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.irt.responses import NO_ANSWER, Answers, Block, ResponsesError
from analysis.stats.prediction import Prediction, prediction_scores
from analysis.stats.rasch import RaschFit
from analysis.stats.rasch_adam import RATE, Listed, adam, batch_gradient
from analysis.stats.rasch_masked import fit_observed
from analysis.stats.results import Estimate
from analysis.stats.threads import one_thread

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Fit = Callable[[NDArray[np.generic], Bools], tuple[Floats, Floats]]

# A person or item without a finite estimate still needs a prediction; the end of the scale is here.
END = 8.0


@dataclass(frozen=True)
class CrossValidation:
    """The scores of each fold and how many parameters had to be put at the end of the scale."""

    folds: tuple[Prediction, ...]
    bounded: int
    seed: int

    def estimates(self) -> dict[str, Estimate]:
        """Return mean and standard deviation over folds, by score."""
        found = {}
        for name in ("bce", "brier", "auc", "accuracy"):
            values = [getattr(fold, name) for fold in self.folds]
            known = [value for value in values if value is not None]
            mean = float(np.mean(known)) if known else None
            spread = float(np.std(known, ddof=1)) if len(known) > 1 else None
            notes = () if spread is None else (f"standard deviation over folds {spread:.2g}",)
            method = f"mean over {len(known)} random folds"
            reason = None if known else "only one kind of outcome in every fold"
            n = sum(fold.n for fold in self.folds)
            found[name] = Estimate(
                mean, n=n, method=method, seed=self.seed, notes=notes, reason=reason
            )
        return found


def exact_fit(responses: NDArray[np.generic], seen: Bools) -> tuple[Floats, Floats]:
    """Fit the observed cells exactly."""
    fit: RaschFit = fit_observed(responses, seen, tolerance=1e-8)
    return fit.ability, fit.difficulty


def adam_fit(
    rng: np.random.Generator, *, batch: int = 65_536, steps: int = 1_000, rate: float = RATE
) -> Fit:
    """Return the published mini-batch Adam fit, for comparison."""

    def fit(responses: NDArray[np.generic], seen: Bools) -> tuple[Floats, Floats]:
        person, item = np.nonzero(seen)
        answers = Listed(person, item, responses[seen].astype(np.float64))
        persons, items = seen.shape
        gradient = batch_gradient(answers, persons, items, batch, rng)
        return adam(gradient, persons, items, steps=steps, rate=rate)

    return fit


def cross_validate(
    answers: Answers,
    *,
    folds: int,
    seed: int,
    outcomes: Answers | None = None,
    fit: Fit = exact_fit,
) -> CrossValidation:
    """Hold out random cells, fold by fold, over all blocks together.

    Cells are held out, not items or models, so this is prediction within the study and says nothing
    about new ones. `outcomes` are the yes-or-no answers to score against where `answers` are
    continuous.
    """
    rng = np.random.default_rng(seed)
    truth = answers if outcomes is None else outcomes
    held: list[list[Floats]] = [[] for _ in range(folds)]
    expected: list[list[NDArray[np.generic]]] = [[] for _ in range(folds)]
    bounded = 0
    with one_thread():
        for block, outcome in zip(answers.blocks, truth.blocks, strict=True):
            flat, given = block.flat()
            target, known = _outcome(outcome, block)
            fold = rng.integers(0, folds, size=flat.shape, dtype=np.int8)
            for k in range(folds):
                ability, difficulty = fit(flat, given & (fold != k))
                test = given & known & (fold == k)
                probabilities, moved = _predicted(ability, difficulty, test)
                held[k].append(probabilities)
                expected[k].append(target[test])
                bounded += moved
    scores = (
        prediction_scores(np.concatenate(y), np.concatenate(p))
        for y, p in zip(expected, held, strict=True)
    )
    return CrossValidation(tuple(scores), bounded, seed)


def _outcome(outcome: Block, block: Block) -> tuple[NDArray[np.generic], Bools]:
    target, known = outcome.flat()
    if target.dtype.kind == "f":
        words = "cross-validation needs the yes-or-no column `correct` beside `p_correct`"
        raise ResponsesError(words)
    if outcome.items != block.items or outcome.queries != block.queries:
        raise ResponsesError(f"the two kinds of answers to {block.name} are not of the same items")
    return target, known & (target != NO_ANSWER)


def _predicted(ability: Floats, difficulty: Floats, test: Bools) -> tuple[Floats, int]:
    """Return predictions for the held-out cells; what is unknown counts as average."""
    moved = int((~np.isfinite(ability)).sum() + (~np.isfinite(difficulty)).sum())
    finite = ability[np.isfinite(ability)]
    average = float(finite.mean()) if finite.size else 0.0
    rows = np.clip(np.where(np.isnan(ability), average, ability), -END, END)
    columns = np.clip(np.where(np.isnan(difficulty), 0.0, difficulty), -END, END)
    person, item = np.nonzero(test)
    return 1 / (1 + np.exp(columns[item] - rows[person])), moved
