"""Intervals: their ends by hand, their coverage simulated, ties and rounding, folds, groups, refusals."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import QuantileRegressor
from sklearn.model_selection import KFold, LeaveOneOut, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from aprendiz import ConformalRegressor, KNeighborsRegressor, LinearRegression, Ridge, StandardScaler
from aprendiz.persistence import load, save

RNG = np.random.default_rng(3)
X = RNG.normal(size=(60, 2))
Y = X[:, 0] + RNG.normal(size=60)


class Zero(RegressorMixin, BaseEstimator):
    """Predicts 0, and needs no rows."""

    def fit(self, X, y):
        self.n_features_in_ = np.shape(X)[1]
        return self

    def predict(self, X):
        return np.zeros(len(X))


@parametrize_with_checks([ConformalRegressor(LinearRegression()), ConformalRegressor(Ridge(), method="plus", cv=2)])
def test_checks(estimator, check):
    """scikit-learn's own checks."""
    check(estimator)


# ---- ends --------------------------------------------------------------------------------------------------------------


def test_by_hand():
    """|y| of 1, …, 9 around 0: the interval of 80 % ends at the eighth."""
    model = ConformalRegressor(FrozenEstimator(Zero().fit(np.zeros((9, 1)), None))).fit(np.zeros((9, 1)), np.arange(1.0, 10))
    np.testing.assert_allclose(model.predict_interval([[0.0]], coverage=0.8), [[-8.0, 8.0]], rtol=1e-14)
    np.testing.assert_allclose(model.predict_interval([[0.0]], coverage=0.81), [[-9.0, 9.0]], rtol=1e-14)
    with pytest.warns(UserWarning, match="9 calibration rows are too few for a coverage of 0.91: .* at least 11 rows"):
        assert model.predict_interval([[0.0]], coverage=0.91).tolist() == [[-np.inf, np.inf]]


def plain_ends(model, division, coverage, x):
    """The ends of CV+ as Barber and others write them, row by row."""
    n = len(Y)
    low, high = [], []
    for train, test in division:
        fitted = LinearRegression().fit(X[train], Y[train])
        for i in test:
            away = abs(Y[i] - fitted.predict(X[[i]])[0])
            low.append(fitted.predict([x])[0] - away)
            high.append(fitted.predict([x])[0] + away)
    k = int(np.ceil(np.round((n + 1) * coverage, 9)))
    return sorted(low)[n - k], sorted(high)[k - 1]


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.95])
def test_folds_against_the_definition(coverage):
    """(2), with fits one by one; ours come from the sums of the other folds."""
    model = ConformalRegressor(LinearRegression(), method="plus", cv=KFold(4)).fit(X, Y)
    for x, ends in zip(X[:5], model.predict_interval(X[:5], coverage), strict=True):
        np.testing.assert_allclose(ends, plain_ends(model, KFold(4).split(X), coverage, x), rtol=1e-10)


def test_rows_at_a_time(monkeypatch):
    """The table of ends is held in parts, with the same answer."""
    from aprendiz.conformal import conformal_regressor as file

    model = ConformalRegressor(LinearRegression(), method="plus", random_state=0).fit(X, Y)
    whole = model.predict_interval(X, 0.8)
    monkeypatch.setattr(file, "CELLS", 200)
    np.testing.assert_array_equal(model.predict_interval(X, 0.8), whole)


@pytest.mark.parametrize("method", ["split", "plus", "base"])
@pytest.mark.parametrize("score", ["absolute", "normalized"])
def test_wider_for_more(method, score):
    """Intervals of a larger coverage contain those of a smaller one, and the prediction (of one model)."""
    model = ConformalRegressor(LinearRegression(), method=method, conformity_score=score, random_state=0).fit(X, Y)
    last = model.predict_interval(X, 0.5)
    for coverage in (0.6, 0.8, 0.9):
        ends = model.predict_interval(X, coverage)
        assert (ends[:, 0] <= last[:, 0]).all()
        assert (ends[:, 1] >= last[:, 1]).all()
        last = ends
    if method != "plus":
        said = model.predict(X)
        assert ((last[:, 0] <= said) & (said <= last[:, 1])).all()


