"""Paths of logistic regressions: each fit is the one that stands alone, however it is found."""

import numpy as np
import pytest

from aprendiz import LogisticRegression
from aprendiz.linear.paths import logistic_path
from aprendiz.linear.paths.logistic_path import Path

RNG = np.random.default_rng(3)
CS = np.array([0.001, 0.1, 10.0])


def drawn(rows, columns, classes):
    X = RNG.normal(size=(rows, columns)) + 3.0
    y = ((X - 3.0) @ RNG.normal(size=(columns, classes)) / np.sqrt(columns) + RNG.gumbel(size=(rows, classes))).argmax(axis=1)
    return X, y


TABLES = {
    "few columns": drawn(200, 4, 2),
    "three classes": drawn(200, 4, 3),
    "many parameters": drawn(300, 80, 2),
    "more columns than rows": drawn(100, 150, 2),
}


def fits(X, y, share=0.0, tol=1e-8, most=1000, intercept=True, Cs=CS):
    rows = LogisticRegression().open(X, y)
    return list(Path.of(rows, share, intercept, tol, most).fits(1.0 / Cs))


def assert_each_stands_alone(X, y, found, intercept=True, share=0.0, tolerance=1e-5):
    for fit, C in zip(found, CS, strict=True):
        alone = LogisticRegression(C=C, l1_ratio=share, tol=1e-9 if share == 0 else 1e-6, fit_intercept=intercept).fit(X, y)
        expected = np.column_stack([alone.coef_, alone.intercept_])
        np.testing.assert_allclose(fit.plane, expected, rtol=0, atol=tolerance * np.abs(expected).max())
        assert fit.ended


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("intercept", [True, False])
def test_each_stands_alone(name, intercept):
    """The fits along a path are those from zero."""
    X, y = TABLES[name]
    assert_each_stands_alone(X, y, fits(X, y, intercept=intercept), intercept)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("share", [0.5, 1.0])
def test_with_zeros(name, share):
    """So are those of penalties that make zeros, and they are zero in the same places."""
    X, y = TABLES[name]
    found = fits(X, y, share=share, tol=1e-6)
    assert_each_stands_alone(X, y, found, share=share, tolerance=1e-4)
    assert not found[0].plane[:, :-1].any()


@pytest.mark.parametrize("name", ["many parameters", "more columns than rows"])
def test_patience(name, monkeypatch):
    """Where L-BFGS takes too long, the rest of the path is left to Newton's method: the same fits in fewer passes."""
    X, y = TABLES[name]
    patient = fits(X, y)
    monkeypatch.setattr(logistic_path, "PATIENCE", 4)
    hurried = fits(X, y)
    assert_each_stands_alone(X, y, hurried)
    assert sum(fit.passes for fit in hurried) < sum(fit.passes for fit in patient)


def test_the_last_step():
    """The step that is made without a look leads to the minimiser: the gradient there is rounding."""
    X, y = TABLES["few columns"]
    for fit, C in zip(fits(X, y, tol=1e-4), CS, strict=True):
        w, b = fit.plane[0, :-1], fit.plane[0, -1]
        residual = 1 / (1 + np.exp(-(X @ w + b))) - y
        assert np.abs(np.append(X.T @ residual + w / C, residual.sum())).max() < 1e-6 * len(y)
        assert fit.passes <= 8


def test_passes_are_limited():
    """A path that may look twice says which fits did not come to their end."""
    X, y = TABLES["many parameters"]
    found = fits(X, y, most=1)
    assert [fit.passes for fit in found] == [2, 2, 2]
    assert not any(fit.ended for fit in found)
    assert all(fit.ended for fit in fits(X, y))


def test_no_penalty_at_the_end():
    """Without a penalty at last, with columns that are constant or stand twice, all numbers are finite."""
    X, y = TABLES["many parameters"]
    X = np.column_stack([X, X[:, 0], np.full(len(X), 7.0)])
    found = fits(X, y, Cs=np.array([1.0, np.inf]), tol=1e-6)
    assert all(np.isfinite(fit.plane).all() for fit in found)
    assert np.abs(found[1].plane).sum() > np.abs(found[0].plane).sum()
