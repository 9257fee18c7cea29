"""The crossed logistic model by variational Bayes, for comparison with older reports only."""

import warnings
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import expit
from scipy.stats import norm

from analysis.stats.crossed import levels
from analysis.stats.crossed_logistic import why_not_fitted
from analysis.stats.results import Estimate, undefined
from analysis.stats.threads import one_thread

METHOD = "variational Bayes (statsmodels BinomialBayesMixedGLM), standard errors too small"
WARNING = (
    "standard errors too small: 0.3 to 0.95 of those of the marginal likelihood, and smaller the "
    "more judgments an annotator or a pair has; the values move with the prior"
)


@dataclass(frozen=True)
class Variational:
    """What variational Bayes says, labelled.

    Parameters
    ----------
    at_zero : Estimate
        Probability at zero random effects; its interval is too narrow.
    intercept, standard_error : float or None
        Posterior mean and standard deviation of the log odds.
    """

    at_zero: Estimate
    intercept: float | None
    standard_error: float | None


def variational_logistic(
    y: npt.ArrayLike,
    annotator: npt.ArrayLike,
    pair: npt.ArrayLike,
    *,
    confidence: float = 0.95,
    prior_sd: float = 1.0,
) -> Variational:
    """Fit y ~ 1 + (1 | annotator) + (1 | pair) by mean-field variational Bayes.

    Parameters
    ----------
    y : (n,) of 0 and 1
    annotator, pair : (n,) labels
    prior_sd : float
        Prior standard deviation of the log standard deviations of the effects.

    Returns
    -------
    Variational
        Undefined where `crossed_logistic` refuses the data for the same reason.

    Notes
    -----
    A different estimator with priors, offered only because published numbers may come from it. The
    mean-field approximation leaves out the posterior correlation between the intercept and the
    effects. The search starts from zeros, so that no random state is used.

    Examples
    --------
    >>> variational_logistic([1, 1], [1, 2], [1, 1]).at_zero.reason
    'all 2 answers are equal: the log odds have no finite estimate'
    """
    values = np.asarray(y, dtype=np.float64)
    if (reason := why_not_fitted(values, annotator, pair, confidence)) is not None:
        return Variational(undefined(reason, method=METHOD, n=len(values)), None, None)
    codes = levels(annotator, "annotator"), levels(pair, "pair")
    mean, error = _posterior(values, codes, prior_sd)
    reach = float(norm.ppf((1 + confidence) / 2)) * error
    at_zero = Estimate(
        value=float(expit(mean)),
        low=float(expit(mean - reach)),
        high=float(expit(mean + reach)),
        p=float(norm.sf(mean / error)),
        n=len(values),
        method=f"probability at zero random effects; {METHOD}; p greater",
        notes=(WARNING,),
    )
    return Variational(at_zero, mean, error)


def _posterior(
    values: npt.NDArray[np.float64],
    codes: tuple[tuple[npt.NDArray[np.int64], int], tuple[npt.NDArray[np.int64], int]],
    prior_sd: float,
) -> tuple[float, float]:
    # Imported here: it takes a second, and only this function needs it.
    from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM  # noqa: PLC0415

    n, counts = len(values), [count for _, count in codes]
    blocks = [sparse.csr_matrix((np.ones(n), (np.arange(n), code))) for code, _ in codes]
    kinds = np.repeat([0, 1], counts)
    model = BinomialBayesMixedGLM(
        values, np.ones((n, 1)), sparse.hstack(blocks).tocsr(), kinds, vcp_p=prior_sd, fe_p=2
    )
    size = 1 + 2 + sum(counts)
    with one_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = model.fit_vb(mean=np.zeros(size), sd=np.full(size, 0.5))
    return float(fit.fe_mean[0]), float(fit.fe_sd[0])
