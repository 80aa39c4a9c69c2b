"""The summary of a regression: R's numbers, exact arithmetic, and what cannot be said."""

import re
from fractions import Fraction
from math import sqrt

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.linalg import LinAlgWarning
from sklearn.feature_selection import f_regression

import aprendiz
from aprendiz import LinearRegression, Ridge
from aprendiz.locale import language

RNG = np.random.default_rng(8)
X = RNG.normal(size=(60, 3)) * [1.0, 10.0, 0.1] + [5.0, -20.0, 0.0]
Y = X @ [1.0, 0.2, -3.0] + RNG.normal(size=60)
WEIGHT = RNG.uniform(0.2, 3.0, size=60)

# stopping distances of cars, as they come with R (Ezekiel, 1930)
SPEED = np.repeat([4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 23, 24, 25],
                  [2, 2, 1, 1, 3, 2, 4, 4, 4, 3, 2, 3, 4, 3, 5, 1, 1, 4, 1]).astype(float)  # fmt: skip
DIST = np.array([2, 10, 4, 22, 16, 10, 18, 26, 34, 17, 28, 14, 20, 24, 28, 26, 34, 34, 46, 26, 36, 60, 80, 20, 26, 54, 32, 40,
                 32, 40, 50, 42, 56, 76, 84, 36, 46, 68, 32, 48, 52, 56, 64, 66, 54, 70, 92, 93, 120, 85], float)  # fmt: skip


def printed(value, digits):
    """Equal to a number printed with so many decimals: half a unit of the last one."""
    return pytest.approx(value, abs=0.5000001 * 10.0**-digits, rel=0)


# ---- other people's numbers ------------------------------------------------------------------------------------------


def test_the_cars_of_r():
    """What `summary(lm(dist ~ speed, cars))`, `logLik`, `AIC` and `BIC` print in R."""
    found = LinearRegression().fit(SPEED[:, None], DIST).summary()
    assert found.estimate.tolist() == [printed(-17.5791, 4), printed(3.9324, 4)]
    assert found.standard_error.tolist() == [printed(6.7584, 4), printed(0.4155, 4)]
    assert found.t.tolist() == [printed(-2.601, 3), printed(9.464, 3)]
    assert found.p.tolist() == [printed(0.0123, 4), printed(1.49e-12, 14)]
    assert (found.residual_sd, found.residual_df) == (printed(15.38, 2), 48)
    assert (found.r2, found.adjusted_r2) == (printed(0.6511, 4), printed(0.6438, 4))
    assert (found.f, found.f_df) == (printed(89.57, 2), (1, 48))
    assert found.f_p == found.p[1] == printed(1.49e-12, 14)
    assert found.log_likelihood == printed(-206.5784, 4)
    assert (found.aic, found.bic) == (printed(419.1569, 4), printed(424.8929, 4))


def test_one_column_by_scipy():
    """Slope, intercept, their standard errors and the p-value are those of `scipy.stats.linregress`."""
    x = X[:, 0]
    found, theirs = LinearRegression().fit(x[:, None], Y).summary(), stats.linregress(x, Y)
    np.testing.assert_allclose(found.estimate, [theirs.intercept, theirs.slope], rtol=1e-12)
    np.testing.assert_allclose(found.standard_error, [theirs.intercept_stderr, theirs.stderr], rtol=1e-11)
    assert found.p[1] == pytest.approx(theirs.pvalue, rel=1e-9)
    assert found.r2 == pytest.approx(theirs.rvalue**2, rel=1e-12)
    assert found.f == pytest.approx(f_regression(x[:, None], Y)[0][0], rel=1e-10)


def reference(X, y, weight, intercept):
    """The textbook's formulas on the rows themselves, with an explicit inverse."""
    w = np.ones(len(y)) if weight is None else weight
    Z = np.column_stack([np.ones(len(y)), X]) if intercept else X
    inverse = np.linalg.inv((Z * w[:, None]).T @ Z)
    beta = inverse @ (Z * w[:, None]).T @ y
    r, (n, p) = y - Z @ beta, Z.shape
    rss = w @ r**2
    tss = w @ (y - np.average(y, weights=w)) ** 2 if intercept else w @ y**2
    sigma = sqrt(rss / (n - p))
    error = sigma * np.sqrt(np.diag(inverse))
    half = stats.t.ppf(0.95, n - p) * error
    slopes = p - intercept
    F = (tss - rss) / slopes / sigma**2
    likelihood = stats.norm.logpdf(r, scale=np.sqrt(rss / n / w)).sum()
    return {
        "estimate": beta, "standard_error": error, "t": beta / error, "p": 2 * stats.t.sf(np.abs(beta / error), n - p),
        "low": beta - half, "high": beta + half, "residual_sd": sigma, "residual_df": n - p, "residual_sum": rss,
        "r2": 1 - rss / tss, "adjusted_r2": 1 - rss / (n - p) / (tss / (n - intercept)), "f": F,
        "f_p": stats.f.sf(F, slopes, n - p), "log_likelihood": likelihood,
        "aic": -2 * likelihood + 2 * (p + 1), "bic": -2 * likelihood + np.log(n) * (p + 1),
    }  # fmt: skip


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("solver", ["auto", "normal", "qr", "svd", "gd"])
def test_textbook(intercept, weight, solver):
    """All numbers follow from the rows by the textbook's formulas; the likelihood is that of rows of variance σ²/ω."""
    model = LinearRegression(fit_intercept=intercept, solver=solver, tol=1e-13).fit(X, Y, weight)
    found = model.summary(level=0.9)
    for name, value in reference(X, Y, weight, intercept).items():
        np.testing.assert_allclose(getattr(found, name), value, rtol=1e-8, atol=1e-25, err_msg=name)
    assert found.names == (("(intercept)",) if intercept else ()) + ("x0", "x1", "x2")
    assert found.rows == 60


