"""The Local gap of one locale by the No-U-Turn Sampler, for those who want shrinkage."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.pipelines.irt.fits import Fits
from analysis.pipelines.irt.gaps import contrast
from analysis.pipelines.irt.responses import ResponsesError
from analysis.stats.rasch_bayes import sample
from analysis.stats.results import Estimate

Floats = NDArray[np.float64]

WARMUP, DRAWS, CHAINS = 1_000, 1_000, 4
TAILS = (0.025, 0.975)
# Vehtari et al. (2021), Bayesian Analysis 16: R-hat at most 1.01, and 100 effective draws a chain.
MOST_RHAT, LEAST_ESS = 1.01, 400.0


@dataclass(frozen=True)
class PosteriorGaps:
    """Posterior means with 95 % intervals by model, and how the chains behaved.

    `shrunk_to` is the size of the posterior means as a share of the maximum likelihood gaps (least
    squares through the origin), over the models that have both.
    """

    local: dict[str, Estimate]
    divergences: int
    largest_rhat: float | None
    smallest_ess: float
    shrunk_to: float | None

    @property
    def settled(self) -> bool:
        """Whether the chains met the usual demands on them."""
        mixed = self.largest_rhat is not None and self.largest_rhat <= MOST_RHAT
        return mixed and self.divergences == 0 and self.smallest_ess >= LEAST_ESS


def posterior_local_gaps(
    fits: Fits,
    locale: str,
    seed: int,
    *,
    warmup: int = WARMUP,
    draws: int = DRAWS,
    chains: int = CHAINS,
) -> PosteriorGaps:
    """Sample the abilities of the locale's own items and return the Local gap of each model."""
    if locale not in fits.specific:
        raise ResponsesError(f"{locale} is not among the locales: {', '.join(fits.specific)}")
    fit, local = fits.specific[locale], fits.answers.local_query.get(locale)
    flat, given = fit.block.flat()
    if local is None or not given.all():
        words = f"the sampler needs a complete block in two languages; {fit.block.name} is not one"
        raise ResponsesError(words)
    posterior = sample(flat, warmup=warmup, draws=draws, chains=chains, seed=seed)
    ability = posterior.ability.reshape(-1, *fit.ability.shape)
    places = [fit.block.queries.index(query) for query in (local, fits.answers.base)]
    gap = ability[:, :, places[0]] - ability[:, :, places[1]]
    low, high = np.quantile(gap, TAILS, axis=0)
    method = f"posterior mean and 95 % interval, NUTS, {chains} chains of {draws:,} draws"
    found = {
        model: Estimate(float(m), float(a), float(b), method=method, seed=seed)
        for model, m, a, b in zip(fits.answers.models, gap.mean(axis=0), low, high, strict=True)
    }
    point, _ = contrast(fit, fits.answers.base, local)
    return PosteriorGaps(
        found,
        posterior.divergences,
        posterior.largest_rhat,
        posterior.smallest_ess,
        _share(gap.mean(axis=0), point),
    )


def _share(sampled: Floats, exact: Floats) -> float | None:
    known = np.isfinite(exact)
    size = float(exact[known] @ exact[known])
    return float(sampled[known] @ exact[known]) / size if size > 0 else None
