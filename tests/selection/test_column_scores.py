"""Scores of single columns: scikit-learn's and SciPy's answers, exact arithmetic, missing cells, weights, words, files."""

import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
import sklearn.feature_selection as theirs
from scipy import sparse, stats

import aprendiz as ap
from aprendiz import selection as ours
from aprendiz.core import rows


@pytest.fixture
def table():
    """Numbers of several classes, and a quantity that follows the first column."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 80)
    X = rng.normal(size=(80, 6)) + y[:, None] * [1, 0.5, 0, 0, 0.2, 0]
    return X, y, X[:, 0] + rng.normal(size=80)


def counts(table):
    return np.floor(np.abs(table[0]) * 3)


# ---- as scikit-learn and SciPy -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["f_classif", "chi2"])
def test_of_classes(table, name):
    X = counts(table)
    for found, expected in zip(getattr(ours, name)(X, table[1]), getattr(theirs, name)(X, table[1]), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10)
    for found, expected in zip(
        getattr(ours, name)(sparse.csr_array(X), table[1]), getattr(ours, name)(X, table[1]), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("force_finite", [True, False])
def test_of_numbers(table, center, force_finite):
    X = np.column_stack([table[0], table[2]])  # and the target itself
    kwargs = {"center": center, "force_finite": force_finite}
    r = theirs.r_regression(X, table[2], **kwargs)
    np.testing.assert_allclose(ours.r_regression(X, table[2], **kwargs), r, rtol=1e-10, atol=1e-12)
    (F, p), expected = ours.f_regression(X, table[2], **kwargs), theirs.f_regression(X, table[2], **kwargs)
    np.testing.assert_allclose([F[:-1], p[:-1]], np.array(expected)[:, :-1], rtol=1e-8)
    assert F[-1] > 1e12
    assert p[-1] < 1e-100


def test_a_constant_column_has_no_correlation(table):
    X = np.full((80, 1), 0.1)
    assert ours.r_regression(X, table[2]) == [0.0]
    assert np.array(ours.f_regression(X, table[2])).ravel().tolist() == [0.0, 1.0]
    assert np.isnan(ours.f_regression(X, table[2], force_finite=False)).all()
    assert ours.r_regression(X, table[2], center=False) != 0


def test_ranks(table):
    X = np.round(table[0], 1)  # ties
    H, p = ours.kruskal(X, table[1])
    expected = [stats.kruskal(*(x[table[1] == k] for k in range(3))) for x in X.T]
    np.testing.assert_allclose(H, [one.statistic for one in expected], rtol=1e-11)
    np.testing.assert_allclose(p, [one.pvalue for one in expected], rtol=1e-9)


def test_constant_columns_say_nothing(table):
    X = np.column_stack([table[0][:, 0], np.full(80, 0.1)])
    with pytest.warns(UserWarning, match=r"Features \[1\] are constant"):
        F, p = ours.f_classif(X, table[1])
    assert np.isnan([F[1], p[1], *(value[1] for value in ours.kruskal(X, table[1]))]).all()
    assert ours.r_regression(X, table[2])[1] == 0


def test_classes_that_do_not_vary(table):
    X = table[1][:, None] * 0.1
    assert ours.f_classif(X, table[1]) == (np.inf, 0.0)


# ---- digits --------------------------------------------------------------------------------------------------------------


def exact_f(x, y):
    """F in rational arithmetic."""
    x = [Fraction(float(value)) for value in x]
    groups = [[value for value, label in zip(x, y, strict=True) if label == k] for k in np.unique(y)]
    means = [sum(group) / len(group) for group in groups]
    middle = sum(x) / len(x)
    between = sum(len(group) * (m - middle) ** 2 for group, m in zip(groups, means, strict=True))
    within = sum((value - m) ** 2 for group, m in zip(groups, means, strict=True) for value in group)
    return float((between / (len(groups) - 1)) / (within / (len(x) - len(groups))))


@pytest.mark.parametrize("shift", [0.0, 1e6, 1e12, -(2.0**30)])
@pytest.mark.parametrize("order", ["classes in turn", "class after class"])
def test_digits_far_from_zero(shift, order):
    """As NIST's SmLs01 to SmLs09: digits that all cells share take none from F, in one block or in several."""
    rng = np.random.default_rng(1)
    y = np.arange(9) if order == "classes in turn" else np.arange(3)
    y = np.tile(y, 400) if order == "classes in turn" else np.repeat(y, 1200)
    x = shift + (rng.integers(0, 3, len(y)) + (y % 3)) / 10
    for columns in (1, 300):
        F, _ = ours.f_classif(np.tile(x[:, None], columns), y)
        np.testing.assert_allclose(F, exact_f(x, y), rtol=1e-12)


