"""AdaBoost: weights, voices and answers by their formulas, the bounds it proves, and how a fit ends."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, make_friedman1
from sklearn.ensemble import AdaBoostClassifier as TheirClassifier
from sklearn.ensemble import AdaBoostRegressor as TheirRegressor
from sklearn.tree import DecisionTreeClassifier as TheirTree

from aprendiz import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GaussianNB,
    KNeighborsClassifier,
    KNeighborsRegressor,
)
from aprendiz.ensemble.ada_boost_classifier import mark_wrong, quantiles
from aprendiz.ensemble.ada_boost_regressor import weighted_medians
from aprendiz.ensemble.forest.tree_maker import TreeMaker
from aprendiz.ensemble.members.bags import Bags
from aprendiz.ensemble.members.boosting import bound
from aprendiz.ensemble.members.stump_maker import StumpMaker, needs_tables_only, tally
from aprendiz.tree.growth.coding import CodedTable
from aprendiz.tree.growth.plan import Plan


def table(kinds, rows=240, columns=4, seed=0):
    """Classes that no single column tells, and no ties."""
    rng = np.random.default_rng([seed, kinds])
    X = rng.normal(size=(rows, columns))
    centres = rng.normal(size=(kinds, columns))
    score = X @ centres.T + 0.7 * X[:, [0]] * X[:, [1]] * np.arange(kinds) + 0.8 * rng.normal(size=(rows, kinds))
    return X, score.argmax(axis=1)


def numbers(rows=200, seed=0):
    return make_friedman1(rows, n_features=6, noise=1.0, random_state=seed)


several = pytest.mark.parametrize("kinds", [2, 3, 5])
rates = pytest.mark.parametrize("rate", [0.3, 1.0, 1.5])


# ---- plain twins -----------------------------------------------------------------------------------------------------


def plain_stump(X, y, weight, kinds):
    """The question of least Gini impurity among all, by trying each; its answer for each row."""
    hot = np.eye(kinds)[y] * weight[:, None]
    best, answer = np.inf, None
    for column in X.T:
        values = np.unique(column)
        for cut in (values[1:] + values[:-1]) / 2:
            sides = [column <= cut, column > cut]
            sums = [hot[side].sum(axis=0) for side in sides]
            impurity = sum(s.sum() - (s * s).sum() / s.sum() for s in sums)
            if impurity < best - 1e-12:
                best, answer = impurity, np.where(sides[0], sums[0].argmax(), sums[1].argmax())
    return answer


def plain_samme(X, y, kinds, members, rate):
    """Weights after each member, errors, voices and decisions, by the formulas."""
    weight, decision = np.full(len(y), 1 / len(y)), np.zeros((len(y), kinds))
    weights, errors, member_weights, decisions = [], [], [], []
    for _ in range(members):
        said = plain_stump(X, y, weight, kinds)
        error = weight[said != y].sum()
        member_weight = rate * (np.log((1 - error) / error) + np.log(kinds - 1))
        weight = weight * np.exp(member_weight * (said != y))
        weight /= weight.sum()
        decision = decision + member_weight * np.where(np.eye(kinds)[said] == 1, 1, -1 / (kinds - 1))
        for entry, found in zip((weight, error, member_weight), (weights, errors, member_weights), strict=True):
            found.append(entry)
        decisions.append(decision / np.sum(member_weights))
    return weights, errors, member_weights, decisions


@several
@rates
def test_by_the_formulas(kinds, rate):
    """Weights, errors, voices and staged decisions are those of the formulas with the best of all stumps."""
    X, y = table(kinds, rows=40, columns=3)
    weights, errors, member_weights, decisions = plain_samme(X, y, kinds, 6, rate)
    model = AdaBoostClassifier(n_estimators=6, learning_rate=rate)
    states = list(model.steps(X, y))
    np.testing.assert_allclose([state.weight for state in states], weights, rtol=1e-9)
    model.fit(X, y)
    np.testing.assert_allclose(model.estimator_errors_, errors, rtol=1e-9)
    np.testing.assert_allclose(model.estimator_weights_, member_weights, rtol=1e-9)
    for ours, plain in zip(model.staged_decision_function(X), decisions, strict=True):
        np.testing.assert_allclose(ours, plain[:, 1] - plain[:, 0] if kinds == 2 else plain, atol=1e-9)


def plain_median(values, member_weights):
    """The least value such that the values up to it have half of the voices."""
    return min(v for v in values if member_weights[values <= v].sum() >= member_weights.sum() / 2)


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
@rates
def test_regression_by_the_formulas(loss, rate):
    """Drucker's loop with trees that are fitted one by one to the same bags."""
    X, y = numbers(90)
    model = AdaBoostRegressor(n_estimators=5, learning_rate=rate, loss=loss, random_state=3)
    states = list(model.steps(X, y))
    model.fit(X, y)
    weight, said = np.full(90, 1 / 90), []
    for number, state in enumerate(states):
        counts = Bags(3, 90, 90, True, weight, None, 90).counts(number)
        said.append(DecisionTreeRegressor(max_depth=3).fit(X, y, sample_weight=counts).predict(X))
        part = np.abs(said[-1] - y) / np.abs(said[-1] - y).max()
        part = {"linear": part, "square": part**2, "exponential": 1 - np.exp(-part)}[loss]
        error = weight @ part
        beta = error / (1 - error)
        weight = weight * beta ** (rate * (1 - part))
        weight /= weight.sum()
        assert model.estimator_errors_[number] == pytest.approx(error, rel=1e-9)
        assert model.estimator_weights_[number] == pytest.approx(rate * np.log(1 / beta), rel=1e-9)
        np.testing.assert_allclose(state.weight, weight, rtol=1e-9)
    expected = [plain_median(row, model.estimator_weights_) for row in np.column_stack(said)]
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-12)


