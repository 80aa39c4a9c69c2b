"""Kernels of sparse products and of random matrices agree with their plain twins."""

import numpy as np
import pytest
from scipy import sparse

from aprendiz.core.random import mix_one, stream_key
from aprendiz.core.sources.arrays import compress
from aprendiz.decomposition.near_isometry.draws import draw_signs, fill_normal
from aprendiz.decomposition.near_isometry.sparse_images import add_images
from aprendiz.decomposition.randomized.products import add_gram_product, add_transposed, multiply_rows
from aprendiz.decomposition.svd.by_krylov import spread_of_stored

RTOL = 1e-12
MASK = 2**64 - 1


@pytest.fixture(params=[(np.float64, 0.3), (np.float32, 0.3), (np.float64, 0.0), (np.float64, 1.0)], ids=str)
def table(request):
    """Sparse rows, weights, a few columns."""
    kind, density = request.param
    rng = np.random.default_rng(0)
    X = sparse.random_array((23, 11), density=density, rng=rng, dtype=kind).tocsr()
    return X, rng.uniform(0, 2, 23), rng.normal(size=(11, 5))


def test_products(table):
    """X Q, Xᵀ P and Xᵀ diag(w) X Q."""
    X, w, Q = table
    A = X.toarray().astype(float)
    found, back, gram = np.full((23, 5), np.nan), np.ones((11, 5)), np.ones((11, 5))
    multiply_rows(*compress(X), Q, found)
    np.testing.assert_allclose(found, A @ Q, rtol=RTOL, atol=1e-13)
    add_transposed(*compress(X), found, back)
    np.testing.assert_allclose(back, 1 + A.T @ (A @ Q), rtol=RTOL)
    for weights in (None, w):
        add_gram_product(*compress(X), weights, Q, np.empty(5), gram)
    np.testing.assert_allclose(gram, 1 + A.T @ (A @ Q) + A.T @ (w[:, None] * (A @ Q)), rtol=RTOL)


def test_spread_of_stored(table):
    """Sums over the cells that are stored."""
    X, w, _ = table
    rows, columns = X.nonzero()
    pivot, sums = np.linspace(0, 1, 11), np.zeros((3, 11))
    spread_of_stored(*compress(X), w, pivot, *sums)
    z = X.toarray()[rows, columns].astype(float) - pivot[columns]
    expected = [np.bincount(columns, w[rows] * power, minlength=11) for power in (z, z * z, np.ones(len(z)))]
    np.testing.assert_allclose(sums, expected, rtol=RTOL, atol=1e-13)


def test_images(table):
    """U Pᵀ of sparse rows and a sparse matrix."""
    U = table[0]
    P = sparse.random_array((6, 11), density=0.4, rng=np.random.default_rng(1)).tocsr()
    found = np.zeros((23, 6))
    add_images(*compress(U), *compress(P.T.tocsr()), found)
    np.testing.assert_allclose(found, U.toarray().astype(float) @ P.toarray().T, rtol=RTOL, atol=1e-14)


def hashed(key, i, number):
    """The number of an entry of row i, in [0, 1), and its 64 bits."""
    bits = mix_one(mix_one(int(key) + i & MASK) + number & MASK)
    return (bits >> 11) * 2.0**-53, bits


@pytest.mark.parametrize("columns", [1, 6, 7])
def test_fill_normal(columns):
    """Box and Muller's pairs, of rows that begin anywhere."""
    key, found = stream_key(5, 2), np.empty((3, columns))
    fill_normal(key, 4, 0.5, found)
    for i in range(3):
        for j in range(columns):
            u, v = hashed(key, 4 + i, 2 * (j // 2))[0], hashed(key, 4 + i, 2 * (j // 2) + 1)[0]
            wave = np.sin if j % 2 else np.cos
            assert found[i, j] == pytest.approx(0.5 * np.sqrt(-2 * np.log(1 - u)) * wave(2 * np.pi * v), rel=1e-12)


@pytest.mark.parametrize("density", [0.05, 0.5, 1.0])
def test_draw_signs(density):
    """Geometric gaps and signs."""
    key, counts, places, signs = stream_key(5, 2), np.empty(4, np.int64), np.empty(400, np.int32), np.empty(400)
    stored = draw_signs(key, 3, density, 60, 2.0, counts, places, signs)
    expected = []
    for i in range(4):
        j, number = -1, 0
        while True:
            u, _bits = hashed(key, 3 + i, number)
            gap = 0 if density == 1 else int(np.log1p(-u) / np.log1p(-density))
            j += 1 + gap
            if j >= 60:
                break
            expected.append((i, j, 2.0 if hashed(key, 3 + i, number + 1)[1] >> 63 else -2.0))
            number += 2
    assert stored == len(expected) == counts.sum()
    rows = np.repeat(np.arange(4), counts)
    assert list(zip(rows.tolist(), places[:stored].tolist(), signs[:stored].tolist(), strict=True)) == expected
