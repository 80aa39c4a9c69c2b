"""Kernels: agreement with scikit-learn, laws of Gram matrices, and the algebra of kernels."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.gaussian_process import kernels as processes
from sklearn.metrics import pairwise

from aprendiz.kernel.gram.gram_matrix import gram_matrix, gram_rows
from aprendiz.kernel.kernels import (
    RBF,
    AdditiveChiSquared,
    ChiSquared,
    Constant,
    Cosine,
    Diffusion,
    Exponential,
    Function,
    GammaExponential,
    Laplacian,
    Linear,
    Mahalanobis,
    Matern,
    Periodic,
    Polynomial,
    Precomputed,
    Product,
    Sigmoid,
    Spectrum,
    Sum,
    check_psd,
)

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(60, 4)), RNG.normal(size=(7, 4))
OF_ROWS = [
    *(Constant(2.0), Cosine(), Exponential(0.7), GammaExponential(0.6, gamma=0.5), GammaExponential(1.5), Laplacian(0.3)),
    *(Linear(), Linear(1.5), Mahalanobis(), Matern(0.3), Matern(0.5), Matern(1.5, length=2.0), Matern(2.5), Matern(3.7)),
    *(Matern(np.inf), Periodic(1.7, length=0.8), Polynomial(2), Polynomial(3, gamma="scale", c=1.0), Polynomial(0)),
    *(RBF(), RBF(0.3), RBF("auto"), RBF(sigma=0.9), Linear() + RBF(0.5), Linear() * RBF(0.5), 3 * RBF(0.5), RBF(0.5) + 2),
    2 * (RBF(0.2) + Polynomial(2, c=1.0)) * Matern(1.5) + Linear(0.5),
]
PSD = [*OF_ROWS, ChiSquared(0.4)]
ALL = [*PSD, Sigmoid(0.2, c=-0.5), AdditiveChiSquared(), Function(lambda A, B: A @ B.T)]
CENTRED = [
    RBF(0.3),
    Exponential(0.7),
    GammaExponential(0.6, gamma=0.5),
    Laplacian(0.3),
    Matern(1.5),
    Matern(0.8),
    Periodic(1.7),
]


def rows_for(kernel, table):
    return np.abs(table) if "ChiSquared" in type(kernel).__name__ else table


@pytest.mark.parametrize(
    "kernel", ALL, ids=lambda kernel: type(kernel).__name__ if isinstance(kernel, Function) else repr(kernel)
)
def test_laws_of_gram_matrices(kernel):
    """Symmetric to the bit; the diagonal alone; rows between two tables; positive semi-definite where it says so."""
    A, B = rows_for(kernel, X), rows_for(kernel, Z)
    K = kernel(A)
    assert K.shape == (60, 60)
    assert np.array_equal(K, K.T)
    assert np.allclose(kernel.diagonal(A), np.diagonal(K), rtol=1e-14, atol=0)
    assert np.allclose(kernel(A, A), K, rtol=1e-11, atol=1e-12)
    ready = kernel.on(A)
    assert np.allclose(kernel(A, B), gram_matrix(ready, ready.points(B, ready.points(A)), ready.points(A)).T, rtol=1e-13)
    if kernel.psd:
        assert check_psd(K)


def test_kernels_that_are_not_psd_say_so():
    assert not Sigmoid().psd
    assert not AdditiveChiSquared().psd
    assert not (Sigmoid() + RBF()).psd
    assert not (2 * Sigmoid()).psd
    found = check_psd(Sigmoid(1.0, c=1.0)(X))
    assert not found
    assert found.vector @ Sigmoid(1.0, c=1.0)(X) @ found.vector == pytest.approx(found.eigenvalue)
    assert found.eigenvalue < -0.1
    assert "not positive semi-definite" in found.sentence


@pytest.mark.parametrize("table", [X, sparse.csr_array(X)], ids=["dense", "sparse"])
def test_agreement_with_pairwise_kernels(table):
    peers = {
        "rbf": (RBF(0.3), {"gamma": 0.3}),
        "laplacian": (Laplacian(0.3), {"gamma": 0.3}),
        "polynomial": (Polynomial(3, gamma=0.3, c=0.5), {"degree": 3, "gamma": 0.3, "coef0": 0.5}),
        "sigmoid": (Sigmoid(0.3, c=0.5), {"gamma": 0.3, "coef0": 0.5}),
        "cosine": (Cosine(), {}),
        "linear": (Linear(), {}),
    }
    for name, (kernel, more) in peers.items():
        assert np.allclose(kernel(table), pairwise.pairwise_kernels(table, metric=name, **more), rtol=1e-12, atol=1e-13), name
        found = pairwise.pairwise_kernels(table, Z, metric=name, **more)
        assert np.allclose(kernel(table, Z), found, rtol=1e-12, atol=1e-13), name


def test_agreement_on_histograms():
    A = np.abs(X) * (RNG.random(X.shape) < 0.7)
    assert np.allclose(ChiSquared(0.4)(A), pairwise.chi2_kernel(A, gamma=0.4), rtol=1e-12)
    assert np.allclose(ChiSquared(0.4)(sparse.csr_array(A)), pairwise.chi2_kernel(A, gamma=0.4), rtol=1e-12)
    assert np.allclose(AdditiveChiSquared()(A, A[:5]), pairwise.additive_chi2_kernel(A, A[:5]), rtol=1e-12)
    for table in (X, sparse.csr_array(X)):
        with pytest.raises(ValueError, match=r"row \d+, column \d"):
            ChiSquared()(table)


def test_agreement_with_gaussian_processes():
    for nu in (0.5, 1.5, 2.5, 0.8, 4.2, np.inf):
        peer = processes.Matern(length_scale=1.3, nu=nu)
        assert np.allclose(Matern(nu, length=1.3)(X), peer(X), rtol=1e-9, atol=1e-12), nu
        assert np.allclose(Matern(nu, length=1.3)(X, Z), peer(X, Z), rtol=1e-9, atol=1e-12), nu
    assert np.allclose(Matern(1e6)(X), RBF(0.5)(X), atol=1e-12)
    assert np.allclose(Matern(99.0)(X), RBF(0.5)(X), atol=0.01)
    assert np.allclose(Matern(0.5, length=2.0)(X), Exponential(0.5)(X), rtol=1e-13)
    one = X[:, :1]
    assert np.allclose(Periodic(1.7, length=0.8)(one), processes.ExpSineSquared(0.8, 1.7)(one), rtol=1e-12)
    product = np.prod([processes.ExpSineSquared(0.8, 1.7)(X[:, [j]]) for j in range(4)], axis=0)
    assert np.allclose(Periodic(1.7, length=0.8)(X), product, rtol=1e-11)
    assert np.allclose(GammaExponential(2.0, gamma=0.5)(X), RBF(0.25)(X), rtol=1e-12, atol=1e-15)
    assert np.allclose(GammaExponential(1.0, gamma=0.5)(X), Exponential(0.5)(X), rtol=1e-13)


def test_gamma_from_the_rows():
    assert RBF().on(X).gamma == pytest.approx(1 / (4 * X.var()), rel=1e-14)
    assert RBF("auto").on(X).gamma == 0.25
    assert RBF(sigma=2.0).on(X).gamma == 0.125
    assert RBF().on(np.ones((3, 2))).gamma == 1.0
    for kernel in (RBF(), Polynomial(gamma="scale"), Sigmoid()):
        assert kernel.on(sparse.csr_array(X)).gamma == pytest.approx(kernel.on(X).gamma, rel=1e-13)
    for kernel in (Exponential(), GammaExponential(), Laplacian()):  # the unit of the columns does not matter
        assert np.allclose(kernel(1000.0 * X), kernel(X), rtol=1e-11)


def test_feature_maps_reproduce_the_kernel():
    """φ(x)ᵀφ(z) = K(x, z), and the worked example of the quadratic kernel in two columns."""
    two = np.array([[1.0, 2.0], [3.0, 1.0]])
    assert Polynomial(2)(two)[0, 1] == 25.0
    phi = Polynomial(2).feature_map(two)
    assert np.allclose(phi, np.column_stack([two[:, 0] ** 2, np.sqrt(2) * two[:, 0] * two[:, 1], two[:, 1] ** 2]))
    assert phi[0] @ phi[1] == pytest.approx(25.0, rel=1e-15)
    for kernel in (Polynomial(3), Polynomial(2, gamma=0.5, c=2.0), Polynomial(4, c=0.3), Polynomial(0), Linear(), Linear(2.0)):
        phi = kernel.feature_map(X)
        assert np.allclose(phi @ phi.T, kernel(X), rtol=1e-11, atol=1e-12), kernel
        assert np.allclose(kernel.feature_map(sparse.csr_array(X)) @ phi.T, kernel(X), rtol=1e-11, atol=1e-12), kernel
    with pytest.raises(ValueError, match="monomials"):
        Polynomial(20).feature_map(RNG.normal(size=(3, 40)))


@pytest.mark.parametrize("degree", [0, 1, 16, 17, 40, 10**9])
def test_degrees(degree):
    """Small and large ones, in a moment."""
    table = 0.5 * X / np.linalg.norm(X, axis=1)[:, None]
    expected = (table @ table.T + 0.75 - np.finfo(float).eps) ** float(degree)
    assert np.allclose(Polynomial(degree, c=0.75)(table), expected, rtol=1e-12 * max(degree, 1), atol=1e-300)


def test_mahalanobis():
    covariance = np.cov(X.T)
    moved = X - X.mean(axis=0)
    assert np.allclose(Mahalanobis()(X), moved @ np.linalg.inv(covariance) @ moved.T, rtol=1e-10, atol=1e-12)
    assert np.allclose(
        Mahalanobis(covariance, mean=np.zeros(4))(X), X @ np.linalg.inv(covariance) @ X.T, rtol=1e-10, atol=1e-12
    )
    mixed = X @ RNG.normal(size=(4, 4)) + 5.0
    assert np.allclose(Mahalanobis()(mixed), Mahalanobis()(X), rtol=1e-8, atol=1e-9)
    with pytest.raises(ValueError, match="column 1 has no variance"):
        Mahalanobis()(np.column_stack([X[:, 0], np.ones(60)]))
    with pytest.raises(ValueError, match=r"columns \[0, 2\] depend"):
        Mahalanobis()(np.column_stack([X[:, :2], 2 * X[:, 0]]))
    with pytest.raises(ValueError, match="not positive definite"):
        Mahalanobis([[1.0, 2.0], [2.0, 1.0]], mean=[0, 0])(X[:, :2])
    with pytest.raises(ValueError, match="shape"):
        Mahalanobis(np.eye(3))(X)


@pytest.mark.parametrize("kernel", CENTRED, ids=repr)
def test_the_same_bits_after_a_shift(kernel):
    """Cells that are multiples of 2⁻²⁰ keep them when 2³⁰ is added."""
    dyadic = np.round(X * 2**20) / 2**20
    assert np.array_equal(kernel(dyadic), kernel(dyadic + 2.0**30))
    assert np.array_equal(kernel(dyadic, dyadic[:9]), kernel(dyadic + 2.0**30, dyadic[:9] + 2.0**30))


def test_near_rows_keep_their_digits():
    """The distance of rows that nearly agree is not the root of a difference of large numbers."""
    A = np.vstack([X[:5] * 100, X[:5] * 100 + 1e-6])
    expected = np.exp(-np.linalg.norm(A[:, None] - A[None], axis=2))
    assert np.allclose(Exponential(1.0)(A), expected, rtol=1e-12, atol=1e-15)
    assert Exponential(1.0)(A, A)[0, 0] == 1.0
    assert Matern(1.5)(A, A)[3, 3] == 1.0


def test_dense_rows_after_sparse_training_rows_and_the_other_way():
    for kernel in (RBF(0.3), Exponential(0.3), Laplacian(0.3), Linear(), Periodic(1.3)):
        expected = kernel(X, Z)
        assert np.allclose(kernel(sparse.csr_array(X), Z), expected, rtol=1e-11, atol=1e-13)
        assert np.allclose(kernel(X, sparse.csr_array(Z)), expected, rtol=1e-11, atol=1e-13)


# ---- algebra ---------------------------------------------------------------------------------------------------------


def test_algebra():
    a, b = RBF(0.3), Polynomial(2, c=1.0)
    assert np.array_equal((a + b)(X), a(X) + b(X))
    assert np.array_equal((a * b)(X), a(X) * b(X))
    assert np.array_equal((3 * a)(X), 3 * a(X))
    assert np.array_equal((a * 3)(X), a(X) * 3)
    assert np.array_equal((a + 2)(X, Z), a(X, Z) + 2)
    assert np.array_equal((np.float64(2) + a)(X, Z), a(X, Z) + 2)
    assert np.array_equal((a + b).diagonal(X), a.diagonal(X) + b.diagonal(X))
    assert np.array_equal((0 * a)(X), np.zeros((60, 60)))
    assert np.allclose((a * (b + Linear()))(X), (a * b + a * Linear())(X), rtol=1e-13)


def test_a_kernel_plus_or_times_a_negative_number_is_refused():
    for make in (lambda: RBF() + -1, lambda: -1 + RBF(), lambda: -2 * RBF(), lambda: RBF() * -0.5):
        with pytest.raises(ValueError, match="negative eigenvalues"):
            make()
    with pytest.raises(ValueError, match="at least 0"):
        Linear(-1.0)(X)
    with pytest.raises(TypeError):
        RBF() + "rbf"
    with pytest.raises(TypeError):
        [1, 2] * RBF()


def test_polynomials_that_are_no_kernels_are_refused():
    for kernel in (Polynomial(2, c=-1.0), Polynomial(2.5), Polynomial(-1), Polynomial(2, gamma=-1.0)):
        with pytest.raises(ValueError, match="of Polynomial must be"):
            kernel(X)
    for kernel in (GammaExponential(2.1), GammaExponential(0.0), Matern(0.0), Periodic(0.0), RBF(-1.0)):
        with pytest.raises(ValueError, match="must be a number"):
            kernel(X)
    with pytest.raises(ValueError, match="not both"):
        RBF(0.5, sigma=1.0)(X)


def test_how_kernels_are_written():
    assert repr(2 * RBF(gamma=0.5) + Linear()) == "2 * RBF(gamma=0.5) + Linear()"
    assert repr(2 * (RBF() + 1) * Linear(1.0)) == "2 * (RBF() + 1) * Linear(c=1.0)"
    assert repr(Polynomial(2)) == "Polynomial(degree=2)"


def test_parameters_inside_of_parameters():
    kernel = 2 * RBF(gamma=0.5) + Linear()
    assert kernel.get_params()["k1__k2__gamma"] == 0.5
    changed = clone(kernel).set_params(k1__k2__gamma=0.25, k1__k1__c=3.0)
    assert changed == 3 * RBF(gamma=0.25) + Linear()
    assert kernel == 2 * RBF(gamma=0.5) + Linear()
    assert kernel != changed
    assert RBF(1.0) != Laplacian(1.0)
    assert hash(RBF(1.0)) == hash(RBF(1.0))
    assert Mahalanobis(np.eye(2)) == Mahalanobis(np.eye(2))
    assert Mahalanobis(np.eye(2)) != Mahalanobis(np.ones((2, 2)))
    assert Diffusion(adjacency=sparse.eye_array(3)) == clone(Diffusion(adjacency=sparse.eye_array(3)))
    assert isinstance(RBF() + 1, Sum)
    assert isinstance(RBF() * RBF(), Product)


def test_kernels_of_different_things_do_not_add():
    with pytest.raises(ValueError, match="compares strings"):
        (Spectrum(2) + RBF())(["a", "b"])
    with pytest.raises(ValueError, match="compares matrix"):
        (Precomputed() * RBF())(np.eye(2))
    assert np.array_equal((Spectrum(1) + 1)(["ab", "b"]), [[3.0, 2.0], [2.0, 2.0]])
    assert np.array_equal((2 * Precomputed())(np.eye(2)), 2 * np.eye(2))


# ---- blocks, tiles and precision -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [RBF(0.2), Polynomial(3), Exponential(0.2), RBF(0.2) + Linear(), Laplacian(0.1)], ids=repr)
def test_many_tiles_and_single_precision(kernel):
    """The matrix of many tiles is that of one block; in single precision, to its digits; parts of it go anywhere."""
    table = RNG.normal(size=(601, 3))
    ready = kernel.on(table)
    P = ready.points(table)
    K = gram_matrix(ready, P)
    assert np.allclose(K, ready.block(P, P), rtol=1e-12, atol=1e-12)
    assert np.array_equal(K, K.T)
    single = gram_matrix(ready, P.astype(np.float32))
    assert single.dtype == np.float32
    assert np.abs(single - K).max() <= ready.rounding(P, 2.0**-24) * np.diagonal(K).max()
    wide = np.full((5, 700), np.nan, np.float32)
    gram_rows(ready, P.astype(np.float32), np.array([3, 1, 600, 7, 7]), wide[:, 50:651])
    assert np.allclose(wide[:, 50:651], K[[3, 1, 600, 7, 7]], rtol=1e-4, atol=1e-4)
    assert np.isnan(wide[:, :50]).all()
    assert np.isnan(wide[:, 651:]).all()


def test_single_precision_of_gaussians_far_and_near():
    """From 1 down to the smallest numbers, with the relative error of single precision times the exponent."""
    table = np.sqrt(np.linspace(0.0, 95.0, 900))[:, None]
    kernel = RBF(1.0)
    ready = kernel.on(table)
    P = ready.points(table)
    exact, single = gram_matrix(ready, P), gram_matrix(ready, P.astype(np.float32))
    assert np.abs(single - exact).max() < 1e-4
    origin = ready.block(ready.points(np.zeros((1, 1)), P), P)[0], None
    assert origin[0][0] == 1.0
    assert (single >= 0).all()
    assert (single <= 1).all()


def test_the_same_bits_for_any_number_of_threads(monkeypatch):
    table = RNG.normal(size=(700, 5))
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", threads)
        found.append([kernel(table) for kernel in (RBF(0.2), Laplacian(0.2), RBF(0.2) * Linear())])
    for one, three in zip(*found, strict=True):
        assert np.array_equal(one, three)


def test_tables_as_users_write_them():
    assert RBF(0.5)([[0], [1]])[0, 1] == pytest.approx(np.exp(-0.5))
    with pytest.raises(ValueError, match="2D"):
        RBF()([0.0, 1.0])
    with pytest.raises(ValueError, match="row 1, column 0"):
        RBF()([[0.0], [np.nan]])
    with pytest.raises(ValueError, match="columns"):
        RBF(0.5)(X, X[:, :2])


@pytest.mark.parametrize("make", [RBF, Exponential, Laplacian, lambda g: GammaExponential(1.5, gamma=g), Sigmoid, ChiSquared])
def test_gamma_nothing_or_huge(make):
    """γ = 0: all rows are alike (or tanh 0). γ huge: no row is like another one, but like itself."""
    A, nothing = np.abs(X), 0.0 if make is Sigmoid else 1.0
    assert np.array_equal(make(0.0)(A), np.full((60, 60), nothing))
    for gamma in (1e20, 1e300, np.finfo(float).max):
        expected = np.ones((60, 60)) if make is Sigmoid else np.eye(60)
        assert np.array_equal(make(gamma)(A), expected)
        assert np.array_equal(make(gamma)(A, A), expected)
        kernel = make(gamma).on(A)
        P = kernel.points(A)
        if make is not Sigmoid:
            assert np.array_equal(gram_matrix(kernel, P.astype(np.float32)), np.eye(60))
    with pytest.raises(ValueError, match="gamma of"):
        make(np.inf)(A)
    with pytest.raises(ValueError, match="gamma of"):
        make(np.nan)(A)


def test_widths_nothing_or_huge():
    for kernel in (RBF(sigma=1e-200), Matern(1.5, length=1e-300), Matern(0.8, length=1e-300), Periodic(1.0, length=1e-200)):
        assert np.array_equal(kernel(X), np.eye(60)), kernel
    for kernel in (RBF(sigma=1e200), Matern(2.5, length=1e200), Matern(0.8, length=1e200), Periodic(1.0, length=1e200)):
        assert np.allclose(kernel(X), 1.0, atol=1e-12), kernel


def test_cells_whose_squares_are_no_numbers():
    with pytest.raises(ValueError, match=r"row 1 holds 1e\+200.*StandardScaler"):
        RBF(0.5)([[0.0], [1e200], [0.0]])
    for size in (1e25, 1e-25):  # single precision will not do
        P = RBF(1.0 / size**2).points(size * X)
        assert RBF(1.0 / size**2).rounding(P, 2.0**-24) == 1.0
        assert np.allclose(RBF(1.0 / size**2)(size * X), RBF(1.0)(X), rtol=1e-10)


def test_wide_sparse_tables_need_little_memory():
    """Columns are made dense some at a time, and near pairs are subtracted as sparse rows."""
    wide = sparse.random_array((40, 9000), density=0.002, rng=np.random.default_rng(3), format="csr")
    wide = sparse.csr_array(sparse.vstack([wide, wide[:5], 1.0001 * wide[:5]]))
    dense = wide.toarray()
    for kernel in (Laplacian(0.3), Exponential(0.3), Matern(1.5), RBF(1e16), ChiSquared(0.1)):
        assert np.allclose(kernel(wide), kernel(dense), rtol=1e-9, atol=1e-12), kernel
    assert np.array_equal(np.diagonal(Exponential(0.3)(wide, wide)), np.ones(50))
