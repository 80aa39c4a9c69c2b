"""Neighbours in the texts: votes and their ties (D 1.7), κ/(N·V) and its posterior (A III.5.1), errors of k-NN (D 1.7.3–4)."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from aprendiz import KNeighborsClassifier, KNNDensity, NearestNeighbors, choose_n_neighbors

POINTS = np.array([[1.0, 1.0], [2.0, 1.0], [4.0, 4.0], [5.0, 4.0], [3.0, 2.0]])
LABELS = np.array(["circle", "circle", "cross", "cross", "cross"])


@pytest.mark.parametrize(("k", "votes"), [(1, [0, 1]), (2, [1, 1]), (3, [2, 1]), (5, [2, 3])])
def test_a_vote_by_hand(k, votes):
    """D 690: of the point (2.5, 1.75) the squared distances are 2.8125, 0.8125, 7.3125, 11.3125 and 0.3125."""
    x = [[2.5, 1.75]]
    distances, rows = NearestNeighbors(n_neighbors=5).fit(POINTS).kneighbors(x)
    assert rows[0].tolist() == [4, 1, 0, 2, 3]
    np.testing.assert_allclose(distances[0] ** 2, [0.3125, 0.8125, 2.8125, 7.3125, 11.3125], rtol=1e-14)
    np.testing.assert_allclose(KNeighborsClassifier(k).fit(POINTS, LABELS).predict_proba(x)[0], np.array(votes) / k, rtol=1e-15)


def test_ties_at_random():
    """D 697: ties are decided at random among the classes with the most votes; each wins half of the time."""
    model = KNeighborsClassifier(2, ties="random", random_state=3).fit(POINTS, LABELS)
    found = model.predict(np.tile([2.5, 1.75], (2000, 1)))
    assert abs((found == "cross").mean() - 0.5) < 4 * math.sqrt(0.25 / 2000)


def test_weights_of_the_kernel_form():
    """D 704: with w = 1/k for the neighbours and 0 for the others, class 1 wins where Σ w [Y = 1] exceeds Σ w [Y = 0]."""
    rng = np.random.default_rng(0)
    X, y, Q = rng.normal(size=(80, 2)), rng.integers(0, 2, 80), rng.normal(size=(40, 2))
    model = KNeighborsClassifier(7).fit(X, y)
    w = model.kneighbors_graph(Q).toarray() / 7
    np.testing.assert_allclose(w.sum(axis=1), 1, rtol=1e-14)
    assert np.array_equal(model.predict(Q), (w @ (y == 1) > w @ (y == 0)).astype(int))


def test_voronoi_cells():
    """D 735: with one neighbour the cell of a row is where no other is nearer; on a line it ends half-way."""
    model = KNeighborsClassifier(1).fit([[0.0], [1.0], [4.0]], ["a", "b", "c"])
    assert model.predict([[-9.0], [0.49], [0.51], [2.49], [2.51], [99.0]]).tolist() == ["a", "a", "b", "b", "c", "c"]


def test_neighbours_come_closer():
    """D 718: with k/n → 0 the distance to the k-th neighbour tends to 0; on a line of n uniform rows it is about k/(2n)."""
    rng = np.random.default_rng(1)
    for n, k in ((100, 5), (10_000, 50), (1_000_000, 500)):
        far = NearestNeighbors(n_neighbors=k).fit(rng.random((n, 1))).kneighbors([[0.5]])[0][0, -1]
        assert far == pytest.approx(k / (2 * n), rel=4 / math.sqrt(k))


def test_same_share_in_a_smaller_region():
    """A 1556: 6 of 16 rows in a region of half the width have twice the density: 6/16 over the width."""
    narrow, wide = 1 + np.array([-0.5, -0.4, -0.1, 0.2, 0.3, 0.5]), 6 + np.array([-1.0, -0.7, -0.1, 0.2, 0.8, 1.0])
    rows = np.concatenate([narrow, wide, [20.0, 21.0, 22.0, 23.0]])[:, None]
    np.testing.assert_allclose(KNNDensity(6).fit(rows).density([[1.0], [6.0]]), [6 / 16 / 1, 6 / 16 / 2], rtol=1e-12)


def test_posterior_of_the_ball():
    """A 1576: p(x | C) = N_C(x)/(N_C·V) with priors N_C/N gives N_C(x)/κ: here 3 of 5 and 2 of 5, whatever the class sizes."""
    model = KNNDensity(5).fit(POINTS)
    x = [[2.5, 1.75]]
    volume = math.pi * 11.3125
    np.testing.assert_allclose(np.exp(model.log_class_density(x, LABELS))[0], [2 / (2 * volume), 3 / (3 * volume)], rtol=1e-12)
    np.testing.assert_allclose(model.posterior(x, LABELS)[0], [2 / 5, 3 / 5], rtol=1e-14)


def test_error_of_k_neighbours():
    """D 1.7.4: with constant η the error of an odd k is η·P(votes < k/2) + (1 − η)·P(votes > k/2); it falls with k."""
    eta, n = 0.2, 20_000
    rng = np.random.default_rng(2)
    choice = choose_n_neighbors(rng.normal(size=(n, 2)), rng.random(n) < eta, (1, 3, 5, 9, 15))
    wanted = [eta * binom.cdf(k // 2, k, eta) + (1 - eta) * binom.sf(k // 2, k, eta) for k in choice.ks]
    assert wanted[0] == pytest.approx(2 * eta * (1 - eta))
    assert (np.diff(wanted) < 0).all()
    # rows that are neighbours of many others make losses depend on each other: twice their standard error, four times
    np.testing.assert_allclose(choice.errors, wanted, atol=8 * choice.standard_errors.max())
