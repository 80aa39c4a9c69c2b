"""KernelRidge and KernelRidgeCV: scikit-learn's answers, leave-one-out by leaving rows out, paths, and difficult matrices."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.kernel_ridge import KernelRidge as Theirs

from aprendiz import KernelRidge, KernelRidgeCV, Ridge
from aprendiz.core.blas import single_blas
from aprendiz.kernel.kernels import RBF, Linear, Polynomial
from aprendiz.kernel.solvers import shifted_systems
from aprendiz.kernel.solvers.band_form import BAND, BandFactors, BandForm
from aprendiz.kernel.solvers.conjugate_gradients import refine
from aprendiz.kernel.solvers.shifted_systems import inverse_diagonal, solve_shifted
from aprendiz.kernel.solvers.tiled_cholesky import Cholesky


def table(n, seed=0):
    """Rows, a target that is no line, a second target, and weights, some of them 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.1 * rng.normal(size=n)
    return X, y, np.column_stack([y, X[:, 2]]), rng.integers(0, 4, n) / 2.0


def far(found, expected):
    """The largest difference, relative to the largest entry."""
    return np.abs(found - expected).max() / np.abs(expected).max()


CASES = (
    {},
    {"kernel": "rbf", "gamma": 0.3, "alpha": 1e-3},
    {"kernel": "poly", "degree": 2},
    {"kernel": "laplacian"},
    {"kernel": "cosine"},
    {"kernel": "sigmoid", "gamma": 0.01},
    {"kernel": lambda x, z: float(np.exp(-np.abs(x - z).sum()))},
)


@pytest.mark.parametrize("settings", CASES, ids=lambda s: str(s.get("kernel", "linear"))[:9])
@pytest.mark.parametrize("weighted", [False, True])
def test_same_answer_as_scikit_learn(settings, weighted):
    """One target and two, rows with weights and without; new rows too."""
    X, y, Y, w = table(40)
    weight = w if weighted else None
    for target in (y, Y):
        ours = KernelRidge(**settings).fit(X, target, sample_weight=weight)
        theirs = Theirs(**settings).fit(X, target, sample_weight=weight)
        assert ours.dual_coef_.shape == theirs.dual_coef_.shape
        assert far(ours.dual_coef_, theirs.dual_coef_) < 1e-10
        assert far(ours.predict(X[:7] + 0.1), theirs.predict(X[:7] + 0.1)) < 1e-10
        assert ours.certificate_.holds


def test_a_penalty_for_each_target():
    X, _, Y, w = table(40)
    ours = KernelRidge([0.1, 10.0], kernel="rbf").fit(X, Y, w)
    assert far(ours.dual_coef_, Theirs([0.1, 10.0], kernel="rbf").fit(X, Y, w).dual_coef_) < 1e-10
    with pytest.raises(ValueError, match="3 entries for 2 targets"):
        KernelRidge([0.1, 1.0, 10.0]).fit(X, Y)


def test_precomputed_sparse_and_objects():
    X, y, _, w = table(40)
    X = np.where(np.abs(X) < 0.5, 0.0, X)
    expected = KernelRidge(kernel="rbf", gamma=0.5).fit(X, y, w)
    new = X[:5] + 1.0
    K, across = RBF(0.5)(X), RBF(0.5)(new, X)
    assert far(KernelRidge(kernel="precomputed").fit(K, y, w).predict(across), expected.predict(new)) < 1e-12
    assert (
        far(KernelRidge(kernel=RBF(0.5)).fit(sparse.csr_array(X), y, w).predict(sparse.csr_array(new)), expected.predict(new))
        < 1e-12
    )
    both = KernelRidge(kernel=RBF(0.5) + Linear()).fit(X, y)
    assert far(both.predict(new), Theirs(kernel="precomputed").fit(K + X @ X.T, y).predict(across + new @ X.T)) < 1e-10
    with pytest.raises(ValueError, match="square"):
        KernelRidge(kernel="precomputed").fit(K[:, :30], y)