def test_kernels_and_their_twins():
    """Tables of columns, wrong rows and medians as plain NumPy has them."""
    rng = np.random.default_rng(0)
    short, y, weight = (
        rng.integers(0, 256, (3, 500)).astype(np.uint8),
        rng.integers(0, 3, 500).astype(np.int32),
        rng.random(500),
    )
    cells, plain = np.full((3, 256, 5), 7.0), np.zeros((3, 256, 5))
    tally(short, np.array([0, 2]), y, weight, cells)
    for column in (0, 2):
        np.add.at(plain[column], (short[column], y), weight)
        plain[column, :, 3] = plain[column, :, :3].sum(axis=1)
        np.testing.assert_allclose(cells[column, :, :4], plain[column, :, :4], rtol=1e-13)
    assert (cells[1] == 7.0).all()
    assert (cells[:, :, 4] == 7.0).all()
    scores, loss = rng.integers(0, 3, (500, 3)) / 2, np.empty(500)  # many ties
    mark_wrong(scores, y, loss)
    np.testing.assert_array_equal(loss, scores.argmax(axis=1) != y)
    said, member_weights = rng.integers(0, 5, (50, 7)).astype(float), rng.integers(1, 4, 7).astype(float)
    np.testing.assert_array_equal(weighted_medians(said, member_weights), [plain_median(row, member_weights) for row in said])


def test_median_of_half_the_weights():
    """Where two entries have half of the voices each, the lower one is the median."""
    np.testing.assert_array_equal(weighted_medians(np.array([[2.0, 1.0], [1.0, 2.0]]), np.ones(2)), [1.0, 1.0])
    np.testing.assert_array_equal(weighted_medians(np.array([[3.0, 1.0, 2.0]]), np.array([2.0, 1.0, 1.0])), [2.0])


# ---- stumps ----------------------------------------------------------------------------------------------------------