def test_rows_of_weight_zero_do_not_count():
    """Degrees of freedom and likelihood are those of the rows of positive weight, as in R."""
    weight = np.where(np.arange(60) % 3 == 0, 0.0, WEIGHT)
    some = weight > 0
    found, expected = LinearRegression().fit(X, Y, weight).summary(), reference(X[some], Y[some], weight[some], True)
    for name in ("standard_error", "residual_df", "log_likelihood", "bic"):
        np.testing.assert_allclose(getattr(found, name), expected[name], rtol=1e-10)


def test_least_squares_is_maximum_likelihood():
    """ln L = −n/2·ln(2πσ̂²) − n/2 with σ̂² = Σr²/n, the largest of all Gaussian likelihoods of these rows."""
    model = LinearRegression().fit(X, Y)
    n, r = len(Y), Y - model.predict(X)
    best = -n / 2 * np.log(2 * np.pi * np.mean(r**2)) - n / 2
    assert model.summary().log_likelihood == pytest.approx(best, rel=1e-12)
    for shift, factor in [(0.01, 1.0), (-0.01, 1.0), (0.0, 0.99), (0.0, 1.01)]:
        assert stats.norm.logpdf(r + shift, scale=np.sqrt(factor * np.mean(r**2))).sum() < best


def test_all_ways_to_the_sums(tmp_path):
    """Portions, a file and a large table (normal equations) give the summary of the rows in memory, weights included."""
    columns = ["a", "b", "c"]
    expected = LinearRegression().fit(X, Y, WEIGHT).summary()
    pieces = LinearRegression()
    for part in np.split(np.arange(60), [2, 25]):
        pieces.partial_fit(X[part], Y[part], WEIGHT[part])
    frame = pd.DataFrame(X, columns=columns).assign(y=Y, w=WEIGHT)
    frame.to_parquet(tmp_path / "t.parquet")
    file = LinearRegression().fit(aprendiz.rows(tmp_path / "t.parquet", target="y", weight="w", columns=columns))
    for found in (pieces.summary(), file.summary()):
        for name in ("standard_error", "f", "log_likelihood", "aic", "r2"):
            np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-10)


def test_large_tables():
    """The normal equations of a large table have the same summary, also where columns differ by 10⁸ in their units and where
    what is left of y is a small difference."""
    table = RNG.normal(size=(40_000, 6)) * np.logspace(-4, 4, 6)
    y = table @ np.logspace(4, -4, 6) + 1e-5 * RNG.normal(size=40_000)
    model = LinearRegression().fit(table, y)
    assert model.method_ == "normal equations"
    found, r = model.summary(), y - model.predict(table)
    assert found.residual_sd == pytest.approx(sqrt(r @ r / 39_993), rel=1e-9)
    design = np.column_stack([np.ones(40_000), table / table.std(axis=0)])
    unit = np.sqrt(np.diag(np.linalg.inv(design.T @ design)))[1:] / table.std(axis=0)
    np.testing.assert_allclose(found.standard_error[1:], found.residual_sd * unit, rtol=1e-9)


def test_several_targets():
    """One summary for each target, each that of a fit to it alone."""
    both = LinearRegression().fit(X, np.column_stack([Y, Y**2])).summary()
    for found, y in zip(both, (Y, Y**2), strict=True):
        alone = LinearRegression().fit(X, y).summary()
        for name in ("estimate", "standard_error", "r2", "f", "aic"):
            np.testing.assert_allclose(getattr(found, name), getattr(alone, name), rtol=1e-9)


# ---- exact arithmetic ------------------------------------------------------------------------------------------------


def solved(A, B):
    """A⁻¹B in rational numbers."""
    rows = [[*a, *b] for a, b in zip(A, B, strict=True)]
    for i in range(len(rows)):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in range(len(rows)):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[len(A) :] for row in rows]


