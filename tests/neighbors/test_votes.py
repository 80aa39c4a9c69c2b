"""Votes and means of neighbours: kernels against plain NumPy, every tiny vote, ties, weights."""

from itertools import product

import numpy as np
import pytest

from aprendiz.neighbors.shared.votes import Near, class_votes, shares, target_means, winners

RNG = np.random.default_rng(3)
N, CLASSES = 40, 4
CODES = RNG.integers(0, CLASSES, N)
TARGETS = RNG.normal(size=(N, 2))
TABLE = np.sort(RNG.uniform(0.1, 2, size=(25, 6)), axis=1)
EVEN = Near.of(TABLE, RNG.integers(0, N, size=(25, 6)))
COUNTS = np.array([3, 0, 5, 1, 0, 7])
UNEVEN = Near(np.concatenate([[0], np.cumsum(COUNTS)]), RNG.uniform(0.1, 2, 16), RNG.integers(0, N, 16))
KINDS = [None, "uniform", "distance", lambda d: np.exp(-d)]


def plain_weights(distances, kind):
    """ω of one row by the definition."""
    if kind is None or kind == "uniform":
        return np.ones(len(distances))
    if callable(kind):
        return kind(distances)
    return (distances == 0).astype(float) if (distances == 0).any() else 1 / distances


def with_zeros(near):
    """The same neighbours, some of which coincide with their row."""
    return Near(near.starts, np.where(np.arange(len(near.distances)) % 5 == 0, 0.0, near.distances), near.indices, near.width)


NEAR = [EVEN, UNEVEN, with_zeros(EVEN), with_zeros(UNEVEN)]


@pytest.mark.parametrize("near", NEAR, ids=["even", "uneven", "coinciding", "uneven coinciding"])
@pytest.mark.parametrize("kind", KINDS, ids=["none", "uniform", "distance", "function"])
def test_kernels(near, kind):
    """Votes and means are those of a loop over rows; without neighbours, no votes and no mean."""
    votes, means = class_votes(near, kind, CODES, CLASSES), target_means(near, kind, TARGETS)
    for i, row in enumerate(near.rows()):
        omega, who = plain_weights(near.distances[row], kind), near.indices[row]
        np.testing.assert_allclose(votes[i], np.bincount(CODES[who], omega, CLASSES), rtol=1e-13)
        wanted = np.average(TARGETS[who], axis=0, weights=omega) if len(who) else [np.nan, np.nan]
        np.testing.assert_allclose(means[i], wanted, rtol=1e-13, atol=1e-14)


def test_shares():
    """Shares of votes sum to 1; where nobody votes all are 0."""
    found = shares(class_votes(UNEVEN, "distance", CODES, CLASSES))
    np.testing.assert_allclose(found.sum(axis=1), COUNTS > 0, rtol=1e-15)


def every_vote():
    """All outcomes of five votes among three classes."""
    return np.array([v for v in product(range(6), repeat=3) if sum(v) == 5], dtype=float)


def test_every_vote_has_a_winner():
    """The winner has the most votes; of a tie it is the first, or any of them."""
    votes = every_vote()
    assert len(votes) == 21
    for i, v in enumerate(votes):
        best = {c for c in range(3) if v[c] == max(v)}
        assert winners(votes, "lowest", 0, np.arange(21))[i] == min(best)
        drawn = {int(winners(votes, "random", seed, np.arange(21))[i]) for seed in range(60)}
        assert drawn == best


def test_random_ties_belong_to_the_row():
    """A tie is decided by seed and row number alone, and each class of it wins about as often."""
    votes, numbers = np.tile([2.0, 1.0, 2.0], (3000, 1)), np.arange(3000)
    found = winners(votes, "random", 7, numbers)
    assert np.array_equal(winners(votes[1000:2000], "random", 7, numbers[1000:2000]), found[1000:2000])
    assert set(found) == {0, 2}
    assert abs((found == 2).mean() - 0.5) < 4 * np.sqrt(0.25 / 3000)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda d: -d, r"weights gave -.* in row 0: the function must give numbers of at least 0"),
        (lambda d: d * np.nan, "weights gave nan"),
        (lambda d: -1 / (d * 0), "weights gave -inf"),
        (lambda d: d[..., :1], r"of shape \(25, 1\) for distances of shape \(25, 6\)"),
        (lambda d: (np.arange(25) != 4)[:, None] * d, "zero weights, first in row 4"),
    ],
    ids=["negative", "missing", "infinite", "shape", "all zero"],
)
def test_functions_that_give_no_weights(function, message):
    """What a function gives is checked, and the row is named."""
    with np.errstate(divide="ignore"), pytest.raises(ValueError, match=message):
        class_votes(EVEN, function, CODES, CLASSES)


def test_infinite_weights_speak_alone():
    """Where a function gives an infinite weight, those rows alone count, as for 1/d at distance 0."""
    near = Near(np.array([0, 3, 5]), np.array([0.0, 0.0, 1.0, 2.0, 4.0]), np.array([0, 1, 2, 0, 2]))
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(near.weights(lambda d: 1 / d), [1.0, 1.0, 0.0, 0.5, 0.25])
