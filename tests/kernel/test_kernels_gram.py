"""Centring, normalisation, alignment and definiteness of Gram matrices."""

import numpy as np
import pytest
from sklearn.preprocessing import KernelCenterer

from aprendiz.kernel.kernels import (
    RBF,
    Cosine,
    Linear,
    Polynomial,
    Precomputed,
    Sigmoid,
    alignment,
    center,
    check_psd,
    normalize,
)
from aprendiz.kernel.shared.indefinite_kernel import find_indefinite, warn_if_indefinite

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(30, 3)), RNG.normal(size=(5, 3))


def test_center():
    """The Gram matrix of centred rows; of a kernel whose φ is known, by subtracting the mean of φ."""
    K, new = Linear()(X), Linear()(Z, X)
    assert np.allclose(center(K), Linear()(X - X.mean(axis=0)), atol=1e-13)
    assert np.allclose(center(K, new), (Z - X.mean(axis=0)) @ (X - X.mean(axis=0)).T, atol=1e-13)
    phi = Polynomial(2, c=1.0).feature_map(X)
    assert np.allclose(center(Polynomial(2, c=1.0)(X)), (phi - phi.mean(axis=0)) @ (phi - phi.mean(axis=0)).T, atol=1e-11)
    peer = KernelCenterer().fit(RBF(0.5)(X))
    assert np.allclose(center(RBF(0.5)(X), RBF(0.5)(Z, X)), peer.transform(RBF(0.5)(Z, X)), atol=1e-14)
    assert np.allclose(center(RBF(0.5)(X)).sum(axis=0), 0.0, atol=1e-12)
    with pytest.raises(ValueError, match="30 columns"):
        center(K, new[:, :3])


def test_normalize():
    assert np.allclose(normalize(Linear()(X)), Cosine()(X), atol=1e-14)
    assert np.array_equal(np.diagonal(normalize(Polynomial(3, c=1.0)(X))), np.ones(30))
    with_zero = np.vstack([X, np.zeros(3)])
    assert np.allclose(normalize(Linear()(with_zero)), Cosine()(with_zero), atol=1e-14)
    with pytest.raises(ValueError, match=r"K\[1, 1\] = -1"):
        normalize([[1.0, 0.0], [0.0, -1.0]])


def test_alignment():
    y = np.where(X[:, 0] > 0, 1, -1)
    K = RBF(0.5)(X)
    plain = np.vdot(K, np.outer(y, y)) / np.linalg.norm(K) / 30
    assert alignment(K, y, centred=False) == pytest.approx(plain, rel=1e-12)
    a, b = center(K), center(np.outer(y, y))
    assert alignment(K, y) == pytest.approx(np.vdot(a, b) / np.linalg.norm(a) / np.linalg.norm(b), rel=1e-12)
    assert alignment(K, K) == pytest.approx(1.0, abs=1e-15)
    assert alignment(K, 5.0 * K + 100.0) == pytest.approx(1.0, abs=1e-12)
    assert alignment(1e-200 * K, 1e200 * K) == pytest.approx(1.0, abs=1e-12)
    words = np.where(y > 0, "yes", "no")
    assert alignment(K, words) == pytest.approx(alignment(K, y), rel=1e-12)  # a constant does not matter
    assert alignment(Linear()(X[:, :1]), y) > alignment(Linear()(X[:, 1:2]), y)
    assert np.isnan(alignment(np.ones((3, 3)), np.eye(3)))
    with pytest.raises(ValueError, match="same rows"):
        alignment(K, np.eye(3))


@pytest.mark.parametrize("n", [40, 700])
def test_definiteness(n):
    """A planted eigenvalue is found, with a vector that shows it; what is positive semi-definite is said to be."""
    rng = np.random.default_rng(n)
    basis = np.linalg.qr(rng.normal(size=(n, n)))[0]
    values = np.concatenate([[-0.3], np.zeros(5), rng.random(n - 6)])
    K = basis * values @ basis.T
    K = (K + K.T) / 2
    found = check_psd(K)
    assert not found
    assert found.eigenvalue == pytest.approx(-0.3, abs=1e-6)
    assert np.linalg.norm(found.vector) == pytest.approx(1.0, abs=1e-12)
    assert found.vector @ K @ found.vector == pytest.approx(found.eigenvalue, abs=1e-12)
    assert "-0.3" in found.sentence
    good = K + 0.3 * np.outer(basis[:, 0], basis[:, 0])
    assert check_psd((good + good.T) / 2)
    assert check_psd(K, tol=0.31)
    assert not check_psd(K, tol=0.29)


def test_small_negative_eigenvalues_of_large_matrices_are_found():
    n = 600
    K = np.eye(n)
    K[:2, :2] = [[1.0, 1.0 + 1e-6], [1.0 + 1e-6, 1.0]]
    found = check_psd(K)
    assert not found
    assert found.eigenvalue == pytest.approx(-1e-6, rel=1e-3)


def test_sentences():
    assert "smallest eigenvalue is 1" in check_psd(np.eye(3)).sentence
    assert "factor" in check_psd(np.eye(600)).sentence
    assert check_psd(np.eye(600)).eigenvalue is None
    assert check_psd(np.zeros((3, 3)))
    assert not check_psd(Sigmoid(2.0, c=1.0)(X))


@pytest.mark.parametrize("function", [center, normalize, check_psd], ids=lambda f: f.__name__)
def test_matrices_that_are_none(function):
    with pytest.raises(ValueError, match="square"):
        function(np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"nan at K\[0, 1\]"):
        function([[1.0, np.nan], [0.0, 1.0]])
    with pytest.raises(ValueError, match="symmetric"):
        function([[1.0, 0.5], [0.0, 1.0]])
    with pytest.raises(ValueError, match="tol"):
        check_psd(np.eye(2), tol=-1.0)


def test_a_warning_where_a_kernel_is_not_psd(recwarn):
    """Of a few rows of many; a kernel that is positive semi-definite on the rows, or always, is silent."""
    rows = RNG.normal(size=(1500, 3))
    bad, good = Sigmoid(1.0, c=1.0).on(rows), Sigmoid(1e-4).on(rows[:50])
    assert warn_if_indefinite("SVC", RBF(0.5), RBF(0.5).points(rows)) is None
    assert warn_if_indefinite("SVC", Precomputed(), Precomputed().points(Linear()(rows[:60]))) is None
    assert find_indefinite(good, good.points(rows[:3, :1])) is None
    assert not recwarn
    with pytest.warns(UserWarning, match=r"SVC: Sigmoid\(c=1.0, gamma=1.0\) is not .* of 400 of them has the eigenvalue -\d"):
        found = warn_if_indefinite("SVC", bad, bad.points(rows))
    assert found.eigenvalue < -1
    part = bad(rows[np.linspace(0, 1499, 400).astype(int)])
    assert found.vector @ part @ found.vector == pytest.approx(found.eigenvalue)
