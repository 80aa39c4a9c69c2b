"""Records of sums: what the laws do not reach through a learner."""

import numpy as np
import pytest

from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.summaries.moments import Moments, Triangle

RNG = np.random.default_rng(0)
X = RNG.normal((5.0, -2.0, 0.5), size=(50, 3))


@pytest.mark.parametrize("record", [Moments, Triangle])
def test_around_another_pivot(record):
    """The same rows around another point: the same matrix as if they had been summed around it."""
    rows, here, there = ArrayRows(X, weight=RNG.uniform(size=50)), X.mean(axis=0), np.array([1.0, 2.0, -1.0])
    moved, direct = rows.sum(record.of, here).around(there), rows.sum(record.of, there)
    products = [one.gram if isinstance(one, Moments) else one.R.T @ one.R for one in (moved, direct)]
    np.testing.assert_allclose(*products, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(moved.mean, direct.mean, rtol=1e-12)