@several
@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", "gain_ratio"])
@pytest.mark.parametrize("limits", [{}, {"min_samples_leaf": 40}, {"min_impurity_decrease": 0.02}, {"max_features": 2}])
def test_stumps_are_trees_of_depth_one(kinds, criterion, limits):
    """From tables of columns come the questions of the growth node by node: missing cells, ties and limits included."""
    rng = np.random.default_rng(kinds)
    X = np.round(rng.normal(size=(400, 5)), 1)
    X[:, 3] = X[:, 1]  # the first of two equal columns
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 4] = 1.0
    y, codes = rng.integers(0, kinds, 400).astype(np.int32), CodedTable.of(X, None, exact=True)
    parts = (codes, y, np.empty((0, 1)), np.ones(kinds), np.ones(kinds), Plan(criterion=criterion, max_depth=1, **limits))
    assert needs_tables_only(parts[-1], codes, kinds)
    for number in range(5):
        weight = rng.random(400) ** 3 + 1e-6
        asked = rng.integers(0, 400, 300).astype(np.int32)
        ours = StumpMaker(*parts).member(weight.copy(), 1, number, asked=asked)
        grown = TreeMaker(*parts).member(weight.copy(), 1, number, asked=asked)
        np.testing.assert_allclose(ours.said, grown.said, rtol=1e-12)
        for name in ("second", "feature", "missing", "threshold"):
            np.testing.assert_array_equal(ours.forest.nodes[name], grown.forest.nodes[name], err_msg=name)
        np.testing.assert_array_equal(ours.forest.leaf_rows, grown.forest.leaf_rows)
        np.testing.assert_allclose(ours.forest.value, grown.forest.value, rtol=1e-12)
        np.testing.assert_allclose(ours.forest.leaf_weight, grown.forest.leaf_weight, rtol=1e-12)
        np.testing.assert_allclose(ours.importance, grown.importance, rtol=1e-12)
        assert ours.impurity == pytest.approx(grown.impurity, rel=1e-6)
        assert ours.lost < 1e-12


def test_who_needs_tables_only():
    """Deeper trees, columns of words, of more than 255 values, and numbers as target go the long way."""
    X, plan = np.random.default_rng(0).normal(size=(300, 2)), Plan(criterion="gini", max_depth=1)
    binned = CodedTable.of(X, None, exact=False)
    assert needs_tables_only(plan, binned, 2)
    assert not needs_tables_only(plan, CodedTable.of(X, None, exact=True), 2)
    assert not needs_tables_only(plan, binned, 0)
    assert not needs_tables_only(Plan(criterion="gini", max_depth=2), binned, 2)
    assert not needs_tables_only(Plan(criterion="gini", max_depth=1, splitter="random"), binned, 2)


# ---- scikit-learn ----------------------------------------------------------------------------------------------------


@several
@pytest.mark.parametrize(("rate", "depth"), [(0.3, 1), (1.0, 1), (1.0, 2), (1.5, 1)])
def test_same_as_scikit_learn(kinds, rate, depth):
    """On data without ties everything agrees to rounding: members, answers, stages, importances."""
    X, y = table(kinds)
    parameters = {"n_estimators": 8, "learning_rate": rate}
    ours = AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), **parameters).fit(X, y)
    theirs = TheirClassifier(TheirTree(max_depth=depth), random_state=0, **parameters).fit(X, y)
    for name in ("estimator_errors_", "estimator_weights_", "feature_importances_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=1e-12, err_msg=name)
    for name in ("decision_function", "predict_proba", "predict_log_proba", "predict"):
        np.testing.assert_allclose(getattr(ours, name)(X), getattr(theirs, name)(X), rtol=1e-9, atol=1e-12, err_msg=name)
    for name in ("staged_decision_function", "staged_predict_proba", "staged_predict"):
        for here, there in zip(getattr(ours, name)(X), getattr(theirs, name)(X), strict=True):
            np.testing.assert_allclose(here, there, rtol=1e-9, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(list(ours.staged_score(X, y)), list(theirs.staged_score(X, y)))


@pytest.mark.parametrize("base", [TheirTree(max_depth=1, random_state=0), GaussianNB()], ids=["their tree", "naive Bayes"])
def test_other_base_learners(base):
    """Whatever takes weights can be a member; scikit-learn's class with the same members says the same."""
    X, y = table(3)
    ours = AdaBoostClassifier(base, n_estimators=5).fit(X, np.array(["a", "b", "c"])[y])
    theirs = TheirClassifier(base, n_estimators=5).fit(X, np.array(["a", "b", "c"])[y])
    assert len(ours) == len(ours.estimators_) == len(theirs.estimators_)
    assert type(ours.estimators_[0]) is type(base)
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_[: len(ours)], rtol=1e-9)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-9)
    assert ours.certificate_.holds
    assert hasattr(ours, "feature_importances_") == hasattr(base, "criterion")


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_regression_as_good_as_scikit_learn(loss):
    """Other random numbers, the same quality: the difference of the mean scores is within its own spread over seeds."""
    X, y = numbers(300)
    rest, truth = numbers(300, seed=9)
    scores = [
        [cls(n_estimators=10, loss=loss, random_state=seed).fit(X, y).score(rest, truth) for seed in range(5)]
        for cls in (AdaBoostRegressor, TheirRegressor)
    ]
    ours, theirs = np.mean(scores, axis=1)
    assert abs(ours - theirs) < 4 * np.hypot(*np.std(scores, axis=1, ddof=1)) / np.sqrt(5)


