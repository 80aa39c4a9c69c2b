"""The sweeps and sums of selection/updating against their twins."""

import numpy as np
import pytest

from aprendiz.selection.updating.independent_models import sums_without_each
from aprendiz.selection.updating.sums_of_groups import SumsOfGroups
from aprendiz.selection.updating.sweep import MOST, Sweep

from . import sweep_twins as twins


def scatter_of(seed, columns=8):
    """A scatter, and some rows of numbers for its columns."""
    random = np.random.default_rng(seed)
    Z = random.normal(size=(30, columns)) * 10.0 ** random.integers(-6, 7, columns)
    scale = np.sqrt(np.diagonal(Z.T @ Z))
    return Z.T @ Z, random.normal(size=(4, columns)) * scale, scale


def sweep_of(G, rows, most=None):
    return Sweep(lambda columns: G[columns], np.diagonal(G).copy(), np.zeros(len(G)), rows, most or len(G))


def agree(sweep, G, scale):
    """Rows, pivots and the inverse of a place, each in the units of its columns."""
    unit = np.where(sweep.chosen, 1.0 / scale, scale)
    expected = np.array([twins.swept_row(G, t, sweep.chosen) for t in sweep.given])
    np.testing.assert_allclose(sweep.rows / unit, expected / unit, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(sweep.pivots / unit**2, twins.pivots(G, sweep.chosen) / unit**2, rtol=1e-9)
    inverse = twins.inverse_rows(G, sweep.chosen, sweep.members)
    own = unit[sweep.members, None]
    np.testing.assert_allclose(sweep.E / unit / own, inverse / unit / own, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_walks(seed):
    """Any walk of columns that enter and leave ends where the definition is, as does a place that is gone to at once."""
    G, rows, scale = scatter_of(seed)
    walker = sweep_of(G, rows)
    for column in np.random.default_rng(seed).integers(0, 8, 25):
        walker.flip(int(column))
        agree(walker, G, scale)
        there = sweep_of(G, rows)
        there.place(walker.chosen)
        agree(there, G, scale)


@pytest.mark.parametrize("power", range(14, 26))
def test_columns_that_nearly_depend(power):
    """A column is answered while the variance inflation is below the bound, and then not."""
    G, rows, _ = scatter_of(0)
    scale = np.sqrt(np.diagonal(G))
    C = G / scale / scale[:, None]
    C[7], C[:, 7] = C[0], C[:, 0]  # a copy of the first column, and noise of its own
    C[7, 7] = 1.0 + 2.0**-power
    C[0, 7] = C[7, 0] = 1.0
    sweep = sweep_of(C, rows)
    sweep.flip(0)
    inflation = C[7, 7] / twins.pivots(C, sweep.chosen)[7]
    assert sweep.answered(np.array([7]))[0] == (inflation <= MOST)
    sweep.flip(7)
    assert sweep.safe == (inflation <= MOST)


def test_too_many_columns():
    """More columns than may be chosen are not answered."""
    G, rows, _ = scatter_of(1)
    sweep = sweep_of(G, rows, most=2)
    for column in (3, 5):
        sweep.flip(column)
        assert sweep.safe
    sweep.flip(0)
    assert not sweep.safe
    sweep.flip(3)
    assert sweep.safe


@pytest.mark.parametrize("divided", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("offset", [0.0, 2.0**20])
def test_sums_of_groups(divided, weighted, offset):
    """The scatter of the training rows of each fold around the means of their groups, whole or a few columns at a time."""
    random = np.random.default_rng(0)
    X = np.round(random.normal(size=(40, 5)) * 2.0**10) / 2.0**10 + offset
    groups, weight = np.arange(40) % 3, random.integers(1, 5, 40) / 2.0 if weighted else None
    tests = np.array_split(random.permutation(40), 4)
    splits = [(np.setdiff1d(np.arange(40), test), test) for test in (tests if divided else tests[:2])]
    sums = SumsOfGroups(X, groups, 3, weight, splits)
    assert sums.divided == divided
    ones = np.ones(40) if weight is None else weight
    for kept in (sums.kept, None):
        sums.kept = kept
        for fold, (train, _) in enumerate(splits):
            expected = twins.scatter(X - offset, groups, ones, train)
            np.testing.assert_allclose(sums.rows(fold, np.array([4, 1])), expected[[4, 1]], rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose(sums.diagonal[fold], np.diagonal(expected), rtol=1e-9)
            np.testing.assert_allclose(sums.total[fold], [ones[train][groups[train] == g].sum() for g in range(3)])


def test_sums_without_each():
    """All but one, by leaving it out."""
    terms = np.random.default_rng(0).normal(size=(6, 5, 3))
    expected = np.stack([np.delete(terms, j, axis=1).sum(axis=1) for j in range(5)], axis=1)
    np.testing.assert_allclose(sums_without_each(terms), expected, rtol=1e-12)
