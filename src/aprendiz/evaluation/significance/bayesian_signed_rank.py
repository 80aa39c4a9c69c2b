"""Two learners over several tables: the Bayesian signed-rank test.

The differences d_1 … d_n are a sample of tables, about whose distribution nothing else is known. Its posterior (from a
Dirichlet process of strength s, whose prior guess is one difference d_0 = 0) gives weights to the observed differences:

    w ~ Dirichlet(s, 1, …, 1)                                                                                (1)
    θ_below = Σ_ij w_i w_j [d_i + d_j < 2·low],   θ_above = Σ_ij w_i w_j [d_i + d_j > 2·high],   θ_rope = the rest      (2)

for a region of practical equivalence from low to high. θ are the probabilities that the mean of two differences lies below,
in and above the region; the probability that the first learner is worse is that of θ_below being the largest of the three,
and so on. Equal ones share it.

In order of d, the d_j with d_i + d_j below a bound are the first few: with running sums of w, (2) costs O(n) for each draw.

References: Benavoli, Mangili, Corani, Zaffalon & Ruggeri, ICML 2014; Benavoli, Corani, Demšar & Zaffalon, JMLR 18, 2017.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.significance.bayesian_t import Rope
from aprendiz.evaluation.significance.finding import Assumption, Finding, Posterior
from aprendiz.evaluation.significance.signed_rank import pseudo_median

DRAWS = 50_000
STRENGTH = 0.5  # s of the prior
NUMBERS = 1 << 21  # of weights in memory at once


def bayesian_signed_rank(
    differences: Array,
    rope: Rope,
    *,
    more_is_better: bool = True,
    seed: int = 0,
    draws: int = DRAWS,
    assumptions: tuple[Assumption, ...] = (),
) -> Finding:
    """Which of (2) is the largest, in each of some draws."""
    theta = drawn_shares(differences, rope, seed, draws)
    if not more_is_better:
        theta = theta[:, ::-1]
    largest = theta == theta.max(axis=1, keepdims=True)
    share = (largest / largest.sum(axis=1, keepdims=True)).mean(axis=0)
    return Finding(
        estimate=pseudo_median(differences),
        effect_size=float(theta[:, 2].mean()),
        effect_name="mean probability of better",
        posterior=Posterior(*map(float, share)),
        samples=theta,
        assumptions=assumptions,
    )


def drawn_shares(differences: Array, rope: Rope, seed: int, draws: int) -> Array:
    """θ_below, θ_rope and θ_above of (2), a row for each draw."""
    given = np.concatenate([[0.0], differences])
    order = np.argsort(given, kind="stable")
    d, strength = given[order], np.where(order == 0, STRENGTH, 1.0)
    below = np.searchsorted(d, 2 * rope[0] - d, side="left")  # how many d_j < 2·low − d_i
    above = len(d) - np.searchsorted(d, 2 * rope[1] - d, side="right")  # how many d_j > 2·high − d_i
    rng, theta = np.random.default_rng(seed), np.empty((draws, 3))
    step = max(1, NUMBERS // len(d))
    for start in range(0, draws, step):
        weights = rng.standard_gamma(strength, (min(step, draws - start), len(d)))
        weights /= weights.sum(axis=1, keepdims=True)
        running = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(weights, axis=1)], axis=1)
        low = (weights * running[:, below]).sum(axis=1)
        high = (weights * (running[:, -1:] - running[:, len(d) - above])).sum(axis=1)
        theta[start : start + step] = np.column_stack([low, 1.0 - low - high, high])
    return np.clip(theta, 0.0, 1.0, out=theta)