# ---- what is proved --------------------------------------------------------------------------------------------------


@several
@rates
@pytest.mark.parametrize("seed", range(2))
def test_the_bounds_hold_at_every_stage(kinds, rate, seed):
    """The part of the rows with v_y ≤ θ is at most B(θ), the training error at most B(½); the exponential loss is B(1/K)."""
    X, y = table(kinds, rows=120, seed=seed)
    weight = np.random.default_rng(seed).integers(1, 4, 120) / 2
    model = AdaBoostClassifier(n_estimators=12, learning_rate=rate).fit(X, y, sample_weight=weight)
    share, lost = weight / weight.sum(), np.zeros(120)
    stages = zip(model.estimators_, model.staged_predict(X), model.steps(X, y, weight), strict=True)
    for m, (member, answer, state) in enumerate(stages, 1):
        errors, member_weights = model.estimator_errors_[:m], model.estimator_weights_[:m]
        lost += member_weights[-1] * (member.predict(X) != y)
        own = 1 - lost / member_weights.sum()
        assert share[answer != y].sum() <= bound(errors, member_weights, 0.5) + 1e-12
        for theta in (0.1, 1 / kinds, 0.5, 0.7):
            assert share[own <= theta].sum() <= bound(errors, member_weights, theta) + 1e-12
        loss = share @ np.exp(lost - (1 - 1 / kinds) * member_weights.sum())
        assert state.objective == pytest.approx(loss, rel=1e-9)
        np.testing.assert_allclose(state.weight, share * np.exp(lost) / (share @ np.exp(lost)), rtol=1e-9)
        if kinds == 2 and rate == 1.0:
            assert bound(errors, member_weights, 0.5) == pytest.approx(np.prod(2 * np.sqrt(errors * (1 - errors))), rel=1e-12)
    certificate = model.certificate_
    assert certificate.holds
    assert certificate.error == pytest.approx(1 - model.score(X, y, weight))
    assert certificate.unheard == pytest.approx(share[own <= 1 / kinds].sum())
    assert certificate.bound == min(1.0, bound(model.estimator_errors_, model.estimator_weights_, 0.5))


@several
def test_the_loss_falls_with_every_member(kinds):
    """At learning_rate 1, by the factor K (e/(K − 1))^((K − 1)/K) (1 − e)^(1/K) ≤ 1."""
    X, y = table(kinds)
    objective = [1.0, *(state.objective for state in AdaBoostClassifier(n_estimators=20).steps(X, y))]
    errors = AdaBoostClassifier(n_estimators=20).fit(X, y).estimator_errors_
    factor = kinds * (errors / (kinds - 1)) ** ((kinds - 1) / kinds) * (1 - errors) ** (1 / kinds)
    assert (factor < 1).all()
    np.testing.assert_allclose(np.divide(objective[1:], objective[:-1]), factor, rtol=1e-9)


def test_more_classes_need_the_larger_bound():
    """With five classes the exponential loss B(1/K) does not bound the training error: a row with 0.3 of the voices for its
    class, and 0.4 for another, is wrong and has a small loss."""
    X, y = table(5, rows=400)
    found = AdaBoostClassifier(n_estimators=60, learning_rate=1.5).fit(X, y).certificate_
    assert found.holds
    assert found.unheard <= found.objective < found.error <= found.bound


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_rows_missed_by_the_largest_error(loss):
    """In each stage, the rows that the median misses by the largest error of the members so far weigh at most B(1 − κ/2)."""
    X, y = numbers(60)
    y[0] += 100.0  # missed by all
    model = AdaBoostRegressor(DecisionTreeRegressor(max_depth=1), n_estimators=8, loss=loss, random_state=0).fit(X, y)
    said, kappa = (
        np.column_stack([member.predict(X) for member in model.estimators_]),
        1 - np.exp(-1) if loss == "exponential" else 1,
    )
    for m, (answer, state) in enumerate(zip(model.staged_predict(X), model.steps(X, y), strict=True), 1):
        largest = np.abs(said[:, :m] - y[:, None]).max()
        limit = bound(model.estimator_errors_[:m], model.estimator_weights_[:m], 1 - kappa / 2)
        assert (np.abs(answer - y) >= largest).mean() <= limit
        assert state.objective == pytest.approx(limit)
        if m == 1:
            assert (np.abs(answer - y) >= largest).mean() == 1 / 60
    assert model.certificate_.holds


