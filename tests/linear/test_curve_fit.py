"""CurveFit: exact curves come back, the line is least squares of the changed rows, the refined curve is SciPy's."""

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from scipy.optimize import curve_fit
from scipy.special import expit, logit
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import r2_score

import aprendiz
from aprendiz import CurveFit, LinearRegression
from aprendiz.core.rows import block_rows

RNG = np.random.default_rng(8)
x = RNG.uniform(0.2, 4.0, 120)
X = x[:, None]
WEIGHT = RNG.integers(1, 4, 120).astype(float)
CURVES = {  # of the intercept and slope of the line
    "linear": lambda x, a, b: a + b * x,
    "exponential": lambda x, a, b: np.exp(a) * np.exp(b * x),
    "power": lambda x, a, b: np.exp(a) * x**b,
    "inverse": lambda x, a, b: a + b / x,
    "logarithmic": lambda x, a, b: a + b * np.log(x),
    "logistic": lambda x, a, b: expit(a + b * x),
}
SCALES = {  # of x and of y
    "linear": (lambda x: x, lambda y: y),
    "exponential": (lambda x: x, np.log),
    "power": (np.log, np.log),
    "inverse": (lambda x: 1 / x, lambda y: y),
    "logarithmic": (np.log, lambda y: y),
    "logistic": (lambda x: x, logit),
}
BENT = ["exponential", "power", "logistic"]  # in y, so that refining changes something
every_family = pytest.mark.parametrize("family", CURVES)
every_bent = pytest.mark.parametrize("family", BENT)
both_ways = pytest.mark.parametrize("refine", [False, True], ids=["line", "refined"])


def noisy(family, a=0.3, b=-0.8, x=x):
    """Rows around a curve, within the domain of every family."""
    noise = np.random.default_rng(0).normal(size=len(x))
    y = CURVES[family](x, a, b)
    return expit(logit(y) + 0.2 * noise) if family == "logistic" else y * np.exp(0.1 * noise)


# ---- the line ----------------------------------------------------------------------------------------------------------


@every_family
@both_ways
@pytest.mark.parametrize(("a", "b"), [(0.3, -0.8), (-1.0, 0.5)])
def test_exact_curves(family, refine, a, b):
    """Rows on a curve give back its parameters, its values, R² = 1 on both scales and no bias."""
    y = CURVES[family](x, a, b)
    model = CurveFit(family, refine=refine).fit(X, y)
    assert model.intercept_ == pytest.approx(a, rel=1e-11)
    assert model.coef_ == pytest.approx([b], rel=1e-11)
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-11)
    assert model.r2_ == pytest.approx(1.0, abs=1e-12)
    assert model.linear_r2_ == pytest.approx(1.0, abs=1e-12)
    assert model.smearing_ == pytest.approx(1.0, abs=1e-11)
    assert model.certificate_.holds


@every_family
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_the_line_is_least_squares(family, weighted):
    """Coefficients are those of LinearRegression on the changed rows; the qualities are those of their definitions."""
    y, weight = noisy(family), WEIGHT if weighted else None
    model = CurveFit(family).fit(X, y, sample_weight=weight)
    g, h = SCALES[family]
    line = LinearRegression().fit(g(X), h(y), sample_weight=weight)
    np.testing.assert_allclose(model.coef_, line.coef_, rtol=1e-12)
    assert model.intercept_ == pytest.approx(line.intercept_, rel=1e-12)
    fitted = model.predict(X)
    np.testing.assert_allclose(fitted, CURVES[family](x, line.intercept_, line.coef_[0]), rtol=1e-12)
    assert model.r2_ == pytest.approx(r2_score(y, fitted, sample_weight=weight), abs=1e-12)
    assert model.linear_r2_ == pytest.approx(r2_score(h(y), line.predict(g(X)), sample_weight=weight), abs=1e-12)
    assert model.rmse_ == pytest.approx(np.sqrt(np.average((y - fitted) ** 2, weights=weight)), rel=1e-11)
    leftover = h(y) - line.predict(g(X))
    assert model.linear_rmse_ == pytest.approx(np.sqrt(np.average(leftover**2, weights=weight)), rel=1e-10)


