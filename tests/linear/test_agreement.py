"""Linear models against scikit-learn's on random problems: the same minimum, and the same coefficients where there is one.

scikit-learn is run to a tiny tolerance. Ours may not have a higher objective, but for rounding. Coefficients are compared
where the columns leave no doubt about them: to the error that a difference of objectives allows, |Δw|² ≤ 2ΔF/μ, with μ the
smallest curvature.
"""

import warnings
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_softmax
from sklearn import linear_model as theirs
from sklearn.exceptions import ConvergenceWarning

import aprendiz as ours


@dataclass(frozen=True)
class Table:
    """Columns, a target of numbers, and weights or None."""

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray | None
    intercept: bool

    @property
    def weights(self):
        return np.ones(len(self.y)) if self.weight is None else self.weight

    def centred(self):
        """Columns and target as a penalty sees them: less their means if there is an intercept, rows times √ω."""
        w = self.weights
        X, y = self.X, self.y
        if self.intercept:
            X, y = X - np.average(X, axis=0, weights=w), y - np.average(y, weights=w)
        return X * np.sqrt(w)[:, None], y * np.sqrt(w)

    def classes(self, number):
        """As many classes as asked for, by the order of the target."""
        codes = np.empty(len(self.y), int)
        codes[np.argsort(self.y, kind="stable")] = np.arange(len(self.y)) * number // len(self.y)
        flipped = np.arange(len(self.y)) % 5 == 0  # so that no hyperplane separates them
        codes[flipped] = (codes[flipped] + 1) % number
        codes[:number] = np.arange(number)
        return codes


@st.composite
def tables(draw, rows=(6, 40), columns=(1, 8), scales=True):
    """Random shapes (n < d too), weights or none, an intercept or not, correlated columns, scales over six orders."""
    n, d = draw(st.integers(*rows)), draw(st.integers(*columns))
    if draw(st.integers(0, 3)) == 0:
        n, d = draw(st.integers(5, 10)), draw(st.integers(10, 20))
    rng = np.random.default_rng(draw(st.integers(0, 100_000)))
    X = rng.normal(size=(n, d))
    if draw(st.booleans()):
        X = X[:, :1] + draw(st.sampled_from([1.0, 0.1])) * X  # correlated
    y = X @ (rng.normal(size=d) * (rng.uniform(size=d) < 0.6)) + draw(st.sampled_from([0.1, 1.0])) * rng.normal(size=n)
    if scales and draw(st.booleans()):
        X = X * 10.0 ** rng.uniform(-3, 3, size=d)
    X, y = X + rng.normal(size=d) * draw(st.sampled_from([0.0, 1.0])), y * draw(st.sampled_from([1.0, 1e3])) + 2.0
    weight = rng.uniform(0.1, 3, size=n) if draw(st.booleans()) else None
    return Table(X, y, weight, draw(st.booleans()))


def quietly(model, table, y=None):
    """scikit-learn's fit; at such tolerances it may say that it did not arrive."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(table.X, table.y if y is None else y, sample_weight=table.weight)


def squares(model, table):
    """Σ ω (y − b − xᵀw)²."""
    return float(table.weights @ (table.y - table.X @ model.coef_ - model.intercept_) ** 2)


def predictions(model, table):
    return table.X @ model.coef_ + model.intercept_


# ---- least squares and ridge -----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(tables())
def test_linear_regression(table):
    """No sum of squares is below ours; where the columns are independent enough, the coefficients are the same."""
    a = ours.LinearRegression(fit_intercept=table.intercept).fit(table.X, table.y, sample_weight=table.weight)
    b = quietly(theirs.LinearRegression(fit_intercept=table.intercept), table)
    size = float(table.weights @ table.y**2)
    assert squares(a, table) <= squares(b, table) + 1e-12 * size
    Z, _ = table.centred()
    norms = np.linalg.norm(Z, axis=0)
    s = np.linalg.svd(Z / norms, compute_uv=False)
    if len(Z) - table.intercept >= Z.shape[1] and s[-1] > 1e-4 * s[0]:
        # scikit-learn takes singular values below 10⁻⁶ of the largest for zero, whatever the units: it is given unit columns
        even = replace(table, X=table.X / norms)
        wanted = quietly(theirs.LinearRegression(fit_intercept=table.intercept), even).coef_
        np.testing.assert_allclose(a.coef_ * norms, wanted, atol=1e-9 * np.linalg.norm(wanted))  # κ² = 10⁸ times rounding
        assert a.certificate_.holds


@settings(max_examples=60, deadline=None)
@given(tables(), st.floats(-3, 3))
def test_ridge(table, power):
    """Σ ω r² + α‖w‖² is not above scikit-learn's, and the coefficients are the same: the penalty leaves one minimiser."""
    alpha = 10.0**power
    a = ours.Ridge(alpha, fit_intercept=table.intercept).fit(table.X, table.y, sample_weight=table.weight)
    b = quietly(theirs.Ridge(alpha, fit_intercept=table.intercept, solver="svd"), table)
    F, G = (squares(m, table) + alpha * float(m.coef_ @ m.coef_) for m in (a, b))
    size = float(table.weights @ table.y**2)
    assert G + 1e-12 * size >= F
    # 2α is the smallest curvature: |Δw|² ≤ ΔF/α, with a ΔF of rounding
    np.testing.assert_allclose(a.coef_, b.coef_, atol=np.sqrt(1e-13 * size / alpha), rtol=1e-6)
    np.testing.assert_allclose(predictions(a, table), predictions(b, table), atol=1e-6 * np.sqrt(size))