@several
def test_margins(kinds):
    """The votes for the true class less those for the next, from the answers of the members; quartiles by weight."""
    X, y = table(kinds, rows=90)
    model = AdaBoostClassifier(n_estimators=9).fit(X, np.array(list("abcde"))[y])
    members = zip(model.member_weights(), model.estimators_, strict=True)
    votes = sum(weight * (member.predict(X)[:, None] == model.classes_) for weight, member in members)
    shares = votes / model.estimator_weights_.sum()
    expected = [row[k] - np.delete(row, k).max() for row, k in zip(shares, y, strict=True)]
    found = model.margins(X, np.array(list("abcde"))[y])
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert ((found < 0) <= (model.predict(X) != model.classes_[y])).all()
    np.testing.assert_allclose(model.margins_, np.quantile(expected, np.linspace(0, 1, 5), method="inverted_cdf"), atol=1e-12)
    assert model.certificate_.least_margin == model.margins_[0]
    assert model.certificate_.median_margin == model.margins_[2]


def test_quantiles_count_weights_as_rows():
    """The quantiles of weighted values are those of repeated ones."""
    values, times = np.array([0.3, -0.2, 0.9, 0.1]), np.array([2, 1, 4, 1])
    parts = np.linspace(0, 1, 9)
    expected = np.quantile(np.repeat(values, times), parts, method="inverted_cdf")
    np.testing.assert_array_equal(quantiles(values, times / 8, parts), expected)


# ---- members and answers ---------------------------------------------------------------------------------------------


BASES = {
    "usual": None,
    "costs": DecisionTreeClassifier(max_depth=1, costs=[[0, 1, 1], [4, 0, 1], [1, 1, 0]]),
    "weights": DecisionTreeClassifier(max_depth=2, class_weight={0: 1.0, 1: 2.0, 2: 1.0}),
    "pruned": DecisionTreeClassifier(max_depth=3, pruning="pessimistic"),
    "entropy": DecisionTreeClassifier(max_depth=2, criterion="entropy", min_samples_leaf=5),
}


@pytest.mark.parametrize("base", BASES.values(), ids=BASES.keys())
def test_members_say_what_is_counted(base):
    """The errors are those of the members' own answers under the weights of their turn, and so are the decisions."""
    X, y = table(3)
    model = AdaBoostClassifier(base, n_estimators=6).fit(X, y)
    weight, votes = np.full(240, 1 / 240), np.zeros((240, 3))
    for member, error, state in zip(model.estimators_, model.estimator_errors_, model.steps(X, y), strict=True):
        said = member.predict(X)
        assert error == pytest.approx(weight[said != y].sum(), rel=1e-9)
        weight = state.weight
        votes += state.member_weights[-1] * np.eye(3)[said]
    np.testing.assert_array_equal(model.predict(X), votes.argmax(axis=1))


def test_many_rows_are_binned():
    """Beyond 4 096 rows stumps cut between bins; the errors still are those of the members' answers."""
    X, y = table(2, rows=5000)
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    assert model.search_ == "binned"
    weight = np.full(5000, 1 / 5000)
    for member, error, state in zip(model.estimators_, model.estimator_errors_, model.steps(X, y), strict=True):
        assert error == pytest.approx(weight[member.predict(X) != y].sum(), rel=1e-9)
        weight = state.weight
    exact = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1, exact=True), n_estimators=5).fit(X, y)
    assert exact.search_ == "exact"
    np.testing.assert_allclose(model.estimator_errors_, exact.estimator_errors_, atol=0.01)