@pytest.mark.parametrize("unit", [2.0**-400, 1.0, 2.0**400])
def test_no_units(unit):
    """A target in other units, by a power of two, has the same intervals in them."""
    base = ConformalRegressor(LinearRegression(), method="plus", random_state=0).fit(X, Y).predict_interval(X, 0.8)
    moved = ConformalRegressor(LinearRegression(), method="plus", random_state=0).fit(X, unit * Y).predict_interval(X, 0.8)
    np.testing.assert_allclose(moved, unit * base, rtol=1e-12)


# ---- coverage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [9, 19, 30])
@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.9])
def test_coverage_of_one_model(n, coverage):
    """k/(n + 1) for whatever noise, from 2 000 tables. Given a table, the coverage of a new row has the distribution
    Beta(k, n + 1 − k): the mean over tables errs by at most 4 standard errors."""
    rng = np.random.default_rng(n)
    frozen = FrozenEstimator(Zero().fit(np.zeros((1, 1)), None))
    k = -(-round(100 * coverage) * (n + 1) // 100)
    shares = np.empty(2000)
    for table in range(len(shares)):
        y = rng.standard_t(2, size=n + 5) + 0.3
        model = ConformalRegressor(frozen).fit(np.zeros((n, 1)), y[:n])
        low, high = model.predict_interval(np.zeros((1, 1)), coverage)[0]
        shares[table] = np.mean((low <= y[n:]) & (y[n:] <= high))
    assert abs(shares.mean() - k / (n + 1)) < 4 * shares.std() / np.sqrt(len(shares))
    assert coverage <= k / (n + 1) < coverage + 1 / (n + 1)


@pytest.mark.parametrize(("method", "score"), [("split", "absolute"), ("split", "normalized"), ("plus", "absolute")])
def test_coverage_of_fits(method, score):
    """With a fit in each of 150 tables: within 4 standard errors of k/(n + 1), or above the guarantee of folds."""
    rng = np.random.default_rng(0)
    shares = np.empty(150)
    for table in range(len(shares)):
        A = rng.normal(size=(80, 2))
        y = A[:, 0] + (0.2 + np.abs(A[:, 1])) * rng.normal(size=80)
        model = ConformalRegressor(LinearRegression(), method=method, conformity_score=score, random_state=table).fit(
            A[:40], y[:40]
        )
        shares[table] = model.check_coverage(A[40:], y[40:], 0.8).share
    error = 4 * shares.std() / np.sqrt(len(shares))
    if method == "split":
        assert abs(shares.mean() - model.guarantee(0.8)) < error
    else:
        assert shares.mean() > model.guarantee(0.8)
        assert abs(shares.mean() - 0.8) < 0.05  # what is found in practice


def test_normalized_follows_the_noise():
    """Intervals are wider where the noise is, and cover both halves; those of one width cover the quiet half more often."""
    rng = np.random.default_rng(0)
    A = rng.uniform(-1, 1, size=(4000, 1))
    y = np.where(A[:, 0] > 0, 3.0, 0.3) * rng.normal(size=4000)
    loud = A[2000:, 0] > 0
    found = {}
    for score in ("absolute", "normalized"):
        model = ConformalRegressor(
            LinearRegression(), conformity_score=score, residual_estimator=KNeighborsRegressor(100), random_state=0
        ).fit(A[:2000], y[:2000])
        found[score] = [model.check_coverage(A[2000:][which], y[2000:][which], 0.8) for which in (loud, ~loud)]
    assert found["absolute"][1].share > 0.98
    assert found["absolute"][0].share < 0.7
    for half in found["normalized"]:
        assert abs(half.share - 0.8) < 0.05
    assert found["normalized"][0].size > 5 * found["normalized"][1].size


def test_normalized_by_hand():
    """The unit is a second model of |y − f(x)|, of fits that have not seen the row; at least 1 % of their mean."""
    rows = ShuffleSplit(1, test_size=0.25, random_state=7)
    model = ConformalRegressor(
        LinearRegression(), conformity_score="normalized", residual_estimator=KNeighborsRegressor(3), cv=rows
    )
    band = model.set_params(random_state=1).fit(X, Y).models_[0]
    train, test = next(rows.split(X))
    sizes = np.empty(len(train))
    for some, others in KFold(5, shuffle=True, random_state=1).split(train):
        fold = LinearRegression().fit(X[train[some]], Y[train[some]])
        sizes[others] = np.abs(Y[train[others]] - fold.predict(X[train[others]]))
    unit = np.maximum(KNeighborsRegressor(3).fit(X[train], sizes).predict(X[test]), 0.01 * sizes.mean())
    np.testing.assert_allclose(band.band(X[test]).unit, unit, rtol=1e-10)
    scores = np.sort(np.abs(Y[test] - LinearRegression().fit(X[train], Y[train]).predict(X[test])) / unit)
    np.testing.assert_allclose(model.scores_[0], scores, rtol=1e-9)


def test_quantiles():
    """Between linear quantiles, made wider by what the calibration rows ask for; the median is the prediction."""
    rng = np.random.default_rng(1)
    A = rng.uniform(0, 1, size=(600, 1))
    y = A[:, 0] * rng.normal(size=600)
    learner = make_pipeline(StandardScaler(), QuantileRegressor(alpha=0.0))
    model = ConformalRegressor(learner, conformity_score="quantile", quantiles=(0.1, 0.9), random_state=0).fit(A[:300], y[:300])
    ends = model.predict_interval(A[300:], 0.8)
    assert abs(model.check_coverage(A[300:], y[300:], 0.8).share - 0.8) < 0.07
    assert np.corrcoef(ends[:, 1] - ends[:, 0], A[300:, 0])[0, 1] > 0.99
    train = model.models_[0]
    assert [one[-1].quantile for one in (train.low, train.centre, train.high)] == [0.1, 0.5, 0.9]
    shift = ends[:, 1] - train.high.predict(A[300:])
    np.testing.assert_allclose(shift, train.low.predict(A[300:]) - ends[:, 0], atol=1e-12)
    np.testing.assert_allclose(shift, shift[0], atol=1e-12)
    np.testing.assert_array_equal(model.predict(A), train.centre.predict(A))


def test_ties_and_rounding():
    """Rows that lie exactly at the score of the quantile lie inside, although f + (y − f) need not be y."""
    y = np.repeat([0.1, 0.3, -0.7, 1e-17], 10)
    frozen = FrozenEstimator(LinearRegression().fit([[0.0], [1.0]], [1 / 3, 1 / 3]))
    model = ConformalRegressor(frozen).fit(np.zeros((40, 1)), y)
    for coverage in (0.2, 0.45, 0.7, 0.95):
        ends = model.predict_interval(np.zeros((40, 1)), coverage)
        k = -(-round(100 * coverage) * 41 // 100)
        assert ((ends[:, 0] <= y) & (y <= ends[:, 1])).sum() >= k
        assert np.abs(model.scores_[0] - (ends[0, 1] - 1 / 3)).min() < 1e-15
    assert model.certificate_.equal_scores == 36


def test_sums_that_are_rounded():
    """Where f + (y − f) is below y in doubles, a row at the end of its interval is inside all the same."""
    f, rng = 1 / 3, np.random.default_rng(0)
    lost = [y for y in rng.normal(size=200) if y > f and f + (y - f) < y]
    assert len(lost) > 5
    frozen = FrozenEstimator(LinearRegression().fit([[0.0], [1.0]], [f, f]))
    f = frozen.predict([[0.0]])[0]
    for y in (y for y in lost if f + (y - f) < y):
        rows = np.repeat([f, y], 20)
        ends = ConformalRegressor(frozen).fit(np.zeros((40, 1)), rows).predict_interval([[0.0]], 0.9)[0]
        assert ends[0] <= y <= ends[1]
        assert ends[1] - y < 1e-14


# ---- rows ----------------------------------------------------------------------------------------------------------------


def test_certificate_can_fail():
    """Calibration rows that trained the model, and scores that are no numbers."""
    from aprendiz.conformal.shared.calibration import certified
    from aprendiz.conformal.shared.fold_models import Division

    rows = np.arange(10)
    scores = [np.arange(5.0)]
    assert certified(scores, Division([(rows[5:], rows[:5])])).holds
    assert not certified(scores, Division([(rows[4:], rows[:5])])).holds
    assert not certified(scores * 2, Division([(rows[5:], rows[:5])] * 2)).holds  # judged twice
    assert not certified([np.array([1.0, np.nan])], None).holds

    class Overlapping(ShuffleSplit):
        def split(self, X, y=None, groups=None):
            yield rows, rows[:5]

    model = ConformalRegressor(LinearRegression(), cv=Overlapping(1)).fit(X[:10], Y[:10])
    assert not model.certificate_.holds


@pytest.mark.parametrize("method", ["split", "plus"])
def test_groups_stay_together(method):
    """Three rows of each group, equal in the target: a model that remembers them would have scores of 0."""
    group = np.repeat(np.arange(20), 3)
    A, y = group[:, None] + 0.0, RNG.normal(size=20)[group]
    learner = KNeighborsRegressor(1)
    apart = ConformalRegressor(learner, method=method, random_state=0).fit(A, y, groups=group)
    assert np.median(np.concatenate(apart.scores_)) > 0.1
    split = ConformalRegressor(learner, method=method, random_state=0).fit(A, y)
    assert np.median(np.concatenate(split.scores_)) == 0


def test_from_predictions():
    """Out-of-fold residuals around the model of all rows: what method "base" does."""
    base = ConformalRegressor(LinearRegression(), method="base", cv=KFold(3)).fit(X, Y)
    said = np.empty(60)
    for train, test in KFold(3).split(X):
        said[test] = LinearRegression().fit(X[train], Y[train]).predict(X[test])
    other = ConformalRegressor.from_predictions(LinearRegression().fit(X, Y), Y, said)
    np.testing.assert_allclose(other.predict_interval(X, 0.8), base.predict_interval(X, 0.8), rtol=1e-10)
    assert other.guarantee() == base.guarantee() == 0.0


def test_frames_and_files(tmp_path):
    """Names of columns are kept, and a saved predictor has the same intervals."""
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = ConformalRegressor(LinearRegression(), method="plus", conformity_score="normalized", random_state=0).fit(frame, Y)
    assert list(model.feature_names_in_) == ["a", "b"]
    save(model, tmp_path / "model.apz")
    again = load(tmp_path / "model.apz")
    np.testing.assert_array_equal(again.predict_interval(frame, 0.8), model.predict_interval(frame, 0.8))


@pytest.mark.parametrize(
    ("made", "y", "words"),
    [
        (ConformalRegressor(3), Y, "estimator must be a learner, such as LinearRegression"),
        (ConformalRegressor(LinearRegression()), np.c_[Y, Y], "y should be a 1d array"),
        (ConformalRegressor(LinearRegression()), None, "requires y to be passed"),
        (ConformalRegressor(LinearRegression(), conformity_score="quantile"), Y, "LinearRegression estimates no quantiles"),
        (ConformalRegressor(QuantileRegressor(), conformity_score="quantile", quantiles=(0.9, 0.1)), Y, "the lower one first"),
        (ConformalRegressor(LinearRegression(), method="plus", cv=1), Y, "cv = 1 folds cannot divide 60"),
        (ConformalRegressor(LinearRegression(), method="plus", cv=ShuffleSplit(3)), Y, "must test every row once"),
        (ConformalRegressor(LinearRegression(), cv=KFold(3)), Y, "needs a single split"),
        (ConformalRegressor(LinearRegression(), method="jackknife"), Y, "method of ConformalRegressor must be"),
        (ConformalRegressor(FrozenEstimator(Zero()), conformity_score="normalized"), Y, "freeze residual_estimator too"),
    ],
)
def test_refused(made, y, words):
    with pytest.raises((ValueError, TypeError), match=words):
        made.fit(X, y)


def test_every_row_a_fold():
    """The jackknife+: one row at a time."""
    model = ConformalRegressor(LinearRegression(), method="plus", cv=LeaveOneOut()).fit(X, Y)
    assert len(model.models_) == 60
    assert model.guarantee(0.9) == pytest.approx(0.8)
    assert stats.binom.cdf(round(60 * model.check_coverage(X, Y, 0.9).share), 60, 0.8) > 0.01