@settings(max_examples=30, deadline=None)
@given(tables(scales=False), st.sampled_from([None, 3]))
def test_ridge_cv(table, cv):
    """The same penalty is chosen, by leaving one out or by folds, and the same coefficients follow."""
    alphas = 10.0 ** np.arange(-2, 3)
    a = ours.RidgeCV(alphas, fit_intercept=table.intercept, cv=cv, scoring="neg_mean_squared_error")
    b = theirs.RidgeCV(alphas, fit_intercept=table.intercept, cv=cv, scoring="neg_mean_squared_error")
    a.fit(table.X, table.y, sample_weight=table.weight)
    quietly(b, table)
    if a.alpha_ != b.alpha_:  # a tie, but for rounding
        assert a.best_score_ == pytest.approx(b.best_score_, rel=1e-9)
        return
    # scikit-learn's own digits go with the square of the condition number: the coefficients are those of the rows themselves
    Z, c = table.centred()
    tall = np.vstack([Z, np.sqrt(a.alpha_) * np.eye(Z.shape[1])])
    w = np.linalg.lstsq(tall, np.append(c, np.zeros(Z.shape[1])), rcond=None)[0]
    np.testing.assert_allclose(a.coef_, w, rtol=1e-7, atol=1e-9 * np.abs(w).max())
    assert a.best_score_ == pytest.approx(b.best_score_, rel=1e-6)


# ---- lasso and elastic net -------------------------------------------------------------------------------------------


def penalised(model, table, alpha, share):
    """(1) of elastic_net.py."""
    w = model.coef_
    loss = squares(model, table) / (2 * table.weights.sum())
    return loss + alpha * (share * np.abs(w).sum() + 0.5 * (1 - share) * float(w @ w))


def largest(table, share):
    """α from which on all coefficients are zero."""
    Z, c = table.centred()
    return np.abs(Z.T @ c).max() / (table.weights.sum() * share)


@settings(max_examples=80, deadline=None)
@given(tables(), st.floats(0.005, 0.9), st.sampled_from([1.0, 0.7, 0.2]))
def test_lasso_and_elastic_net(table, part, share):
    """The objective is not above scikit-learn's; with λ₂, which leaves one minimiser, the coefficients are the same."""
    alpha = part * largest(table, share)
    how = {"fit_intercept": table.intercept, "tol": 1e-12}
    if share == 1:
        a, b = ours.Lasso(alpha, **how), theirs.Lasso(alpha, max_iter=50_000, **how)
    else:
        a, b = (module.ElasticNet(alpha, l1_ratio=share, max_iter=50_000, **how) for module in (ours, theirs))
    a.fit(table.X, table.y, sample_weight=table.weight)
    quietly(b, table)
    F, G = penalised(a, table, alpha, share), penalised(b, table, alpha, share)
    scale = float(table.weights @ table.y**2) / table.weights.sum()
    assert G + 1e-12 * scale >= F
    assert a.certificate_.holds
    if share < 1:
        away = np.sqrt(2 * (abs(G - F) + 1e-13 * scale) / (alpha * (1 - share)))
        np.testing.assert_allclose(a.coef_, b.coef_, atol=away)


