"""Certificates of linear models: they hold where they should, and nothing they claim is contradicted by a second look."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg, sparse
from scipy.special import log_expit, log_softmax
from sklearn import linear_model as theirs
from sklearn.exceptions import ConvergenceWarning

from aprendiz import (
    DeltaRule,
    ElasticNet,
    ElasticNetCV,
    FisherDiscriminant,
    Lasso,
    LassoCV,
    LeastSquaresClassifier,
    LinearMachine,
    LinearRegression,
    LogisticRegression,
    Perceptron,
    Ridge,
    RidgeCV,
    SGDClassifier,
    StollerCut,
)

RNG = np.random.default_rng(21)


def conditioned(n, d, kappa, seed=0):
    """Columns with singular values from 1 to 1/κ, spread evenly on a logarithmic scale."""
    rng = np.random.default_rng(seed)
    U, V = np.linalg.qr(rng.normal(size=(n, d)))[0], np.linalg.qr(rng.normal(size=(d, d)))[0]
    return (U * np.geomspace(1, 1 / kappa, d)) @ V.T


def near_duplicates(n, d, apart, seed=0):
    """Columns that differ from the first one by a little noise."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 1)) + apart * rng.normal(size=(n, d))


HARD = {
    "κ = 10²": conditioned(30, 5, 1e2),
    "κ = 10⁶": conditioned(30, 5, 1e6),
    "κ = 10¹⁰": conditioned(30, 5, 1e10),
    "polynomial of degree 7": np.linspace(0, 1, 30)[:, None] ** np.arange(1, 8),
    "near-duplicates, 10⁻³": near_duplicates(30, 4, 1e-3),
    "near-duplicates, 10⁻⁷": near_duplicates(30, 4, 1e-7),
    "scales over ten orders": RNG.normal(size=(30, 5)) * 10.0 ** np.arange(-5, 5, 2),
    "far from zero": RNG.normal(size=(30, 4)) + 1e6,
    "sparse": sparse.random(60, 6, density=0.2, random_state=0).toarray(),
}
EVERY = pytest.mark.parametrize("X", HARD.values(), ids=HARD)


def target(X, seed=0):
    rng = np.random.default_rng(seed)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    return scaled @ rng.normal(size=X.shape[1]) + 0.3 * rng.normal(size=len(X)) + 1


def exact_line(X, y, alpha=0.0, intercept=True):
    """w of least squares with α‖w‖², in rational numbers: the answer for exactly these data."""
    rows = [[Fraction(float(v)) for v in row] for row in X]
    t, n, d = [Fraction(float(v)) for v in y], len(X), X.shape[1]
    if intercept:
        means = [sum(row[j] for row in rows) / n for j in range(d)]
        rows, t = [[v - m for v, m in zip(row, means, strict=True)] for row in rows], [v - sum(t) / n for v in t]
    A = [[sum(row[j] * row[k] for row in rows) + (Fraction(alpha) if j == k else 0) for k in range(d)] for j in range(d)]
    b = [sum(row[j] * v for row, v in zip(rows, t, strict=True)) for j in range(d)]
    for j in range(d):
        for k in range(j + 1, d):
            factor = A[k][j] / A[j][j]
            A[k], b[k] = [p - factor * q for p, q in zip(A[k], A[j], strict=True)], b[k] - factor * b[j]
    for j in reversed(range(d)):
        b[j] = (b[j] - sum(A[j][k] * b[k] for k in range(j + 1, d))) / A[j][j]
    return np.array([float(v) for v in b])


def error_of(coef, exact, X):
    """Relative error of w, each entry in units of its column."""
    unit = X.std(axis=0)
    return np.linalg.norm(unit * (coef - exact)) / np.linalg.norm(unit * exact)


# ---- digits ----------------------------------------------------------------------------------------------------------


@EVERY
def test_digits_of_least_squares(X):
    """The digits that are promised are there, against rational arithmetic, and they are enough up to κ = 10¹⁰."""
    y = target(X)
    model = LinearRegression().fit(X, y)
    assert model.certificate_.holds
    assert error_of(model.coef_, exact_line(X, y), X) <= 10 * 10.0**-model.certificate_.digits


@EVERY
@pytest.mark.parametrize("alpha", [1e-6, 1.0])
def test_digits_of_ridge(X, alpha):
    """The same with a penalty."""
    y = target(X)
    model = Ridge(alpha).fit(X, y)
    assert model.certificate_.holds
    assert error_of(model.coef_, exact_line(X, y, alpha), X) <= 10 * 10.0**-model.certificate_.digits


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
def test_digits_on_sparse_tables(form):
    """Sparse tables keep the digits of dense ones."""
    X = HARD["sparse"]
    y = target(X)
    for model, exact in ((LinearRegression(), exact_line(X, y)), (Ridge(0.1), exact_line(X, y, 0.1))):
        model.fit(form(X), y)
        assert model.certificate_.holds
        assert error_of(model.coef_, exact, X) <= 10 * 10.0**-model.certificate_.digits


