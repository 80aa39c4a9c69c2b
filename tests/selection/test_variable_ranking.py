"""VariableRanking and scikit-learn's selectors: which columns are kept, of what kind of table, and what is refused."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.feature_selection as theirs
from scipy import sparse, stats

import aprendiz as ap
from aprendiz.core.parameters import ParameterError
from aprendiz.selection.keeping.false_findings import adjusted, is_kept

EVERY_SCORE = ["anova", "correlation", "squared_correlation", "kruskal", "chi2", "mutual_info"]
EVERY_SCORE += ["information_gain", "gain_ratio", "symmetric_uncertainty"]


@pytest.fixture
def people():
    """Numbers and words with missing cells; a class that follows age and town, and a quantity."""
    rng = np.random.default_rng(0)
    n = 120
    sick = rng.integers(0, 2, n)
    town = np.where(rng.random(n) < 0.7, np.where(sick, "Ávila", "Burgos"), rng.choice(["Ávila", "Burgos", "Cádiz"], n))
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 60, n) + 15.0 * sick,
            "town": town,
            "smokes": rng.choice(["no", "yes"], n),
            "height": rng.normal(170, 9, n),
        }
    )
    frame.loc[rng.random(n) < 0.2, "age"] = np.nan
    frame.loc[rng.random(n) < 0.2, "town"] = None
    return frame, np.where(sick, "sick", "well"), 3.0 * sick + rng.normal(size=n)


# ---- words beside numbers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("score", ["anova", "kruskal", "chi2"])
def test_words_by_their_counts(people, score):
    """Beside classes, a column of words has Pearson's χ², and columns are compared by p-values."""
    X, y, _ = people
    model = ap.VariableRanking(score, 2).fit(X, y)
    table = pd.crosstab(X["town"], y)
    expected = stats.chi2_contingency(table, correction=False)
    assert model.scores_[1] == pytest.approx(expected.statistic, rel=1e-12)
    assert model.pvalues_[1] == pytest.approx(expected.pvalue, rel=1e-9)
    assert model.statistic_[1:3] == ["χ²", "χ²"]
    np.testing.assert_array_equal(np.argsort(model.ranking_), np.argsort(model.pvalues_))
    if score != "chi2":
        assert sorted(model.get_feature_names_out()) == ["age", "town"]


def test_numbers_beside_words_as_they_are_alone(people):
    X, y, t = people
    model = ap.VariableRanking("kruskal").fit(X, y)
    known = X["age"].notna()
    expected = stats.kruskal(*(X["age"][known & (y == k)] for k in ("sick", "well")))
    assert model.scores_[0] == pytest.approx(expected.statistic, rel=1e-11)
    model = ap.VariableRanking("anova").fit(X, t)
    assert model.statistic_ == ["F of regression", "F of levels", "F of levels", "F of regression"]
    by_town = stats.f_oneway(*(t[X["town"] == k] for k in ("Ávila", "Burgos", "Cádiz")))
    assert model.scores_[1] == pytest.approx(by_town.statistic, rel=1e-10)
    assert model.pvalues_[1] == pytest.approx(by_town.pvalue, rel=1e-8)


def test_correlation_of_two_levels_and_no_more(people):
    X, _, t = people
    model = ap.VariableRanking("correlation", 1).fit(X[["smokes", "height"]], t)
    expected = np.corrcoef(X["smokes"] == "yes", t)[0, 1]
    assert model.scores_[0] == pytest.approx(abs(expected), rel=1e-10)
    with pytest.raises(ValueError, match="Column 'town' has 3 levels, which have no order"):
        ap.VariableRanking("correlation").fit(X, t)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_words_stay_words(people, kind):
    X, y, _ = people
    frame = kind(X) if kind is pd.DataFrame else pl.from_pandas(X)
    chosen = ap.VariableRanking(keep=2).fit_transform(frame, y)
    assert isinstance(chosen, kind)
    assert list(chosen.columns) == ["age", "town"]
    cells = X.to_numpy(object)
    assert pd.DataFrame(ap.VariableRanking(keep=2).fit_transform(cells, y)).equals(pd.DataFrame(cells[:, :2]))


def test_information_of_a_table_of_counts():
    """Information gain, gain ratio and symmetric uncertainty from entropies."""
    X, y = pd.DataFrame({"a": list("aabbccaabb")}), list("xxxyyyxxyy")
    H = {name: stats.entropy(np.unique(v, return_counts=True)[1], base=2) for name, v in (("a", X["a"]), ("y", y))}
    both = stats.entropy(np.unique([a + b for a, b in zip(X["a"], y, strict=True)], return_counts=True)[1], base=2)
    shared = H["a"] + H["y"] - both
    expected = {"information_gain": shared, "gain_ratio": shared / H["a"]}
    expected["symmetric_uncertainty"] = 2 * shared / (H["a"] + H["y"])
    for score, value in expected.items():
        assert ap.VariableRanking(score, unit="bits").fit(X, y).scores_[0] == pytest.approx(value, rel=1e-12)