@settings(max_examples=20, deadline=None)
@given(tables(rows=(12, 40), columns=(1, 5), scales=False), st.sampled_from([1.0, 0.5]))
def test_lasso_cv_and_elastic_net_cv(table, share):
    """The same grid, the same errors of the folds, and the same choice unless two penalties are as good. Where scikit-learn
    stops before its minimum, as it may with few rows and correlated columns, ours is lower."""
    how = {"fit_intercept": table.intercept, "tol": 1e-10, "alphas": 12, "cv": 3, "max_iter": 200_000}
    if share == 1:
        a, b = ours.LassoCV(**how), theirs.LassoCV(**how)
    else:
        a, b = ours.ElasticNetCV(l1_ratio=share, **how), theirs.ElasticNetCV(l1_ratio=share, **how)
    a.fit(table.X, table.y, sample_weight=table.weight)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        b.fit(table.X, table.y, sample_weight=table.weight)
    np.testing.assert_allclose(a.alphas_, b.alphas_, rtol=1e-10)
    if a.alpha_ == pytest.approx(b.alpha_, rel=1e-9):
        scale = float(table.weights @ table.y**2) / table.weights.sum()
        assert penalised(a, table, a.alpha_, share) <= penalised(b, table, a.alpha_, share) + 1e-9 * scale
    if any(issubclass(warning.category, ConvergenceWarning) for warning in said):
        return
    np.testing.assert_allclose(a.mse_path_, b.mse_path_, rtol=1e-5, atol=1e-10 * np.abs(b.mse_path_).max())
    if a.alpha_ == pytest.approx(b.alpha_, rel=1e-9):
        np.testing.assert_allclose(predictions(a, table), predictions(b, table), atol=1e-5 * np.abs(table.y).max())
    else:
        assert a.mse_path_.mean(axis=-1).min() == pytest.approx(b.mse_path_.mean(axis=-1).min(), rel=1e-6)


# ---- logistic regression ---------------------------------------------------------------------------------------------


def likelihood(model, table, y, C, share):
    """(1) of logistic_regression.py."""
    W, n = model.coef_, len(y)
    T = table.X @ W.T + model.intercept_
    log_p = log_softmax(np.column_stack([np.zeros(n), T]) if len(W) == 1 else T, axis=1)
    penalty = share * np.abs(W).sum() + 0.5 * (1 - share) * (W**2).sum()
    return -float(table.weights @ log_p[np.arange(n), y]) + penalty / C


@settings(max_examples=60, deadline=None)
@given(tables(rows=(10, 40)), st.sampled_from([2, 3]), st.floats(-3, 2))
def test_logistic_regression(table, classes, power):
    """F is not above scikit-learn's, and the coefficients are the same to the error that 1/C, the smallest curvature,
    allows."""
    C, y = 10.0**power, table.classes(classes)
    a = ours.LogisticRegression(C=C, fit_intercept=table.intercept, tol=1e-8).fit(table.X, y, sample_weight=table.weight)
    other = theirs.LogisticRegression(C=C, fit_intercept=table.intercept, solver="newton-cholesky", tol=1e-10, max_iter=500)
    b = quietly(other, table, y)
    F, G = likelihood(a, table, y, C, 0.0), likelihood(b, table, y, C, 0.0)
    assert G * (1 + 1e-12) + 1e-15 * len(y) >= F  # where F is tiny, it is the rounding of its losses, each of the order of 1
    assert a.certificate_.holds
    away = np.sqrt(2 * C * (abs(G - F) + 1e-13 * F))
    np.testing.assert_allclose(a.coef_, b.coef_, atol=away)


@settings(max_examples=40, deadline=None)
@given(
    tables(rows=(10, 30), columns=(1, 5), scales=False), st.sampled_from([2, 3]), st.floats(0.02, 0.8),
    st.sampled_from([1.0, 0.5]),
)  # fmt: skip
def test_logistic_regression_with_zeros(table, classes, part, share):
    """No F that saga finds is below ours; with λ₂ the coefficients are as near as the two F say."""
    y = table.classes(classes)
    Z, _ = table.centred()
    pull = np.abs((np.sqrt(table.weights)[:, None] * ((y[:, None] == np.arange(classes)) - 1.0 / classes)).T @ Z).max()
    C = share / (part * pull)
    how = {"C": C, "l1_ratio": share, "fit_intercept": table.intercept}
    a = ours.LogisticRegression(tol=1e-7, **how).fit(table.X, y, sample_weight=table.weight)
    b = quietly(theirs.LogisticRegression(solver="saga", tol=1e-9, max_iter=2000, random_state=0, **how), table, y)
    F, G = likelihood(a, table, y, C, share), likelihood(b, table, y, C, share)
    assert F <= G + 1e-9 * F
    assert a.certificate_.holds
    if share < 1:
        away = np.sqrt(2 * C * (abs(G - F) + 1e-9 * F) / (1 - share))
        np.testing.assert_allclose(a.coef_, b.coef_, atol=away)
