"""Random forests: votes and out-of-bag answers by plain recomputation, more trees as more states, and what is refused."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
import sklearn.ensemble
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_score

import aprendiz
from aprendiz import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from aprendiz.core.sources.files import rows as open_file

CLASSIFIERS, REGRESSORS = (RandomForestClassifier, ExtraTreesClassifier), (RandomForestRegressor, ExtraTreesRegressor)


def noisy(rows=300, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 5))
    score = X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=rows)
    return X, np.array(["no", "perhaps", "yes"])[np.digitize(score, [-0.5, 0.7])]


# ---- what a forest is ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [*CLASSIFIERS, *REGRESSORS])
def test_few_classes_to_read(cls):
    """The purpose, the forest, the ensemble, and the two of the core that fit: no more stand between a forest and its `fit`."""
    ours = [one.__name__ for one in cls.__mro__ if one.__module__.startswith("aprendiz.")]
    purpose = "Classifier" if cls in CLASSIFIERS else "Regressor"
    assert ours == [cls.__name__, purpose, "RandomTrees", "Ensemble", "Iterative", "Learner"]


def test_names_by_purpose():
    """Probabilities belong to classifiers; what asks rows that were out of a bag, to ensembles that draw bags."""
    of_classes = ("predict_proba", "predict_log_proba", "staged_predict_proba")
    of_bags = ("oob_permutation_importance", "proximities", "outlier_scores")
    forests, boosted = (RandomForestClassifier(), RandomForestRegressor()), (AdaBoostClassifier(), AdaBoostRegressor())
    for model in (*forests, *boosted):
        assert all(hasattr(model, name) == (model.target == "classes") for name in of_classes)
        assert all(hasattr(model, name) == (model in forests) for name in of_bags)


# ---- votes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_votes_by_hand(cls):
    X, y = noisy()
    soft = cls(9, random_state=1, max_depth=3).fit(X, y)
    hard = cls(9, random_state=1, max_depth=3, voting="hard").fit(X, y)
    shares = np.array([tree.predict_proba(X) for tree in soft.estimators_])
    np.testing.assert_allclose(soft.predict_proba(X), shares.mean(axis=0), atol=1e-14)
    ballots = np.eye(3)[shares.argmax(axis=2)].sum(axis=0)
    np.testing.assert_allclose(hard.predict_proba(X), ballots / 9, atol=1e-14)
    np.testing.assert_array_equal(hard.predict(X), soft.classes_[ballots.argmax(axis=1)])  # ties: the first class
    assert (ballots.max(axis=1) < 9).any()


@pytest.mark.parametrize("cls", REGRESSORS)
@pytest.mark.parametrize("outputs", [1, 2])
def test_means_by_hand(cls, outputs):
    X, _ = noisy()
    y = np.column_stack([X[:, 0], X[:, 1] ** 2])[:, :outputs].squeeze()
    model = cls(6, random_state=1).fit(X, y)
    np.testing.assert_allclose(model.predict(X), np.mean([tree.predict(X) for tree in model.estimators_], axis=0), atol=1e-12)


def test_staged():
    X, y = noisy()
    model = RandomForestClassifier(6, random_state=1).fit(X, y)
    for number, (shares, answers) in enumerate(zip(model.staged_predict_proba(X), model.staged_predict(X), strict=True), 1):
        few = RandomForestClassifier(number, random_state=1).fit(X, y)
        np.testing.assert_allclose(shares, few.predict_proba(X), atol=1e-14)
        np.testing.assert_array_equal(answers, few.predict(X))


def test_costs_change_answers_and_questions():
    """Missing a rare class costs ten times more: it is answered more often, and the mean cost falls."""
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 4))
    y = (X[:, 0] + random.normal(size=2000) > 1.5).astype(int)
    costs = np.array([[0, 1], [10, 0]])
    plain, charged = (RandomForestClassifier(50, min_samples_leaf=5, random_state=0, costs=c) for c in (None, costs))
    train, test = slice(0, 1000), slice(1000, None)
    paid = [costs[y[test], model.fit(X[train], y[train]).predict(X[test])].mean() for model in (plain, charged)]
    assert paid[1] < 0.8 * paid[0]


def test_priors_move_the_shares():
    X, y = noisy()
    shares = [
        RandomForestClassifier(20, min_samples_leaf=10, random_state=0, priors=p).fit(X, y).predict_proba(X).mean(axis=0)
        for p in ([0.8, 0.1, 0.1], [0.1, 0.1, 0.8])
    ]
    assert shares[0][0] > 0.5 > shares[1][0]
    assert shares[1][2] > 0.5 > shares[0][2]


def test_balanced_subsample():
    """In every tree the classes weigh the same."""
    X, y = noisy()
    model = RandomForestClassifier(5, class_weight="balanced_subsample", random_state=0).fit(X, y)
    for number in range(5):
        np.testing.assert_allclose(model.forest_.tree(number).value[0, 0], [1 / 3] * 3, atol=1e-12)


# ---- out of the bag ------------------------------------------------------------------------------------------------------


def test_out_of_bag_by_hand():
    X, y = noisy()
    model = RandomForestClassifier(60, oob_score=True, random_state=1).fit(X, y)
    codes = np.searchsorted(model.classes_, y)
    total, votes, errors = np.zeros((len(X), 3)), np.zeros(len(X)), []
    for tree, bag in zip(model.estimators_, model.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(len(X)), bag)
        total[out] += tree.predict_proba(X[out])
        votes[out] += 1
        seen = votes > 0
        errors.append((total[seen].argmax(axis=1) != codes[seen]).mean())
    np.testing.assert_allclose(model.oob_decision_function_, total / votes[:, None], atol=1e-14)
    np.testing.assert_allclose(model.oob_errors_, errors, atol=1e-14)
    assert model.oob_score_ == pytest.approx(1 - errors[-1])
    confusion = pd.crosstab(codes, total.argmax(axis=1)).to_numpy()
    np.testing.assert_array_equal(model.oob_confusion_, confusion)
    assert model.n_never_out_ == 0


@pytest.mark.parametrize("costs", [None, [[0, 1, 1], [5, 0, 5], [1, 1, 0]]])
def test_out_of_bag_errors_with_weights_and_costs(costs):
    """The last error is that of the score: each row with its weight, each answer by the costs."""
    X, y = noisy()
    weight = np.random.default_rng(1).uniform(0.2, 3.0, len(y))
    model = RandomForestClassifier(60, oob_score=True, random_state=1, costs=costs).fit(X, y, weight)
    shares = model.oob_decision_function_
    decided = model.classes_[shares.argmax(axis=1) if costs is None else (shares @ costs).argmin(axis=1)]
    assert model.oob_errors_[-1] == pytest.approx(np.average(decided != y, weights=weight))
    assert model.oob_score_ == pytest.approx(1.0 - model.oob_errors_[-1])
    assert (decided != model.classes_[shares.argmax(axis=1)]).any() == (costs is not None)


def test_out_of_bag_numbers_by_hand():
    X, _ = noisy()
    y = X[:, 0] * X[:, 1]
    model = RandomForestRegressor(60, oob_score=True, random_state=1).fit(X, y)
    total, votes = np.zeros(len(X)), np.zeros(len(X))
    for tree, bag in zip(model.estimators_, model.estimators_samples_, strict=True):
        out = np.setdiff1d(np.arange(len(X)), bag)
        total[out] += tree.predict(X[out])
        votes[out] += 1
    np.testing.assert_allclose(model.oob_prediction_, total / votes, atol=1e-12)
    assert model.oob_errors_[-1] == pytest.approx(np.mean((total / votes - y) ** 2))
    assert model.oob_score_ == pytest.approx(1 - model.oob_errors_[-1] / y.var())


def test_out_of_bag_error_is_honest():
    """On the breast cancer table it is near the error by cross-validation, far from that on the rows of the fit."""
    X, y = load_breast_cancer(return_X_y=True)
    model = RandomForestClassifier(200, oob_score=True, random_state=0).fit(X, y)
    folds = cross_val_score(RandomForestClassifier(200, random_state=0), X, y, cv=5)
    assert model.score(X, y) == 1.0
    assert abs(model.oob_score_ - folds.mean()) < 2 * folds.std()


def test_rows_in_every_bag():
    X, y = noisy()
    with pytest.warns(UserWarning, match=r"\d+ of 300 rows were in the bag of every member"):
        model = RandomForestClassifier(3, oob_score=True, random_state=0).fit(X, y)
    never = np.isnan(model.oob_decision_function_).all(axis=1)
    assert model.n_never_out_ == never.sum() > 0
    answered = model.classes_[model.oob_decision_function_[~never].argmax(axis=1)]
    assert model.oob_score_ == pytest.approx((answered == y[~never]).mean())


def test_rows_without_weight_are_not_there():
    """Nor do they have an out-of-bag answer."""
    X, y = noisy()
    weight = np.random.default_rng(0).integers(0, 3, len(X)).astype(float)
    there = weight > 0
    whole = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X, y, sample_weight=weight)
    part = RandomForestClassifier(40, oob_score=True, random_state=0).fit(X[there], y[there], sample_weight=weight[there])
    np.testing.assert_array_equal(whole.predict_proba(X), part.predict_proba(X))
    assert np.isnan(whole.oob_decision_function_[~there]).all()
    np.testing.assert_array_equal(whole.oob_decision_function_[there], part.oob_decision_function_)
    assert there[np.concatenate(whole.estimators_samples_)].all()


def test_weights_are_probabilities():
    """A row of weight 3 is drawn three times as often as one of weight 1."""
    X, y = noisy(100)
    weight = np.where(np.arange(100) < 50, 3.0, 1.0)
    model = RandomForestClassifier(400, random_state=0, max_depth=1).fit(X, y, sample_weight=weight)
    drawn = np.bincount(np.concatenate(model.estimators_samples_), minlength=100)
    # 40 000 draws, three quarters of them among the first half: standard deviation √(40 000·3/16) = 87
    assert abs(drawn[:50].sum() - 30_000) < 4 * 87


# ---- more states ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [RandomForestClassifier, RandomForestRegressor])
def test_warm_start(cls):
    """Grown in two parts, the same forest with the same out-of-bag answers."""
    X, y = noisy()
    y = y if cls is RandomForestClassifier else X[:, 0]
    parts = cls(20, warm_start=True, oob_score=True, random_state=3).fit(X, y)
    parts.set_params(n_estimators=50).fit(X, y)
    whole = cls(50, oob_score=True, random_state=3).fit(X, y)
    assert parts.predict(X).tolist() == whole.predict(X).tolist()
    np.testing.assert_array_equal(parts.oob_errors_, whole.oob_errors_)
    with pytest.warns(UserWarning, match="does not fit new trees"):
        parts.fit(X, y)
    with pytest.raises(ValueError, match="n_estimators=10 must be larger or equal to the 50"):
        parts.set_params(n_estimators=10).fit(X, y)


def test_warm_start_with_other_data():
    """Other columns, other classes, or out-of-bag sums of other rows are refused."""
    X, y = noisy()
    first = RandomForestClassifier(30, oob_score=True, warm_start=True, random_state=0).fit(X, y).set_params(n_estimators=31)
    with pytest.raises(ValueError, match="which had 5 columns"):
        first.fit(X[:, :4], y)
    with pytest.raises(ValueError, match=r"classes \['no', 'perhaps', 'yes'\]"):
        first.fit(X, y == "no")
    with pytest.raises(ValueError, match=f"of {len(X)} rows, and now there are {len(X) - 1}"):
        first.fit(X[1:], y[1:])


def test_patience():
    """The fit ends when the out-of-bag error has not fallen for so many trees."""
    X, y = noisy()
    long = RandomForestClassifier(200, oob_score=True, random_state=0).fit(X, y)
    short = RandomForestClassifier(200, oob_score=True, random_state=0, patience=20).fit(X, y)
    count = len(short)
    assert 20 < count < 200
    np.testing.assert_array_equal(short.oob_errors_, long.oob_errors_[:count])
    errors = long.oob_errors_
    assert errors[count - 20 : count].min() >= errors[: count - 20].min()
    assert errors[count - 21 : count - 1].min() < errors[: count - 21].min()


def test_budget_keeps_the_trees_so_far():
    X, y = noisy()
    model = RandomForestClassifier(100_000, random_state=0)
    with aprendiz.training(budget=0.3), pytest.warns(ConvergenceWarning, match="time budget"):
        model.fit(X, y)
    assert 1 <= len(model) < 100_000
    small = RandomForestClassifier(len(model), random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), small.predict_proba(X))


def test_a_checkpoint_grows(tmp_path):
    """A larger forest goes on from the checkpoint of a smaller one."""
    X, y = noisy()
    seen = []
    with aprendiz.training(checkpoint=tmp_path):
        RandomForestClassifier(10, random_state=0).fit(X, y)
    with aprendiz.training(checkpoint=tmp_path, progress=lambda _, state: seen.append(state.iteration)):
        model = RandomForestClassifier(15, random_state=0).fit(X, y)
    assert seen == [10, 11, 12, 13, 14]
    whole = RandomForestClassifier(15, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), whole.predict_proba(X))


# ---- as others -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["RandomForestClassifier", "ExtraTreesClassifier"])
def test_as_good_as_scikit_learn(name):
    """Accuracy by cross-validation, within its own spread over seeds."""
    X, y = load_wine(return_X_y=True)
    scores = {}
    for library in (aprendiz, sklearn.ensemble):
        cls = getattr(library, name)
        scores[library] = [cross_val_score(cls(40, random_state=seed), X, y, cv=4).mean() for seed in range(3)]
    spread = max(np.std(found) for found in scores.values()) + 0.01
    assert abs(np.mean(scores[aprendiz]) - np.mean(scores[sklearn.ensemble])) < 3 * spread


@cache
def scores_of_diabetes(library, name, **options):
    X, y = load_diabetes(return_X_y=True)
    return [cross_val_score(getattr(library, name)(40, random_state=s, **options), X, y, cv=4).mean() for s in range(3)]


@pytest.mark.parametrize("name", ["RandomForestRegressor", "ExtraTreesRegressor"])
@pytest.mark.parametrize("exact", [True, False])
def test_numbers_as_good_as_scikit_learn(name, exact):
    ours, theirs = scores_of_diabetes(aprendiz, name, exact=exact), scores_of_diabetes(sklearn.ensemble, name)
    assert abs(np.mean(ours) - np.mean(theirs)) < 3 * max(np.std(ours), np.std(theirs), 0.01)


@pytest.mark.parametrize("cls", [*CLASSIFIERS, *REGRESSORS])
def test_certificate_says_what_bins_give_up(cls):
    """600 different values in 255 bins: those of equal shares, counted by hand."""
    x = np.random.default_rng(0).permutation(600).astype(float)
    y = (x > 300).astype(int)
    binned = cls(2, exact=False, random_state=0).fit(x[:, None], y).certificate_
    largest = np.bincount((np.arange(600) / 600 * 255).astype(int)).max()
    assert (binned.search, binned.largest_bin) == ("binned", largest)
    assert "largest_bin" in str(binned)
    exact = cls(2, exact=True, random_state=0).fit(x[:, None], y).certificate_
    assert exact.search == "exact"
    assert "largest_bin" not in exact.values


def test_importance_finds_the_columns():
    X, y = noisy(2000)
    parts = RandomForestClassifier(50, random_state=0).fit(X, y).feature_importances_
    assert parts.sum() == pytest.approx(1)
    assert set(np.argsort(parts)[-3:]) == {0, 1, 2}


def test_extra_trees_ask_at_random_places():
    """A threshold lies between the values of the node, not in the middle between two of them."""
    X = np.arange(100.0)[:, None]
    y = (X[:, 0] >= 50).astype(int)
    thresholds = [
        ExtraTreesClassifier(1, max_depth=1, random_state=seed).fit(X, y).forest_.nodes["threshold"][0] for seed in range(200)
    ]
    # uniform on [0, 99]: mean 49.5, standard deviation 28.6/√200 = 2.0
    assert abs(np.mean(thresholds) - 49.5) < 8
    assert min(thresholds) < 15 < 85 < max(thresholds)
    assert not np.isin(np.array(thresholds) * 2 % 1, [0.0]).any()


def test_from_a_file(tmp_path, monkeypatch):
    """A table too large to be read becomes codes as it is read; the forest is as good, and does not depend on row groups."""
    monkeypatch.setattr("aprendiz.tree.shared.decision_tree.GATHERED", 1000)
    X, y = noisy(6000)
    frame = pd.DataFrame(X, columns=list("abcde")).assign(y=y)
    forests = []
    for size in (1000, 6000):
        frame.to_parquet(tmp_path / f"{size}.parquet", row_group_size=size)
        opened = open_file(tmp_path / f"{size}.parquet", target="y")
        forests.append(RandomForestClassifier(40, random_state=0, oob_score=True).fit(opened))
    in_memory = RandomForestClassifier(40, random_state=0, oob_score=True, exact=False).fit(X, y)
    assert forests[0].search_ == "binned"
    np.testing.assert_array_equal(forests[0].oob_errors_, forests[1].oob_errors_)
    new = frame[list("abcde")]
    np.testing.assert_array_equal(forests[0].predict_proba(new), forests[1].predict_proba(new))
    assert abs(forests[0].oob_score_ - in_memory.oob_score_) < 0.02
    with pytest.raises(ValueError, match="exact=True needs the rows in memory"):
        RandomForestClassifier(2, exact=True).fit(open_file(tmp_path / "1000.parquet", target="y"))


# ---- what is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"oob_score": True, "bootstrap": False}, "Out of bag estimation only available if bootstrap=True"),
        ({"patience": 5, "bootstrap": False}, "patience uses the out-of-bag error"),
        ({"max_samples": 10, "bootstrap": False}, "max_samples is the size of a bootstrap sample"),
        ({"n_estimators": 0}, "n_estimators of RandomForestClassifier must be"),
        ({"monotonic_cst": [0, 1, 0, 0, 0]}, "monotonic_cst"),
        ({"costs": [[0, 1], [1, 0]]}, r"costs has shape \(2, 2\), but y has 3 classes"),
        ({"voting": "loud"}, "voting of RandomForestClassifier must be"),
    ],
)
def test_refused(settings, message):
    X, y = noisy(50)
    with pytest.raises(ValueError, match=message):
        RandomForestClassifier(**settings).fit(X, y)


def test_absolute_errors_of_several_targets():
    """A forest of one tree, without bags, is the tree: leaves predict the median of each target."""
    X, _ = noisy(80)
    y = np.column_stack([X[:, 0] ** 3, np.abs(X[:, 1])])
    forest = RandomForestRegressor(1, criterion="absolute_error", bootstrap=False, min_samples_leaf=10).fit(X, y)
    leaves = forest.apply(X)[:, 0]
    medians = {leaf: np.median(y[leaves == leaf], axis=0) for leaf in np.unique(leaves)}
    assert len(medians) > 2
    np.testing.assert_allclose(forest.predict(X), [medians[leaf] for leaf in leaves], rtol=1e-6)


def test_measurements_are_no_classes():
    X, _ = noisy(50)
    with pytest.raises(ValueError, match="continuous"):
        RandomForestClassifier(2).fit(X, X[:, 0])