# leading digits → digits of F: cells of 10¹² have four behind the point, of which the mean of a class keeps a few more
LEADING = {1.0: (13, 13, 13), 1e6: (8.5, 8.5, 8.5), 1e12: (2.5, 2.5, 2.5)}


@pytest.mark.parametrize(("leading", "size", "digits"), [(a, k, d) for a, row in LEADING.items() for k, d in enumerate(row)])
def test_nist_anova(leading, size, digits):
    """NIST's SmLs01 to SmLs09: nine treatments of 21, 201 and 2001 rows, whose F is exactly 21, 201 and 2001. What is missing
    to all digits is missing in the cells: F of the cells as doubles, in rational arithmetic, is met to twelve."""
    rows = (21, 201, 2001)[size]
    middles = np.array([4, 3, 5, 3, 5, 3, 5, 3, 5])
    pattern = np.r_[0, np.tile([-1, 1], rows // 2)]
    x = np.array([float(f"{leading:.0f}.{m + z}") for m in middles for z in pattern])
    y = np.repeat(np.arange(9), rows)
    F, p = ours.f_classif(x[:, None], y)
    assert -np.log10(abs(F[0] / rows - 1.0) + 1e-16) >= digits
    np.testing.assert_allclose(F, exact_f_of_counts(x, y), rtol=1e-12)
    np.testing.assert_allclose(p, stats.f.sf(F, 8, len(x) - 9), rtol=1e-10)
    found = ap.VariableRanking("anova", 1).fit(x[:, None], y)
    assert (found.scores_[0], found.pvalues_[0]) == pytest.approx((F[0], p[0]), rel=1e-12)


def exact_f_of_counts(x, y):
    """`exact_f` of few different cells."""
    groups = [tuple(zip(*np.unique(x[y == k], return_counts=True), strict=True)) for k in np.unique(y)]
    exact = [[(Fraction(float(value)), int(count)) for value, count in group] for group in groups]
    sizes = [sum(count for _, count in group) for group in exact]
    sums = [sum(value * count for value, count in group) for group in exact]
    means, middle = [s / n for s, n in zip(sums, sizes, strict=True)], sum(sums) / sum(sizes)
    between = sum(n * (m - middle) ** 2 for n, m in zip(sizes, means, strict=True))
    within = sum(count * (value - m) ** 2 for group, m in zip(exact, means, strict=True) for value, count in group)
    return float((between / (len(sizes) - 1)) / (within / (len(x) - len(sizes))))


def test_a_wild_first_row():
    """The pivot of a block is a mean of rows that may lie far from the others: few digits are lost."""
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=900), np.repeat([0, 1, 2], 300)
    x[0] = 1e9
    np.testing.assert_allclose(ours.f_classif(x[:, None], y)[0], exact_f(x, y), rtol=1e-12)
    t = rng.normal(size=900)
    expected = np.corrcoef(x.astype(np.longdouble), t)[0, 1]
    np.testing.assert_allclose(ours.r_regression(x[:, None], t), [float(expected)], rtol=1e-10)


# ---- missing cells, weights, files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["f_classif", "chi2", "kruskal", "f_regression", "r_regression"])
def test_missing_cells_are_left_out_column_by_column(table, name):
    score, X = getattr(ours, name), counts(table)
    y = table[2] if name.endswith("regression") else table[1]
    X[np.random.default_rng(3).random(X.shape) < 0.3] = np.nan
    found = np.array(score(X, y)).reshape(-1, 6)
    for j, x in enumerate(X.T):
        known = ~np.isnan(x)
        np.testing.assert_allclose(found[:, [j]], np.array(score(x[known][:, None], y[known])).reshape(-1, 1), rtol=1e-11)


@pytest.mark.parametrize("name", ["f_classif", "chi2", "kruskal", "f_regression", "r_regression"])
def test_a_weight_is_so_many_rows(table, name):
    score, X = getattr(ours, name), counts(table)
    y = table[2] if name.endswith("regression") else table[1]
    w = np.random.default_rng(4).integers(0, 4, len(X))
    found, expected = score(X, y, sample_weight=w), score(np.repeat(X, w, axis=0), np.repeat(y, w))
    np.testing.assert_allclose(found, expected, rtol=1e-11)


def test_wide_tables_in_parts():
    """Columns on several threads, in either layout: the same bits."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(30, 9_000)), rng.integers(0, 2, 30)
    X[3, 5_000] = np.nan
    for score, target in ((ours.f_classif, y), (ours.r_regression, y + rng.normal(size=30))):
        found = np.array(score(X, target))
        np.testing.assert_array_equal(found, np.array(score(np.asfortranarray(X), target)))
        some = [0, 17, 5_000, 8_999]
        np.testing.assert_allclose(found[..., some], np.array(score(X[:, some], target)), rtol=1e-13)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("name", ["f_classif", "f_regression"])
def test_tables_stored_by_columns_have_the_same_bits(name, kind, monkeypatch):
    """Whatever the layout, the blocks and the threads; missing cells, weights and a row that counts for nothing among them."""
    monkeypatch.setattr(rows, "FEWEST_ROWS", 32)
    monkeypatch.setattr(rows, "MOST_ROWS", 32)
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 141)).astype(kind)
    X[rng.random(X.shape) < 0.05] = np.nan
    y, weight = rng.integers(0, 3, 150), rng.integers(0, 3, 150)
    expected = getattr(ours, name)(X, y, sample_weight=weight)
    for threads in ("1", "2", "8"):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", threads)
        for table in (np.asfortranarray(X), np.hstack([X, X])[:, :141], np.repeat(X, 2, axis=0)[::2]):
            found = getattr(ours, name)(table, y, sample_weight=weight)
            assert np.array_equal(found, expected)


@pytest.mark.parametrize("score", ["anova", "correlation", "kruskal", "chi2", "mutual_info", "information_gain"])
def test_files(tmp_path, table, score):
    frame = pd.DataFrame(counts(table), columns=list("abcdef")).assign(y=table[1] % 2)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=20)
    rows = ap.rows(tmp_path / "t.parquet", target="y")
    a, b = ap.VariableRanking(score, 2).fit(rows), ap.VariableRanking(score, 2).fit(frame.drop(columns="y"), frame["y"])
    np.testing.assert_allclose(a.scores_, b.scores_, rtol=1e-12)
    assert list(a.get_feature_names_out()) == list(b.get_feature_names_out())
    assert list(a.transform(rows).names) == list(a.get_feature_names_out())


# ---- refusals ----------------------------------------------------------------------------------------------------------------


def test_negative_cells_are_no_counts(table):
    with pytest.raises(ValueError, match=r"Input X must be non-negative: row \d+, column 'b' holds -"):
        ours.chi2(pd.DataFrame({"a": [1, 2, 3], "b": [1, -2, 3]}), [0, 1, 1])


def test_targets(table):
    X, y, t = table
    with pytest.raises(ValueError, match="continuous"):
        ours.f_classif(X, t)
    with pytest.raises(ValueError, match="only one class"):
        ours.kruskal(X, np.zeros(80, int))
    with pytest.raises(ValueError, match="requires y"):
        ours.f_classif(X)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ours.chi2(np.abs(X), y[:10])


def test_columns_too_small_to_be_squared(table):
    X = np.column_stack([table[0][:, 0], table[0][:, 1] * 1e-170])
    for score, y in ((ours.f_classif, table[1]), (ours.f_regression, table[2])):
        with pytest.raises(ValueError, match="too small to be squared: column 1"):
            score(X, y)
    with pytest.raises(ValueError, match="too small to be squared: column 1"):
        ap.VarianceThreshold().fit(X)


def test_every_column_of_three_levels():
    """All 729 columns of six codes from 0 to 2, two classes of three rows: F in fractions. Equal means give 0 and
    p = 1; equal cells within the classes give ∞, and NaN where all are equal."""
    X = np.array(list(product(range(3), repeat=6)), dtype=np.float64).T
    with pytest.warns(UserWarning, match=r"\[  0 364 728\] are constant"):
        F, p = ours.f_classif(X, [0, 0, 0, 1, 1, 1])
    for column, found, chance in zip(X.T, F, p, strict=True):
        first, second = ([Fraction(int(value)) for value in part] for part in (column[:3], column[3:]))
        means = [sum(part) / 3 for part in (first, second)]
        within = sum((value - m) ** 2 for part, m in zip((first, second), means, strict=True) for value in part)
        between = Fraction(3, 2) * (means[0] - means[1]) ** 2
        if within:
            np.testing.assert_allclose(found, float(4 * between / within), rtol=1e-13, atol=1e-30)  # means of thirds
        else:
            np.testing.assert_equal(found, np.inf if between else np.nan)
        assert means[0] != means[1] or not within or chance == pytest.approx(1.0, abs=1e-12)


def test_equal_cells_have_no_ranks(table):
    """Fractional weights leave rounding where the spread is 0."""
    H, _ = ours.kruskal(np.full((80, 1), 0.1), table[1], np.random.default_rng(6).random(80))
    assert np.isnan(H[0])


def test_nothing_is_warned_of(table):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        X = np.column_stack([np.full(80, np.nan), np.full(80, 2.0), table[0]])
        found = ap.VariableRanking(keep=2).fit(X, table[1])
    assert np.isnan(found.scores_[:2]).all()
    assert found.order_.tolist() == [2, 3]