# ---- the two forms -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kernel", "many"), [(Linear(), 5), (Linear(2.0), 6), (Polynomial(2, c=1.0), 30)])
def test_primal_and_dual(kernel, many):
    """With more rows than features the primal system is solved, and both give w = Σ aφ(x) and the same predictions."""
    X, y, _, w = table(60)
    primal, dual = KernelRidge(0.3, kernel=kernel).fit(X, y, w), KernelRidge(0.3, kernel="precomputed").fit(kernel(X), y, w)
    assert (primal.form_, dual.form_) == ("primal", "dual")
    assert far(primal.dual_coef_, dual.dual_coef_) < 1e-10
    assert far(primal.primal_coef_, kernel.feature_map(X).T @ dual.dual_coef_) < 1e-10
    assert far(primal.predict(X + 1), dual.predict(kernel(X + 1, X))) < 1e-10
    assert KernelRidge(kernel=kernel).fit(X[: many - 2], y[: many - 2]).form_ == "dual"


def test_linear_kernel_is_ridge_without_intercept():
    X, y, _, w = table(50)
    ridge = Ridge(0.7, fit_intercept=False).fit(X, y, w)
    assert far(KernelRidge(0.7).fit(X, y, w).primal_coef_, ridge.coef_) < 1e-12


def test_small_penalties_keep_the_digits_of_w():
    """w is solved for itself, not summed up from coefficients of the size of 1/α."""
    X, _, _, _ = table(50)
    y = X @ [1.0, -2.0, 3.0, 0.5]
    model = KernelRidge(1e-9).fit(X, y)
    assert far(model.predict(X), y) < 1e-10


# ---- leave-one-out -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{}, {"kernel": "rbf", "gamma": 0.5, "alpha": 0.1}, {"kernel": "poly", "degree": 2}])
@pytest.mark.parametrize("weighted", [False, True])
def test_leave_one_out_leaves_rows_out(settings, weighted):
    X, _, Y, w = table(14)
    weight = w if weighted else np.ones(14)
    found = KernelRidge(**settings).fit(X, Y, weight).leave_one_out()
    for i in range(14):
        others = np.arange(14) != i
        error = Y[i] - Theirs(**settings).fit(X[others], Y[others], weight[others]).predict(X[i : i + 1])[0]
        if weight[i]:
            np.testing.assert_allclose(found[i], error, rtol=1e-9, atol=1e-11)
        else:
            assert np.isnan(found[i]).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_cv_chooses_the_penalty_that_leave_one_out_prefers(weighted):
    X, _, Y, w = table(30)
    weight = w if weighted else np.ones(30)
    alphas = np.logspace(-4, 2, 13)
    model = KernelRidgeCV(alphas, gamma=0.5, store_cv_results=True).fit(X, Y, weight)
    errors = np.stack([KernelRidge(a, kernel="rbf", gamma=0.5).fit(X, Y, weight).leave_one_out() for a in alphas], axis=-1)
    np.testing.assert_allclose(model.cv_results_, errors, rtol=1e-8, atol=1e-10)
    each = -np.average(errors[weight > 0] ** 2, axis=0, weights=weight[weight > 0])
    np.testing.assert_allclose(model.scores_, each.mean(axis=0), rtol=1e-9)
    assert model.alpha_ == alphas[each.mean(axis=0).argmax()]
    refit = KernelRidge(model.alpha_, kernel="rbf", gamma=0.5).fit(X, Y, weight)
    assert far(model.predict(X), refit.predict(X)) < 1e-10
    own = KernelRidgeCV(alphas, gamma=0.5, alpha_per_target=True).fit(X, Y, weight)
    np.testing.assert_array_equal(own.alpha_, alphas[each.argmax(axis=1)])
    assert (
        far(own.predict(X)[:, 1], KernelRidge(own.alpha_[1], kernel="rbf", gamma=0.5).fit(X, Y[:, 1], weight).predict(X))
        < 1e-10
    )


def test_cv_says_where_the_best_penalty_lies():
    X, y, _, _ = table(40)
    assert not KernelRidgeCV([10.0, 100.0], gamma=0.5).fit(X, y).certificate_.holds
    inside = KernelRidgeCV(np.logspace(-6, 3, 10), gamma=0.5).fit(X, y).certificate_
    assert inside.holds
    assert inside.inside
    with pytest.raises(ValueError, match="two rows"):
        KernelRidgeCV().fit(X[:1], y[:1])


