"""The radix sort gives what NumPy's sort gives, bit for bit but for the payloads of NaN."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aprendiz.core.radix_sort import FEW, sort_numbers

SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -np.nan, 5e-324, -5e-324, 1.7e308, -1.7e308, 2.0**-1022]


def same(x):
    """As NumPy has it; zeros of both signs are equal to it, and here the negative ones come first."""
    found = sort_numbers(x)
    np.testing.assert_array_equal(found, np.sort(x))
    if len(x) > FEW:
        assert (np.diff(np.signbit(found[found == 0]).astype(int)) <= 0).all()


@pytest.mark.parametrize("n", [0, 1, FEW, FEW + 1, 3 * FEW])
@pytest.mark.parametrize("kind", ["normal", "singles", "ties", "wide", "constant", "falling", "special"])
def test_as_numpy(n, kind):
    rng = np.random.default_rng(n)
    x = {
        "normal": lambda: rng.normal(size=n),
        "singles": lambda: rng.normal(size=n).astype(np.float32).astype(np.float64),
        "ties": lambda: rng.integers(-3, 4, n).astype(np.float64),
        "wide": lambda: rng.choice([-1.0, 1.0], n) * np.exp(rng.uniform(-700, 700, n)),
        "constant": lambda: np.full(n, -2.5),
        "falling": lambda: -np.arange(n, dtype=np.float64),
        "special": lambda: rng.choice(SPECIAL, n),
    }[kind]()
    before = x.copy()
    same(x)
    np.testing.assert_array_equal(x, before)


@given(st.lists(st.floats(), max_size=40), st.integers(0, 99))
def test_any_doubles(few, seed):
    """Any bits, among many others."""
    x = np.concatenate([few, np.random.default_rng(seed).normal(size=FEW)])
    same(np.random.default_rng(seed).permutation(x))
