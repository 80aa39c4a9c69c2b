"""The order in which single rows are visited: fair, a function of seed, epoch and rows, the same for any source of the rows."""

import numpy as np
import pytest
from scipy import sparse

from aprendiz.core.rows import Block, block_rows
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.linear.designs.visits import Reach, parts, visiting_order


def table(n, start=0):
    return Block(np.zeros((n, 1)), None, None, start)


@pytest.mark.parametrize("n", [1, 2, 3, 100, 5000])
def test_every_row_once(n):
    """An order is a permutation; without shuffling, the order in which the rows stand."""
    assert sorted(visiting_order(table(n), 3, 0).tolist()) == list(range(n))
    assert visiting_order(table(n), 3, 0, shuffle=False).tolist() == list(range(n))


def test_orders_differ():
    """By seed, by epoch and by where the rows stand; the same call gives the same order."""
    asked = [(1, 0, 0), (2, 0, 0), (1, 1, 0), (1, 0, 50)]
    orders = [visiting_order(table(50, start), seed, epoch).tolist() for seed, epoch, start in asked]
    assert len({tuple(order) for order in orders}) == 4
    assert visiting_order(table(50), 1, 0).tolist() == orders[0]


def test_all_orders_are_equally_likely():
    """Over 24 000 epochs, each of the 24 orders of four rows comes about 1000 times: χ² with 23 degrees of freedom."""
    codes = [visiting_order(table(4), 0, epoch) @ [64, 16, 4, 1] for epoch in range(24_000)]
    _, counts = np.unique(codes, return_counts=True)
    assert len(counts) == 24
    assert ((counts - 1000.0) ** 2 / 1000.0).sum() < 49.7  # its 99.9 % quantile


def test_parts_of_other_rows():
    """A table in memory is one part; rows in blocks of any length become parts of a size that depends on the columns alone."""
    X = np.arange(20_000.0).reshape(-1, 2)
    rows = ArrayRows(X, np.arange(10_000))
    assert [len(part) for part in parts(rows)] == [10_000]
    size = block_rows(2)
    found = list(parts(rows.changed(lambda block: block)))
    assert [len(part) for part in found] == [size, 10_000 - size]
    assert np.array_equal(np.concatenate([part.X for part in found]), X)
    assert np.array_equal(np.concatenate([part.numbers for part in found]), np.arange(10_000))


def test_reach():
    """The largest square belongs to a row that counts; dense and sparse, whole and in parts."""
    X = np.array([[3.0, 4.0], [0.0, 1.0], [100.0, 0.0]])
    weight = np.array([1.0, 2.0, 0.0])
    for form in (X, sparse.csr_array(X)):
        reach = Reach.of(Block(form, None, weight, 0))
        assert (reach.weight, reach.energy, reach.square) == (3.0, 27.0, 25.0)
        assert Reach.of(Block(form, None, None, 0)).square == 1e4
    a, b = (Reach.of(Block(X[cut], None, weight[cut], 0)) for cut in (slice(1), slice(1, None)))
    assert a + b == Reach(3.0, 27.0, 25.0)