# ---- paths, factors and refinement ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [40, 450])
def test_path_is_a_fit_of_each_penalty(n):
    """From a factor of each penalty, and from one band for all of them."""
    X, _, Y, w = table(n)
    alphas = np.logspace(-3, 3, 7)
    models = KernelRidge(kernel="rbf").path(X, Y, alphas, w)
    assert [model.alpha for model in models] == list(alphas)
    for model in models[::3]:
        theirs = Theirs(model.alpha, kernel="rbf").fit(X, Y, w)
        assert far(model.dual_coef_, theirs.dual_coef_) < 1e-10
        assert far(model.predict(X[:5] + 0.1), theirs.predict(X[:5] + 0.1)) < 1e-10
        assert model.certificate_.holds
    with pytest.raises(ValueError, match="alphas"):
        KernelRidge().path(X, Y, [])


def gram(n, gamma=0.1, seed=0):
    return RBF(gamma)(np.random.default_rng(seed).normal(size=(n, 3)))


@pytest.mark.parametrize("n", [BAND - 1, BAND, BAND + 1, 3 * BAND, 3 * BAND + 17, 700])
def test_band_form(n):
    """K = QBQᵀ gives solutions and the diagonal of the inverse, whatever is left over in the last block."""
    K, shifts = gram(n), np.array([0.01, 1.0, 30.0])
    form = BandForm.of(K, np.float64)
    factors, across = BandFactors.of(form, shifts), form.transposed_factor()
    assert np.abs(across @ across.T - np.diag(np.arange(len(across)) < n)).max() < 1e-13
    R = np.random.default_rng(1).normal(size=(n, 3))
    for j, shift in enumerate(shifts):
        inverse = np.linalg.inv(K + shift * np.eye(n))
        assert far(factors.solve(R, np.full(3, j)), inverse @ R) < 1e-10
        assert far(factors.inverse_diagonal(j, across), inverse.diagonal()) < 1e-10
    assert not BandFactors.of(form, np.array([-1.0, 1.0])).definite[0]


@pytest.mark.parametrize("n", [3, 256, 257, 700])
def test_tiled_cholesky(n):
    K = gram(n)
    factor = Cholesky.of(K, 0.5, np.float64)
    L = np.tril(factor.L)
    assert np.abs(L @ L.T - K - 0.5 * np.eye(n)).max() < 1e-13
    assert far(factor.inverse_diagonal(), np.linalg.inv(K + 0.5 * np.eye(n)).diagonal()) < 1e-11
    assert Cholesky.of(K - 2 * np.eye(n), 0.5, np.float64) is None


def test_single_precision_is_refined_to_double():
    """With a factor of seven digits the solution has sixteen, as that of a factor in double precision."""
    K, rng = gram(600, 0.5), np.random.default_rng(0)
    Y, shift = rng.normal(size=(600, 1)), np.array([0.01])
    factor = Cholesky.of(K, 0.01, np.float32)
    rough = factor.solve(Y)
    found = refine(lambda V: K @ V, shift, Y, lambda R, numbers: factor.solve(R).astype(float), 300.0)
    exact = np.linalg.solve(K + 0.01 * np.eye(600), Y)
    assert far(rough, exact) > 1e-6
    assert far(found.columns, exact) < 1e-11
    assert found.residuals[0] < 1e-15


def test_penalties_too_small_for_single_precision(monkeypatch):
    """Where the factor in single precision does not exist or does not help, that of double precision is taken."""
    tried, attempt = [], shifted_systems.attempt
    monkeypatch.setattr(shifted_systems, "attempt", lambda *given: tried.append(given[-1]) or attempt(*given))
    K = gram(500, 0.02)
    shifts, Y = np.array([1e-9]), np.random.default_rng(0).normal(size=(500, 1))
    found = solve_shifted(K, shifts, Y, 400.0)
    assert tried == [np.float32, np.float64]
    assert found.smallest is None
    assert found.residuals.max() < 1e-13


