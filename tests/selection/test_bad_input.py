"""Tables of which nothing can be chosen, or not what was asked for: each selector of single columns says why."""

import numpy as np
import pytest

import aprendiz as ap

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 5))
Y, THREE = (X[:, 0] > 0).astype(int), np.arange(60) % 3
CONSTANT, UNKNOWN, NOISE = X.copy(), X.copy(), X[:, 1:]
CONSTANT[:, 2], UNKNOWN[:, 3] = 1.0, np.nan
SAME = np.ones((60, 3))
WORDS = np.array(["ash", "birch", "cedar"])[THREE]
RARE = (np.arange(60) == 7).astype(int)

SCORES = ("anova", "kruskal", "mutual_info")
BY_LIMIT = (ap.SelectFdr, ap.SelectFpr, ap.SelectFwe)


@pytest.mark.parametrize("score", SCORES)
def test_columns_that_say_nothing_come_last(score):
    """A constant column, or one without a known cell, has no score or 0, and the last rank."""
    for table, column in ((CONSTANT, 2), (UNKNOWN, 3)):
        found = ap.VariableRanking(score, 4).fit(table, Y)
        assert np.isnan(found.scores_[column]) or found.scores_[column] <= 0
        assert column not in found.order_ or score == "mutual_info"  # whose estimates of nothing lie around 0
        assert found.order_[0] == 0


@pytest.mark.parametrize("selector", [ap.SelectKBest(k=2), ap.SelectPercentile(percentile=40), *(cls() for cls in BY_LIMIT)])
def test_limits_leave_such_columns_out(selector):
    assert 3 not in selector.fit(UNKNOWN, Y).get_support(indices=True)
    assert 0 in selector.get_support(indices=True)


def test_variances_of_such_columns():
    assert ap.VarianceThreshold().fit(CONSTANT).get_support(indices=True).tolist() == [0, 1, 3, 4]
    assert ap.VarianceThreshold().fit(UNKNOWN).get_support(indices=True).tolist() == [0, 1, 2, 4]


@pytest.mark.parametrize("score", [*SCORES, "correlation"])
def test_duplicates_share_a_rank(score):
    found = ap.VariableRanking(score, 2, task="classification").fit(X[:, [0, 1, 2, 0]], Y)
    assert found.scores_[0] == found.scores_[3]
    assert found.ranking_[0] == found.ranking_[3] == 1
    assert found.order_.tolist() == [0, 3]


