"""Comparisons against their definitions, written out in loops."""

import numpy as np
import pytest

from aprendiz.evaluation import compare_over_tables
from aprendiz.evaluation.significance.bayesian_signed_rank import NUMBERS, drawn_shares

from . import twins


@pytest.mark.parametrize("n", [2, 7, 15])
@pytest.mark.parametrize("rope", [(0.0, 0.0), (-0.1, 0.1), (-0.05, 0.3)])
def test_shares_of_the_bayesian_signed_rank_test(n, rope):
    """Running sums over ordered differences give what the double sum over all pairs gives, for the same weights."""
    d = np.random.default_rng(n).normal(0.1, 0.2, n).round(2)
    drawn = drawn_shares(d, rope, 3, 40)
    weights = twins.dirichlet_weights(d, 3, 40, 0.5)
    np.testing.assert_allclose(drawn, twins.pairwise_shares(d, weights, rope), atol=1e-12)


def test_draws_in_pieces():
    """Many tables are drawn in pieces that fit into memory; each is a draw of its own."""
    d = np.random.default_rng(0).normal(size=NUMBERS // 64)
    drawn = drawn_shares(d, (-0.1, 0.1), 0, 100)
    assert len(np.unique(drawn[:, 0])) == 100
    np.testing.assert_allclose(drawn.sum(axis=1), 1, rtol=1e-10)


def test_posterior_of_the_twin():
    """The posterior is the share of draws in which each share is the largest."""
    scores = np.random.default_rng(4).normal(0.8, 0.03, (10, 2))
    found = compare_over_tables(scores, names=["a", "b"], test="bayesian_signed_rank", rope=0.01)
    d = scores[:, 0] - scores[:, 1]
    shares = twins.pairwise_shares(d, twins.dirichlet_weights(d, 1, 4000, 0.5), (-0.01, 0.01))
    wanted = np.bincount(shares.argmax(axis=1), minlength=3) / 4000
    np.testing.assert_allclose(found.posterior, wanted, atol=5 * np.sqrt(0.25 / 4000))
