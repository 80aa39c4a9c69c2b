"""NIST's statistical reference datasets: certified values, to as many digits as are asked for."""

import re

import numpy as np
import pytest

from aprendiz import LinearRegression, StandardScaler, VariableRanking, f_classif


def correct_digits(value, certified):
    """LRE: number of correct significant digits, at most 15 (certified values are printed with so many)."""
    value, certified = np.asarray(value, float), np.asarray(certified, float)
    error = np.abs(value - certified) / np.where(certified == 0, 1.0, np.abs(certified))
    return np.minimum(15.0, -np.log10(np.maximum(error, 1e-15)))


def regression_data(path):
    """The first column and the others, from the lines that the header names."""
    text = path.read_text()
    first, last = map(int, re.search(r"Data\s+\(lines (\d+) to (\d+)\)", text).groups())
    table = np.array([line.split() for line in text.splitlines()[first - 1 : last]], float)
    return table[:, 0], table[:, 1:]


def univariate_data(path):
    """The column below the line of dashes."""
    lines = path.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.strip() and set(line.strip()) == {"-"})
    return np.array(" ".join(lines[start + 1 :]).split(), float)


# name, highest power of x, intercept, and the digits that are asked for
REGRESSIONS = [("Norris", 1, True, 11), ("NoInt1", 1, False, 13), ("Longley", 1, True, 10), ("Wampler1", 5, True, 9)]


@pytest.fixture(params=REGRESSIONS, ids=[r[0] for r in REGRESSIONS])
def regression(request, acceptance, expected):
    """A fitted model, its data, what is certified and the digits asked for."""
    name, powers, intercept, digits = request.param
    y, x = regression_data(acceptance / "nist" / f"{name}.dat")
    X = np.hstack([x**k for k in range(1, powers + 1)])
    return LinearRegression(fit_intercept=intercept).fit(X, y), X, y, expected(f"nist-lls-{name}"), digits


def test_nist_lls_coefficients(regression):
    """The coefficients have the digits that are asked for, at default settings on the raw columns."""
    model, _, _, certified, digits = regression
    found = [model.intercept_, *model.coef_] if model.fit_intercept else model.coef_
    assert correct_digits(found, certified["coef"]).min() >= digits
    assert model.certificate_.holds


def test_nist_lls_analysis_of_variance(regression):
    """Residual sum of squares and sd, R², F and the standard errors follow from the residuals of the fit."""
    model, X, y, certified, _ = regression
    anova = certified["anova"]
    residual = y - model.predict(X)
    rss, centre = residual @ residual, y.mean() if model.fit_intercept else 0.0
    tss = np.sum((y - centre) ** 2)
    if certified["residual_sd"] == 0:  # a perfect fit: what is left is rounding of the sums of powers, 10⁻¹⁴ of y
        assert np.sqrt(rss / tss) < 1e-13
        assert correct_digits(tss - rss, anova["reg_ss"]) >= 12
        return
    # r = y − ŷ is a small difference: |y|/|r| < 10³ costs three of the sixteen digits, squares one more
    assert correct_digits(rss, anova["res_ss"]) >= 9
    assert correct_digits(np.sqrt(rss / anova["res_df"]), certified["residual_sd"]) >= 9
    assert correct_digits(1 - rss / tss, certified["r2"]) >= 12
    assert correct_digits((tss - rss) / anova["reg_df"] / (rss / anova["res_df"]), anova["F"]) >= 9
    design = np.column_stack([np.ones(len(y)), X]) if model.fit_intercept else X
    scale = np.sqrt((design**2).sum(axis=0))
    R = np.linalg.qr(design / scale, mode="r")
    errors = np.sqrt((np.linalg.inv(R) ** 2).sum(axis=1) * rss / anova["res_df"]) / scale
    assert correct_digits(errors, certified["sd"]).min() >= 8  # κ of Longley's columns, 4·10⁴ after scaling, in R⁻¹


@pytest.mark.parametrize("name", ["Lew", "Lottery", "Mavro", "Michelso"])
def test_nist_univ_mean_and_standard_deviation(name, acceptance, expected):
    """Twelve digits of the standard deviation (n − 1), and of the mean."""
    x, certified = univariate_data(acceptance / "nist" / f"{name}.dat"), expected(f"nist-univ-{name}")
    scaler = StandardScaler().fit(x[:, None])
    assert correct_digits(scaler.mean_[0], certified["mean"]) >= 12
    assert correct_digits(np.sqrt(scaler.var_[0] * len(x) / (len(x) - 1)), certified["sd"]) >= 12


@pytest.mark.parametrize("name", ["Lew", "Lottery", "Mavro", "Michelso"])
def test_nist_univ_autocorrelation(name, acceptance, expected):
    """Lag-1 autocorrelation, from the standardised column: Σ z_i z_{i+1} / Σ z²."""
    x, certified = univariate_data(acceptance / "nist" / f"{name}.dat"), expected(f"nist-univ-{name}")
    z = StandardScaler().fit_transform(x[:, None])[:, 0]
    assert correct_digits(z[:-1] @ z[1:] / (z @ z), certified["lag1"]) >= 11  # x − m of Mavro keeps 12 digits


def test_nist_numacc1(acceptance):
    """10000001, 10000003, 10000002: mean 10000002 and sd 1, exact by construction (header of the file)."""
    x = univariate_data(acceptance / "nist" / "NumAcc1.dat")
    scaler = StandardScaler().fit(x[:, None])
    assert scaler.mean_[0] == 10000002
    assert scaler.var_[0] * 3 / 2 == 1


@pytest.mark.parametrize(("name", "groups"), [("SiRstv", 5), ("SmLs01", 9)])
def test_nist_anova_as_a_regression_on_indicators(name, groups, acceptance, expected):
    """One-way analysis of variance is least squares on indicators of the groups: F, R² and sums of squares."""
    group, response = regression_data(acceptance / "nist" / f"{name}.dat")
    y = response[:, 0]
    certified = expected(f"nist-anova-{name}")
    X = (group[:, None] == np.arange(2, groups + 1)).astype(float)
    model = LinearRegression().fit(X, y)
    rss, tss = np.sum((y - model.predict(X)) ** 2), np.sum((y - y.mean()) ** 2)
    between, within = certified["df"]
    # the responses carry an offset of 200 (SiRstv) and of 1 beside differences of 0.1, and r is a difference of outputs
    assert correct_digits((tss - rss) / between / (rss / within), certified["F"]) >= 10
    assert correct_digits(rss, certified["ss_within"]) >= 11
    assert correct_digits(tss - rss, certified["ss_between"]) >= 10
    assert correct_digits(model.score(X, y), certified["r2"]) >= 10


@pytest.mark.parametrize("name", ["SiRstv", "SmLs01"])
def test_nist_anova_by_scores_of_columns(name, acceptance, expected):
    """F of the groups to all digits that the cells have as doubles, alone and among other columns."""
    group, response = regression_data(acceptance / "nist" / f"{name}.dat")
    certified = expected(f"nist-anova-{name}")
    F, p = f_classif(response, group.astype(int))
    assert correct_digits(F[0], certified["F"]) >= 13
    model = VariableRanking("anova", 1).fit(np.column_stack([np.zeros(len(group)), response]), group.astype(int))
    assert model.order_.tolist() == [1]
    assert correct_digits(model.scores_[1], certified["F"]) >= 13
    assert model.pvalues_[1] == pytest.approx(p[0], rel=1e-11)
