"""Influence of rows: what it says is what happens when the row is left out and the model fitted again."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import aprendiz
from aprendiz import LinearRegression, Ridge, influence

RNG = np.random.default_rng(12)
N = 25
X = RNG.normal(size=(N, 3)) * [1.0, 10.0, 0.1] + [5.0, -20.0, 0.0]
Y = X @ [1.0, 0.2, -3.0] + RNG.normal(size=N)
WEIGHT = RNG.uniform(0.2, 3.0, size=N)
both = pytest.mark.parametrize("intercept", [True, False])
weighing = pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])


def design(X, intercept):
    return np.column_stack([np.ones(len(X)), X]) if intercept else X


def fitted(intercept, weight, rows=slice(None)):
    model = LinearRegression(fit_intercept=intercept)
    return model.fit(X[rows], Y[rows], None if weight is None else weight[rows])


# ---- definitions -----------------------------------------------------------------------------------------------------


@both
@weighing
def test_leverage_is_the_diagonal_of_the_hat_matrix(intercept, weight):
    """H = √ω Z (ZᵀΩZ)⁻¹ Zᵀ √ω, formed explicitly; its trace is the number of coefficients."""
    found = influence(fitted(intercept, weight), X, Y, weight)
    Z = design(X, intercept) * np.sqrt(1.0 if weight is None else weight[:, None])
    np.testing.assert_allclose(found.leverage, np.diag(Z @ np.linalg.pinv(Z)), rtol=1e-9)
    assert found.leverage.sum() == pytest.approx(found.coefficients, rel=1e-12)


@both
@weighing
def test_leaving_one_row_out(intercept, weight):
    """Studentised residuals, Cook's distances and DFFITS are those of n fits, each without one of the rows."""
    model = fitted(intercept, weight)
    found, w = influence(model, X, Y, weight), np.ones(N) if weight is None else weight
    summary, p = model.summary(), 3 + intercept
    for i in range(N):
        rest = np.arange(N) != i
        without = fitted(intercept, weight, rest)
        sigma = without.summary().residual_sd
        own, spread = design(X[i : i + 1], intercept)[0], design(X[rest], intercept)
        inverse = np.linalg.inv((spread * w[rest, None]).T @ spread)
        missed = Y[i] - without.predict(X[i : i + 1])[0]
        # the row is new to the other fit: its error has the variance σ²·(1/ω + zᵀ(ZᵀΩZ)⁻¹z)
        assert found.studentised[i] == pytest.approx(missed / (sigma * np.sqrt(1 / w[i] + own @ inverse @ own)), rel=1e-8)
        moved = model.predict(X) - without.predict(X)
        assert found.cooks_distance[i] == pytest.approx(w @ moved**2 / (p * summary.residual_sd**2), rel=1e-8)
        assert found.dffits[i] == pytest.approx(moved[i] * np.sqrt(w[i] / found.leverage[i]) / sigma, rel=1e-8)


@both
@weighing
def test_standardised_residuals(intercept, weight):
    """√ω·r/(σ̂·√(1 − h)): residual over its own standard deviation."""
    model = fitted(intercept, weight)
    found, w = influence(model, X, Y, weight), 1.0 if weight is None else weight
    np.testing.assert_allclose(found.residual, Y - model.predict(X), rtol=1e-12, atol=1e-13)
    expected = np.sqrt(w / (1 - found.leverage)) * found.residual / model.summary().residual_sd
    np.testing.assert_allclose(found.standardised, expected, rtol=1e-10)