REFUSED = [
    (ap.VariableRanking(keep=2), SAME, Y, "No column is chosen: no column has a score: each is constant or missing"),
    (ap.VariableRanking(keep=0.5, task="regression"), X[:1], X[:1, 0], "X has 1 sample, and columns are compared by several"),
    (ap.VariableRanking(keep=9), X, Y, "keep=9, but X has 5 columns: keep at most so many"),
    (
        ap.VariableRanking(keep=("threshold", 1e9)),
        X,
        Y,
        "no score is at least 1e[+]09; the best score is 91.8.* Lower the thres",
    ),
    (ap.VariableRanking(keep=("fdr", 0.01)), NOISE, Y, "no p-value is small enough for fdr=0.01 among 4 columns; the smallest"),
    (ap.VariableRanking("correlation", 2), X, THREE, "y has 3 classes, which have no order.*choose score='anova'"),
    (ap.VariableRanking("correlation", 2), X, WORDS, "y has 3 classes, which have no order"),
    (ap.SelectKBest(ap.r_regression, k=2), X, WORDS, "y holds 'ash' in row 0"),
    (ap.VariableRanking("chi2", 2), X, Y, "must be non-negative: row 0, column 1 holds -0.132.*for measurements use f_classif"),
    (ap.SelectKBest(ap.chi2, k=2), X, Y, "must be non-negative: row 0, column 1 holds -0.132"),
    (ap.GenericUnivariateSelect(ap.chi2, mode="k_best", param=2), X, Y, "must be non-negative: row 0, column 1"),
    *(
        (cls(alpha=1e-9), NOISE, Y, "No column is chosen: no p-value .* alpha.*the smallest, of column 2, is 0.03")
        for cls in BY_LIMIT
    ),
    *((cls(ap.mutual_info_classif), X, Y, "needs p-values, and the function of scores gives none") for cls in BY_LIMIT),
    (ap.GenericUnivariateSelect(mode="fdr", param=1e-9), NOISE, Y, "No column is chosen: no p-value lies below its line"),
    (ap.GenericUnivariateSelect(mode="fpr", param=2), X, Y, "param .* does not suit its mode: alpha .* at most 1, got 2"),
    (ap.SelectPercentile(percentile=101), X, Y, "percentile of SelectPercentile must be .* at most 100, got 101"),
    (ap.VarianceThreshold(), SAME, None, "No feature in X meets the variance threshold 0.00000: the largest variance is 0"),
    (
        ap.VarianceThreshold(99.0),
        X,
        None,
        "No feature in X meets the variance threshold 99.00000: the largest variance is 1.47",
    ),
    (ap.VariableRanking(keep=2), X, np.zeros(60, int), "y holds only one class, 0"),
    (ap.StabilitySelection(task="regression"), X, np.ones(60), "The target is 1.0 in all rows"),
    (
        ap.SequentialSelection(ap.LinearDiscriminantAnalysis()),
        X,
        RARE,
        "Fold [0-9] of cv: its training rows hold no row of the class 1",
    ),
    (ap.RFECV(ap.LinearDiscriminantAnalysis(), cv=2), X, RARE, "training rows hold no row of the class 1"),
]


@pytest.mark.filterwarnings("ignore:The least populated class in y has only 1 member")
@pytest.mark.parametrize(("selector", "table", "y", "words"), REFUSED)
def test_refusals(selector, table, y, words):
    """What cannot be done, with the column or class, the number, and what to do instead."""
    with pytest.raises(ValueError, match=words):
        selector.fit(table, y)
    assert not hasattr(selector, "support_")


@pytest.mark.parametrize("selector", [ap.SelectKBest(k=9), ap.GenericUnivariateSelect(mode="k_best", param=9)])
def test_more_than_all(selector):
    """As in scikit-learn, that is all of them, with a warning."""
    with pytest.warns(UserWarning, match="k=9 is greater than n_features=5"):
        assert selector.fit(X, Y).get_support().all()


def test_a_choice_of_none_is_told_when_rows_are_asked_for():
    """What is asked for, k=0, is given; that the table has no columns is said where it is made."""
    with pytest.warns(UserWarning, match="No features were selected"):
        assert ap.SelectKBest(k=0).fit(X, Y).transform(X).shape == (60, 0)


def test_cells_of_the_second_stage_are_named_as_in_the_table():
    """The second stage sees fewer columns: a cell that it does not take is called by its place in all of them."""
    table = X.copy()
    table[5, 0] = np.nan
    two = ap.TwoStageSelection(ap.VariableRanking(keep=2), ap.EmbeddedSelection(keep=1))
    with pytest.raises(ValueError, match="NaN: row 5, column 0"):
        two.fit(table, Y)
    table = X[:, ::-1].copy()
    table[5, 4] = np.nan
    with pytest.raises(ValueError, match="NaN: row 5, column 4"):
        two.fit(table, Y)


def test_thresholds_follow_the_fitted_penalty():
    """Whether a chosen penalty makes zeros is known after the fit."""
    lasso = ap.SelectFromModel(ap.ElasticNetCV(l1_ratio=[1.0], cv=3)).fit(X, X[:, 0])
    assert lasso.threshold_ == 1e-5
    assert ap.SelectFromModel(ap.ElasticNetCV(l1_ratio=[0.5], cv=3)).fit(X, X[:, 0]).threshold_ > 1e-5