def exact(X, y):
    """Coefficients, standard errors, residual sd, R² and F of these very doubles, rounded once at the end."""
    Z = [[Fraction(1), *map(Fraction, row)] for row in X.tolist()]
    y, p = [Fraction(value) for value in y.tolist()], len(Z[0])
    G = [[sum(row[i] * row[j] for row in Z) for j in range(p)] for i in range(p)]
    c = [sum(row[i] * value for row, value in zip(Z, y, strict=True)) for i in range(p)]
    found = solved(G, [[c[i], *(Fraction(i == j) for j in range(p))] for i in range(p)])
    beta = [row[0] for row in found]
    rss = sum((v - sum(b * z for b, z in zip(beta, row, strict=True))) ** 2 for row, v in zip(Z, y, strict=True))
    mean, variance = sum(y) / len(y), rss / (len(y) - p)
    tss = sum((value - mean) ** 2 for value in y)
    return {
        "estimate": np.array(beta, float),
        "standard_error": np.array([sqrt(variance * found[i][1 + i]) for i in range(p)]),
        "residual_sd": sqrt(variance),
        "r2": float(1 - rss / tss),
        "f": float((tss - rss) / (p - 1) / variance),
    }


POWERS = np.arange(21.0)[:, None] ** np.arange(1, 6)  # Wampler's design: κ ≈ 1600 after centring and scaling
NARROW = np.linspace(-8.8, -3.1, 40)[:, None] ** np.arange(1, 9)  # like Filippelli's, of degree 8: κ ≈ 10⁸
ILL = {
    "Wampler, small noise": (POWERS, 1 + POWERS.sum(axis=1) + np.tile([759.0, -2048, 2048], 7), 12),
    "Wampler, large noise": (POWERS, 1 + POWERS.sum(axis=1) + 1e4 * np.tile([759.0, -2048, 2048], 7), 12),
    "Filippelli": (NARROW, 0.85 + 0.05 * np.sin(NARROW[:, 0]) + 3e-3 * RNG.normal(size=40), 8),
}


@pytest.mark.parametrize("name", ILL)
def test_digits_on_ill_conditioned_columns(name):
    """Standard errors lose log₁₀ κ of sixteen digits and no more (from R: κ is not squared); the rest, from residuals that were
    summed with twice the digits, keep thirteen."""
    table, y, digits = ILL[name]
    found, truth = LinearRegression().fit(table, y).summary(), exact(table, y)
    np.testing.assert_allclose(found.standard_error, truth["standard_error"], rtol=10.0**-digits)
    assert digits <= 16.2 - np.log10(found.condition)
    for field in ("estimate", "residual_sd", "r2", "f"):
        np.testing.assert_allclose(getattr(found, field), truth[field], rtol=1e-13)


# ---- what cannot be said ---------------------------------------------------------------------------------------------


def test_dependent_columns():
    """Coefficients that the rows do not determine have no standard error, the others have that of the reduced model; the note
    and a warning name the dependent columns and those they depend on."""
    table = pd.DataFrame(X, columns=["a", "b", "c"]).assign(twice=2 * X[:, 1], one=7.0, sum=X[:, 0] + X[:, 1])
    model = LinearRegression().fit(table[["a", "b", "c", "twice"]], Y)
    with pytest.warns(LinAlgWarning, match=r"twice \(on b\)\."):
        found = model.summary()
    assert found.dependent == {"twice": ("b",)}
    reduced = LinearRegression().fit(X, Y).summary()
    known = [0, 1, 3]  # intercept, a, c
    np.testing.assert_allclose(found.standard_error[known], reduced.standard_error[known], rtol=1e-9)
    assert np.isnan(found.standard_error[[2, 4]]).all()
    assert np.isnan(found.p[[2, 4]]).all()
    for name in ("residual_sd", "residual_df", "r2", "f", "aic"):
        assert getattr(found, name) == pytest.approx(getattr(reduced, name), rel=1e-9)
    with pytest.warns(LinAlgWarning, match=r"twice \(on b\); one \(constant\); sum \(on a, b\)\."):
        found = LinearRegression().fit(table, Y).summary()
    np.testing.assert_array_equal(np.isnan(found.standard_error), [True, True, True, False, True, True, True])
    assert np.isnan(found.standard_error[0])  # the intercept and the constant column share what there is


def test_more_columns_than_rows():
    """Nothing is left to judge by: NaN, and a note; no more than five columns are named."""
    table = RNG.normal(size=(6, 20))
    with pytest.warns(LinAlgWarning, match=r"x5 \(on x0, x1, x2, x3, x4\);.*; …\."):
        found = LinearRegression().fit(table, RNG.normal(size=6)).summary()
    assert found.residual_df == 0
    assert np.isnan(
        [found.residual_sd, found.f, found.f_p, found.adjusted_r2, found.log_likelihood, *found.standard_error]
    ).all()
    assert any("no more rows than coefficients" in note for note in found.notes)