@every_family
def test_several_columns(family):
    """Terms add on the scale of the line: y = a·x₀^b₀·x₁^b₁ for the power family, and so on."""
    table = RNG.uniform(0.5, 2.0, (80, 3))
    t = SCALES[family][0](table) @ [0.4, -0.7, 0.2] + 0.1
    y = t if family in ("linear", "inverse", "logarithmic") else expit(t) if family == "logistic" else np.exp(t)
    model = CurveFit(family).fit(table, y)
    np.testing.assert_allclose(model.coef_, [0.4, -0.7, 0.2], rtol=1e-11)
    np.testing.assert_allclose(model.predict(table), y, rtol=1e-11)


@every_bent
@both_ways
def test_several_targets(family, refine):
    """A curve for each target, with an attribute for each."""
    Y = np.column_stack([noisy(family), noisy(family, -0.4, 0.6)])
    model = CurveFit(family, refine=refine).fit(X, Y)
    for k in range(2):
        alone = CurveFit(family, refine=refine).fit(X, Y[:, k])
        np.testing.assert_allclose(model.coef_[k], alone.coef_, rtol=1e-9)
        for name in ("intercept_", "r2_", "linear_r2_", "rmse_", "linear_rmse_", "smearing_"):
            assert getattr(model, name)[k] == pytest.approx(getattr(alone, name), rel=1e-9)
        np.testing.assert_allclose(model.predict(X)[:, k], alone.predict(X), rtol=1e-9)
    assert [text[:4] for text in model.formula_] == ["y = ", "y = "]
    assert model.summary().count("minimises") == 2


def test_smearing_is_duans():
    """The mean of e^residual of ln y; times the curve it gives the mean of y where the curve alone is below it."""
    x = np.repeat(np.linspace(0.0, 2.0, 50), 200)
    y = np.exp(1.0 + 0.5 * x + np.random.default_rng(1).normal(scale=0.6, size=len(x)))
    model = CurveFit("exponential").fit(x[:, None], y)
    _, e = model.residuals(x[:, None], y)
    assert model.smearing_ == pytest.approx(np.exp(e).mean(), rel=1e-12)
    assert model.smearing_ == pytest.approx(np.exp(0.6**2 / 2), rel=0.02)  # of normal residuals; 10⁴ of them: ±1 %
    fitted = model.predict(x[:, None]).mean()
    assert fitted < 0.9 * y.mean()
    assert model.smearing_ * fitted == pytest.approx(y.mean(), rel=0.02)


@every_family
def test_residuals(family):
    """What is left on both scales, one after the other."""
    y = noisy(family)
    model = CurveFit(family).fit(X, y)
    left, of_line = model.residuals(X, y)
    g, h = SCALES[family]
    np.testing.assert_allclose(left, y - model.predict(X), rtol=1e-12)
    np.testing.assert_allclose(of_line, h(y) - model.intercept_ - g(x) * model.coef_[0], rtol=1e-9, atol=1e-13)
    assert of_line.mean() == pytest.approx(0.0, abs=1e-12)  # an intercept leaves none


def test_constant_target():
    """R² has no meaning where y does not vary: NaN; the curve is the constant."""
    model = CurveFit("exponential").fit(X, np.full(120, 2.5))
    assert np.isnan(model.r2_)
    assert np.isnan(model.linear_r2_)
    np.testing.assert_allclose(model.predict(X), 2.5, rtol=1e-12)


# ---- the refined curve ---------------------------------------------------------------------------------------------------