@pytest.mark.parametrize("n", [60, 500])
def test_singular_and_indefinite_matrices(n):
    """The shortest least-squares solution, with a warning that names the eigenvalue, as scikit-learn's."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 3)), rng.normal(size=n)
    K = X @ X.T
    with pytest.warns(UserWarning, match="Singular matrix in solving dual problem.*smallest eigenvalue"):
        model = KernelRidge(0.0, kernel="precomputed").fit(K, y)
    assert far(model.predict(K), K @ np.linalg.pinv(K, rcond=1e-12) @ y) < 1e-9
    bent = K - 2.0 * np.eye(n)
    with pytest.warns(UserWarning, match="the smallest eigenvalue of K is -2"):
        model = KernelRidge(1.0, kernel="precomputed").fit(bent, y)
    assert far(model.dual_coef_, np.linalg.solve(bent + np.eye(n), y)) < 1e-9
    assert model.certificate_.digits == 0


def test_repeated_rows():
    """A row that stands twice makes K singular; with a penalty it is a row of weight 2."""
    X, y, _, _ = table(30)
    twice = KernelRidge(0.5, kernel="rbf").fit(np.r_[X, X[:3]], np.r_[y, y[:3]])
    weighted = KernelRidge(0.5, kernel="rbf").fit(X, y, np.r_[np.full(3, 2.0), np.ones(27)])
    assert far(twice.predict(X), weighted.predict(X)) < 1e-11
    assert twice.certificate_.holds
    with pytest.warns(UserWarning, match="Singular matrix"):
        KernelRidge(0.0, kernel="rbf").fit(np.r_[X, X[:3]], np.r_[y, y[:3]])


def test_diagonals_of_inverses():
    """By factors, by a band, and by eigenvalues where the matrix is not definite."""
    K = gram(450)
    shifts = np.array([0.1, 0.2, 0.5, 1.0, 2.0])
    exact = [np.linalg.inv(K + s * np.eye(450)).diagonal() for s in shifts]
    with single_blas():
        for some in (slice(None), slice(2)):
            for found, expected in zip(inverse_diagonal(K, shifts[some]), exact[some], strict=True):
                assert far(found, expected) < 1e-10
        bent = K - 0.5 * np.eye(450)
        assert far(inverse_diagonal(bent, np.array([0.1]))[0], np.linalg.inv(bent + 0.1 * np.eye(450)).diagonal()) < 1e-9


def test_same_bits_for_any_number_of_threads(monkeypatch):
    X, y, _, _ = table(900)
    found = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", threads)
        model = KernelRidge(0.1, kernel="rbf").fit(X, y)
        path = KernelRidge(kernel="rbf").path(X, y, np.logspace(-2, 2, 6))
        found.append(np.concatenate([model.dual_coef_, model.predict(X), *(one.dual_coef_ for one in path)]))
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_certificate_notices_a_wrong_answer(monkeypatch):
    """A solution that is off by a thousandth is not certified."""
    solve = shifted_systems.solve_shifted

    def wrong(K, shifts, Y, size):
        solved = solve(K, shifts, Y, size)
        X = 1.001 * solved.columns
        off = np.linalg.norm(Y - K @ X - shifts * X, axis=0) / np.linalg.norm(Y, axis=0)
        return shifted_systems.Solved(X, off)

    X, y, _, _ = table(40)
    monkeypatch.setattr("aprendiz.kernel.solvers.ridge_equations.solve_shifted", wrong)
    assert not KernelRidge(kernel="rbf").fit(X, y).certificate_.holds


def test_digits_are_those_of_the_coefficients():
    """The claimed digits hold against arithmetic of 40 digits, for penalties down to 10⁻⁹."""
    X, y, _, _ = table(12)
    for alpha in (1.0, 1e-4, 1e-9):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = KernelRidge(alpha, kernel=Polynomial(2, c=1.0)).fit(X, y)
        K = ((X.astype(np.longdouble) @ X.T.astype(np.longdouble)) + 1) ** 2
        a = model.dual_coef_.astype(np.longdouble)
        off = y - K @ a - np.longdouble(alpha) * a
        bound = float(np.sqrt((off**2).sum()) / alpha / np.sqrt((a**2).sum()))
        assert bound <= 10.0**-model.certificate_.digits


def test_kernels_of_strings_are_sent_to_precomputed():
    from aprendiz.kernel.kernels import Spectrum

    with pytest.raises(ValueError, match="precomputed"):
        KernelRidge(kernel=Spectrum(2)).fit([[1.0], [2.0]], [0.0, 1.0])


def test_certificate_without_a_diagonal():
    """Where K(x, x) is 0 the rounding of entries is known as a number."""
    rng = np.random.default_rng(0)
    X, y, w = rng.uniform(size=(40, 3)), rng.normal(size=40), rng.uniform(0.5, 2.0, 40)
    for weight in (None, w):
        known = KernelRidge(40.0, kernel="additive_chi2").fit(X, y, weight).certificate_
        assert known.holds
        assert 0.0 < known.rounding < 1e-11
    assert not KernelRidge(40.0, kernel="additive_chi2").fit(1e9 * np.ones((40, 3)) + X, y).certificate_.holds