def test_missing_words_in_all_levels():
    """`missing="spread"`: a row without the cell counts in all levels, as often as these occur."""
    X, y = pd.DataFrame({"a": ["a", "a", "a", "b", "b", None, None]}), list("xxyyyxy")
    table = np.array([[2, 1], [0, 2]]) + np.outer([0.6, 0.4], [1, 1])
    expected = stats.chi2_contingency(table, correction=False).statistic
    assert ap.VariableRanking("chi2", missing="spread").fit(X, y).scores_[0] == pytest.approx(expected, rel=1e-12)
    left_out = stats.chi2_contingency([[2, 1], [0, 2]], correction=False).statistic
    assert ap.VariableRanking("chi2").fit(X, y).scores_[0] == pytest.approx(left_out, rel=1e-12)


# ---- which are kept ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("score", EVERY_SCORE)
def test_every_score_finds_the_column(score):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    X = np.abs(rng.normal(size=(200, 5)) * 0.5)
    X[:, 3] += 2 * y
    model = ap.VariableRanking(score, 1).fit(X, y)
    assert model.order_.tolist() == [3]
    assert model.ranking_[3] == 1
    assert model.certificate_.holds


def noise(rng, d=200, useful=10):
    y = np.repeat([0, 1], 50)
    X = rng.normal(size=(100, d))
    X[:, :useful] += 1.2 * y[:, None]
    return X, y


@pytest.mark.parametrize(("keep", "expected"), [(7, 7), (0.25, 50), (1.0, 200), ("all", 200), (0.001, 1)])
def test_so_many(keep, expected):
    model = ap.VariableRanking(keep=keep).fit(*noise(np.random.default_rng(2)))
    assert model.support_.sum() == expected
    np.testing.assert_array_equal(model.order_, np.argsort(-model.scores_, kind="stable")[:expected])


def test_the_last_p_value_below_its_line_counts():
    """Benjamini's and Hochberg's rule steps up: 0.03 lies above its line 0.025, 0.031 below its own, and both are kept."""
    p = np.array([0.9, 0.031, 0.001, 0.03])
    found = ap.SelectFdr(lambda X, y: (-p, p), alpha=0.05).fit(np.eye(4), [0, 0, 1, 1])
    assert found.get_support().tolist() == [False, True, True, True]
    for seed in range(200):
        p = np.random.default_rng(seed).random(7) ** 3
        ordered = np.sort(p)
        kept = max((k + 1 for k in range(7) if ordered[k] <= 0.3 * (k + 1) / 7), default=0)
        assert is_kept("fdr", p, 0.3, 7).sum() == kept
        assert (adjusted(p) <= 0.3 + 1e-15).sum() == kept


def test_threshold_and_p_values():
    X, y = noise(np.random.default_rng(3))
    F, p = theirs.f_classif(X, y)
    np.testing.assert_array_equal(ap.VariableRanking(keep=("threshold", 4.0)).fit(X, y).support_, F >= 4)
    for rule, cls in (("fdr", "SelectFdr"), ("fpr", "SelectFpr"), ("fwe", "SelectFwe")):
        expected = getattr(theirs, cls)(alpha=0.1).fit(X, y).get_support()
        np.testing.assert_array_equal(ap.VariableRanking(keep=(rule, 0.1)).fit(X, y).support_, expected)
        np.testing.assert_array_equal(getattr(ap, cls)(alpha=0.1).fit(X, y).support_, expected)
    model = ap.VariableRanking(keep="fdr").fit(X, y)
    np.testing.assert_array_equal(model.support_, model.adjusted_pvalues_ <= 0.05)
    np.testing.assert_allclose(model.adjusted_pvalues_, stats.false_discovery_control(p), rtol=1e-9)


@pytest.mark.parametrize("rho", [0.0, 0.5])
def test_false_discovery_rate(rho, capsys):
    """Benjamini's and Hochberg's promise: the share of useless columns among those kept is α·m₀/m on average, and not more if
    neighbours are correlated. A right rate fails once in 370 times."""
    rng, shares = np.random.default_rng(4), []
    for _ in range(200):
        X, y = noise(rng, 100, 20)
        for j in range(21, 100):
            X[:, j] = rho * X[:, j - 1] + np.sqrt(1 - rho**2) * X[:, j]
        kept = ap.VariableRanking(keep=("fdr", 0.2)).fit(X, y).support_
        shares.append(kept[20:].sum() / kept.sum())
    rate, error = np.mean(shares), np.std(shares, ddof=1) / np.sqrt(200)
    with capsys.disabled():
        print(f"\nBenjamini and Hochberg, ρ = {rho}: false {rate:.3f} ± {error:.3f} of 0.16")
    assert rate == pytest.approx(0.2 * 80 / 100, abs=3 * error)


