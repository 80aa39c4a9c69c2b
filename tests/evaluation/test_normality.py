"""Normality: moments with standard errors and tests against SciPy, honest p-values, and what methods assume."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from aprendiz import GaussianNB, LinearDiscriminantAnalysis, LogisticRegression, QuadraticDiscriminantAnalysis, StandardScaler
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.evaluation import check_assumptions, normality
from aprendiz.locale import language

IRIS = load_iris()
WORDS = IRIS.target_names[IRIS.target]


def samples(kind, n, seed=0):
    rng = np.random.default_rng(seed)
    return {"normal": rng.normal(3, 2, n), "lognormal": rng.lognormal(0, 1, n), "uniform": rng.uniform(size=n)}[kind]


# ---- one column ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["normal", "lognormal", "uniform"])
def test_moments_and_tests(kind):
    """Corrected skewness and kurtosis, Jarque–Bera and Shapiro–Wilk as SciPy has them; A² and the distance by its own code."""
    x = samples(kind, 60)
    one = normality(x).tests[0]
    assert one.skewness == pytest.approx(stats.skew(x, bias=False), rel=1e-10)
    assert one.kurtosis == pytest.approx(stats.kurtosis(x, bias=False), rel=1e-10)
    assert one.jarque_bera == pytest.approx(tuple(stats.jarque_bera(x)), rel=1e-9)
    assert one.shapiro == pytest.approx(tuple(stats.shapiro(x)), rel=1e-9)
    z = (x - x.mean()) / x.std(ddof=1)
    assert one.distance == pytest.approx(stats.kstest(z, "norm").statistic, rel=1e-12)
    z, i = np.sort(z), np.arange(1, 61)
    by_hand = -60 - np.sum((2 * i - 1) * (stats.norm.logcdf(z) + stats.norm.logsf(z[::-1]))) / 60
    assert one.anderson_darling[0] == pytest.approx(by_hand, rel=1e-12)


def test_p_values_of_anderson_darling():
    """At the critical values of Stephens (table 4.7: 0.631, 0.752, 0.873, 1.035 for A*²) the p-values are 0.10, 0.05, 0.025 and
    0.01, and they fall without jumps."""
    from aprendiz.evaluation.shapes.normal_tests import STEPHENS

    def p(star):
        _, (a, b, c), below = next(row for row in STEPHENS if star < row[0])
        found = np.exp(a + b * star + c * star**2)
        return 1 - found if below else found

    assert [p(a) for a in (0.631, 0.752, 0.873, 1.035)] == pytest.approx([0.10, 0.05, 0.025, 0.01], rel=0.02)
    grid = np.array([p(a) for a in np.linspace(0.05, 3, 500)])
    assert (np.diff(grid) < 0.005).all()


def test_level_is_kept():
    """Of 400 normal samples of 40 rows about 5 % have p below 0.05, by Shapiro–Wilk and by Anderson–Darling: √(0.05·0.95/400)
    is 0.011, and four of those are allowed."""
    found = normality(np.random.default_rng(1).normal(size=(40, 400))).tests
    for p in ([one.p for one in found], [one.anderson_darling[1] for one in found]):
        assert abs(np.mean(np.array(p) < 0.05) - 0.05) < 0.044
    assert sum(one.p_holm < 0.05 for one in found) <= 2


def test_standard_errors():
    """The standard deviations of skewness and kurtosis over many normal samples of 30 rows are the standard errors, to 10 %."""
    found = normality(np.random.default_rng(2).normal(size=(30, 1500))).tests
    assert np.std([one.skewness for one in found]) == pytest.approx(found[0].skewness_error, rel=0.1)
    assert np.std([one.kurtosis for one in found]) == pytest.approx(found[0].kurtosis_error, rel=0.1)


def test_many_rows():
    """Beyond 5000 rows Anderson–Darling decides; a deviation that matters to nobody is significant, and not called broken."""
    rng = np.random.default_rng(3)
    found = normality(rng.standard_t(12, 30_000))
    one = found.tests[0]
    assert np.isnan(one.shapiro[1])
    assert one.p == one.anderson_darling[1] < 1e-6
    assert one.distance < 0.05
    assert not found.broken
    assert normality(rng.exponential(size=30_000)).broken


def test_too_little():
    """Fewer than eight values, or values that are all equal, say nothing; missing cells are left out."""
    found = normality(np.column_stack([np.full(20, 0.1), np.r_[np.arange(5.0), np.full(15, np.nan)]]))
    assert [np.isnan(one.p) for one in found.tests] == [True, True]
    assert [len(one.values) for one in found.tests] == [20, 5]
    assert found.sentence().startswith("Nothing can be said")
    with pytest.raises(ValueError, match="at least 8"):
        found.plot()


# ---- tables and classes --------------------------------------------------------------------------------------------------


def test_by_class():
    """Lengths of iris petals are two bumps together and normal in each class; widths of setosa are not."""
    together, apart = normality(IRIS.data[:, 2:]), normality(IRIS.data[:, 2:], WORDS)
    assert {one.column for one in together.broken} == {"0", "1"}
    assert [(one.column, one.label) for one in apart.broken] == [("1", "setosa")]
    assert apart.find(1, "setosa").mean == pytest.approx(IRIS.data[:50, 3].mean())
    with pytest.raises(KeyError, match="oak"):
        apart.find(1, "oak")


def test_one_column_in_any_form():
    """A list, a series of any library, a table of one column."""
    polars, x = pytest.importorskip("polars"), samples("normal", 30)
    for form in (x.tolist(), pd.Series(x, name="size"), polars.Series("size", x), x[:, None]):
        one = normality(form).tests[0]
        assert one.p == normality(x).tests[0].p
        assert one.column == getattr(form, "name", "0")


def test_words():
    """A table and a sentence in both languages; words in the table are left out."""
    frame = pd.DataFrame({"width": IRIS.data[:, 3], "species": WORDS})
    found = normality(frame, WORDS)
    assert {one.column for one in found.tests} == {"width"}
    assert "1 of 3 samples does not look normal" in str(found)
    assert "'width' of class 'setosa'" in str(found)
    with language("es"):
        assert "1 de 3 muestras no parece normal" in str(found)


def test_refused():
    with pytest.raises(TypeError, match="in memory"):
        normality(ArrayRows(IRIS.data))
    with pytest.raises(ValueError, match="no column of numbers"):
        normality(pd.DataFrame({"a": ["u", "v"]}))
    with pytest.raises(ValueError, match="level must lie"):
        normality(IRIS.data, level=5)


# ---- what methods assume -------------------------------------------------------------------------------------------------


def two_classes(shape, n=400, seed=0):
    """Two classes of one column: normal, skewed, or of unequal width."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], n // 2)
    x = rng.normal(size=n) + 2 * y
    x = {"normal": x, "skewed": np.exp(x), "uneven": np.where(y == 1, 3 * x, x)}[shape]
    return pd.DataFrame({"size": x, "other": rng.normal(size=n)}), y


