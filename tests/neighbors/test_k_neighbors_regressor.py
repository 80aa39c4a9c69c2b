"""KNeighborsRegressor: scikit-learn's means, of one target and of several."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsRegressor as TheirRegressor

from aprendiz import KNeighborsRegressor

RNG = np.random.default_rng(5)
X = RNG.normal(size=(200, 3))
TARGETS = np.column_stack([X[:, 0] ** 2 + RNG.normal(size=200), X @ [1.0, -1.0, 2.0]])
Q = np.vstack([RNG.normal(size=(60, 3)), X[:20]])
WEIGHTS = {"uniform": "uniform", "distance": "distance", "function": lambda d: np.exp(-(d**2))}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("k", [1, 4, 200])
@pytest.mark.parametrize("columns", [0, slice(0, 1), slice(0, 2)], ids=["one", "one column", "two columns"])
def test_same_as_scikit_learn(weights, k, columns):
    """Means of one target, of a single column and of several, of the same shape. Scikit-learn's brute search is left out: its
    distances between equal rows are not 0 with every BLAS, and their inverses are the weights."""
    y, parameters = TARGETS[:, columns], {"weights": WEIGHTS[weights], "n_neighbors": k}
    ours, theirs = KNeighborsRegressor(**parameters).fit(X, y), TheirRegressor(algorithm="kd_tree", **parameters).fit(X, y)
    for rows in (Q, None) if k < 200 else (Q,):
        assert ours.predict(rows).shape == theirs.predict(rows).shape
        np.testing.assert_allclose(ours.predict(rows), theirs.predict(rows), rtol=1e-10, atol=1e-13)
    assert ours.score(Q, y[:80]) == pytest.approx(theirs.score(Q, y[:80]))


def test_laws():
    """One neighbour is interpolation; all of them are the mean; no prediction leaves the range of the targets."""
    y = TARGETS[:, 0]
    assert np.array_equal(KNeighborsRegressor(1).fit(X, y).predict(X), y)
    assert np.array_equal(KNeighborsRegressor(9, weights="distance").fit(X, y).predict(X), y)
    np.testing.assert_allclose(KNeighborsRegressor(200).fit(X, y).predict(Q), y.mean(), rtol=1e-13)
    found = KNeighborsRegressor(5, weights="distance").fit(X, y).predict(10 * Q)
    assert y.min() <= found.min() <= found.max() <= y.max()


def test_coinciding_rows_alone_speak():
    """With weights by distance, rows at distance 0 are averaged and the others silent."""
    model = KNeighborsRegressor(4, weights="distance").fit([[0.0], [0.0], [1.0], [2.0]], [1.0, 3.0, 50.0, 70.0])
    assert model.predict([[0.0]])[0] == 2.0
