"""What the statistics cost, and against what."""

from collections.abc import Callable

import krippendorff
import numpy as np
import numpy.typing as npt
from scipy.special import expit

from analysis.benches.measure import Row, measure, seconds
from analysis.stats.alpha import krippendorff_alpha
from analysis.stats.crossed_logistic import crossed_logistic
from analysis.stats.mixed import crossed_linear
from analysis.stats.resample import cluster_bootstrap, cluster_totals

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

RESAMPLES = 2000
ITEMS, RATERS, EACH = 20_000, 100, 5
ROWS, DOCUMENTS, MODELS, ENGLISH = 215_671, 150, 12, 0.06
# annotators, pairs, judgments and the CPU seconds that a fit may take
FITS = (
    (110, 66, 138, 0.05),
    (1_000, 5_000, 50_000, 10.0),
    (20_000, 2_000, 1_000_000, 60.0),
    (20_000, 20_000, 600_000, 60.0),
)


def rows() -> list[Row]:
    """Measure agreement, both mixed models and the bootstrap."""
    return [*alpha_rows(), *map(crossed_row, FITS), *gap_rows()]


def alpha_rows() -> list[Row]:
    """Return α with an interval against resampling items and calling the package each time."""
    rng = np.random.default_rng(1)
    matrix = ratings(rng)

    def package() -> None:
        for draw in rng.integers(0, ITEMS, size=(3, ITEMS)):
            krippendorff.alpha(matrix[:, draw], level_of_measurement="ordinal")

    naive = seconds(package)[0] / 3 * RESAMPLES
    return [
        measure(
            f"α ordinal, {ITEMS * EACH:,} ratings, {RESAMPLES:,} resamples",
            ITEMS * EACH,
            lambda: krippendorff_alpha(
                matrix, "ordinal", rng=np.random.default_rng(2), resamples=RESAMPLES
            ),
            units={"resample": RESAMPLES},
            against=("the package on resampled items (from 3 of them)", naive),
            repeats=2,
        )
    ]


def ratings(rng: np.random.Generator) -> FloatArray:
    """Return (raters, items) on five steps; each item is rated by five of a hundred annotators."""
    matrix = np.full((RATERS, ITEMS), np.nan)
    who = (rng.integers(0, RATERS, ITEMS) + np.arange(EACH)[:, None] * 17) % RATERS
    centre = rng.normal(3, 1, ITEMS)
    matrix[who, np.arange(ITEMS)] = np.rint(centre + rng.normal(0, 0.8, (EACH, ITEMS))).clip(1, 5)
    return matrix


def judgments(annotators: int, pairs: int, n: int) -> tuple[FloatArray, IntArray, IntArray]:
    """Return simulated judgments with both kinds of variation."""
    rng = np.random.default_rng(42)
    who, what = rng.integers(0, annotators, n), rng.integers(0, pairs, n)
    effects = 0.8 * rng.standard_normal(annotators)[who] + 0.6 * rng.standard_normal(pairs)[what]
    return (rng.random(n) < expit(0.4 + effects)).astype(np.float64), who, what


def crossed_row(fit: tuple[int, int, int, float]) -> Row:
    """Return one crossed logistic fit against the time that it may take."""
    annotators, pairs, n, limit = fit
    data = judgments(annotators, pairs, n)
    return measure(
        f"crossed logistic fit, {n:,} judgments of {annotators:,} annotators on {pairs:,} pairs",
        n,
        lambda: crossed_logistic(*data),
        units={"judgment": n},
        cpu_limit=limit,
        repeats=5 if n < 1000 else 1,  # noqa: PLR2004  a fit of milliseconds is repeated
        peak=True,
    )


def gap_rows() -> list[Row]:
    """Return the REML fit and the bootstrap of one large table of scores."""
    rng = np.random.default_rng(7)
    document, model = rng.integers(0, DOCUMENTS, ROWS), rng.integers(0, MODELS, ROWS)
    english = (rng.random(ROWS) < ENGLISH).astype(np.float64)
    score = 0.36 + 0.08 * english + rng.normal(0, 0.28, ROWS)
    score += rng.normal(0, 0.08, DOCUMENTS)[document] + rng.normal(0, 0.05, MODELS)[model]
    design = np.column_stack([np.ones(ROWS), english])
    cells = english.astype(np.int64)
    totals = cluster_totals(score, document, cells)
    draws = rng.integers(0, DOCUMENTS, size=(3, DOCUMENTS))
    naive = seconds(by_rows(score, english, document, draws))[0] / 3 * RESAMPLES
    table = f"{ROWS:,} rows in {DOCUMENTS} documents"
    return [
        measure(
            f"REML fit, {table} and {MODELS} models",
            ROWS,
            lambda: crossed_linear(score, design, document, model),
            units={"row": ROWS},
            cpu_limit=0.5,
            repeats=3,
        ),
        measure(f"sums and counts, {table}", ROWS, lambda: cluster_totals(score, document, cells)),
        measure(
            f"cluster bootstrap after them, {RESAMPLES:,} resamples",
            ROWS,
            lambda: cluster_bootstrap(
                totals,
                lambda means: means[:, 1] - means[:, 0],
                np.random.default_rng(42),
                resamples=RESAMPLES,
            ),
            units={"resample": RESAMPLES},
            against=("resampled rows (from 3 resamples)", naive),
            repeats=3,
        ),
    ]


def by_rows(
    score: FloatArray, english: FloatArray, document: IntArray, draws: IntArray
) -> Callable[[], list[float]]:
    """Return the bootstrap that gathers the rows of the drawn documents each time."""
    members = [np.flatnonzero(document == k) for k in range(DOCUMENTS)]

    def work() -> list[float]:
        found = []
        for draw in draws:
            chosen = np.concatenate([members[k] for k in draw])
            one = english[chosen] == 1
            found.append(float(score[chosen][one].mean() - score[chosen][~one].mean()))
        return found

    return work
