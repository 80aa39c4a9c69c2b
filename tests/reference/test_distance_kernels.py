"""Sweeps over the distances of knockoffs against a search along each coordinate, with determinants of the whole matrix."""

import numpy as np
import pytest
from scipy import optimize

from aprendiz.selection.knockoffs.distances import entropy_sweep, inverse_at, sum_sweep


def correlation_of(seed, columns):
    random = np.random.default_rng(seed)
    X = random.normal(size=(3 * columns, columns))
    return np.corrcoef((X + random.uniform(0, 2) * X[:, :1]).T)


def best_along(objective, s, j, highest):
    """The maximum of an objective over s_j from 0 to the highest."""

    def cost(value):
        return -objective(np.where(np.arange(len(s)) == j, value, s))

    return optimize.minimize_scalar(cost, bounds=(0.0, highest), method="bounded", options={"xatol": 1e-12}).x


def log_det(twice, s):
    sign, value = np.linalg.slogdet(twice - np.diag(s))
    return value if sign > 0 and np.linalg.eigvalsh(twice - np.diag(s))[0] > 0 else -np.inf


@pytest.mark.parametrize("mu", [None, 0.3, 0.01])
@pytest.mark.parametrize("seed", range(3))
def test_sweeps(seed, mu):
    """One coordinate after the other at its maximum; with μ, at most half of the way to where the matrix is singular."""
    twice = 2.0 * correlation_of(seed, 4 + seed)
    s = np.full(len(twice), 0.25 * min(1.0, np.linalg.eigvalsh(twice)[0]))
    now, inverse, expected, most = s.copy(), inverse_at(twice, s), s.copy(), 0.0
    found = entropy_sweep(inverse, now) if mu is None else sum_sweep(inverse, now, mu)
    for j in range(len(s)):
        room = 1.0 / np.linalg.inv(twice - np.diag(expected))[j, j]
        highest = min(1.0, expected[j] + (room if mu is None else 0.5 * room))

        def objective(s):
            with np.errstate(divide="ignore"):
                return log_det(twice, s) + np.log(s).sum() if mu is None else s.sum() + mu * log_det(twice, s)

        new = best_along(objective, expected, j, highest)
        most = max(most, abs(new - expected[j]) / (expected[j] if mu is None else 1.0))
        expected[j] = new
    np.testing.assert_allclose(now, expected, atol=1e-6)
    np.testing.assert_allclose(inverse, np.linalg.inv(twice - np.diag(now)), rtol=1e-9, atol=1e-9)
    assert found == pytest.approx(most, rel=1e-5)
