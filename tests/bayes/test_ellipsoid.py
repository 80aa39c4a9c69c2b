"""A covariance by its axes: everything that is asked of it is what dense algebra gives for the matrix it stands for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz.bayes.gaussian.ellipsoid import Ellipsoid, upright

quick = settings(max_examples=60, deadline=None)
seeds, sizes = st.integers(0, 2**32 - 1), st.integers(1, 6)


def covariance(seed, d):
    """A random covariance that is far from singular."""
    A = np.random.default_rng(seed).normal(size=(d, d))
    return A @ A.T + 0.1 * np.eye(d)


def forms(seed, d):
    """All kinds of ellipsoids of d columns: full, in units, few axes with a rest, the columns as axes."""
    rng = np.random.default_rng(seed)
    C, unit = covariance(seed, d), rng.uniform(0.01, 100.0, d)
    few = Ellipsoid.of_rows(rng.normal(size=(max(1, d // 2), d)), unit).blend(0.3, 0.7)
    return [Ellipsoid.of(C), Ellipsoid.of(C, unit), few, Ellipsoid(rng.uniform(0.1, 9.0, d), None, d)]


# ---- the matrix ------------------------------------------------------------------------------------------------------


@quick
@given(seeds, sizes)
def test_of_a_matrix_and_back(seed, d):
    """Axes are orthonormal, the longest first; the matrix comes back, whatever the units."""
    C = covariance(seed, d)
    unit = np.sqrt(np.diagonal(C)) * np.random.default_rng(seed).uniform(0.5, 2.0, d)
    for shape in (Ellipsoid.of(C), Ellipsoid.of(C, unit)):
        np.testing.assert_allclose(shape.axes @ shape.axes.T, np.eye(d), atol=1e-13)
        assert (np.diff(shape.variances) <= 0).all()
        np.testing.assert_allclose(shape.matrix, C, rtol=1e-10, atol=1e-12 * np.abs(C).max())
    np.testing.assert_allclose(Ellipsoid.of(C).variances, np.linalg.eigvalsh(C)[::-1], rtol=1e-11)


@quick
@given(seeds, st.integers(1, 8), st.integers(0, 8))
def test_of_rows(seed, n, more):
    """ZᵀZ from the rows of Z, of which there are no more than columns: an axis for each row."""
    rng, d = np.random.default_rng(seed), n + more
    Z, unit = rng.normal(size=(n, d)), rng.uniform(0.1, 10.0, d)
    for shape in (Ellipsoid.of_rows(Z), Ellipsoid.of_rows(Z, unit)):
        assert len(shape.variances) == n
        np.testing.assert_allclose(shape.axes @ shape.axes.T, np.eye(n), atol=1e-7)
        np.testing.assert_allclose(shape.matrix, Z.T @ Z, atol=1e-9 * np.abs(Z.T @ Z).max())


def test_of_rows_that_say_nothing():
    """Rows of zeros, or none at all, leave no axis."""
    for Z in (np.zeros((3, 4)), np.zeros((0, 4))):
        shape = Ellipsoid.of_rows(Z)
        assert len(shape.variances) == 0
        assert shape.rank(0.0) == 0
        assert not shape.matrix.any()


@pytest.mark.parametrize("d", [1, 2, 5])
def test_formulas_are_those_of_the_matrix(d):
    """(2), (3), Σ⁻¹z, and rows with covariance Σ, against inverse and determinant of the dense matrix."""
    Z = np.random.default_rng(d).normal(size=(20, d))
    for seed in range(20):
        for shape in forms(seed, d):
            C = shape.matrix
            inverse = np.linalg.inv(C)
            np.testing.assert_allclose(C, C.T, rtol=1e-12, atol=1e-14)
            found = shape.squared_distance(Z + 0.5, np.full(Z.shape[1], 0.5))
            np.testing.assert_allclose(found, np.einsum("ij,jl,il->i", Z, inverse, Z), rtol=1e-8)
            np.testing.assert_allclose(shape.solve(Z), Z @ inverse, rtol=1e-7, atol=1e-9 * np.abs(inverse).max())
            assert shape.log_determinant == pytest.approx(np.linalg.slogdet(C)[1], rel=1e-9, abs=1e-9)
            root = shape.spread(np.eye(d))  # a row N becomes N·root
            np.testing.assert_allclose(root.T @ root, C, rtol=1e-9, atol=1e-12 * np.abs(C).max())


# ---- pulled, filled --------------------------------------------------------------------------------------------------


def test_blended():
    """(1 − share)·Σ + share·variance·I, for few axes too; shares 0 and 1 are the ends."""
    rng = np.random.default_rng(0)
    for shape in (Ellipsoid.of(covariance(1, 5)), Ellipsoid.of_rows(rng.normal(size=(2, 5)))):
        for share in (0.0, 0.25, 1.0):
            wanted = (1 - share) * shape.matrix + share * 3.0 * np.eye(5)
            np.testing.assert_allclose(shape.blend(share, 3.0).matrix, wanted, rtol=1e-12, atol=1e-13)
        assert shape.mean_variance == pytest.approx(np.trace(shape.matrix) / 5, rel=1e-13)
        assert shape.blend(0.4, shape.mean_variance).mean_variance == pytest.approx(shape.mean_variance, rel=1e-13)


def test_filled():
    """Only what varies by no more than rounding is filled; the rank says how many directions that leaves."""
    shape = Ellipsoid.of(np.diag([4.0, 1e-20, 0.0]))
    assert shape.rank(1e-16) == 1
    assert sorted(shape.fill(0.5, 1e-16).variances) == [0.5, 0.5, 4.0]
    assert shape.fill(0.5, 1e-16).rank(1e-16) == 3
    few = Ellipsoid.of_rows(np.array([[2.0, 0.0, 0.0]]))
    assert (few.rank(1e-16), few.full, few.largest) == (1, False, 4.0)
    np.testing.assert_allclose(few.fill(0.5, 1e-16).matrix, np.diag([4.0, 0.5, 0.5]))
    assert few.blend(0.5, 1.0).rank(1e-16) == 3


def test_columns_of_very_different_sizes_keep_their_digits():
    """Deviations of 10⁻⁸ and 10⁸ side by side: in units of the columns, distances are those of the columns in units of 1."""
    C, unit = covariance(3, 3), np.array([1e-8, 1.0, 1e8])
    Z = np.random.default_rng(0).normal(size=(10, 3))
    found = Ellipsoid.of(C * unit * unit[:, None], unit * np.sqrt(np.diagonal(C))).squared_distance(Z * unit, 0.0 * unit)
    np.testing.assert_allclose(found, Ellipsoid.of(C).squared_distance(Z, 0.0 * unit), rtol=1e-11)


def test_the_same_and_not():
    """Two are equal if all their numbers are; the sign of an axis is that of its largest entry."""
    C = covariance(5, 3)
    assert Ellipsoid.of(C) == Ellipsoid.of(C.copy())
    assert Ellipsoid.of(C) != Ellipsoid.of(C, np.array([1.0, 1.0, 2.0]))
    assert Ellipsoid.of(C) != Ellipsoid.of(1.5 * C)
    assert Ellipsoid.of(C) != "an ellipsoid"
    axes = np.array([[0.1, -0.9], [0.9, 0.1]])
    np.testing.assert_array_equal(upright(axes), [[-0.1, 0.9], [0.9, 0.1]])
    np.testing.assert_array_equal(upright(-axes), upright(axes))