def test_ties_are_told():
    X, y = noise(np.random.default_rng(5), 6)
    X = np.column_stack([X[:, 2], X[:, 2], X[:, 2]])
    model = ap.VariableRanking(keep=1).fit(X, y)
    assert (model.order_.tolist(), model.ranking_.tolist()) == ([0], [1, 1, 1])
    assert not model.certificate_.holds
    assert model.certificate_.ties == 3
    assert ap.SelectKBest(k=1).fit(X, y).order_.tolist() == [2]  # as scikit-learn


def test_a_function():
    X, y = noise(np.random.default_rng(6), 8)
    model = ap.VariableRanking(lambda X, y: np.abs(X[y == 1].mean(axis=0)), 2).fit(X, y)
    assert model.pvalues_ is None
    assert model.order_[0] == np.argmax(np.abs(X[y == 1].mean(axis=0)))
    both = ap.VariableRanking(theirs.f_classif, ("fwe", 0.05)).fit(X, y)
    np.testing.assert_array_equal(both.support_, theirs.SelectFwe().fit(X, y).get_support())


def test_what_the_target_is():
    """Few whole numbers are classes, others a quantity; `task` has the last word."""
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    assert ap.VariableRanking().fit(X, y).classes_.tolist() == [0, 1, 2]
    quantity = ap.VariableRanking().fit(X, y + 0.5 * rng.random(60))
    assert quantity.classes_ is None
    np.testing.assert_allclose(ap.VariableRanking(task="regression").fit(X, y).scores_, ap.f_regression(X, y)[0], rtol=1e-12)
    with pytest.raises(ValueError, match="y has 3 classes, which have no order"):
        ap.VariableRanking("correlation").fit(X, y)
    np.testing.assert_allclose(
        ap.VariableRanking("correlation", task="regression").fit(X, y).scores_, np.abs(ap.r_regression(X, y)), rtol=1e-12
    )
    two, r = np.where(y > 0, "yes", "no"), np.abs(ap.r_regression(X, y > 0))
    np.testing.assert_allclose(ap.VariableRanking("correlation").fit(X, two).scores_, r, rtol=1e-12)


# ---- tables --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [ap.SelectKBest, ap.VariableRanking], ids=lambda cls: cls.__name__)
def test_tables_keep_their_form(cls):
    X, y = noise(np.random.default_rng(8), 12, 3)
    model = cls(**({"k": 3} if cls is ap.SelectKBest else {"keep": 3})).fit(X, y)
    chosen = X[:, model.support_]
    assert model.transform(X.astype(np.float32)).dtype == np.float32
    assert sparse.issparse(model.transform(sparse.csr_array(X)))
    np.testing.assert_array_equal(model.transform(sparse.csr_array(X)).toarray(), chosen)
    np.testing.assert_array_equal(model.inverse_transform(chosen)[:, model.support_], chosen)
    named = pd.DataFrame(X).add_prefix("c")
    model.set_output(transform="pandas").fit(named, y)
    assert list(model.transform(named).columns) == list(named.columns[model.support_])


def test_as_scikit_learn_chooses():
    rng = np.random.default_rng(9)
    X, y = rng.integers(0, 3, size=(50, 20)).astype(float), rng.integers(0, 3, 50)
    X[:, 5] = X[:, 6] = X[:, 7]
    for cls, kwargs in [("SelectKBest", {"k": 4}), ("SelectPercentile", {"percentile": 37})]:
        for score in ("f_classif", "chi2"):
            kept = getattr(theirs, cls)(getattr(theirs, score), **kwargs).fit(X, y).get_support()
            np.testing.assert_array_equal(getattr(ap, cls)(getattr(ap, score), **kwargs).fit(X, y).support_, kept)
            np.testing.assert_array_equal(getattr(ap, cls)(getattr(theirs, score), **kwargs).fit(X, y).support_, kept)


def test_variances():
    X = np.column_stack([np.full(9, 0.1), np.arange(9.0), np.r_[np.nan, np.zeros(7), 1.0]])
    model, expected = ap.VarianceThreshold().fit(X), theirs.VarianceThreshold().fit(X)
    np.testing.assert_allclose(model.variances_, expected.variances_, rtol=1e-12)
    np.testing.assert_array_equal(model.support_, [False, True, True])
    parts = ap.VarianceThreshold()
    for row in X:
        parts.partial_fit(row[None])
    np.testing.assert_allclose(parts.variances_, model.variances_, rtol=1e-12)
    np.testing.assert_array_equal(parts.transform(X), X[:, 1:])