@every_bent
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_refined_is_scipys(family, weighted):
    """The least squares of y itself, as SciPy finds them; better there than the line, and worse on the scale of the line."""
    y, weight = noisy(family), WEIGHT if weighted else np.ones(120)
    line, model = (CurveFit(family, refine=refine).fit(X, y, sample_weight=weight) for refine in (False, True))
    expected, _ = curve_fit(CURVES[family], x, y, (line.intercept_, line.coef_[0]), sigma=weight**-0.5, xtol=1e-14, ftol=1e-14)
    np.testing.assert_allclose([model.intercept_, model.coef_[0]], expected, rtol=1e-6)
    assert model.rmse_ < line.rmse_
    assert model.r2_ > line.r2_
    assert model.linear_rmse_ > line.linear_rmse_
    assert 0 < model.n_iter_ <= 30
    assert line.n_iter_ == 0


@every_bent
def test_refined_gradient_vanishes(family):
    """Moving any parameter either way raises the squared residuals; the certificate says so, and its log never rises."""
    y = noisy(family)
    model = CurveFit(family, refine=True).fit(X, y)
    assert model.certificate_.holds
    assert model.certificate_.slope < 1e-9
    assert (np.diff(model.certificate_.log) <= 1e-12 * model.certificate_.log[1:]).all()

    def cost(a, b):
        return np.sum((y - CURVES[family](x, a, b)) ** 2)

    a, b = model.intercept_, model.coef_[0]
    assert model.certificate_.objective == pytest.approx(cost(a, b), rel=1e-10)
    for da_, db in ((1e-5, 0), (-1e-5, 0), (0, 1e-5), (0, -1e-5)):
        assert cost(a + da_, b + db) > cost(a, b)


@pytest.mark.parametrize("family", ["linear", "inverse", "logarithmic"])
def test_nothing_to_refine(family):
    """Where y is fitted as it is, the line is the answer, to the bit."""
    y = noisy(family)
    line, model = (CurveFit(family, refine=refine).fit(X, y) for refine in (False, True))
    assert model.coef_ == line.coef_
    assert model.n_iter_ == 0
    assert model.minimises_ == line.minimises_ == "squared residuals of y"
    assert model.smearing_ == 1.0


def test_far_from_the_line():
    """One tiny y drags the line on the scale of ln y far away; from there the least squares of y are found all the same."""
    t = np.arange(1.0, 31.0)
    y = 2 * np.exp(0.1 * t)
    y[-1] = 1e-6
    line, model = (CurveFit("exponential", refine=refine).fit(t[:, None], y) for refine in (False, True))
    assert line.coef_[0] < 0.05
    expected, _ = curve_fit(lambda t, a, b: a * np.exp(b * t), t, y, (2.0, 0.1), xtol=1e-14, ftol=1e-14)
    np.testing.assert_allclose([np.exp(model.intercept_), model.coef_[0]], expected, rtol=1e-6)


def test_no_minimum():
    """A step can be ever steeper: a warning that names a remedy, and a certificate that does not hold."""
    t = np.linspace(-1.0, 1.0, 20)
    y = np.where(t > 0, 1 - 1e-12, 1e-12)
    with pytest.warns(ConvergenceWarning, match="Choose another family"):
        model = CurveFit("logistic", refine=True).fit(t[:, None], y)
    assert not model.certificate_.holds
    assert np.isfinite(model.predict(t[:, None])).all()


# ---- words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "one", "two"),
    [
        ("linear", "y = 2 − 0.5·x", "y = 2 − 0.5·age + 3·size"),
        ("exponential", "y = 7.38906·exp(−0.5·x)", "y = 7.38906·exp(−0.5·age + 3·size)"),
        ("power", "y = 7.38906·x^−0.5", "y = 7.38906·age^−0.5·size^3"),
        ("inverse", "y = 2 − 0.5/x", "y = 2 − 0.5/age + 3/size"),
        ("logarithmic", "y = 2 − 0.5·ln x", "y = 2 − 0.5·ln age + 3·ln size"),
        ("logistic", "y = 1/(1 + exp(−(2 − 0.5·x)))", "y = 1/(1 + exp(−(2 − 0.5·age + 3·size)))"),
    ],
)
def test_formula(family, one, two):
    """The curve as it is written, with the names of the columns."""
    model = CurveFit(family).fit(X, CURVES[family](x, 2.0, -0.5))
    assert model.formula_ == one
    frame = pd.DataFrame({"age": x, "size": RNG.uniform(0.2, 0.6, 120)})
    model.fit(frame, noisy(family))
    model.coef_, model.intercept_ = np.array([-0.5, 3.0]), 2.0
    assert model.formula_ == two


