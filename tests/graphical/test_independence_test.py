"""G² and X² of independence, stratum by stratum, against SciPy and the answers that others have published."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

import aprendiz
from aprendiz import independence_test
from aprendiz.locale import language

quick = settings(max_examples=30, deadline=None, database=None, derandomize=True)
# Schoener's lizards, as in R's bnlearn: species, diameter and height of the perch, and how many
LIZARDS = [
    *[("Sagrei", "narrow", "high", 86), ("Sagrei", "narrow", "low", 32), ("Sagrei", "wide", "high", 35)],
    *[("Sagrei", "wide", "low", 11), ("Distichus", "narrow", "high", 73), ("Distichus", "narrow", "low", 61)],
    *[("Distichus", "wide", "high", 70), ("Distichus", "wide", "low", 41)],
]


def scipy_sum(X, w, a, b, given, power):
    """Statistic and degrees of freedom of the strata by SciPy, each without the levels that do not occur in it."""
    value, df = 0.0, 0
    for stratum in np.unique(X[:, given], axis=0):
        here = (X[:, given] == stratum).all(axis=1)
        table = np.zeros((X[:, a].max() + 1, X[:, b].max() + 1))
        np.add.at(table, (X[here, a], X[here, b]), w[here])
        table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        if table.size:
            one = chi2_contingency(table, correction=False, lambda_=power)
            value, df = value + one.statistic, df + one.dof
    return value, df


@quick
@given(st.integers(0, 2**32), st.integers(0, 3), st.booleans())
def test_against_scipy(seed, size, weighted):
    """Both statistics, and both counts of the degrees of freedom, on thin tables with many empty cells."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, rng.integers(2, 4, 5), (int(rng.integers(5, 80)), 5))
    w = rng.integers(0, 3, len(X)).astype(float) if weighted else np.ones(len(X))
    w[0], X[0] = 1.0, X.max(axis=0)
    given = [int(j) for j in rng.permutation(3)[:size]]
    for statistic, power in (("g2", "log-likelihood"), ("x2", "pearson")):
        found = independence_test(X, 3, 4, given, statistic=statistic, adjust_df=True, sample_weight=w)
        value, df = scipy_sum(X, w, 3, 4, given, power)
        np.testing.assert_allclose(found.value, value, rtol=1e-10, atol=1e-12)
        assert found.df == df
        np.testing.assert_allclose(found.p_value, chi2.sf(value, df) if df else 1.0, rtol=1e-9)
        plain = independence_test(X, 3, 4, given, statistic=statistic, sample_weight=w)
        sizes = X.max(axis=0) + 1
        assert plain.df == (sizes[3] - 1) * (sizes[4] - 1) * np.prod(sizes[given])
        assert plain.value == found.value


def test_lizards():
    """The answers of R's bnlearn (`ci.test`), whose tests are these; rows by their weights."""
    frame = pd.DataFrame(LIZARDS, columns=["Species", "Diameter", "Height", "count"])
    for statistic, value, p in (("g2", 2.025646649876277, 0.36319212130293893), ("x2", 2.0173636681378735, 0.3646993971873451)):
        found = independence_test(
            frame, "Height", "Diameter", "Species", statistic=statistic, sample_weight=frame["count"].astype(float)
        )
        assert (found.value, found.df, found.p_value) == (pytest.approx(value, rel=1e-9), 2, pytest.approx(p, rel=1e-9))


def test_statistics_by_hand():
    """A table of two by two: 30, 10; 20, 40. E = 20, 20; 30, 30, so X² = 100/20·2 + 100/30·2."""
    X = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [30, 10, 20, 40], axis=0)
    found = independence_test(X, 0, 1, statistic="x2")
    assert found.value == pytest.approx(50 / 3)
    assert found.df == 1
    assert found.weight == 100
    np.testing.assert_allclose(found.expected, [[[20, 20], [30, 30]]])
    g2 = 2 * (30 * np.log(1.5) + 10 * np.log(0.5) + 20 * np.log(2 / 3) + 40 * np.log(4 / 3))
    assert independence_test(X, 0, 1).value == pytest.approx(g2)


def test_words_and_other_columns():
    """Columns by name; those that the test does not need may hold anything."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (200, 3))
    frame = pd.DataFrame(np.array(["no", "yes"])[codes], columns=["smoke", "cough", "town"]).assign(age=rng.normal(size=200))
    found = independence_test(frame, "cough", "smoke", "town")
    expected = independence_test(codes, 1, 0, [2])
    assert (found.value, found.df, found.p_value) == (expected.value, expected.df, expected.p_value)
    assert found.levels == (("no", "yes"),) * 3
    assert str(found).startswith("cough ⊥ smoke | town: G² = ")


def test_missing_cells_count_for_no_test_that_needs_them():
    """A row counts where it knows the cells of the test, whatever else it lacks."""
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (300, 4)).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    known = ~np.isnan(X[:, :3]).any(axis=1)
    found, expected = independence_test(X, 0, 1, [2]), independence_test(X[known][:, :3], 0, 1, [2])
    assert found.weight == known.sum()
    assert found.value == expected.value


def test_what_makes_the_p_value_doubtful():
    """Strata without rows, levels that do not occur, small expectations: counted, and said."""
    X = np.array([[0, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1], [1, 0, 1, 1]])
    found = independence_test(X, 0, 1, [2, 3])
    assert found.empty_strata == 1
    assert found.absent_levels == 3 + 1
    assert found.sparse_cells == 12
    assert str(found).splitlines()[1:] == [
        "1 stratum has no rows.",
        "In strata with rows, 4 levels do not occur: their cells could not be filled (adjust_df=True).",
        "In 12 of 12 cells fewer than 5 rows are expected: the p value is approximate.",
    ]
    with language("es"):
        assert "1 estrato no tiene filas." in str(found)
    one = independence_test(np.array([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1]]), 0, 1, 2)
    assert "In strata with rows, 1 level does not occur: its cells could not be filled" in str(one)


def test_constant_columns():
    """A constant column leaves no degree of freedom, and depends on nothing."""
    found = independence_test(np.array([[0, 0], [0, 1], [0, 1]]), 0, 1)
    assert (found.value, found.df, found.p_value) == (0.0, 0.0, 1.0)


def test_no_rows():
    """If no row knows all the cells, nothing speaks against independence."""
    found = independence_test(np.array([[0, np.nan], [np.nan, 1.0], [1.0, np.nan]]), 0, 1)
    assert (found.weight, found.value, found.p_value) == (0.0, 0.0, 1.0)


def test_refusals():
    """What is wrong is named."""
    X = np.zeros((3, 3), int)
    with pytest.raises(ValueError, match="There is no column 7; the columns are 0, 1, 2"):
        independence_test(X, 0, 7)
    with pytest.raises(ValueError, match="Column 1 is named twice"):
        independence_test(X, 0, 1, [1])
    with pytest.raises(ValueError, match="statistic must be 'g2' or 'x2', got 'mi'"):
        independence_test(X, 0, 1, statistic="mi")
    with pytest.raises(ValueError, match=r"0.5 in row 0, column 0: categories are whole numbers"):
        independence_test(X + 0.5, 0, 1)


def test_opened_rows(tmp_path):
    """A file gives what the table gives."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.integers(0, 3, (400, 3)), columns=list("abc"))
    frame.to_parquet(tmp_path / "t.parquet")
    found = independence_test(aprendiz.rows(tmp_path / "t.parquet"), "a", "c", "b")
    assert found.value == independence_test(frame, "a", "c", "b").value