@pytest.mark.parametrize("cls", [AdaBoostClassifier, AdaBoostRegressor])
def test_stages_end_at_the_answer(cls):
    """The last stage is the whole ensemble, and the first m stages are an ensemble of m members."""
    X, y = table(3) if cls is AdaBoostClassifier else numbers()
    model, shorter = (cls(n_estimators=m, random_state=0).fit(X, y) for m in (7, 4))
    stages = list(model.staged_predict(X))
    np.testing.assert_array_equal(stages[-1], model.predict(X))
    np.testing.assert_array_equal(stages[3], shorter.predict(X))
    assert list(model.staged_score(X, y))[-1] == pytest.approx(model.score(X, y))
    if cls is AdaBoostClassifier:
        np.testing.assert_array_equal(list(model.staged_decision_function(X))[-1], model.decision_function(X))
        np.testing.assert_array_equal(list(model.staged_predict_proba(X))[-1], model.predict_proba(X))


@several
def test_weights_are_repeated_rows(kinds):
    """A row of weight 3 is three rows, a row of weight 0 is none."""
    X, y = table(kinds, rows=80)
    times = np.random.default_rng(1).integers(0, 4, 80)
    weighted = AdaBoostClassifier(n_estimators=8).fit(X, y, sample_weight=times / 2)
    repeated = AdaBoostClassifier(n_estimators=8).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.estimator_errors_, repeated.estimator_errors_, rtol=1e-9)
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-9)
    np.testing.assert_allclose(weighted.margins_, repeated.margins_, atol=1e-9)


def test_words_and_missing_cells():
    """Columns of words are asked about as they are; a stump can take any set of levels."""
    rng = np.random.default_rng(0)
    words, x = rng.choice(["red", "green", "blue", "grey"], 300), rng.normal(size=300)
    y = np.where((np.isin(words, ["red", "blue"]) & (x > -0.5)) | (x > 1), "yes", "no")
    frame = pd.DataFrame({"colour": words, "x": np.where(rng.random(300) < 0.1, np.nan, x)})
    model = AdaBoostClassifier(n_estimators=20).fit(frame, y)
    asked = model.forest_.nodes["feature"] == 0
    assert asked.any()
    assert np.isnan(model.forest_.nodes["threshold"][asked]).all()
    assert model.score(frame, y) > 0.9
    assert model.certificate_.holds


# ---- how a fit ends --------------------------------------------------------------------------------------------------


def test_a_perfect_member():
    """A member without errors gets the weight 1, and is the last."""
    X, y = np.arange(20.0).reshape(-1, 1), np.repeat([0, 1], 10)
    model = AdaBoostClassifier(n_estimators=9).fit(X, y)
    theirs = TheirClassifier(n_estimators=9).fit(X, y)
    assert (len(model), model.estimator_errors_[0], model.estimator_weights_[0]) == (1, 0.0, 1.0)
    assert model.stopped_ == "member 1 has no loss on any row, so that nothing is left to weigh"
    np.testing.assert_array_equal(model.decision_function(X), theirs.decision_function(X))
    np.testing.assert_array_equal(model.margins_, np.ones(5))
    assert model.certificate_.error == 0
    full = AdaBoostClassifier(DecisionTreeClassifier(), n_estimators=9).fit(*table(3))
    assert len(full) == 1


def test_a_perfect_member_later():
    """The members before it keep their voices."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]], float)
    y = np.array([0, 0, 1, 1, 0, 0])
    model = AdaBoostRegressor(DecisionTreeRegressor(), n_estimators=40, random_state=0).fit(X, y)
    assert 1 < len(model) < 40
    assert model.estimator_errors_[-1] == 0.0
    assert model.estimator_weights_[-1] == 1.0
    assert model.stopped_.startswith(f"member {len(model)} has no loss")
    assert model.certificate_.holds


def test_chance_first():
    """A first member that is no better than chance is refused, with its name, its error and a remedy."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float), np.array(["a", "b", "b", "a"])
    with pytest.raises(ValueError, match=r"DecisionTreeClassifier\) is wrong on 0\.5 .* 2 classes.* Use a more flexible"):
        AdaBoostClassifier().fit(X, y)
    deeper = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2)).fit(X, y)
    np.testing.assert_array_equal(deeper.predict(X), y)


