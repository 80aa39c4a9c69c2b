"""Embedded selection and two stages: entries into paths against other solvers, planted columns, files, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from sklearn import linear_model
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

import aprendiz as ap
from aprendiz.selection.importances.penalty_paths import entries, falling, standardised

random = np.random.default_rng(0)
X = random.normal(size=(90, 300))
Y = 2.0 * X[:, 3] - 1.5 * X[:, 8] + X[:, 21] + 0.3 * random.normal(size=90)
TWO, THREE = np.where(Y > 0, "high", "low"), np.digitize(Y, np.quantile(Y, [0.33, 0.66]))
PLANTED = {3, 8, 21}
METHODS = ["lasso", "shrunken_centroids", "tree", "forest"]


# ---- entries into the path -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [20, 150])
def test_entries_are_those_of_least_angles(columns):
    """scikit-learn's LARS gives the penalty of every entry exactly; the grid says it to a step."""
    Z = standardised(X[:, :columns])
    y = Y - Y.mean()
    alphas, _active, coefs = linear_model.lars_path(Z, y, method="lasso")
    penalties = falling(200, 0.05)
    found = entries(Z, y, None, penalties)
    first = np.array([alphas[np.flatnonzero(w)[0] - 1] if w.any() else 0.0 for w in coefs]) / alphas[0]
    step, seen = penalties[0] / penalties[1], first > 0.06
    assert seen.sum() >= 3
    ratio = found.entry[seen] / first[seen]
    assert (ratio < step * 1.0001).all()
    assert (ratio > 1 / step / 1.0001).all()
    assert (found.entry[first == 0] < 0.06).all()


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_entries_of_classes_are_those_of_scikit_learn(y):
    Z = standardised(X[:, :12])
    labels, codes = np.unique(y, return_inverse=True)
    penalties = falling(30, 0.1)
    found = entries(Z, codes, labels, penalties)
    apart = np.eye(len(labels))[codes] - np.bincount(codes) / len(codes)
    largest = np.abs(apart.T @ Z).max()
    for step in (6, 14, 29):
        model = linear_model.LogisticRegression(
            l1_ratio=1.0, C=1 / (largest * penalties[step]), solver="saga", tol=1e-8, max_iter=20_000
        ).fit(Z, codes)
        inside = (np.abs(model.coef_) > 1e-6).any(axis=0)
        assert np.array_equal(inside, found.step <= step)  # none of these leaves again


def test_standardised_columns_of_any_size():
    Z = standardised(X[:, :4] * np.array([1.0, 1e150, 1e-150, 0.0]) + np.array([0.0, 0.0, 0.0, 7.0]))
    assert np.allclose(Z[:, :3], standardised(X[:, :3]))
    assert not Z[:, 3].any()


# ---- methods ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_finds_planted_columns_of_classes(method, y):
    model = ap.EmbeddedSelection(method, keep=10).fit(X, y)
    assert {3, 8} <= set(model.order_)
    assert model.support_.sum() == 10
    assert model.ranking_[model.order_[0]] == 1
    auto = ap.EmbeddedSelection(method).fit(X, y)
    assert 3 in auto.order_
    assert auto.support_.sum() < 150


@pytest.mark.parametrize("method", ["lasso", "tree", "forest"])
def test_finds_planted_columns_of_a_quantity(method):
    model = ap.EmbeddedSelection(method).fit(X, Y)
    assert {3, 8} <= set(model.order_)
    assert model.classes_ is None


def test_order_of_the_lasso():
    assert ap.EmbeddedSelection("lasso", keep=3).fit(X, Y).order_.tolist() == [3, 8, 21]
    assert np.isfinite(ap.EmbeddedSelection("lasso", keep=300).fit(X, Y).scores_).all()


def test_keeping_a_share_and_a_threshold():
    assert ap.EmbeddedSelection("lasso", keep=0.1).fit(X, Y).support_.sum() == 30
    model = ap.EmbeddedSelection("lasso", keep=("threshold", 0.3)).fit(X, Y)
    assert np.array_equal(model.support_, model.scores_ >= 0.3)


def test_a_learner_with_importances():
    model = ap.EmbeddedSelection(linear_model.Ridge(), keep=3).fit(X, Y)
    assert set(model.order_) == PLANTED
    forest = ap.RandomForestRegressor(60, random_state=0)
    model = ap.EmbeddedSelection(forest, keep=2, importance_getter="oob_permutation").fit(X, Y)
    expected = clone(forest).fit(X, Y).oob_permutation_importance(X, Y, random_state=0).mean
    assert np.array_equal(model.scores_, expected)