@pytest.mark.parametrize(
    ("family", "scale"),
    [("linear", "y"), ("exponential", "ln y"), ("power", "ln y"), ("inverse", "y"), ("logistic", "ln(y/(1 − y))")],
)
def test_summary(family, scale):
    """The curve, what it minimises, R² and residuals on both scales, and the bias where there can be one."""
    y = noisy(family)
    model = CurveFit(family).fit(X, y)
    text = model.summary()
    assert text.startswith(f"{model.formula_}\nminimises the squared residuals of {scale}\n")
    assert f"{model.r2_:.6g}" in text
    assert (f"smearing factor {model.smearing_:.6g}" in text) == (scale != "y")
    assert f"{model.linear_rmse_:.6g}" in text  # of y itself, if that is the scale
    refined = CurveFit(family, refine=True).fit(X, y).summary()
    assert "minimises the squared residuals of y\n" in refined
    assert "smearing" not in refined


# ---- domains -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "value"),
    [("exponential", 0.0), ("power", -2.5), ("logistic", 0.0), ("logistic", 1.0), ("logistic", 7.0)],
)
def test_targets_outside(family, value):
    """A target that the scale does not have is refused with family, row, value and remedy; the fit before stays."""
    y = noisy(family)
    model = CurveFit(family).fit(X, y)
    before = model.predict(X)
    y[31] = value
    with pytest.raises(ValueError, match=rf"{family} family needs .*y.*, but y is {value:g} in row 31: leave the row out"):
        model.fit(X, y)
    assert np.array_equal(model.predict(X), before)
    with pytest.raises(ValueError, match="row 31"):
        model.residuals(X, y)


@pytest.mark.parametrize(
    ("family", "value"), [("power", 0.0), ("power", -1.0), ("logarithmic", -0.5), ("logarithmic", 0.0), ("inverse", 0.0)]
)
def test_cells_outside(family, value):
    """So is a cell, with its column, in the fit and in new rows."""
    frame = pd.DataFrame({"age": x, "size": x})
    spoiled = frame.copy()
    spoiled.loc[7, "size"] = value
    model, y = CurveFit(family).fit(frame, noisy(family)), noisy(family)
    said = rf"{family} family needs x .* 0, but x is {value:g} in row 7, column 'size': leave the row out"
    with pytest.raises(ValueError, match=said):
        CurveFit(family).fit(spoiled, y)
    with pytest.raises(ValueError, match=said):
        model.predict(spoiled)
    with pytest.raises(ValueError, match="row 7, column 1"):
        CurveFit(family).fit(spoiled.to_numpy(), y)


@pytest.mark.parametrize("family", ["linear", "exponential", "logistic"])
def test_cells_of_any_sign(family):
    """Where x is taken as it is, it may be anything."""
    assert CurveFit(family).fit(X - 2.0, noisy(family)).r2_ > 0.9


def test_rows_of_a_later_block(tmp_path):
    """The row is counted from the first of the table, also in files and Dask."""
    n = 2 * block_rows(1) + 50
    table = RNG.uniform(1, 2, (n, 1))
    y = table[:, 0].copy()
    y[-3] = -1.0
    frame = pd.DataFrame({"x": table[:, 0], "y": y})
    frame.to_parquet(tmp_path / "t.parquet")
    lazy = da.from_array(table, chunks=(1000, 1))
    for given in ((table, y), (aprendiz.rows(tmp_path / "t.parquet", target="y"),), (lazy, da.from_array(y, chunks=1000))):
        with pytest.raises(ValueError, match=f"y is -1 in row {n - 3}"):
            CurveFit("power").fit(*given)


