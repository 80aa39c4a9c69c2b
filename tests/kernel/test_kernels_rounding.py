"""`rounding` is a bound: entries in single and in double precision against long arithmetic, on ordinary and hostile tables."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from aprendiz.kernel.gram.gram_matrix import gram_matrix
from aprendiz.kernel.kernels import (
    RBF,
    AdditiveChiSquared,
    ChiSquared,
    Cosine,
    Exponential,
    GammaExponential,
    Laplacian,
    Linear,
    Matern,
    Periodic,
    Polynomial,
    Sigmoid,
)

LONG = np.longdouble


def apart(A):
    return A[:, None, :] - A[None, :, :]


def squared(A):
    return (apart(A) ** 2).sum(axis=2)


def distance(A):
    return np.sqrt(squared(A))


def chi_squared(A):
    both = A[:, None, :] + A[None, :, :]
    return (apart(A) ** 2 / np.where(both > 0, both, 1)).sum(axis=2)


def cosines(A):
    lengths = np.sqrt((A * A).sum(axis=1))
    unit = A / np.where(lengths > 0, lengths, 1)[:, None]
    return unit @ unit.T


def periodic(A, period, length):
    return np.exp(-2 * (np.sin(np.arctan(LONG(1)) * 4 * apart(A) / LONG(period)) ** 2).sum(axis=2) / LONG(length) ** 2)


TWINS = [
    (RBF(0.3), lambda A: np.exp(-LONG(0.3) * squared(A))),
    (RBF(50.0), lambda A: np.exp(-LONG(50) * squared(A))),
    (RBF(1e-5), lambda A: np.exp(-LONG(1e-5) * squared(A))),
    (Exponential(0.7), lambda A: np.exp(-LONG(0.7) * distance(A))),
    (GammaExponential(0.5, gamma=2.0), lambda A: np.exp(-np.sqrt(LONG(2) * distance(A)))),
    (GammaExponential(1.5, gamma=0.1), lambda A: np.exp(-((LONG(0.1) * distance(A)) ** LONG(1.5)))),
    (Matern(1.5, length=2.0), lambda A: (1 + np.sqrt(LONG(3)) * distance(A) / 2) * np.exp(-np.sqrt(LONG(3)) * distance(A) / 2)),
    (Laplacian(0.4), lambda A: np.exp(-LONG(0.4) * np.abs(apart(A)).sum(axis=2))),
    (Periodic(4.0, length=0.5), lambda A: periodic(A, 4.0, 0.5)),
    (Linear(), lambda A: A @ A.T),
    (Linear(3.0), lambda A: A @ A.T + 3),
    (Polynomial(3, gamma=0.3, c=1.0), lambda A: (LONG(0.3) * (A @ A.T) + 1) ** 3),
    (Polynomial(5), lambda A: (A @ A.T) ** 5),
    (Sigmoid(0.01, c=0.5), lambda A: np.tanh(LONG(0.01) * (A @ A.T) + LONG(0.5))),
    (Cosine(), cosines),
    (RBF(0.3) + Linear(), lambda A: np.exp(-LONG(0.3) * squared(A)) + A @ A.T),
    (3 * RBF(0.3) * Linear(1.0), lambda A: 3 * np.exp(-LONG(0.3) * squared(A)) * (A @ A.T + 1)),
    (ChiSquared(0.5), lambda A: np.exp(-LONG(0.5) * chi_squared(A))),
    (AdditiveChiSquared(), lambda A: -chi_squared(A)),
    (AdditiveChiSquared() * Linear() + RBF(0.3), lambda A: -chi_squared(A) * (A @ A.T) + np.exp(-LONG(0.3) * squared(A))),
]


def tables():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 6))
    yield "ordinary", X
    yield "one column", X[:, :1]
    yield "many columns", rng.normal(size=(20, 300))
    yield "far from zero", np.round(X * 1024) / 1024 + 2.0**20
    yield "two far groups", np.vstack([X[:10], X[:10] + 1000.0])
    yield "nearly the same", X[:1] * 100 + 1e-7 * X
    yield "equal rows", np.repeat(X[:5], 3, axis=0)
    yield "one large column", X * [1e6, 1, 1, 1, 1, 1]
    yield "errors of one sign", np.full((15, 200), 0.1) * (1 + np.arange(15))[:, None]


TABLES = list(tables())


@pytest.mark.parametrize(("kernel", "twin"), TWINS, ids=[repr(kernel) for kernel, _ in TWINS])
def test_errors_stay_below_the_bound(kernel, twin):
    for name, table in TABLES:
        X = np.abs(table) if "ChiSquared" in repr(kernel) else table
        ready = kernel.on(X)
        P = ready.points(X)
        exact, size = twin(X.astype(LONG)), np.abs(ready.diagonal_of(P)).max()
        for dtype, eps in ((np.float64, 2.0**-53), (np.float32, 2.0**-24)):
            with np.errstate(over="ignore"):
                K = gram_matrix(ready, P.astype(dtype))
            if np.isfinite(K).all():
                assert np.abs(exact).max() <= ready.largest_entry(P) * (1 + 1e-12), name
                assert np.abs(K - exact).max() <= ready.entry_error(P, eps), (name, dtype)
                assert size == 0 or np.abs(K - exact).max() <= ready.rounding(P, eps) * size, (name, dtype)


@pytest.mark.parametrize("width", [1.0, 1e3, 1e4, 1e5, 1e6])
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_near_rows_of_far_groups(width, form):
    """Rows that are near each other, but far from the others, have the digits of their distance: the squares of a far group
    have too few for all of it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)) + np.repeat([0.0, width], 20)[:, None]
    exact = np.exp(-LONG(0.5) * squared(X.astype(LONG)))
    np.testing.assert_allclose(RBF(0.5)(form(X)), exact, rtol=0.0, atol=max(2e-12, 1e-15 * width))


def test_the_bound_is_of_use():
    """On ordinary tables it is not far above the errors, so that single precision is used where it will do."""
    X = TABLES[0][1]
    for kernel, largest in (
        (RBF(0.1), 1e-5),
        (Polynomial(3, gamma=0.1, c=1.0), 1e-5),
        (Laplacian(0.1), 1e-5),
        (Linear(), 1e-6),
    ):
        ready = kernel.on(X)
        assert ready.rounding(ready.points(X), 2.0**-24) < largest
        assert ready.rounding(ready.points(X), 2.0**-53) < largest * 2.0**-28