@pytest.mark.parametrize(
    ("model", "shape", "codes"),
    [
        (GaussianNB(), "normal", []),
        (GaussianNB(), "skewed", ["not_normal"]),
        (GaussianNB(), "uneven", []),
        (QuadraticDiscriminantAnalysis(), "uneven", []),
        ("QuadraticDiscriminantAnalysis", "skewed", ["not_normal"]),
        (LinearDiscriminantAnalysis(), "normal", []),
        (make_pipeline(StandardScaler(), LinearDiscriminantAnalysis()), "uneven", ["not_normal", "unequal_variances"]),
        (LogisticRegression(), "skewed", []),
    ],
)
def test_assumptions(model, shape, codes):
    """Each method is held to what it assumes, and to nothing else. Pooled deviations of unequal width are not normal."""
    found = check_assumptions(model, *two_classes(shape))
    assert [one.code for one in found] == codes
    assert all(one.columns == ("size",) and one.p_value < 0.05 for one in found)


def test_assumption_in_words():
    """Sentence, reason and remedy, in both languages."""
    table, y = two_classes("skewed")
    (found,) = check_assumptions(GaussianNB(), table, y)
    assert "GaussianNB assumes normal columns in each class, but 1 of 2 does not look so: 'size'." in str(found)
    assert "Take logarithms" in found.remedy
    assert not check_assumptions(GaussianNB(), table.assign(size=np.log(table["size"])), y)
    with language("es"):
        assert "supone columnas normales" in str(check_assumptions(GaussianNB(), table, y)[0])
    with pytest.raises(ValueError, match="give y"):
        check_assumptions(GaussianNB(), table)


def test_t_interval():
    """Values that are far from normal; few values are given the benefit of the doubt."""
    assert check_assumptions("t", samples("lognormal", 60))[0].code == "not_normal"
    assert check_assumptions("t", samples("normal", 60)) == ()
    assert check_assumptions("t", [1.0, 2.0, 50.0]) == ()


def test_assumptions_look_at_some_rows():
    """A long table is judged by 2000 rows of each class."""
    from aprendiz.evaluation.shapes.samples import sample_of

    table, y = two_classes("normal", 20_000)
    sample = sample_of(table, y)
    assert np.bincount(sample.codes).tolist() == [2000, 2000]
    assert sample.names == ("size", "other")