@EVERY
def test_digits_without_an_intercept(X):
    """Without an intercept nothing may be shifted; what is promised is kept all the same."""
    y = target(X)
    model = LinearRegression(fit_intercept=False).fit(X, y)
    exact = exact_line(X, y, intercept=False)
    size = np.linalg.norm(X, axis=0)
    wrong = np.linalg.norm(size * (model.coef_ - exact)) / np.linalg.norm(size * exact)
    assert wrong <= 10 * 10.0**-model.certificate_.digits


@pytest.mark.parametrize("solver", ["normal", "qr", "svd"])
@EVERY
def test_every_direct_solver_keeps_its_promise(X, solver):
    """Solvers that lose digits say so: the certificate is never better than the answer."""
    y = target(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", linalg.LinAlgWarning)
        model = LinearRegression(solver=solver).fit(X, y)
    if model.certificate_.rank == X.shape[1]:
        assert error_of(model.coef_, exact_line(X, y), X) <= 10 * 10.0**-model.certificate_.digits


@EVERY
def test_digits_of_least_squares_classifiers(X):
    """A classifier by least squares solves the equations for its 0 and 1, or −1 and 1."""
    y = (target(X) > 1).astype(int)
    model = LeastSquaresClassifier().fit(X, y)
    assert model.certificate_.holds
    exact = exact_line(X, y.astype(float))
    ratio = float((model.coef_[0] @ exact) / (exact @ exact))  # the code of the classes is a matter of taste
    assert error_of(model.coef_[0], ratio * exact, X) <= 1e-7


def test_dependent_columns_are_counted():
    """The rank is that of the columns, and the shortest of the minimisers is taken."""
    X = np.column_stack([HARD["κ = 10²"], HARD["κ = 10²"][:, 0] + HARD["κ = 10²"][:, 1]])
    y = target(X)
    model = LinearRegression().fit(X, y)
    assert model.certificate_.rank == 5
    shortest = np.linalg.pinv(X - X.mean(axis=0)) @ (y - y.mean())
    np.testing.assert_allclose(model.coef_, shortest, atol=1e-8 * np.abs(shortest).max())


def test_sums_that_were_squared_are_remembered():
    """Rows added to moments, whose digits squaring has lost, are promised no more than those moments."""
    X = near_duplicates(9000, 4, 1e-5)
    y = target(X)
    first = LinearRegression(solver="normal")
    with warnings.catch_warnings(action="ignore"):
        first.fit(X, y)
    both = LinearRegression().fit_sums(first.sums_ + LinearRegression().partial_fit(X[:50], y[:50]).sums_)
    table, numbers, weight = np.vstack([X[:50], X]), np.append(y[:50], y), np.ones(9050)
    best = LinearRegression().fit(table, numbers, weight)
    assert best.certificate_.digits > both.certificate_.digits
    assert error_of(both.coef_, best.coef_, X) <= 10.0**-both.certificate_.digits + 10.0**-best.certificate_.digits


@pytest.mark.parametrize("source", ["lda", "softmax", "least_squares"])
def test_linear_machines(source):
    """Where the machine says that its coefficients solve their equations, they do not depend on the order of the rows."""
    X = near_duplicates(60, 4, 2e-3)  # at 10⁻³ the worst case of rounding leaves 7.7 digits
    y = np.digitize(target(X), [0.0, 2.0])
    order = np.random.default_rng(0).permutation(60)
    model, again = LinearMachine(source).fit(X, y), LinearMachine(source).fit(X[order], y[order])
    assert model.certificate_.holds
    np.testing.assert_array_equal(model.predict(X), again.predict(X))


# ---- gaps ------------------------------------------------------------------------------------------------------------


def sparse_objective(coef, X, y, alpha, share):
    """(1) of elastic_net.py, b at its best."""
    Z, c = X - X.mean(axis=0), y - y.mean()
    r = c - Z @ coef
    return r @ r / (2 * len(y)) + alpha * (share * np.abs(coef).sum() + 0.5 * (1 - share) * coef @ coef)


@EVERY
@pytest.mark.parametrize("share", [1.0, 0.5])
@pytest.mark.parametrize("part", [0.3, 0.001])
def test_gap_of_lasso_and_elastic_net(X, share, part):
    """Below tol, and nothing that scikit-learn or a random search near the answer finds is better by more."""
    y = target(X)
    Z, c = X - X.mean(axis=0), y - y.mean()
    alpha = part * np.abs(Z.T @ c).max() / (len(y) * share)
    model = (Lasso(alpha) if share == 1 else ElasticNet(alpha, l1_ratio=share)).fit(X, y)
    assert model.certificate_.holds
    assert model.certificate_.gap <= 1e-4
    F, allowed = sparse_objective(model.coef_, X, y, alpha, share), (model.certificate_.gap + 1e-13) * (c @ c) / len(y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        other = theirs.ElasticNet(alpha, l1_ratio=share, tol=1e-10, max_iter=5000).fit(X, y)
    assert F - sparse_objective(other.coef_, X, y, alpha, share) <= allowed
    rng = np.random.default_rng(1)
    for size in 10.0 ** -np.arange(1, 8):
        moved = model.coef_ * (1 + size * rng.normal(size=X.shape[1]))
        assert F - sparse_objective(moved, X, y, alpha, share) <= allowed


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(5, 60), st.integers(1, 60), st.sampled_from([1e-1, 1e-3, 1e-6]))
def test_gaps_of_loose_fits(seed, n, d, tol):
    """However early a fit stops, its distance from the minimum is within its gap."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = X[:, 0] + rng.normal(size=n)
    alpha = 0.05 * np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / n
    loose, best = Lasso(alpha, tol=tol).fit(X, y), Lasso(alpha, tol=1e-13).fit(X, y)
    energy = ((y - y.mean()) ** 2).sum() / n
    F, least = (sparse_objective(model.coef_, X, y, alpha, 1.0) for model in (loose, best))
    assert F - least <= (loose.certificate_.gap + 1e-13) * energy
    assert loose.certificate_.gap <= tol


@EVERY
def test_penalties_chosen_by_folds(X):
    """The certificate says whether the choice lies inside the grid, and the smallest error is where it says."""
    y = target(X)
    for model in (LassoCV(alphas=10, cv=3), ElasticNetCV(alphas=10, cv=3)):
        model.fit(X, y)
        number = int(np.flatnonzero(model.alphas_ == model.alpha_)[0])
        assert number == model.mse_path_.mean(axis=-1).argmin()
        assert model.certificate_.holds == (0 < number < 9)
    ridge = RidgeCV(10.0 ** np.arange(-3, 4)).fit(X, y)
    assert ridge.certificate_.holds == (1e-3 < ridge.alpha_ < 1e3)


# ---- logistic --------------------------------------------------------------------------------------------------------


def likelihood(model, X, y, C):
    """F of logistic_regression.py with ρ = model.l1_ratio, around the means of the columns."""
    middle, W = X.mean(axis=0), model.coef_
    T = (X - middle) @ W.T + (model.intercept_ + W @ middle)
    codes = np.searchsorted(model.classes_, y)
    log_p = log_softmax(np.column_stack([np.zeros(len(y)), T]) if len(W) == 1 else T, axis=1)
    return (
        -log_p[np.arange(len(y)), codes].sum()
        + (model.l1_ratio * np.abs(W).sum() + 0.5 * (1 - model.l1_ratio) * (W**2).sum()) / C
    )


@EVERY
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_logistic_regression(X, classes, share):
    """F is what the certificate says, and no step in any direction that is tried leads below it by more than is allowed."""
    y = np.digitize(target(X), [1.0, 2.0][: classes - 1])
    scaled = X / X.std(axis=0)
    model = LogisticRegression(C=10.0, l1_ratio=share).fit(scaled, y)
    F = likelihood(model, scaled, y, 10.0)
    assert model.certificate_.holds
    assert model.certificate_.objective == pytest.approx(F, rel=1e-10)
    allowed = model.certificate_.gap * F if share else 2 * model.certificate_.decrement
    rng, coef, intercept = np.random.default_rng(0), model.coef_.copy(), model.intercept_.copy()
    for size in 10.0 ** -np.arange(1, 8):
        model.coef_ = coef + size * rng.normal(size=coef.shape) * (coef != 0)
        model.intercept_ = intercept - (model.coef_ - coef) @ scaled.mean(axis=0)
        assert F - likelihood(model, scaled, y, 10.0) <= allowed + 1e-12 * F


@pytest.mark.parametrize("classes", [2, 3])
def test_newton_decrement(classes):
    """Near the minimum the decrement is F − F* but for a factor near 1, as (3) of newton.py says."""
    X = RNG.normal(size=(100, 3))
    y = np.digitize(X @ [1.0, -1.0, 0.5] + RNG.logistic(size=100), [0.0, 1.0][: classes - 1])
    states = list(LogisticRegression(tol=1e-12).steps(X, y))
    near = [state for state in states if 1e-10 * state.objective < state.decrement < 0.5]
    assert near
    for state in near:
        assert state.decrement == pytest.approx(state.objective - states[-1].objective, rel=0.2)


# ---- other learners --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("penalty", ["l2", "l1", "elasticnet"])
def test_gap_of_stochastic_gradients(penalty):
    """The gap of a stochastic fit is above its true distance from the minimum, which the exact solver knows."""
    X = RNG.normal(size=(200, 4))
    y = (X @ [1.0, -1.0, 0.0, 0.0] + RNG.logistic(size=200) > 0).astype(int)
    model = SGDClassifier("log_loss", penalty=penalty, alpha=0.01, random_state=0).fit(X, y)
    share = {"l2": 0.0, "l1": 1.0, "elasticnet": model.l1_ratio}[penalty]
    best = LogisticRegression(C=1 / (0.01 * 200), l1_ratio=share, tol=1e-8).fit(X, y).certificate_.objective / 200
    signs, w = 2 * y - 1, model.coef_[0]
    F = -log_expit(signs * model.decision_function(X)).mean() + 0.01 * (share * np.abs(w).sum() + 0.5 * (1 - share) * w @ w)
    assert model.certificate_.objective == pytest.approx(F, rel=1e-9)
    assert -1e-9 <= F - best <= model.certificate_.gap


@pytest.mark.parametrize("margin", [-2.0, 0.3])
def test_perceptron(margin):
    """It says that the classes are separated if and only if its plane has no error; the errors it counts are there."""
    X = RNG.normal(size=(80, 3))
    t = X @ [1.0, 2.0, -1.0]
    X, t = X[np.abs(t) > margin], t[np.abs(t) > margin]
    y = (t + (2.0 * RNG.normal(size=len(t)) if margin < 0 else 0.0) > 0).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = Perceptron(random_state=0).fit(X, y)
    wrong = int((model.predict(X) != y).sum())
    assert model.certificate_.errors == wrong
    assert model.certificate_.separated == (wrong == 0) == (margin > 0)


def test_delta_rule():
    """The squared error is that of its predictions."""
    X = RNG.normal(size=(60, 3))
    y = (X @ [1.0, 2.0, -1.0] + RNG.normal(size=60) > 0).astype(int)
    model = DeltaRule(random_state=0).fit(X, y)
    p = 1 / (1 + np.exp(-model.decision_function(X)))
    assert model.certificate_.objective == pytest.approx(((y - p) ** 2).mean(), rel=1e-10)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(4, 25), st.integers(1, 3))
def test_stoller_cut(seed, n, d):
    """No cut of any column errs less: all of them are tried."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, size=(n, d)).astype(float), np.arange(n) % 2
    model = StollerCut().fit(X, y)
    cuts = [(X[:, j] > c) == side for j in range(d) for c in np.arange(-0.5, 6) for side in (0, 1)]
    least = min((cut != y).mean() for cut in cuts)
    assert model.certificate_.error == pytest.approx(least)
    assert (model.predict(X) != y).mean() == pytest.approx(least)


@EVERY
def test_fisher_directions(X):
    """The largest ratio of scatters between and within classes is that of the generalised eigenvalue problem, where S_D,
    whose condition is κ², leaves digits to both."""
    y = np.argsort(np.argsort(target(X))) * 3 // len(X)
    model = FisherDiscriminant().fit(X, y)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    means = np.array([Z[y == k].mean(axis=0) for k in range(3)])
    within = (Z - means[y]).T @ (Z - means[y])
    if np.linalg.cond(within) < 1e8:
        assert model.certificate_.holds
        between = means[y].T @ means[y]
        assert model.certificate_.largest == pytest.approx(linalg.eigh(between, within, eigvals_only=True)[-1], rel=1e-6)


@pytest.mark.parametrize("alpha", [1.0, 1e-6])
@pytest.mark.parametrize(("kind", "digits"), [("a long row", 7), ("a long column", 13), ("large numbers", 12)])
def test_ridge_with_fewer_rows_than_columns_keeps_its_digits(kind, digits, alpha):
    """ZZᵀ squares what is large until nothing is left of the penalty: such fits had few digits, or none. Against fractions."""
    for seed in range(3):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(4, 6)), random.normal(size=4)
        if kind == "a long row":
            X[0] *= 1e7
        elif kind == "a long column":
            X[:, 0] *= 1e9
        else:
            X *= 1e6
        model, w = Ridge(alpha=alpha).fit(X, y), exact_line(X, y, alpha)
        assert np.abs(model.coef_ - w).max() <= 10.0**-digits * np.abs(w).max()