def test_the_cars_of_r():
    """`hatvalues`, `cooks.distance` and `rstudent` of `lm(dist ~ speed, cars)` as R prints them (its row 49 is our 48)."""
    speed = np.repeat([4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23, 24, 25],
                      [2, 2, 1, 1, 3, 2, 4, 4, 4, 3, 2, 3, 4, 3, 5, 1, 1, 4, 1])[:, None].astype(float)  # fmt: skip
    dist = np.array([2, 10, 4, 22, 16, 10, 18, 26, 34, 17, 28, 14, 20, 24, 28, 26, 34, 34, 46, 26, 36, 60, 80, 20, 26, 54, 32,
                     40, 32, 40, 50, 42, 56, 76, 84, 36, 46, 68, 32, 48, 52, 56, 64, 66, 54, 70, 92, 93, 120, 85])  # fmt: skip
    found = influence(LinearRegression().fit(speed, dist), speed, dist)
    assert found.leverage[0] == pytest.approx(0.11486131, abs=5e-9)
    assert found.cooks_distance[[0, 48]] == pytest.approx([0.0045923121, 0.3403959], abs=5e-8)
    assert found.studentised[48] == pytest.approx(3.184993, abs=5e-7)
    assert found.worst(3).tolist() == [48, 22, 38]  # the three that plot(lm) names


def test_five_rows_by_hand():
    """R's conventions: p counts the intercept, Cook's distance uses σ̂ of all rows, DFFITS that of the others."""
    x, y = np.array([[1.0], [2.0], [3.0], [4.0], [10.0]]), np.array([1.0, 2.0, 2.0, 4.0, 7.0])
    found = influence(LinearRegression().fit(x, y), x, y)
    h = 1 / 5 + (x[:, 0] - 4) ** 2 / 50  # Sxx = 9 + 4 + 1 + 0 + 36
    np.testing.assert_allclose(found.leverage, h, rtol=1e-13)
    slope = ((x[:, 0] - 4) @ y) / 50
    r = y - y.mean() - slope * (x[:, 0] - 4)
    s2 = r @ r / 3
    standard = r / np.sqrt(s2 * (1 - h))
    np.testing.assert_allclose(found.standardised, standard, rtol=1e-12)
    np.testing.assert_allclose(found.cooks_distance, standard**2 * h / (1 - h) / 2, rtol=1e-12)
    student = standard * np.sqrt(2 / (3 - standard**2))  # the relation of internal and external residuals, ν = 3
    np.testing.assert_allclose(found.studentised, student, rtol=1e-11)
    np.testing.assert_allclose(found.dffits, student * np.sqrt(h / (1 - h)), rtol=1e-11)


# ---- forms of data ---------------------------------------------------------------------------------------------------


def test_several_targets():
    """One leverage for each row, the rest for each target as for it alone."""
    both_targets = np.column_stack([Y, Y**2])
    found = influence(LinearRegression().fit(X, both_targets), X, both_targets)
    for k, y in enumerate(both_targets.T):
        alone = influence(LinearRegression().fit(X, y), X, y)
        np.testing.assert_allclose(found.leverage, alone.leverage, rtol=1e-12)
        np.testing.assert_allclose(found.cooks_distance[:, k], alone.cooks_distance, rtol=1e-9)
    assert found.frame().shape == (N, 1 + 2 * 5)
    assert len(found.worst(3)) == 3


def test_frames_files_and_sparse_tables(tmp_path):
    """The same rows in a frame, a file and a sparse matrix have the same influence."""
    expected = influence(fitted(True, WEIGHT), X, Y, WEIGHT)
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=Y, w=WEIGHT)
    frame.to_parquet(tmp_path / "t.parquet")
    rows = aprendiz.rows(tmp_path / "t.parquet", target="y", weight="w", columns=list("abc"))
    model = LinearRegression().fit(rows)
    for X_, y, weight in ((rows, None, None), (frame[list("abc")], frame.y, frame.w)):
        np.testing.assert_allclose(influence(model, X_, y, weight).cooks_distance, expected.cooks_distance, rtol=1e-9)
    thin = sparse.csr_array(X)
    assert_same = influence(LinearRegression().fit(thin, Y, WEIGHT), thin, Y, WEIGHT)
    np.testing.assert_allclose(assert_same.dffits, expected.dffits, rtol=1e-9)


