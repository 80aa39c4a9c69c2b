"""Patterns in residuals: the tests are those of the larger models, and find what is missing."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import BaseEstimator
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeRegressor

from aprendiz import LinearRegression, StandardScaler
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.evaluation import residuals
from aprendiz.locale import language
from aprendiz.plots import ResidualsDisplay


def table(n=80, bend=0.0, seed=0):
    """Two correlated predictors; y is linear but for a square of the second."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) @ [[1.0, 0.4], [0.0, 1.0]] + [3.0, -1.0]
    return X, 1 + X @ [2.0, -1.0] + bend * X[:, 1] ** 2 + rng.normal(size=n)


class ColumnX(BaseEstimator):
    """Predicts the column x of a frame."""

    def fit(self, frame, y):
        return self

    def predict(self, frame):
        return frame["x"].to_numpy()

    def __sklearn_is_fitted__(self):
        return True


def sum_of_squares(Z, y):
    return float(np.linalg.lstsq(np.column_stack([np.ones(len(y)), Z]), y, rcond=None)[1][0])


def test_square_is_the_test_of_the_larger_model():
    """F of adding x_j² to the regression on all columns, from two fits."""
    X, y = table(bend=0.2)
    found = residuals(LinearRegression().fit(X, y), X, y)
    for j in range(2):
        small, large = sum_of_squares(X, y), sum_of_squares(np.column_stack([X, X[:, j] ** 2]), y)
        F = (small - large) / (large / (80 - 4))
        assert found.patterns[j].f == pytest.approx(F, rel=1e-8)
        assert found.patterns[j].p == pytest.approx(stats.f.sf(F, 1, 76), rel=1e-6)
    assert [one.name for one in found.bent] == ["1"]
    assert found.bent[0].shape == "U"
    X, y = table(bend=-0.3)
    assert residuals(LinearRegression().fit(X, y), X, y).bent[0].shape == "arch"


def test_reset():
    """F of adding ŷ² and ŷ³."""
    X, y = table(bend=0.2)
    model = LinearRegression().fit(X, y)
    fitted = model.predict(X)
    small, large = sum_of_squares(X, y), sum_of_squares(np.column_stack([X, fitted**2, fitted**3]), y)
    F = (small - large) / 2 / (large / (80 - 5))
    assert residuals(model, X, y).reset == pytest.approx((F, stats.f.sf(F, 2, 75)), rel=1e-6)


def test_breusch_pagan():
    """n·R² of the squared residuals on the columns; found where the noise grows with a column."""
    X, y = table()
    model = LinearRegression().fit(X, y)
    square = (y - model.predict(X)) ** 2
    R2 = 1 - sum_of_squares(X, square) / float(((square - square.mean()) ** 2).sum())
    assert residuals(model, X, y).breusch_pagan == pytest.approx((80 * R2, stats.chi2.sf(80 * R2, 2)), rel=1e-8)
    rng = np.random.default_rng(1)
    uneven = X[:, 0] + np.exp(X[:, 0] - 3) * rng.normal(size=80)
    found = residuals(LinearRegression().fit(X, uneven), X, uneven)
    assert found.breusch_pagan[1] < 0.01
    assert any("noise is uneven" in one for one in found.findings())


def test_durbin_watson():
    """2·(1 − r₁) up to the ends; rows that follow each other are found, independent ones are not."""
    X, y = table(400)
    assert residuals(LinearRegression().fit(X, y), X, y).durbin_watson[1] > 0.01
    walk = y + np.cumsum(np.random.default_rng(2).normal(size=400))
    found = residuals(LinearRegression().fit(X, walk), X, walk)
    e = found.residual
    assert found.durbin_watson[0] == pytest.approx(np.sum(np.diff(e) ** 2) / np.sum(e**2), rel=1e-12)
    assert found.durbin_watson[1] < 1e-10


def test_levels_are_kept():
    """Without patterns p-values are below 0.05 in about 5 % of 200 tables: 0.015 is their standard error, times four."""
    tests = []
    for seed in range(200):
        X, y = table(50, seed=seed)
        found = residuals(LinearRegression().fit(X, y), X, y)
        tests.append([found.patterns[0].p, found.reset[1], found.breusch_pagan[1], found.durbin_watson[1], found.normality.p])
    assert np.abs(np.mean(np.array(tests) < 0.05, axis=0) - 0.05).max() < 0.06


def test_dependent_squares():
    """A 0/1 column is its own square, and a square that is in the model is not missing: nothing to test there."""
    X, y = table()
    X = np.column_stack([X[:, 1], X[:, 1] ** 2, X[:, 0] > 3])
    found = residuals(LinearRegression().fit(X, y), X, y)
    assert [np.isnan(one.p) for one in found.patterns] == [True, False, True]
    assert found.patterns[0].shape == ""


def test_other_models():
    """A tree that is too small leaves a pattern; words and columns with gaps go to the model alone."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 300)
    y = x**2 + 0.05 * rng.normal(size=300)
    assert residuals(DecisionTreeRegressor(max_depth=1).fit(x[:, None], y), x[:, None], y).bent
    assert not residuals(DecisionTreeRegressor(max_depth=5).fit(x[:, None], y), x[:, None], y).bent
    frame = pd.DataFrame({"x": x, "gaps": np.where(x > 0, np.nan, x), "kind": np.where(y > 0.3, "a", "b")})
    assert residuals(ColumnX(), frame, y).columns == ("x",)


def test_many_columns():
    """With nearly as many columns as rows each predictor is looked at on its own."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 20))
    y = X[:, 0] ** 2 + 0.1 * rng.normal(size=30)
    model = make_pipeline(StandardScaler(), DecisionTreeRegressor(max_depth=1)).fit(X, y)
    assert residuals(model, X, y).bent[0].name == "0"


def test_words_and_picture():
    """Tests, findings and the picture against the column that bends most."""
    X, y = table(bend=0.3)
    frame = pd.DataFrame(X, columns=["a", "b"])
    found = residuals(LinearRegression().fit(frame, y), frame, y)
    assert "Residuals against 'b' form a U" in str(found)
    assert "square of b (Holm)" in str(found)
    with language("es"):
        assert "Los residuos frente a 'b' forman una U" in str(found)
    display = found.plot()
    assert isinstance(display, ResidualsDisplay)
    assert display.ax_[1].get_xlabel() == "b"
    assert len(display.ax_[1].lines) == 3  # rows, parabola, zero
    assert found.plot(against="").ax_[1].get_xlabel() == "predicted"
    with pytest.raises(KeyError, match="no column 'c'"):
        found.plot("c")
    plt.close("all")


def test_refused():
    X, y = table()
    model = LinearRegression().fit(X, y)
    with pytest.raises(TypeError, match="in memory"):
        residuals(model, ArrayRows(X), y)
    with pytest.raises(ValueError, match="at least 8"):
        residuals(model, X[:5], y[:5])
    with pytest.raises(ValueError, match="one target at a time"):
        residuals(LinearRegression().fit(X, X), X, X)
    with pytest.raises(ValueError, match="level must lie"):
        residuals(model, X, y, level=0)