@pytest.mark.parametrize("family", ["exponential", "power"])
def test_huge_targets(family):
    """Targets whose squares overflow have their curve, but no squared residuals: no R², and nothing to refine."""
    y = 1e200 * CURVES[family](x, 0.3, -0.8)
    model = CurveFit(family).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-10)
    assert model.linear_r2_ == pytest.approx(1.0, abs=1e-12)
    assert np.isnan(model.r2_)
    with pytest.warns(ConvergenceWarning, match="scale y"):
        CurveFit(family, refine=True).fit(X, y)


def test_too_large_for_a_number():
    """A curve beyond the largest number is ∞, not an error and not NaN."""
    model = CurveFit("exponential").fit(X, np.exp(3 * x))
    assert model.predict([[1e4]])[0] == np.inf
    assert model.predict([[-1e4]])[0] == 0.0


# ---- wherever the rows are -----------------------------------------------------------------------------------------------


def numbers(model):
    names = ("coef_", "intercept_", "r2_", "linear_r2_", "rmse_", "linear_rmse_", "smearing_", "n_iter_")
    return np.concatenate([np.ravel(getattr(model, name)) for name in names])


@every_family
@both_ways
def test_files_dask_and_threads(family, refine, tmp_path, monkeypatch):
    """Files, Dask and any number of threads give the bits of the array."""
    n = 2 * block_rows(1) + 100
    x = np.random.default_rng(2).uniform(0.2, 2.0, n)
    y = noisy(family, x=x)
    expected = CurveFit(family, refine=refine).fit(x[:, None], y)
    pd.DataFrame({"x": x, "y": y}).to_parquet(tmp_path / "t.parquet", row_group_size=3000)
    rows = aprendiz.rows(tmp_path / "t.parquet", target="y")
    model = CurveFit(family, refine=refine).fit(rows)
    assert np.array_equal(numbers(model), numbers(expected))
    assert np.array_equal(model.predict(rows), expected.predict(x[:, None]))
    lazy = da.from_array(x[:, None], chunks=(block_rows(1), 1)), da.from_array(y, chunks=block_rows(1))
    assert np.array_equal(numbers(CurveFit(family, refine=refine).fit(*lazy)), numbers(expected))
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "3")
    assert np.array_equal(numbers(CurveFit(family, refine=refine).fit(x[:, None], y)), numbers(expected))


@every_family
@both_ways
def test_weights_count_rows(family, refine):
    """A weight of 2 is the row twice; a weight of 0 is the row absent."""
    y, weight = noisy(family), RNG.integers(0, 3, 120)
    weighted = CurveFit(family, refine=refine).fit(X, y, sample_weight=weight.astype(float))
    repeated = CurveFit(family, refine=refine).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(numbers(weighted)[:-1], numbers(repeated)[:-1], rtol=1e-8)


@pytest.mark.parametrize("family", ["exponential", "power"])
def test_units_of_y(family):
    """Other units of y change a, nothing else."""
    y = noisy(family)
    for refine in (False, True):
        here, there = (CurveFit(family, refine=refine).fit(X, unit * y) for unit in (1.0, 1e6))
        np.testing.assert_allclose(there.coef_, here.coef_, rtol=1e-9)
        assert there.intercept_ - here.intercept_ == pytest.approx(np.log(1e6), rel=1e-9)
        np.testing.assert_allclose(there.predict(X), 1e6 * here.predict(X), rtol=1e-9)


@every_family
def test_saved_and_loaded(family, tmp_path):
    """A fitted curve comes back from disk, bit by bit, with its formula."""
    model = CurveFit(family, refine=True).fit(X, noisy(family))
    aprendiz.save(model, tmp_path / "m.apz")
    loaded = aprendiz.load(tmp_path / "m.apz")
    assert np.array_equal(loaded.predict(X), model.predict(X))
    assert loaded.summary() == model.summary()
