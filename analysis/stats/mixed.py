"""Linear mixed model with two crossed random intercepts, by REML from cross-products."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_triangular
from scipy.stats import norm

from analysis.stats.crossed import DENSE_LEVELS, Crossing, IntArray, levels
from analysis.stats.fixed_part import COLLINEAR, Basis, Grouped
from analysis.stats.optimise import minimise_even
from analysis.stats.reml import CrossProducts, Profile
from analysis.stats.results import Estimate, undefined
from analysis.stats.threads import one_thread

FloatArray = npt.NDArray[np.float64]

METHOD = "linear mixed model, two crossed random intercepts, REML"
# Relative standard deviations at which the effects are as good as fixed, and what is left then
# where nothing is.
FREE, SATURATED = 1e4, 1e-7
EXACT = 1e-12  # residual sum of squares, relative, that counts as none


@dataclass(frozen=True)
class CrossedLinear:
    """A fit of y ~ X + (1 | first) + (1 | second).

    Parameters
    ----------
    coefficients : tuple of Estimate
        One for each column of X, in the unit of y per unit of the column; Wald interval, two-sided
        p from the normal distribution (no degrees of freedom are estimated). Undefined, with the
        reason, where the model is not fitted.
    names : tuple of str
        Of the columns.
    standard_errors : tuple of float
    covariance : tuple of tuple of float
        Of the coefficients.
    variance_first, variance_second, variance_residual : float or None
        In the unit of y, squared.
    criterion : float or None
        -2 log restricted likelihood at the optimum.
    n, n_first, n_second : int
    singular : bool
        Whether a variance is 0. That is a result, not a failure.
    converged : bool
        Whether the optimiser reached a point with a vanishing Newton step and a positive definite
        Hessian.
    reason : str or None
        Why nothing is estimated.
    notes : tuple of str
    """

    coefficients: tuple[Estimate, ...]
    names: tuple[str, ...]
    standard_errors: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    variance_first: float | None
    variance_second: float | None
    variance_residual: float | None
    criterion: float | None
    n: int
    n_first: int
    n_second: int
    singular: bool
    converged: bool
    reason: str | None = None
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        pairs = zip(self.names, self.coefficients, strict=True)
        return asdict(self) | {"coefficients": {name: c.as_dict() for name, c in pairs}}


def crossed_linear(
    y: npt.ArrayLike,
    X: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    names: Sequence[str] = (),
    factors: tuple[str, str] = ("document", "model"),
    confidence: float = 0.95,
    grouped: Grouped | None = None,
) -> CrossedLinear:
    """Fit y ~ X + (1 | first) + (1 | second) by restricted maximum likelihood.

    Parameters
    ----------
    y : (n,) float
        Response.
    X : (n, p) float
        Fixed part, with a column of ones where an intercept is wanted.
    first, second : (n,) labels
        Levels of the two factors.
    names : (p,) str, optional
        Of the columns; x0, x1, … otherwise.
    factors : (str, str)
        What the two factors are called in reasons and notes.
    confidence : float
        Coverage of the Wald intervals.
    grouped : Grouped, optional
        How many rows each entry stands for, where y holds means of rows that share X and both levels.
        The fit is that of the rows, exactly.

    Returns
    -------
    CrossedLinear
        Undefined, with the reason, where rows are missing or too few, columns are collinear, a
        factor has one level or its variance is not identified (each level has one row, the fixed
        part separates its levels, both factors divide the rows alike), nothing is left to explain,
        or the optimiser did not converge.

    Raises
    ------
    ValueError
        For arrays whose lengths or names do not match.

    Notes
    -----
    The rows enter through X'X, X'y, Z'X, Z'y and the counts of the cells only. Coefficients and
    residual variance are profiled out; with V = I + ZΛΛ'Z' the criterion in the two relative
    standard deviations is

        log det V + log det X'V⁻¹X + (n - p)(1 + log(2π r² / (n - p))).

    Its gradient is analytic. Source: Bates, Mächler, Bolker and Walker (2015), J. Stat. Softw.
    67(1), section 3.4. `MixedLM` of statsmodels reports convergence at wrong optima on such
    designs and is no alternative.

    Examples
    --------
    >>> first, second = np.repeat(range(6), 4), np.tile(range(4), 6)
    >>> y = first % 3 + second / 2 + np.where((first + second) % 2, 0.1, -0.1)
    >>> fit = crossed_linear(y, np.ones((24, 1)), first, second, names=["mean"])
    >>> round(fit.coefficients[0].value, 6), round(fit.variance_second, 3)
    (1.75, 0.414)
    """
    response, design = np.asarray(y, dtype=np.float64), np.asarray(X, dtype=np.float64)
    labels = tuple(names) or tuple(f"x{i}" for i in range(design.shape[-1]))
    _check(response, design, (first, second), labels, confidence)
    groups = levels(first, factors[0]), levels(second, factors[1])
    stands = grouped or Grouped(np.ones(len(response)))
    if len(stands.rows) != len(response):
        message = f"{len(stands.rows)} numbers of rows for {len(response)} entries; give one each."
        raise ValueError(message)
    empty = _empty(labels, stands.n, groups[0][1], groups[1][1])
    if (reason := _refusal(response, design, groups, factors, stands)) is not None:
        return _without(empty, reason)
    with one_thread():
        return _fit(empty, Crossing.fold(*groups), response, design, factors, confidence, stands)


def _check(
    y: FloatArray,
    X: FloatArray,
    factors: tuple[npt.ArrayLike, npt.ArrayLike],
    names: tuple[str, ...],
    confidence: float,
) -> None:
    lengths = {len(y), len(X), *(np.size(f) for f in factors)}
    if (y.ndim, X.ndim) != (1, 2) or len(lengths) != 1:
        message = f"y must be (n,), X (n, p) and both factors (n,); y is {y.shape}, X {X.shape}."
        raise ValueError(message)
    if len(names) != X.shape[1] or not names:
        message = f"X has {X.shape[1]} columns and there are {len(names)} names; give one each."
        raise ValueError(message)
    if not 0 < confidence < 1:
        message = f"confidence must lie between 0 and 1, such as 0.95; it is {confidence:g}."
        raise ValueError(message)


def _refusal(
    y: FloatArray,
    X: FloatArray,
    groups: tuple[tuple[IntArray, int], tuple[IntArray, int]],
    factors: tuple[str, str],
    stands: Grouped,
) -> str | None:
    n, p = stands.n, X.shape[1]
    missing = int((~np.isfinite(y) | ~np.isfinite(X).all(axis=1)).sum())
    if n == 0:
        return "there are no rows"
    if missing:
        return f"{missing} of {n} rows hold a value that is missing or infinite: leave them out"
    if n <= p:
        return f"{n} rows cannot carry {p} coefficients and a residual variance"
    if np.ptp(y) == 0 and stands.within == 0:
        return f"the response is constant ({y[0]:g}): there is no variance to divide"
    counts = groups[0][1], groups[1][1]
    return next(filter(None, map(_few_levels, counts, factors, (n, n))), None) or _too_many(counts)


def _few_levels(count: int, name: str, n: int) -> str | None:
    if count == 1:
        return f"there is only one {name}: a variance between them is not defined"
    if count == n:
        return f"every {name} has one row: its variance cannot be told from the residual"
    return None


def _too_many(counts: tuple[int, int]) -> str | None:
    if min(counts) <= DENSE_LEVELS:
        return None
    return f"both factors have more than {DENSE_LEVELS:,} levels, more than this method takes"


def _fit(
    empty: CrossedLinear,
    crossing: Crossing,
    y: FloatArray,
    X: FloatArray,
    factors: tuple[str, str],
    confidence: float,
    stands: Grouped,
) -> CrossedLinear:
    root = np.sqrt(stands.rows)
    basis = Basis.of(root * y, root[:, None] * X)
    if (weak := basis.weak()) is not None:
        name = empty.names[weak]
        return _without(empty, f"column {name} is a combination of the columns before it")
    about = stands.rows @ np.square(y - np.average(y, weights=stands.rows)) + stands.within
    if basis.rest @ basis.rest + stands.within <= EXACT * about:
        return _without(empty, "the fixed part explains the response exactly: no variance is left")
    products = basis.products(crossing, stands)
    if (reason := _not_identified(products, factors)) is not None:
        return _without(empty, reason)
    if Profile.at(products, np.full(2, FREE)).squares <= SATURATED * products.squares:
        reason = (
            "the fixed part and the two factors explain the response exactly: no residual is left"
        )
        return _without(empty, reason)
    optimum = minimise_even(products, np.array([0.5, 0.5]), even=(0, 1))
    if not optimum.converged:
        reason = "the optimiser did not converge, or the variances are not identified: the criterion is flat"
        return _without(empty, reason)
    profile = Profile.at(products, optimum.x)
    sigma2 = profile.squares / (products.n - products.p)
    inverse = solve_triangular(basis.triangle, np.eye(products.p))
    values = inverse @ (basis.projection + profile.fixed)
    covariance = sigma2 * inverse @ np.linalg.inv(profile.weighted) @ inverse.T
    variances = sigma2 * (optimum.x[::-1] if crossing.swapped else optimum.x) ** 2
    fitted = replace(empty, variance_residual=sigma2, criterion=optimum.value, converged=True)
    return _filled(fitted, (values, covariance), variances, factors, confidence)


def _not_identified(products: CrossProducts, factors: tuple[str, str]) -> str | None:
    crossing = products.crossing
    names = factors[::-1] if crossing.swapped else factors
    if crossing.n_cells == crossing.n_large == crossing.n_small:
        return f"{names[0]} and {names[1]} divide the rows alike: their variances are one"
    rows = crossing.level_sums(products.counts)
    left = rows - (products.by_level[:, : products.p] ** 2).sum(axis=1)
    cut = crossing.n_large
    for name, part, whole in (
        (names[0], left[:cut], rows[:cut]),
        (names[1], left[cut:], rows[cut:]),
    ):
        if part.sum() <= COLLINEAR * whole.sum():
            return f"the fixed part already separates every {name}: its variance is not identified"
    return None


def _filled(
    fitted: CrossedLinear,
    solution: tuple[FloatArray, FloatArray],
    variances: FloatArray,
    factors: tuple[str, str],
    confidence: float,
) -> CrossedLinear:
    values, covariance = solution
    errors = np.sqrt(np.diag(covariance))
    reach = float(norm.ppf((1 + confidence) / 2)) * errors
    method = f"{METHOD}; Wald interval {confidence:.0%}, p two-sided"
    coefficients = tuple(
        Estimate(
            value=float(value),
            low=float(value - width),
            high=float(value + width),
            p=float(2 * norm.sf(abs(value / error))),
            n=fitted.n,
            method=method,
        )
        for value, width, error in zip(values, reach, errors, strict=True)
    )
    return replace(
        fitted,
        coefficients=coefficients,
        standard_errors=tuple(map(float, errors)),
        covariance=tuple(tuple(map(float, row)) for row in covariance),
        variance_first=float(variances[0]),
        variance_second=float(variances[1]),
        singular=bool((variances == 0).any()),
        notes=tuple(
            f"singular: the {name} variance is estimated as 0"
            for name, variance in zip(factors, variances, strict=True)
            if variance == 0
        ),
    )


def _empty(names: tuple[str, ...], n: int, n_first: int, n_second: int) -> CrossedLinear:
    return CrossedLinear(
        coefficients=(),
        names=names,
        standard_errors=(),
        covariance=(),
        variance_first=None,
        variance_second=None,
        variance_residual=None,
        criterion=None,
        n=n,
        n_first=n_first,
        n_second=n_second,
        singular=False,
        converged=False,
    )


def _without(empty: CrossedLinear, reason: str) -> CrossedLinear:
    nothing = undefined(reason, method=METHOD, n=empty.n)
    return replace(empty, coefficients=(nothing,) * len(empty.names), reason=reason)