def test_chance_later():
    """A later one is left out, and the ensemble so far is the model: one column of zeros and ones has one stump to give."""
    X, y = np.array([[0], [0], [0], [1], [1], [1]], float), np.array([0, 0, 1, 1, 1, 0])
    model = AdaBoostClassifier(n_estimators=9).fit(X, y)
    assert len(model) == 1
    assert model.estimator_errors_[0] == pytest.approx(1 / 3)
    assert model.estimator_weights_[0] == pytest.approx(np.log(2))
    assert model.stopped_ == "member 2 would be no better than chance"
    np.testing.assert_array_equal(model.predict(X), X[:, 0])


def test_chance_first_in_regression():
    """A single regressor is a model: it is kept, as in scikit-learn."""
    X, y = np.zeros((4, 1)), np.array([0.0, 0.0, 1.0, 1.0])
    model = AdaBoostRegressor(random_state=0).fit(X, y)
    assert (len(model), model.estimator_weights_[0]) == (1, 0.0)
    assert model.stopped_ == "the first member is no better than chance"
    np.testing.assert_array_equal(model.predict(X), model.estimators_[0].predict(X))
    assert model.feature_importances_.shape == (1,)


def test_many_members():
    """Rows that are always right weigh next to nothing, but something: hundreds of members have weights, and no NaN."""
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=200, learning_rate=2.0)
    *_, last = model.steps(X, y)
    assert last.weight.sum() == pytest.approx(1.0)
    assert (last.weight > 0).all()
    assert np.isfinite(last.member_weights).all()
    assert len(last.member_weights) == 200


@several
def test_steps_that_are_far_too_large(kinds):
    """Whatever the learning rate, weights and answers are numbers; the bound just says nothing."""
    X, y = table(kinds)
    model = AdaBoostClassifier(n_estimators=10, learning_rate=1e5).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.certificate_.bound == 1.0
    assert model.certificate_.holds


@pytest.mark.parametrize("cls", [AdaBoostClassifier, AdaBoostRegressor])
def test_warm_start(cls):
    """More members of the same fit, with the bits of a fit that had them at once; other rows are refused."""
    X, y = table(3) if cls is AdaBoostClassifier else numbers()
    model = cls(n_estimators=3, random_state=0, warm_start=True).fit(X, y)
    model.set_params(n_estimators=8).fit(X, y)
    whole = cls(n_estimators=8, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.estimator_errors_, whole.estimator_errors_)
    np.testing.assert_array_equal(model.predict(X), whole.predict(X))
    with pytest.raises(ValueError, match=rf"weights of the {len(y)} rows .* now there are 50"):
        model.set_params(n_estimators=9).fit(X[:50], y[:50])


# ---- bad input -------------------------------------------------------------------------------------------------------


def test_members_without_weights():
    """A classifier that ignores weights cannot be boosted; a regressor learns from bags, which need none."""
    X, y = table(2)
    with pytest.raises(ValueError, match=r"KNeighborsClassifier .* sample_weight\. Choose a base learner that takes weights"):
        AdaBoostClassifier(KNeighborsClassifier()).fit(X, y)
    X, y = numbers()
    model = AdaBoostRegressor(KNeighborsRegressor(), n_estimators=3, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.5
    with pytest.raises(AttributeError, match="KNeighborsRegressor"):
        _ = model.feature_importances_


def test_targets_of_the_wrong_kind():
    """Numbers in a classifier, several targets in a regressor, words in a regressor."""
    X, y = numbers()
    with pytest.raises(ValueError, match="Unknown label type"):
        AdaBoostClassifier().fit(X, y)
    with pytest.raises(ValueError, match=r"2 targets .* an AdaBoostRegressor for each"):
        AdaBoostRegressor().fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="needs numbers"):
        AdaBoostRegressor().fit(X, np.where(y > 10, "high", "low"))


@pytest.mark.parametrize("rate", [0.0, -1.0, np.nan, np.inf])
def test_bad_learning_rate(rate):
    """A learning rate is above 0, and finite."""
    with pytest.raises(ValueError, match="learning_rate of AdaBoostClassifier must be a number above 0"):
        AdaBoostClassifier(learning_rate=rate).fit(*table(2))