def test_as_many_rows_as_coefficients():
    """n = p: the line passes through the points, and nothing is known of its errors."""
    found = LinearRegression().fit([[0.0], [1.0]], [1.0, 3.0]).summary()
    np.testing.assert_allclose(found.estimate, [1, 2])
    assert np.isnan(found.standard_error).all()
    assert "–" in str(found)


def test_a_perfect_fit():
    """What is left is rounding, and the note says so; exactly nothing gives standard errors of 0 and an infinite F."""
    assert LinearRegression().fit(X, X @ [1.0, 2.0, 3.0]).summary().perfect
    x = np.arange(5.0)
    found = LinearRegression().fit(x[:, None], np.zeros(5) + x).summary()
    assert found.perfect
    assert any("perfect up to rounding" in note for note in found.notes)
    assert found.standard_error == pytest.approx([0, 0], abs=1e-14)
    assert found.f > 1e25
    assert not LinearRegression().fit(X, Y).summary().perfect


def test_a_constant_target():
    found = LinearRegression().fit(X, np.full(60, 2.0)).summary()
    assert np.isnan(found.r2)
    assert any("The target is constant" in note for note in found.notes)


def test_only_an_intercept():
    """A column of zeros: b is the mean, its standard error sd/√n, and there is no F."""
    with pytest.warns(LinAlgWarning, match=r"x0 \(constant\)"):
        found = LinearRegression().fit(np.zeros((60, 1)), Y).summary()
    np.testing.assert_allclose(found.standard_error, [Y.std(ddof=1) / sqrt(60), np.nan], rtol=1e-12)
    assert np.isnan(found.f)
    assert found.residual_df == 59


def test_certificates_that_do_not_hold_are_said():
    """A descent that has not arrived has a summary with a note."""
    with pytest.warns(UserWarning, match="stopped early"):
        model = LinearRegression(solver="gd", max_iter=1).fit(X, Y)
    assert any("certificate" in note for note in model.summary().notes)


def test_bad_input():
    model = LinearRegression().fit(X, Y)
    for level in (0, 1, 95, "high"):
        with pytest.raises(
            ValueError, match=re.escape(f"level must be a number between 0 and 1, such as 0.95, got {level!r}.")
        ):
            model.summary(level=level)
    with pytest.raises(ValueError, match="positive=True has no standard errors of this kind: fit with positive=False"):
        LinearRegression(positive=True).fit(X, Y).summary()
    with pytest.raises(ValueError, match="not fitted"):
        LinearRegression().summary()
    assert not hasattr(Ridge(), "summary")


# ---- forms -----------------------------------------------------------------------------------------------------------


def test_text():
    """A line for each coefficient with its name, aligned, then the quality of the fit, and the notes."""
    frame = pd.DataFrame(X, columns=["age", "a <b>", "c"])
    found = LinearRegression().fit(frame, Y).summary(level=0.975)
    lines = str(found).splitlines()
    assert lines[0].split() == ["estimate", "standard", "error", "t", "p", "97.5", "%", "interval"]
    assert [line.split("  ")[0] for line in lines[1:5]] == ["(intercept)", "age", "a <b>", "c"]
    assert len({len(line) for line in lines[:5]}) == 1
    assert f"R²                {found.r2:.4g}, adjusted {found.adjusted_r2:.4g}" in lines
    with language("es"):
        assert f"{found.r2:.4g}".replace(".", ",") in str(found)


def test_frame():
    frame = LinearRegression().fit(X, Y).summary().frame()
    assert list(frame.columns) == ["estimate", "standard_error", "t", "p", "low", "high"]
    assert list(frame.index) == ["(intercept)", "x0", "x1", "x2"]
    assert ((frame.low < frame.estimate) & (frame.estimate < frame.high)).all()


def test_html():
    """A table with every cell of the text; names are escaped."""
    frame = pd.DataFrame(X, columns=["age", "a <b>", "c"])
    found = LinearRegression().fit(frame, Y).summary()
    page = found._repr_html_()
    assert page == found.html()
    assert page.count("<tr>") == 5 + len(found.quality())
    assert "a &lt;b&gt;" in page
    assert "<b>" not in page
    for cell in found.cells()[1][1:4]:
        assert f'<td class="number">{cell}</td>' in page


def test_models_that_were_saved(tmp_path):
    """A model that comes back from its file has the same summary."""
    model = LinearRegression().fit(X, Y, WEIGHT)
    aprendiz.save(model, tmp_path / "m.apz")
    assert str(aprendiz.load(tmp_path / "m.apz").summary()) == str(model.summary())
