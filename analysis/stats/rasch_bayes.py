"""The Rasch model by the No-U-Turn Sampler, where the optional extra `bayes` is installed.

Abilities and difficulties have normal priors whose mean and spread are estimated too, so that short
sets are shrunk towards the others: less error for a single cell, at the price of a bias towards the
mean. The likelihood is written on the margins, so a step costs one pass over the block.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.stats.rasch_solver import Floats

WANTED = (
    "the sampler needs numpyro and jax, the optional extra `bayes`: "
    '.venv/bin/python -m pip install "numpyro>=0.19" installs them'
)


class MissingExtraError(ImportError):
    """The optional extra is not installed."""


@dataclass(frozen=True)
class Posterior:
    """Draws of the abilities, shape (draws, P), how many transitions diverged, and how chains mixed.

    `smallest_ess` is the smallest effective sample size over abilities.
    """

    ability: Floats
    divergences: int
    largest_rhat: float | None
    smallest_ess: float


def sample(
    responses: NDArray[Any], *, warmup: int, draws: int, chains: int, seed: int
) -> Posterior:
    """Sample the posterior of a complete block, shape (P, n).

    Raises
    ------
    MissingExtraError
        Without numpyro.
    """
    try:
        import jax  # noqa: PLC0415  the extra is optional
        import jax.numpy as jnp  # noqa: PLC0415
        import numpyro  # noqa: PLC0415
        from numpyro import distributions as dist  # noqa: PLC0415
        from numpyro.diagnostics import effective_sample_size  # noqa: PLC0415
        from numpyro.infer import MCMC, NUTS  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError(WANTED) from None
    # Blocks are small, and the same seed gives the same draws wherever it runs.
    numpyro.set_platform("cpu")
    persons, items = responses.shape
    scores = jnp.asarray(responses.sum(axis=1, dtype=np.float64))
    totals = jnp.asarray(responses.sum(axis=0, dtype=np.float64))

    def model() -> None:
        mean = numpyro.sample("mean", dist.Normal(0.0, 2.0))
        spread = numpyro.sample("spread", dist.HalfNormal(2.0))
        hardness = numpyro.sample("hardness", dist.HalfNormal(2.0))
        ability = numpyro.sample("z", dist.Normal(0.0, 1.0).expand([persons])) * spread + mean
        difficulty = numpyro.sample("d", dist.Normal(0.0, 1.0).expand([items])) * hardness
        numpyro.deterministic("ability", ability)
        likelihood = scores @ ability - totals @ difficulty
        likelihood -= jnp.logaddexp(0.0, ability[:, None] - difficulty).sum()
        numpyro.factor("likelihood", likelihood)

    run = MCMC(
        NUTS(model),
        num_warmup=warmup,
        num_samples=draws,
        num_chains=chains,
        chain_method="sequential",
        progress_bar=False,
    )
    run.run(jax.random.PRNGKey(seed), extra_fields=("diverging",))
    by_chain = np.asarray(run.get_samples(group_by_chain=True)["ability"], dtype=np.float64)
    divergences = int(np.asarray(run.get_extra_fields()["diverging"]).sum())
    return Posterior(
        by_chain.reshape(-1, persons),
        divergences,
        split_rhat(by_chain),
        float(np.min(effective_sample_size(by_chain))),
    )


def split_rhat(draws: Floats) -> float | None:
    """Return the largest split R-hat over parameters; None with fewer than four draws a chain.

    Parameters
    ----------
    draws : ndarray, shape (chains, draws, parameters)

    References
    ----------
    Gelman et al. (2013), *Bayesian Data Analysis*, 11.4: halves of the chains are compared.

    Examples
    --------
    >>> import numpy as np
    >>> steady = np.tile([0.0, 1.0], 8).reshape(1, 16, 1)
    >>> round(split_rhat(steady), 3), split_rhat(steady[:, :3])
    (0.935, None)
    """
    half = draws.shape[1] // 2
    if half < 2:  # noqa: PLR2004  a variance needs two
        return None
    chains = np.concatenate([draws[:, :half], draws[:, half : 2 * half]])
    within = chains.var(axis=1, ddof=1).mean(axis=0)
    between = chains.mean(axis=1).var(axis=0, ddof=1)
    total = within * (half - 1) / half + between
    return float(np.sqrt(total / np.where(within > 0, within, np.inf)).max())
