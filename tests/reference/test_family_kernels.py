"""Kernels that read codes, count families and search cumulative sums agree with their plain twins."""

import numpy as np
import pytest

from aprendiz.graphical.counts.family_counts import add_counts
from aprendiz.graphical.generation.draws import cumulative, first_above
from aprendiz.summaries.codes import read_codes


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_add_counts(kind):
    """The weight of each row in the cell of its levels, added to what is there; a missing cell counts nothing."""
    rng = np.random.default_rng(0)
    codes, w = rng.integers(-1, 3, size=(40, 4)).astype(kind), rng.integers(0, 3, 40).astype(float)
    families, sizes = [(0, 2), (3,), (2, 1, 3)], [3, 3, 3, 3]
    expected, table, cells = [], [], [0]
    for family in families:
        own = np.ones([sizes[v] for v in family])
        for row, weight in zip(codes, w, strict=True):
            if all(row[v] >= 0 for v in family):
                own[tuple(row[v] for v in family)] += weight
        expected.append(own.ravel())
        cells.append(cells[-1] + own.size)
    strides = [int(np.prod([sizes[u] for u in family[k + 1 :]])) for family in families for k in range(len(family))]
    table = np.ones(cells[-1])
    ends = np.cumsum([0, *map(len, families)])
    add_counts(codes, w, np.concatenate(families), np.array(strides), ends, np.array(cells[:-1]), table)
    assert np.array_equal(table, np.concatenate(expected))


def test_first_above():
    """The first sum of its row that lies above; a cell of probability 0 is never found, nor one beyond the last."""
    rng = np.random.default_rng(1)
    shares = rng.exponential(size=(6, 7)) * (rng.random((6, 7)) < 0.6)
    shares[2], shares[3, :-1], shares[4, 0] = 0.0, 0.0, 0.0
    shares[[0, 1, 3, 4, 5], -1] += 0.1
    ends, rows = cumulative(shares), rng.permutation(np.repeat([0, 1, 3, 4, 5], 40))
    u = np.concatenate([rng.random(198), [0.0, np.nextafter(1.0, 0.0)]])
    found = np.full(200, -1)
    first_above(ends, rows, u, found)
    assert found.tolist() == [int(np.argmax(ends[row] > one)) for row, one in zip(rows, u, strict=True)]
    assert (shares[rows, found] > 0).all()


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, np.int32])
def test_read_codes(kind):
    """Whole numbers, −1 for a hole; the largest of rows that count; rows with a hole; whether all cells are codes."""
    rng = np.random.default_rng(2)
    X, w = rng.integers(0, 9, size=(30, 3)).astype(kind), rng.integers(0, 2, 30).astype(float)
    least = -1 if kind is np.int32 else 0
    holes = rng.random(X.shape) < (0.0 if kind is np.int64 else 0.2)
    X[holes] = -1 if kind is np.int32 else np.nan if kind is not np.int64 else 0
    for bad in (None, -2, 9, *([0.5] if np.dtype(kind).kind == "f" else [])):
        given = X.copy()
        if bad is not None:
            given[7, 1] = bad
        codes, highest, incomplete = np.empty(X.shape, np.int32), np.full(3, -1, np.int32), np.empty(30, bool)
        assert read_codes(given, w, least, 9, codes, highest, incomplete) == (bad is None)
        if bad is None:
            assert np.array_equal(codes, np.where(holes, -1, X).astype(int))
            assert np.array_equal(highest, np.where(w[:, None] > 0, codes, -1).max(axis=0))
            assert np.array_equal(incomplete, holes.any(axis=1))
