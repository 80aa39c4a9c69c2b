"""Moments and triangles: what adds, and which digits a sum has lost."""

import numpy as np
import pytest

from aprendiz.core.rows import Block
from aprendiz.summaries.moments import Moments, Triangle

X = np.random.default_rng(0).normal(size=(30, 3))
PIVOT = np.zeros(3)


def block(rows):
    return Block(rows, None, None, 0)


@pytest.mark.parametrize("order", [1, -1])
def test_a_triangle_remembers_that_some_of_it_was_squared(order):
    """Squaring takes digits that no later row gives back, in whatever order the parts are added."""
    triangle, moments = Triangle.of(PIVOT, block(X[:10])), Moments.of(PIVOT, block(X[10:])).triangle()
    first, second = (triangle, moments)[::order]
    found = first + second
    assert not triangle.squared
    assert moments.squared
    assert found.squared
    assert (found + Triangle.of(PIVOT, block(X))).squared
    assert not (triangle + Triangle.of(PIVOT, block(X))).squared
    whole = np.column_stack([np.ones(30), X])
    np.testing.assert_allclose(found.R.T @ found.R, whole.T @ whole, atol=1e-12)
