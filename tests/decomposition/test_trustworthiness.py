"""Trustworthiness by its definition, and as scikit-learn has it."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn import manifold

from aprendiz import trustworthiness

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 5))
Z = X[:, :2] + 0.3 * RNG.normal(size=(60, 2))


def by_definition(D, E, k):
    """1 − 2/(nk(2n − 3k − 1)) Σ Σ (r − k), rank by rank."""
    n, total = len(D), 0
    for i in range(n):
        ranks = {j: rank for rank, j in enumerate(sorted((j for j in range(n) if j != i), key=lambda j: D[i, j]), 1)}
        nearest = sorted((j for j in range(n) if j != i), key=lambda j: E[i, j])[:k]
        total += sum(max(0, ranks[j] - k) for j in nearest)
    return 1 - 2 * total / (n * k * (2 * n - 3 * k - 1))


@pytest.mark.parametrize("k", [1, 5, 29])
def test_definition(k):
    expected = by_definition(cdist(X, X), cdist(Z, Z), k)
    assert trustworthiness(X, Z, n_neighbors=k) == pytest.approx(expected, abs=1e-14)
    assert manifold.trustworthiness(X, Z, n_neighbors=k) == pytest.approx(expected, abs=1e-14)


def test_ties():
    """Of rows at equal distances the first is the nearer one: rounded tables, rows that are alike."""
    A, B = np.round(X), np.round(Z)
    assert trustworthiness(A, B) == pytest.approx(by_definition(cdist(A, A), cdist(B, B), 5), abs=1e-14)


def test_metrics():
    expected = manifold.trustworthiness(X, Z, metric="manhattan")
    assert trustworthiness(X, Z, metric="manhattan") == pytest.approx(expected, abs=1e-14)
    assert trustworthiness(cdist(X, X, "cityblock"), Z, metric="precomputed") == pytest.approx(expected, abs=1e-14)
    assert trustworthiness(X, Z, metric="correlation") == pytest.approx(
        manifold.trustworthiness(X, Z, metric="correlation"), abs=1e-14
    )


def test_bounds():
    assert trustworthiness(X, X) == 1.0
    assert trustworthiness(X + 2.0**30, X) == 1.0
    assert 0.4 < trustworthiness(X, RNG.normal(size=(60, 2))) < 0.6


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n_neighbors": 30}, r"n_neighbors \(30\) should be less than n_samples / 2"),
        ({"n_neighbors": 0}, "n_neighbors"),
        ({"X_embedded": Z[1:]}, "X has 60 rows, but X_embedded has 59"),
        ({"X_embedded": np.full((60, 2), np.nan)}, "NaN"),
    ],
)
def test_bad_input(changes, words):
    with pytest.raises(ValueError, match=words):
        trustworthiness(**{"X": X, "X_embedded": Z, **changes})