def test_words_and_missing_cells_in_a_forest():
    frame = pd.DataFrame(X[:, :5], columns=list("abcde"))
    frame["word"] = np.where(Y > 0, "up", "down")
    frame.loc[::7, "a"] = np.nan
    model = ap.EmbeddedSelection("forest", keep=1, n_estimators=40).fit(frame, TWO)
    assert list(model.transform(frame).columns) == ["word"]


def test_estimators_checked():
    check_estimator(ap.EmbeddedSelection(keep=1))


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"estimator": "ridge"}, "must be one of lasso"),
        ({"estimator": 3}, "must be a learner"),
        ({"keep": 0}, "keep of EmbeddedSelection"),
        ({"keep": 1.5}, "keep of EmbeddedSelection"),
        ({"keep": 301}, "keep at most so many"),
        ({"keep": ("threshold", 2.0)}, "Lower the threshold"),
        ({"estimator": "shrunken_centroids"}, "compares classes"),
        ({"estimator": ap.Ridge(), "importance_getter": "oob_permutation"}, "needs a forest"),
    ],
)
def test_refused(told, words):
    with pytest.raises(ValueError, match=words):
        ap.EmbeddedSelection(**told).fit(X, Y)


def test_nothing_to_choose_is_said():
    noise = np.random.default_rng(5).normal(size=60)
    with pytest.raises(ValueError, match=r"No column is chosen.*Keep a number"):
        ap.EmbeddedSelection("lasso").fit(np.random.default_rng(4).normal(size=(60, 5)), noise)
    with pytest.raises(ValueError, match="in all rows"):
        ap.EmbeddedSelection("lasso").fit(X, np.full(90, 0.5))


# ---- two stages ------------------------------------------------------------------------------------------------------------


def test_two_stages():
    model = ap.TwoStageSelection(40, ap.EmbeddedSelection("lasso", keep=3)).fit(X, Y)
    assert model.order_.tolist() == [3, 8, 21]
    assert np.isnan(model.scores_).sum() == 260
    assert sorted(model.ranking_[model.order_].tolist()) == [1, 2, 3]
    assert model.ranking_.max() <= 300
    assert np.array_equal(model.transform(X), X[:, [3, 8, 21]])
    assert model.certificate_.second_stage == 40


def test_two_stages_of_a_file(tmp_path):
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(300)])
    frame["target"] = Y
    frame.to_parquet(tmp_path / "t.parquet")
    rows = ap.rows(tmp_path / "t.parquet", target="target")
    model = ap.TwoStageSelection(40, ap.EmbeddedSelection("lasso", keep=3)).fit(rows)
    assert model.get_feature_names_out().tolist() == ["x3", "x8", "x21"]


def test_second_stage_may_be_a_learner_or_a_wrapper():
    assert set(ap.TwoStageSelection(0.1, ap.Ridge()).fit(X, Y).order_) >= {3, 8}
    wrapper = ap.SequentialSelection(ap.Ridge(), n_features_to_select=2)
    assert ap.TwoStageSelection(20, wrapper).fit(X, Y).order_.tolist() == [3, 8]


def test_two_stages_checked():
    check_estimator(ap.TwoStageSelection(1.0, ap.EmbeddedSelection("lasso", keep=1)))


def test_two_stages_refused():
    with pytest.raises(ValueError, match="first must be a selector"):
        ap.TwoStageSelection(ap.Ridge()).fit(X, Y)


def test_many_columns_are_ranked_before_a_forest():
    wide, y = np.random.default_rng(0).normal(size=(80, 3000)), np.arange(80) % 2
    wide[:, :3] += 1.5 * y[:, None]
    model = ap.TwoStageSelection(0.02, ap.EmbeddedSelection("forest", keep=3, n_estimators=60)).fit(wide, y)
    assert len(set(model.order_) & {0, 1, 2}) >= 2


@pytest.mark.parametrize("estimator", ["tree", "forest"])
def test_columns_without_cells_come_last(estimator):
    """Also behind columns that lose by being there; and nobody gets one for the asking."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    y = (X[:, 3] + 0.3 * rng.normal(size=60) > 0).astype(int)
    X[:, 0] = np.nan
    model = ap.EmbeddedSelection(estimator, keep=4).fit(X, y)
    assert model.get_support().tolist() == [False, True, True, True, True]
    assert model.ranking_[0] == 5
    assert np.isnan(model.scores_[0])
    frame = pd.DataFrame({"empty": [None] * 60, **{f"x{k}": X[:, k] for k in range(1, 5)}})
    with pytest.warns(UserWarning, match="column 'empty': every cell is missing"):
        assert ap.EmbeddedSelection(estimator, keep=4).fit(frame, y).ranking_[0] == 5
    with pytest.raises(ValueError, match="keep=5, but only 4 of the 5 columns have a cell that is not missing"):
        ap.EmbeddedSelection(estimator, keep=5).fit(X, y)