def test_many_rows_are_measured_block_by_block():
    """No n × n matrix: 50 000 rows, of which one is far away and is found."""
    table = RNG.normal(size=(50_000, 4))
    y = table.sum(axis=1) + RNG.normal(size=50_000)
    table[31_234], y[31_234] = 10.0, -50.0
    found = influence(LinearRegression().fit(table, y), table, y)
    assert found.worst(1) == [31_234]
    assert found.leverage.sum() == pytest.approx(5, rel=1e-10)


# ---- corner cases ----------------------------------------------------------------------------------------------------


def test_a_row_that_determines_a_coefficient():
    """Leverage 1: the fit passes through it whatever its target is, so nothing can be said of its residual."""
    table = np.column_stack([X[:, 0], np.arange(N) == 7])
    found = influence(LinearRegression().fit(table, Y), table, Y)
    assert found.leverage[7] == pytest.approx(1, rel=1e-12)
    for values in (found.standardised, found.studentised, found.cooks_distance, found.dffits):
        np.testing.assert_array_equal(np.isnan(values), np.arange(N) == 7)
    assert 7 not in found.worst(N - 1)


def test_rows_of_weight_zero():
    """They were not in the fit: leverage 0 and NaN; the others are as without them."""
    weight = np.where(np.arange(N) < 5, 0.0, WEIGHT)
    found = influence(fitted(True, weight), X, Y, weight)
    rest = influence(fitted(True, weight, slice(5, None)), X[5:], Y[5:], weight[5:])
    np.testing.assert_array_equal(found.leverage[:5], 0)
    assert np.isnan(found.cooks_distance[:5]).all()
    np.testing.assert_allclose(found.cooks_distance[5:], rest.cooks_distance, rtol=1e-9)


def test_dependent_columns():
    """A column twice changes nothing: the space of the columns is the same."""
    table = np.column_stack([X, X[:, 1], np.ones(N)])
    found, expected = influence(LinearRegression().fit(table, Y), table, Y), influence(fitted(True, None), X, Y)
    assert found.coefficients == expected.coefficients == 4
    np.testing.assert_allclose(found.leverage, expected.leverage, rtol=1e-8)
    np.testing.assert_allclose(found.studentised, expected.studentised, rtol=1e-8)


def test_few_rows():
    """n = p leaves no residuals to judge, n = p + 1 no σ̂ without a row."""
    exact = influence(LinearRegression().fit(X[:4], Y[:4]), X[:4], Y[:4])
    np.testing.assert_allclose(exact.leverage, 1)
    assert np.isnan(exact.standardised).all()
    one = influence(LinearRegression().fit(X[:5], Y[:5]), X[:5], Y[:5])
    np.testing.assert_allclose(np.abs(one.standardised), 1, rtol=1e-7)  # one degree of freedom: all alike
    assert np.isnan(one.studentised).all()


def test_bad_input():
    """Other rows, other models and other weights are refused."""
    model = fitted(True, None)
    with pytest.raises(
        ValueError, match=r"The rows are not those of the fit \(25 rows that count.*as they were given to `fit`"
    ):
        influence(model, X[:20], Y[:20])
    with pytest.raises(ValueError, match="The rows are not those of the fit"):
        influence(model, 2 * X, Y)
    with pytest.raises(ValueError, match="The rows are not those of the fit"):
        influence(model, X, Y, WEIGHT)
    with pytest.raises(ValueError, match="y is not the target of the fit: give X, y and sample_weight as they were given"):
        influence(model, X, Y[::-1])
    with pytest.raises(TypeError, match="on a LinearRegression, got Ridge: fit one"):
        influence(Ridge().fit(X, Y), X, Y)
    with pytest.raises(ValueError, match="positive=True has no influences"):
        influence(LinearRegression(positive=True).fit(X, Y), X, Y)
    with pytest.raises(ValueError, match="requires y"):
        influence(model, X)
