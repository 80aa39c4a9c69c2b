"""Descriptions of tables, against NumPy, pandas, SciPy and exact arithmetic."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats
from sklearn.datasets import load_iris

import aprendiz
from aprendiz.evaluation import describe
from aprendiz.locale import language

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 4)) @ RNG.normal(size=(4, 4)) + [0.0, 5.0, -3.0, 100.0]
FEW = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "b": ["u", "u", "u", "v", "v", "v"], "c": ["p", "q", "p", "q", None, "q"]})


def assert_same(found, other, rtol=1e-12):
    """Two descriptions say the same numbers."""
    for name in ("mean", "covariance", "covariance_ml", "correlation", "quantiles", "skewness", "kurtosis", "association"):
        assert np.allclose(getattr(found, name), getattr(other, name), rtol=rtol, atol=1e-12, equal_nan=True), name
    assert np.array_equal(found.missing, other.missing)
    assert found.names == other.names


# ---- one by one and in pairs -------------------------------------------------------------------------------------------


def test_numbers():
    """Mean, both covariances, correlation, quantiles, skewness and kurtosis."""
    found = describe(X)
    assert np.allclose(found.mean, X.mean(axis=0), rtol=1e-14)
    assert np.allclose(found.covariance, np.cov(X.T), rtol=1e-12)
    assert np.allclose(found.covariance_ml, np.cov(X.T, bias=True), rtol=1e-12)
    assert np.allclose(found.correlation, np.corrcoef(X.T), rtol=1e-12)
    assert np.array_equal(found.quantiles, np.quantile(X, [0, 0.25, 0.5, 0.75, 1], axis=0))
    assert np.allclose(found.skewness, stats.skew(X), rtol=1e-10)
    assert np.allclose(found.kurtosis, stats.kurtosis(X), rtol=1e-10)
    assert (found.rows, found.weight) == (200, 200.0)


def test_uncorrelated_is_not_independent():
    """Independent columns are nearly uncorrelated; x symmetric and y = x² have correlation 0, though y follows from x."""
    x = np.arange(-5.0, 6.0)
    found = describe(np.column_stack([x, x**2]))
    assert found.correlation[0, 1] == 0.0
    apart = RNG.normal(size=(10_000, 2))
    assert abs(describe(apart).correlation[0, 1]) < 4 / np.sqrt(10_000)


def test_missing_cells_are_left_out_by_pairs():
    """As pandas does: means of known cells, covariances and correlations of the rows in which both are known."""
    holed = X.copy()
    holed[RNG.random(X.shape) < 0.2] = np.nan
    found, frame = describe(holed), pd.DataFrame(holed)
    assert np.allclose(found.mean, frame.mean(), rtol=1e-13)
    assert np.allclose(found.covariance, frame.cov(), rtol=1e-11)
    assert np.allclose(found.correlation, frame.corr(), rtol=1e-11)
    assert np.array_equal(found.missing, frame.isna().sum())
    assert np.allclose(found.skewness, stats.skew(holed, nan_policy="omit"), rtol=1e-10)


def test_weights_count_rows():
    """A row of weight 2 stands twice, one of weight 0 not at all."""
    weight = RNG.integers(0, 4, 200)
    assert_same(describe(X, sample_weight=weight), describe(np.repeat(X, weight, axis=0)), rtol=1e-10)


def test_digits_beside_a_far_mean():
    """As NIST's NumAcc4: 10000000.2 and then 10000000.1, 10000000.3 in turn, whose mean is 10000000.2 and whose standard
    deviation is 0.1. Doubles hold the cells to 2·10⁻⁹, which leaves eight digits of 0.1; of the doubles
    themselves, fourteen are right."""
    x = np.append(10000000.2, np.tile([10000000.1, 10000000.3], 500))
    found, exact = describe(x[:, None]), [Fraction(float(value)) for value in x]
    mean = sum(exact) / len(exact)
    variance = sum((value - mean) ** 2 for value in exact) / (len(exact) - 1)
    assert found.mean[0] == 10000000.2 == float(mean)
    assert found.standard_deviation[0] == pytest.approx(0.1, rel=1e-8)
    assert found.covariance[0, 0] == pytest.approx(float(variance), rel=1e-14)


@pytest.mark.parametrize("scale", [1e-150, 1e120])
def test_units_do_not_matter(scale):
    """Third and fourth powers of tiny and of huge cells are taken in units of the column."""
    here, there = describe(X), describe(X * scale)
    assert np.allclose(there.correlation, here.correlation)
    assert np.allclose(there.kurtosis, here.kurtosis)


def test_columns_that_do_not_vary():
    """No correlation, skewness or kurtosis is made up for a constant column, even one that rounds."""
    found = describe(np.column_stack([X[:, 0], np.full(200, 0.1)]))
    assert np.isnan(found.correlation[0, 1])
    assert np.isnan(found.correlation[1, 1])
    assert np.isnan(found.skewness[1])
    assert found.standard_deviation[1] == pytest.approx(0.0, abs=1e-15)
    single = describe(X[:1])
    assert np.isnan(single.covariance).all()
    assert not single.covariance_ml.any()


# ---- words and numbers -------------------------------------------------------------------------------------------------


def test_correlation_ratio():
    """η² is the share of the sum of squares between classes, from which F of the analysis of variance follows."""
    iris = load_iris()
    words = iris.target_names[iris.target]
    found = describe(iris.data, words)
    for j in range(4):
        F = stats.f_oneway(*(iris.data[iris.target == k, j] for k in range(3))).statistic
        assert found.association[j, 4] == pytest.approx(2 * F / (2 * F + 147), rel=1e-12)
        assert found.kind("0", "y") == "η²"
    assert_same(describe(iris.data, iris.target, classes=True), found)
    assert FEW["a"].corr(FEW["b"] == "v") ** 2 == pytest.approx(describe(FEW).association[0, 1])  # of two classes, r²


def test_cramers_v():
    """V of a table by hand: χ²/n = 1/4 in a table of 2 × 2, corrected; 1 for a category and its copy, near 0 for chance."""
    table = np.array([[30, 10], [10, 30]])
    frame = pd.DataFrame(np.repeat([["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]], table.ravel(), axis=0), columns=["u", "v"])
    assert stats.contingency.association(table) ** 2 == pytest.approx(0.25)
    corrected = np.sqrt((0.25 - 1 / 79) / (1 - 1 / 79))
    assert describe(frame).association[0, 1] == pytest.approx(corrected, rel=1e-13)
    assert describe(frame.assign(w=frame["u"])).association[0, 2] == pytest.approx(1.0)
    chance = pd.DataFrame(RNG.integers(0, 8, (100, 2)).astype(str), columns=["u", "v"])
    plain = stats.contingency.association(pd.crosstab(chance["u"], chance["v"]).to_numpy())
    assert plain > 0.2  # 64 cells for 100 rows look like an association
    assert describe(chance).association[0, 1] < 0.1


def test_missing_words():
    """Levels are counted, missing ones beside them; rows without one are left out of the pair."""
    found = describe(FEW)
    assert found.categories == {"b": {"u": 3.0, "v": 3.0}, "c": {"p": 2.0, "q": 3.0}}
    assert found.categories_missing == {"b": 0, "c": 1}
    assert found.association[0, 2] == pytest.approx(describe(FEW.dropna()).association[0, 2])


# ---- forms of tables ---------------------------------------------------------------------------------------------------


def test_every_form(tmp_path, monkeypatch):
    """Frames, sparse matrices, files in blocks: the same numbers."""
    monkeypatch.setattr("aprendiz.core.rows.FEWEST_ROWS", 32)
    monkeypatch.setattr("aprendiz.core.rows.MOST_ROWS", 32)
    frame = pd.DataFrame(X, columns=list("abcd"))
    here = describe(frame)
    assert here.columns == ("a", "b", "c", "d")
    frame.to_parquet(tmp_path / "t.parquet")
    assert_same(describe(aprendiz.rows(tmp_path / "t.parquet")), here)
    thin = np.where(X > 0, X, 0.0)
    assert_same(describe(sparse.csc_matrix(thin)), describe(thin))


def test_targets_of_files(tmp_path):
    """The target of opened rows is one more column of numbers, or a category."""
    words = np.where(X[:, 0] > 0, "up", "down")
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=X[:, 1] ** 2, w=words)
    frame.to_parquet(tmp_path / "t.parquet")
    for target, kind in (("y", "r"), ("w", "η²")):
        found = describe(aprendiz.rows(tmp_path / "t.parquet", target=target, columns=list("abcd")))
        here = describe(frame[list("abcd")], frame[target].rename("y"))
        assert_same(found, here)
        assert {one[2] for one in found.strongest()} == {kind}


def test_dask():
    """Collections are summed where they lie."""
    dask = pytest.importorskip("dask.dataframe")
    frame = pd.DataFrame(X, columns=list("abcd"))
    table = dask.from_pandas(frame, npartitions=3)
    assert_same(describe(table), describe(frame))
    for y in (frame["a"] ** 2, (frame["a"] > 0).map({True: "up", False: "down"}).rename("way")):
        assert_same(describe(table, dask.from_pandas(y, npartitions=3)), describe(frame, y))


def test_a_target_called_as_a_column():
    """The target has a name of its own."""
    assert describe(FEW, FEW["a"] ** 2).target == "a (target)"


# ---- words -------------------------------------------------------------------------------------------------------------


def test_printed():
    """Columns, categories and associations in both languages; the frame has a row for each column of numbers."""
    text = str(describe(FEW))
    assert "6 rows; columns of numbers: 1; categories: 2" in text
    assert "c: q 3, p 2; missing 1" in text
    assert "η²(a, b) = 0.771" in text
    with language("es"):
        assert "columnas numéricas: 1" in str(describe(FEW))
        assert "η²(a, b) = 0,771" in str(describe(FEW))
    assert list(describe(X).frame().index) == ["0", "1", "2", "3"]


def test_refused():
    """What cannot be described."""
    with pytest.raises(ValueError, match="levels between 0 and 1"):
        describe(X, quantiles=[50])
    with pytest.raises(ValueError, match="one target at a time"):
        describe(X, X[:, :2])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        describe(X, X[:5, 0])
    with pytest.raises(ValueError, match="infinity"):
        describe([[np.inf]])