# ---- refusals --------------------------------------------------------------------------------------------------------------


def test_nothing_is_chosen():
    X, y = noise(np.random.default_rng(10), 20, 0)
    for model, words in [
        (ap.VariableRanking(keep=("threshold", 1e9)), r"no score is at least 1e\+09; the best score is"),
        (
            ap.VariableRanking(keep=("fwe", 1e-9)),
            r"small enough for fwe=1e-09 among 20 columns; the smallest, of column",
        ),
        (ap.SelectFdr(alpha=1e-9), "No column is chosen: no p-value lies below its line"),
        (ap.SelectFpr(alpha=1e-9), "no p-value is below alpha=1e-09"),
        (ap.SelectFwe(alpha=1e-9), "no p-value is below alpha/d"),
        (ap.SelectPercentile(percentile=0.001), "less than one"),
        (ap.VarianceThreshold(1e9), r"No feature in X meets the variance threshold 1000000000.00000: the largest variance is"),
    ]:
        if isinstance(model, ap.SelectPercentile):
            continue  # of different scores it keeps the largest, as scikit-learn does
        with pytest.raises(ValueError, match=words):
            model.fit(X, y)


def test_none_if_none_is_asked_for():
    X, y = noise(np.random.default_rng(11), 5)
    model = ap.SelectKBest(k=0).fit(X, y)
    with pytest.warns(UserWarning, match="No features were selected"):
        assert model.transform(X).shape == (100, 0)


def test_more_than_there_are():
    X, y = noise(np.random.default_rng(12), 5)
    with pytest.raises(ParameterError, match="keep=6, but X has 5 columns"):
        ap.VariableRanking(keep=6).fit(X, y)
    with pytest.warns(UserWarning, match="k=6 is greater than n_features=5"):
        assert ap.SelectKBest(k=6).fit(X, y).support_.all()


@pytest.mark.parametrize("keep", [0, -1, 1.5, 0.0, True, "best", ("fdr", 2), ("fdr",), ("k", 3), None, np.nan, [1, 2]])
def test_bad_keep(keep):
    with pytest.raises(ParameterError, match="keep of VariableRanking must be"):
        ap.VariableRanking(keep=keep).fit(*noise(np.random.default_rng(13), 5))


def test_scores_that_do_not_apply(people):
    X, y, t = people
    numbers = X[["height"]]
    for score in ("kruskal", "chi2"):
        with pytest.raises(ValueError, match="compares classes, but the target is a quantity"):
            ap.VariableRanking(score).fit(numbers, t)
    with pytest.raises(ValueError, match="counts classes, but the target is a quantity"):
        ap.VariableRanking("gain_ratio").fit(numbers, t)
    with pytest.raises(ParameterError, match="the columns have different statistics"):
        ap.VariableRanking(keep=("threshold", 3.0)).fit(X, y)
    with pytest.raises(ValueError, match=r"keep=\('fdr', 0.05\) needs p-values"):
        ap.VariableRanking(lambda X, y: X.mean(axis=0), "fdr").fit(numbers, y)
    with pytest.raises(ValueError, match="SelectFwe needs p-values"):
        ap.SelectFwe(ap.r_regression).fit(numbers, t)
    with pytest.raises(ValueError, match="is called with numbers, but some columns hold words"):
        ap.VariableRanking(theirs.f_classif).fit(X, y)
    with pytest.raises(ValueError, match="scores of shape"):
        ap.SelectKBest(lambda X, y: 1.0).fit(numbers, y)


def test_in_a_pipeline_and_a_search():
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    X, y = noise(np.random.default_rng(14), 30, 5)
    pipe = make_pipeline(ap.VariableRanking(), ap.GaussianNB())
    search = GridSearchCV(pipe, {"variableranking__keep": [1, 5, 30], "variableranking__score": ["anova", "kruskal"]}, cv=3)
    assert search.fit(X, y).best_score_ > 0.8


def test_columns_without_a_score_are_not_for_the_asking():
    """A number of columns that needs a constant or an empty one is refused; a share or "all" is not."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)), np.arange(30) % 2
    X[:, 0], X[:, 2] = np.nan, 1.0
    assert ap.VariableRanking(keep=2).fit(X, y).get_support().tolist() == [False, True, False, True]
    assert ap.VariableRanking(keep="all").fit(X, y).get_support().all()
    with pytest.raises(ValueError, match=r"keep=3 of VariableRanking, but 2 of the 4 columns have a score.*Keep at most 2"):
        ap.VariableRanking(keep=3).fit(X, y)
