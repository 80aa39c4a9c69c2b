"""Nearest neighbours in the limit: the chain of errors, a count of all labels, a simulation, and the bounds backwards."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import beta, norm, uniform
from sklearn.neighbors import KNeighborsClassifier

from aprendiz import bayes_bounds, bayes_error, knn_error, neighbour_bounds

PROBLEMS = {
    "near": {"model": [norm(0, 1), norm(1, 1)]},
    "far": {"model": [norm(0, 1), norm(4, 1)], "priors": [0.8, 0.2]},
    "skewed": {"model": lambda x: x**2, "x": beta(2, 5)},
    "values": {"model": lambda x: x, "x": [0.0, 0.2, 0.5, 0.9, 1.0]},
}
problems = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=list(PROBLEMS))


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_all_labels_of_the_neighbours(k):
    """Every pattern of k labels with its probability, votes counted, ties by chance."""
    for eta in (0.0, 0.1, 0.37, 0.5, 0.8, 1.0):
        error = 0.0
        for labels in product([0, 1], repeat=k):
            chance = np.prod([eta if label else 1 - eta for label in labels])
            vote = np.sign(2 * sum(labels) - k)
            error += chance * {1: 1 - eta, -1: eta, 0: 0.5}[int(vote)]
        assert knn_error(lambda x: x, k, x=[eta]) == pytest.approx(error, abs=1e-15)


@problems
def test_the_chain(problem):
    """L* ≤ … ≤ L_3NN ≤ L_NN ≤ 2L*(1 − L*); an even k is k − 1; many neighbours come near L*."""
    best = bayes_error(**problem).error
    errors = [knn_error(k=k, **problem) for k in (1, 3, 5, 7, 9)]
    assert best - 1e-12 <= errors[-1]
    assert (np.diff(errors) <= 1e-12).all()
    assert errors[0] <= neighbour_bounds(best)[1] + 1e-12
    for k in (2, 4, 6):
        assert knn_error(k=k, **problem) == pytest.approx(knn_error(k=k - 1, **problem), abs=1e-13)
    assert best - 1e-12 <= knn_error(k=2001, **problem) <= best + 1 / np.sqrt(2001 * np.e)


def test_many_classes():
    """k = 1: two independent labels differ with probability 1 − Σ p²; the bound of Cover and Hart holds."""
    P = np.random.default_rng(0).dirichlet([0.5] * 4, size=50)
    error = knn_error(lambda rows: rows, x=P)
    assert error == pytest.approx(np.mean([sum(a * b for i, a in enumerate(p) for j, b in enumerate(p) if i != j) for p in P]))
    best = bayes_error(lambda rows: rows, x=P).error
    low, high = neighbour_bounds(best, 4)
    assert low <= error <= high
    with pytest.raises(ValueError, match="There are 4 classes"):
        knn_error(lambda rows: rows, 3, x=P)


@pytest.mark.parametrize("k", [1, 3])
def test_the_limit_is_met(k):
    """Real neighbours among 20 000 rows of a known problem err as often as the limit says, to four standard errors."""
    rng = np.random.default_rng(1)
    x = rng.uniform(0, 4, size=40_000)
    y = rng.random(40_000) < x / (x + 1)
    model = KNeighborsClassifier(k).fit(x[:20_000, None], y[:20_000])
    met = np.mean(model.predict(x[20_000:, None]) != y[20_000:])
    assert met == pytest.approx(knn_error(lambda v: v / (v + 1), k, x=uniform(0, 4)), abs=4 * np.sqrt(0.25 / 20_000))


@pytest.mark.parametrize("classes", [2, 3, 10])
def test_bounds_and_back(classes):
    """The upper bound grows from 0 to the error of guessing, and the lower bound backwards is its inverse."""
    most = 1 - 1 / classes
    for L in np.linspace(0, most, 9):
        low, high = neighbour_bounds(L, classes)
        assert low == L <= high <= min(2 * L, most) + 1e-15
        assert bayes_bounds(high, classes) == pytest.approx((L, high))
    assert neighbour_bounds(0.25) == pytest.approx((0.25, 2 * 0.25 * 0.75))
    assert bayes_bounds(1e-12)[0] == pytest.approx(5e-13, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: knn_error(lambda x: x, 0, x=[0.5]), "k must be a whole number of neighbours, at least 1, got 0"),
        (lambda: knn_error(lambda x: x, 1.5, x=[0.5]), "got 1.5"),
        (lambda: knn_error(lambda x: x), "function of posteriors with x"),
        (lambda: neighbour_bounds(0.6), "bayes must be a number between 0 and 0.5, got 0.6"),
        (lambda: bayes_bounds(-0.1, 3), "neighbour must be a number between 0 and 0.666667, got -0.1"),
        (lambda: neighbour_bounds(0.1, 1), "classes must be a whole number of at least 2"),
    ],
)
def test_refused(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()
