"""Random numbers that belong to a row: a function of seed, stream and row number, and as good as independent draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from aprendiz.core.random import draw_seed, hash_one, hashes, mix, uniforms

N = 20_000
WHOLE = 2**64 - 1


def finaliser(z):
    """The output function of SplitMix64, in Python's whole numbers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & WHOLE
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WHOLE
    return z ^ (z >> 31)


def twin(z):
    return finaliser((z + 1) * 0x9E3779B97F4A7C15 & WHOLE)


def test_published_numbers():
    """mix(0), mix(1), … are the first numbers of SplitMix64 with seed 0 (test vector of Vigna's reference implementation)."""
    assert mix(np.arange(3, dtype=np.uint64)).tolist() == [16294208416658607535, 7960286522194355700, 487617019471545679]


@given(st.lists(st.integers(0, WHOLE), min_size=1, max_size=5))
def test_mix_is_its_twin(values):
    """The vectorised mix is the one in whole numbers, also where sums and products wrap around."""
    assert mix(np.array(values, np.uint64)).tolist() == [twin(z) for z in values]


@given(st.integers(0, 2**31), st.integers(0, 1000), st.lists(st.integers(0, 2**40), min_size=1, max_size=20))
def test_function_of_the_row(seed, stream, rows):
    """A row's number is the same alone, among others, in any order."""
    together = uniforms(seed, stream, np.array(rows))
    alone = [uniforms(seed, stream, np.array([row]))[0] for row in rows]
    backwards = uniforms(seed, stream, np.array(rows[::-1]))[::-1]
    assert together.tolist() == alone == backwards.tolist()


def test_definition():
    """u(seed, stream, i) = mix(mix(mix(seed) + stream) + i), its first 53 bits."""
    for seed, stream, row in [(0, 0, 0), (1, 2, 3), (2**31 - 2, 77, 10**9)]:
        expected = twin((twin((twin(seed) + stream) & WHOLE) + row) & WHOLE)
        assert int(hashes(seed, stream, np.array([row]))[0]) == expected
        assert uniforms(seed, stream, np.array([row]))[0] == (expected >> 11) / 2**53
        assert hash_one(seed, stream, row) == expected


def test_first_rows():
    """A whole number of rows stands for 0, 1, …"""
    assert np.array_equal(uniforms(5, 1, 100), uniforms(5, 1, np.arange(100)))


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint64, np.intp])
def test_any_kind_of_row_number(kind):
    """The type of the row numbers does not matter."""
    assert np.array_equal(uniforms(1, 1, np.arange(10, dtype=kind)), uniforms(1, 1, 10))


@pytest.mark.parametrize(("seed", "stream"), [(0, 0), (0, 1), (1, 0), (42, 7), (2**31 - 2, 10**6)])
def test_uniform(seed, stream):
    """In [0, 1), and spread evenly: χ² over 100 cells and Kolmogorov–Smirnov (with fixed seeds)."""
    u = uniforms(seed, stream, N)
    assert u.min() >= 0.0
    assert u.max() < 1.0
    counts = np.bincount((u * 100).astype(int), minlength=100)
    assert 1e-4 < stats.chisquare(counts).pvalue < 1 - 1e-4  # neither uneven nor suspiciously even
    assert stats.kstest(u, "uniform").pvalue > 1e-4
    low_bits = (hashes(seed, stream, np.arange(N)) & np.uint64(63)).astype(int)  # the sample of `Sample` uses the last bits
    assert stats.chisquare(np.bincount(low_bits, minlength=64)).pvalue > 1e-4


def correlation(a, b):
    return abs(float(np.corrcoef(a, b)[0, 1]))


LIMIT = 5 / np.sqrt(N)  # five standard errors of the correlation of independent draws


@pytest.mark.parametrize("stream", [0, 1, 2, 10, 1000])
def test_streams_are_uncorrelated(stream):
    """Neighbouring streams, neighbouring seeds, and rows shifted by one have nothing to do with each other."""
    u = uniforms(3, stream, N)
    assert correlation(u, uniforms(3, stream + 1, N)) < LIMIT
    assert correlation(u, uniforms(4, stream, N)) < LIMIT
    assert correlation(u[1:], u[:-1]) < LIMIT
    assert correlation(u[1:], uniforms(3, stream + 1, N)[:-1]) < LIMIT
    assert correlation(u[:-1], uniforms(3, stream + 1, N)[1:]) < LIMIT


def test_pairs_fill_the_square():
    """Two streams as coordinates fill the unit square evenly."""
    cells = (uniforms(0, 1, N) * 10).astype(int) * 10 + (uniforms(0, 2, N) * 10).astype(int)
    assert stats.chisquare(np.bincount(cells, minlength=100)).pvalue > 1e-4


def test_no_two_rows_alike():
    """Rows of one stream have different numbers (64 bits: a coincidence would be a fault)."""
    assert len(np.unique(hashes(0, 0, np.arange(100_000)))) == 100_000


def test_draw_seed():
    """A whole number is its own seed; a generator gives one and moves on; None gives one that differs."""
    assert draw_seed(17) == 17
    assert draw_seed(np.int64(17)) == 17
    state, same = np.random.RandomState(3), np.random.RandomState(3)
    first = draw_seed(state)
    assert first == draw_seed(same)
    assert draw_seed(state) != first
    assert isinstance(first, int)
    assert draw_seed(None) != draw_seed(None)
