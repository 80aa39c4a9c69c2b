"""Bagging: bags, votes, out-of-bag answers and columns, for trees in a forest and for members of any kind."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import ensemble as theirs
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import BaggingClassifier as TheirBagging
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as TheirLogistic
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier as TheirTree

import aprendiz
from aprendiz import (
    CART,
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GaussianNB,
    KNeighborsClassifier,
    KNeighborsRegressor,
    LinearRegression,
    LogisticRegression,
    RandomForestClassifier,
    RandomForestRegressor,
)
from aprendiz.ensemble.members.any_members import grows_in_forest
from aprendiz.ensemble.members.bags import Bags
from aprendiz.ensemble.members.model_maker import ModelMaker, bag, seed_copy

IRIS, KINDS = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[KINDS]
RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 5))
Y = np.where(X[:, 0] + X[:, 1] + RNG.normal(size=120) > 0, "yes", "no")
Z = X @ [3.0, -2.0, 1.0, 0.0, 0.0] + RNG.normal(size=120)
FRAME = pd.DataFrame({"tree": np.array(["ash", "birch", "cedar"])[KINDS], "length": IRIS[:, 0], "width": IRIS[:, 1]})

bases = pytest.mark.parametrize(
    "base",
    [None, DecisionTreeClassifier(max_depth=3), TheirTree(max_depth=3), KNeighborsClassifier(3), GaussianNB(), SVC()],
    ids=["usual", "tree", "their tree", "neighbours", "naive Bayes", "SVC"],
)


# ---- bags ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [30, 500])
def test_368(n):
    """The share of the rows out of a bootstrap bag is (1 − 1/n)ⁿ on average, to within four standard errors."""
    members = 300
    table = np.arange(float(n))[:, None]
    model = BaggingRegressor(DecisionTreeRegressor(max_depth=1), members, random_state=0).fit(table, table[:, 0])
    out = np.array([len(model.bags_.left_out(number)) for number in range(members)]) / n
    assert abs(out.mean() - (1 - 1 / n) ** n) <= 4 * out.std() / np.sqrt(members)
    assert out.std() > 0


def test_bags_are_functions_of_seed_and_number():
    """A member has the same bag in every ensemble of that seed, and other bags than its neighbours."""
    few, many = (BaggingClassifier(GaussianNB(), m, random_state=7).fit(X, Y) for m in (3, 6))
    for number in range(3):
        assert np.array_equal(few.estimators_samples_[number], many.estimators_samples_[number])
    assert len({tuple(rows) for rows in many.estimators_samples_}) == 6
    other = BaggingClassifier(GaussianNB(), 3, random_state=8).fit(X, Y)
    assert not np.array_equal(few.estimators_samples_[0], other.estimators_samples_[0])


def test_pasting():
    """Without replacement a bag holds different rows, as many as asked for, and in the end all of them are used."""
    model = BaggingClassifier(n_estimators=30, bootstrap=False, max_samples=40, random_state=0).fit(X, Y)
    for rows in model.estimators_samples_:
        assert len(rows) == len(set(rows)) == 40
    assert set(np.concatenate(model.estimators_samples_)) == set(range(120))
    whole = BaggingClassifier(n_estimators=3, bootstrap=False, random_state=0).fit(X, Y)
    assert all(np.array_equal(rows, np.arange(120)) for rows in whole.estimators_samples_)


@bases
@pytest.mark.parametrize("bootstrap", [True, False])
def test_weights_are_probabilities(base, bootstrap):
    """A row of weight 0 is never drawn, a heavy one often; members do not see the weights."""
    weight = np.where(np.arange(120) % 3 == 0, 0.0, 1.0)
    weight[1] = 30.0
    model = BaggingClassifier(base, 12, max_samples=20, bootstrap=bootstrap, random_state=0)
    if bootstrap:
        model.fit(X, Y, weight)
    else:
        with pytest.warns(UserWarning, match=r"sample_weight.*bootstrap=True"):
            model.fit(X, Y, weight)
    drawn = np.concatenate(model.estimators_samples_)
    assert (drawn % 3 != 0).all()
    times = np.bincount(drawn, minlength=120)
    assert times[1] == times.max() > 2 * times[2:].max() or not bootstrap
    assert all(len(rows) == 20 for rows in model.estimators_samples_)


def test_heavy_rows_without_repetitions():
    """Without repetitions too, a heavy row is in nearly every bag, and one that weighs little in few."""
    weight = np.array([30.0, *np.ones(38), 0.01])
    bags = Bags(0, 40, 10, False, weight, None, 40)
    times = sum(bags.counts(member) for member in range(200))
    assert times[0] > 190
    assert times[-1] < 10
    assert times.sum() == 2000


def test_columns():
    """Members see max_features columns; drawn with replacement some come twice."""
    model = BaggingClassifier(GaussianNB(), 40, max_features=3, random_state=0).fit(X, Y)
    for member, columns in zip(model.estimators_, model.estimators_features_, strict=True):
        assert len(columns) == len(set(columns)) == member.n_features_in_ == 3
    assert set(np.concatenate(model.estimators_features_)) == set(range(5))
    repeated = BaggingClassifier(GaussianNB(), 40, bootstrap_features=True, random_state=0).fit(X, Y)
    sizes = {len(set(columns)) for columns in repeated.estimators_features_}
    assert {len(columns) for columns in repeated.estimators_features_} == {5}
    assert min(sizes) < 5


# ---- the vote --------------------------------------------------------------------------------------------------------


def shares_by_hand(model, rows):
    """The mean of the members' own answers, aligned to all classes."""
    total = np.zeros((len(rows), len(model.classes_)))
    for member, columns in zip(model.estimators_, model.estimators_features_, strict=True):
        table = rows[:, columns]
        if model.voting == "soft" and hasattr(member, "predict_proba"):
            total[:, np.searchsorted(model.classes_, member.classes_)] += member.predict_proba(table)
        else:
            total += member.predict(table)[:, None] == model.classes_
    return total / len(model.estimators_)


@bases
@pytest.mark.parametrize("voting", ["soft", "hard"])
@pytest.mark.parametrize("max_features", [1.0, 2])
def test_votes_by_hand(base, voting, max_features):
    """Probabilities are the mean of the members' answers, or of their votes; the answer is the largest, the first if tied."""
    model = BaggingClassifier(base, 4, voting=voting, max_features=max_features, random_state=1).fit(IRIS, NAMES)
    expected = shares_by_hand(model, IRIS)
    np.testing.assert_allclose(model.predict_proba(IRIS), expected, atol=1e-12)
    assert np.array_equal(model.predict(IRIS), model.classes_[model.predict_proba(IRIS).argmax(axis=1)])
    *_, last = model.staged_predict_proba(IRIS)
    np.testing.assert_allclose(last, expected, atol=1e-12)


class Stubborn(ClassifierMixin, BaseEstimator):
    """A classifier that gives one of two answers, by its random number."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[self.random_state % 2])


def test_ties_go_to_the_first_class():
    """With as many votes for each class, the answer is the first."""
    for seed in range(40):
        model = BaggingClassifier(Stubborn(), 2, random_state=seed).fit(X, Y)
        said = [member.predict(X[:1])[0] for member in model.estimators_]
        if len(set(said)) == 2:
            assert model.predict(X[:1])[0] == "no"
            return
    raise AssertionError("no seed made a tie")


@pytest.mark.parametrize("base", [None, DecisionTreeRegressor(max_depth=3), KNeighborsRegressor(), LinearRegression()])
@pytest.mark.parametrize("outputs", [1, 2])
def test_means_by_hand(base, outputs):
    """A regressor answers the mean of its members, for each output."""
    y = Z if outputs == 1 else np.column_stack([Z, X[:, 1]])
    model = BaggingRegressor(base, 5, max_features=3, random_state=0).fit(X, y)
    pairs = zip(model.estimators_, model.estimators_features_, strict=True)
    expected = np.mean([member.predict(X[:, columns]) for member, columns in pairs], axis=0)
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-12, atol=1e-12)
    assert model.predict(X).shape == y.shape


def test_decision_function():
    """The mean of the members' decision functions, where they have one; a bag that lacks a class has none."""
    model = BaggingClassifier(SVC(), 3, random_state=0).fit(X, Y)
    expected = np.mean([member.decision_function(X) for member in model.estimators_], axis=0)
    np.testing.assert_allclose(model.decision_function(X), expected, rtol=1e-12)
    assert not hasattr(BaggingClassifier(), "decision_function")
    few = BaggingClassifier(SVC(), 20, max_samples=3, random_state=0).fit(IRIS, NAMES)
    with pytest.raises(ValueError, match=r"Member \d+ saw \d of 3 classes"):
        few.decision_function(IRIS)


def test_a_member_votes_as_it_would_answer():
    """A hard vote is the answer of the member, costs and all; a soft one is weighed with the costs of the tree."""
    for missing in ("own", "fractional"):  # in a forest, and beside it
        base = DecisionTreeClassifier(max_depth=2, missing=missing, costs=[[0.0, 5.0], [1.0, 0.0]])
        hard, soft = (BaggingClassifier(base, 5, voting=voting, random_state=0).fit(X, Y) for voting in ("hard", "soft"))
        np.testing.assert_allclose(hard.predict_proba(X), shares_by_hand(hard, X), atol=1e-12)
        costs = shares_by_hand(soft, X) @ [[0.0, 5.0], [1.0, 0.0]]
        assert np.array_equal(soft.predict(X), soft.classes_[costs.argmin(axis=1)])
        assert (soft.predict(X) == "no").sum() > (soft.predict_proba(X).argmax(axis=1) == 0).sum()


def test_bags_that_lack_classes():
    """Small bags may hold two classes or one; the members answer among those, and the shares still add to 1. Who refuses a
    single class is replaced by one who always says it."""
    for base in (LogisticRegression(), KNeighborsClassifier(1), SVC(), DecisionTreeClassifier(missing="fractional")):
        model = BaggingClassifier(base, 30, max_samples=2, random_state=0).fit(IRIS, NAMES)
        refuses = getattr(base, "least_classes", 2) == 2
        assert any(isinstance(member, DummyClassifier) for member in model.estimators_) == refuses
        assert any(len(member.classes_) == 1 for member in model.estimators_)
        np.testing.assert_allclose(model.predict_proba(IRIS), shares_by_hand(model, IRIS), atol=1e-12)
        np.testing.assert_allclose(model.predict_proba(IRIS).sum(axis=1), 1.0)


# ---- out of bag ------------------------------------------------------------------------------------------------------


@bases
@pytest.mark.parametrize("voting", ["soft", "hard"])
def test_out_of_bag_by_hand(base, voting):
    """Every row is answered by the members whose bag lacks it: shares, errors of every size, confusion and score."""
    model = BaggingClassifier(base, 25, oob_score=True, voting=voting, max_features=3, random_state=0).fit(IRIS, NAMES)
    total, seen = np.zeros((150, 3)), np.zeros(150)
    for number, rows in enumerate(model.estimators_samples_):
        out = np.setdiff1d(np.arange(150), rows)
        member, columns = model.estimators_[number], model.estimators_features_[number]
        table = IRIS[out][:, columns]
        if voting == "soft" and hasattr(member, "predict_proba"):
            total[out] += member.predict_proba(table)
        else:
            total[out] += member.predict(table)[:, None] == model.classes_
        seen[out] += 1
        wrong = (model.classes_[total.argmax(axis=1)] != NAMES)[seen > 0]
        assert model.oob_errors_[number] == pytest.approx(wrong.mean(), abs=1e-12)
    np.testing.assert_allclose(model.oob_decision_function_, total / seen[:, None], atol=1e-12)
    assert model.oob_score_ == pytest.approx(1 - model.oob_errors_[-1])
    assert model.oob_confusion_.sum() == 150
    assert np.trace(model.oob_confusion_) == pytest.approx(150 * model.oob_score_)
    assert model.n_never_out_ == 0


@pytest.mark.parametrize("base", [None, KNeighborsRegressor()])
def test_out_of_bag_numbers_by_hand(base):
    """The same for numbers: out-of-bag means, R², mean squared errors."""
    model = BaggingRegressor(base, 30, oob_score=True, random_state=0).fit(X, Z)
    said = np.full((30, 120), np.nan)
    for number, rows in enumerate(model.estimators_samples_):
        out = np.setdiff1d(np.arange(120), rows)
        said[number, out] = model.estimators_[number].predict(X[out])
    expected = np.nanmean(said, axis=0)
    np.testing.assert_allclose(model.oob_prediction_, expected, rtol=1e-12)
    assert model.oob_errors_[-1] == pytest.approx(np.mean((expected - Z) ** 2))
    assert model.oob_score_ == pytest.approx(1 - np.sum((expected - Z) ** 2) / np.sum((Z - Z.mean()) ** 2))


def test_rows_never_out():
    """With few members some rows are in every bag: they are counted, their answer is NaN, and a warning says so."""
    with pytest.warns(UserWarning, match="rows were in the bag of every member"):
        model = BaggingClassifier(n_estimators=2, oob_score=True, random_state=0).fit(X, Y)
    never = np.isin(np.arange(120), model.estimators_samples_[0]) & np.isin(np.arange(120), model.estimators_samples_[1])
    assert model.n_never_out_ == never.sum() > 0
    assert np.array_equal(np.isnan(model.oob_decision_function_).all(axis=1), never)


def test_out_of_bag_of_pasting():
    """Pasting leaves rows out too, unless it takes all of them: then it is refused with scikit-learn's words."""
    model = BaggingClassifier(n_estimators=25, bootstrap=False, max_samples=0.5, oob_score=True, random_state=0).fit(X, Y)
    assert model.n_never_out_ == 0
    assert 0.5 < model.oob_score_ < 1
    for options in ({"oob_score": True}, {"patience": 3}):
        with pytest.raises(ValueError, match="Out of bag estimation only available if bootstrap=True"):
            BaggingClassifier(bootstrap=False, **options).fit(X, Y)


@pytest.mark.filterwarnings("ignore:.*in the bag of every member")
def test_patience():
    """The fit stops when the out-of-bag error has not fallen for so many members."""
    model = BaggingClassifier(GaussianNB(), 200, patience=5, random_state=0).fit(X, Y)
    errors = model.oob_errors_
    assert len(model) == len(errors) < 200
    assert errors[:-5].min() <= errors[-5:].min()


def test_own_score():
    """A function of truth and answer may judge."""
    model = BaggingClassifier(n_estimators=30, oob_score=lambda t, a: float(np.mean(t == a)) + 1, random_state=0).fit(X, Y)
    assert model.oob_score_ == pytest.approx(2 - model.oob_errors_[-1])


# ---- trees -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [120, 5000], ids=["exact", "binned"])
def test_bagged_trees_are_a_forest(rows):
    """Bagging of trees is a random forest whose nodes look at all columns: the same trees, the same answers."""
    rng = np.random.default_rng(rows)
    table = rng.normal(size=(rows, 4))
    y = (table[:, 0] + rng.normal(size=rows) > 0).astype(int)
    bags = BaggingClassifier(n_estimators=4, random_state=5).fit(table, y)
    forest = RandomForestClassifier(4, max_features=None, random_state=5).fit(table, y)
    assert np.array_equal(bags.forest_.nodes, forest.forest_.nodes)
    assert np.array_equal(bags.predict_proba(table), forest.predict_proba(table))
    assert bags.search_ == forest.search_ == ("exact" if rows <= 4096 else "binned")
    numbers = table[:, 1] + rng.normal(size=rows)
    ours, other = (
        kind(n_estimators=4, random_state=5).fit(table, numbers) for kind in (BaggingRegressor, RandomForestRegressor)
    )
    assert np.array_equal(ours.predict(table), other.predict(table))


@pytest.mark.parametrize(
    "options",
    [
        {"class_weight": {"yes": 5.0, "no": 1.0}},
        {"priors": [0.9, 0.1]},
        {"costs": [[0.0, 1.0], [4.0, 0.0]]},
        {"ccp_alpha": 0.02},
        {"max_leaf_nodes": 6, "min_samples_leaf": 3},
        {"criterion": "entropy", "max_depth": 3},
        {"class_weight": "balanced"},
    ],
    ids=str,
)
def test_trees_in_a_forest_are_the_trees(options):
    """A tree in the forest is the tree that the base learner fits to the rows of the bag, with its own weights and costs."""
    base = DecisionTreeClassifier(**options)
    assert grows_in_forest(base)
    model = BaggingClassifier(base, 3, random_state=0).fit(X, Y)
    assert not model.models_
    if "priors" in options or options.get("class_weight") == "balanced":  # shares of the whole table, not of the bag
        model = BaggingClassifier(base, 3, bootstrap=False, random_state=0).fit(X, Y)
    for tree, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        weight = np.bincount(rows, minlength=120)
        alone = DecisionTreeClassifier(**options).fit(X, Y, weight)
        np.testing.assert_allclose(tree.predict_proba(X), alone.predict_proba(X), atol=1e-12)
        assert np.array_equal(tree.predict(X), alone.predict(X))


def test_trees_that_a_forest_cannot_hold():
    """Other trees are members like any other learner, and answer the same where both ways are possible."""
    for base in (DecisionTreeClassifier(missing="surrogate"), DecisionTreeClassifier(pruning="pessimistic"), CART(cv=2)):
        assert not grows_in_forest(base)
        model = BaggingClassifier(base, 2, random_state=0).fit(X, Y)
        assert [type(member) for member in model.estimators_] == [type(base)] * 2
    inside = BaggingClassifier(DecisionTreeClassifier(), 4, random_state=0).fit(X, Y)
    beside = BaggingClassifier(DecisionTreeClassifier(missing="fractional"), 4, random_state=0).fit(X, Y)
    np.testing.assert_allclose(inside.predict_proba(X), beside.predict_proba(X), atol=1e-12)


def test_tree_members_know_their_columns():
    """A tree of some columns is a learner of these columns, with their names; its questions are about them."""
    frame = pd.DataFrame(IRIS, columns=list("abcd"))
    model = BaggingClassifier(n_estimators=5, max_features=2, random_state=0).fit(frame, NAMES)
    for tree, columns in zip(model.estimators_, model.estimators_features_, strict=True):
        assert list(tree.feature_names_in_) == [list("abcd")[j] for j in columns]
        assert tree.tree_.feature.max() <= 1
        assert tree.score(frame.iloc[:, columns], NAMES) > 0.6
        assert tree.certificate_.holds


# ---- members of any kind ---------------------------------------------------------------------------------------------


def test_random_numbers_of_members():
    """Every random_state, nested ones too, is a function of seed and number of the member."""
    base = make_pipeline(StandardScaler(), TheirTree(random_state=3))
    one, again, other = seed_copy(base, 0, 1), seed_copy(base, 0, 1), seed_copy(base, 0, 2)
    name = "decisiontreeclassifier__random_state"
    assert one.get_params()[name] == again.get_params()[name] != other.get_params()[name]
    assert base.get_params()[name] == 3
    forest = theirs.RandomForestClassifier(n_estimators=3)
    fits = [BaggingClassifier(forest, 2, random_state=0).fit(X, Y).predict_proba(X) for _ in range(2)]
    assert np.array_equal(*fits)


@pytest.mark.parametrize("takes", [True, False])
def test_bag_as_weights_or_rows(takes):
    """A row three times in the bag has weight 3, or is given three times; a row that is not in it is not given."""
    weight = np.array([0.0, 1.0, 3.0, 0.0])
    rows, weights = bag(weight, takes)
    assert list(rows) == ([1, 2] if takes else [1, 2, 2, 2])
    assert weights is None if not takes else list(weights) == [1.0, 3.0]
    assert bag(np.ones(4), takes) == (None, None)


def test_weights_are_repeated_rows():
    """Both ways make the same member."""
    weighted = BaggingClassifier(TheirLogistic(tol=1e-10), 1, random_state=0).fit(X, Y)
    rows = weighted.estimators_samples_[0]
    repeated = TheirLogistic(tol=1e-10).fit(X[rows], Y[rows])
    np.testing.assert_allclose(weighted.estimators_[0].coef_, repeated.coef_, rtol=1e-4)
    neighbours = BaggingClassifier(KNeighborsClassifier(3), 1, random_state=0).fit(X, Y)
    alone = KNeighborsClassifier(3).fit(X[rows], Y[rows])
    assert np.array_equal(neighbours.predict_proba(X), alone.predict_proba(X))


def test_words():
    """A table of words goes to the base learner as a frame; a bag may lack a level without a word about it."""
    one_hot = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["tree"]), remainder="passthrough")
    y = np.where(IRIS[:, 2] + RNG.normal(size=150) > 3.8, "big", "small")
    for base in (None, DecisionTreeClassifier(categories="multiway"), make_pipeline(one_hot, TheirLogistic(max_iter=2000))):
        model = BaggingClassifier(base, 6, max_samples=12, oob_score=True, random_state=0).fit(FRAME, y)
        assert model.score(FRAME, y) > 0.7
        assert model.columns_["tree"].levels == ("ash", "birch", "cedar")
        assert model.predict_proba(FRAME).shape == (150, 2)
    some = BaggingClassifier(DecisionTreeClassifier(categories="multiway"), 8, max_features=2, bootstrap_features=True)
    some.set_params(random_state=0).fit(FRAME, y)
    for member, columns in zip(some.estimators_, some.estimators_features_, strict=True):
        assert member.n_features_in_ == len(columns)
        assert np.array_equal(columns, np.unique(columns))


def test_missing_and_sparse():
    """Missing cells and sparse tables go where the base learner takes them; elsewhere the cell is named before any work."""
    holes = X.copy()
    holes[3, 2] = np.nan
    assert BaggingClassifier(n_estimators=3, random_state=0).fit(holes, Y).predict(holes).shape == (120,)
    with pytest.raises(ValueError, match=r"NaN: row 3, column 2"):
        BaggingClassifier(KNeighborsClassifier(), 3).fit(holes, Y)
    model = BaggingClassifier(KNeighborsClassifier(), 3, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match=r"NaN: row 3, column 2"):
        model.predict(holes)
    thin = np.where(np.abs(X) > 1, X, 0.0)
    for base in (None, TheirLogistic(), LogisticRegression()):
        dense, loose = (
            BaggingClassifier(base, 3, max_features=4, random_state=0).fit(table, Y) for table in (thin, sparse.csr_array(thin))
        )
        np.testing.assert_allclose(dense.predict_proba(thin), loose.predict_proba(sparse.csr_array(thin)), atol=1e-5)


def test_files(tmp_path):
    """Rows of a file give the ensemble of the rows in memory, for trees and for others."""
    frame = pd.DataFrame(X, columns=list("abcde")).assign(y=Y)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=50)
    rows = aprendiz.rows(tmp_path / "t.parquet", target="y")
    for base in (None, KNeighborsClassifier()):
        model = BaggingClassifier(base, 3, random_state=0)
        expected = model.fit(X, Y).predict_proba(X)
        assert np.array_equal(model.fit(rows).predict_proba(rows), expected)


@bases
def test_warm_start(base):
    """More members are added to those there are, and the ensemble is that of a single fit; out-of-bag sums go on."""
    model = BaggingClassifier(base, 12, warm_start=True, oob_score=True, random_state=0).fit(IRIS, NAMES)
    model.set_params(n_estimators=25).fit(IRIS, NAMES)
    whole = BaggingClassifier(base, 25, oob_score=True, random_state=0).fit(IRIS, NAMES)
    assert np.array_equal(model.predict_proba(IRIS), whole.predict_proba(IRIS))
    assert np.array_equal(model.oob_decision_function_, whole.oob_decision_function_)


@bases
def test_pickled(base):
    """Ensembles of any kind survive pickling."""
    model = BaggingClassifier(base, 3, max_features=3, random_state=0).fit(IRIS, NAMES)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(IRIS), model.predict_proba(IRIS))
    assert len(again.estimators_) == 3


def test_stored(tmp_path):
    """Members that may stand in a model file come back from it."""
    for base in (None, GaussianNB(), KNeighborsClassifier(1)):
        model = BaggingClassifier(base, 3, max_samples=2, max_features=3, random_state=2).fit(IRIS, NAMES)
        aprendiz.save(model, tmp_path / "m.apz")
        again = aprendiz.load(tmp_path / "m.apz")
        assert np.array_equal(again.predict_proba(IRIS), model.predict_proba(IRIS))


def test_checkpoints(tmp_path):
    """Trees go on from a checkpoint; other members are refused with the reason before any work."""
    expected = BaggingClassifier(n_estimators=5, random_state=0).fit(X, Y).predict_proba(X)
    with aprendiz.training(checkpoint=tmp_path, budget=0), pytest.warns(ConvergenceWarning, match="time budget"):
        assert len(BaggingClassifier(n_estimators=5, random_state=0).fit(X, Y)) == 1
    with aprendiz.training(checkpoint=tmp_path):
        assert np.array_equal(BaggingClassifier(n_estimators=5, random_state=0).fit(X, Y).predict_proba(X), expected)
        with pytest.raises(ValueError, match="Members of class GaussianNB cannot be kept in a checkpoint"):
            BaggingClassifier(GaussianNB()).fit(X, Y)


def test_certificate_of_members():
    """Members that make a promise are counted, and one that does not keep it shows."""
    model = BaggingClassifier(GaussianNB(), 4, random_state=0).fit(X, Y)
    assert model.certificate_.holds
    assert (model.certificate_.promises, model.certificate_.kept) == (4, 4)
    assert BaggingClassifier(SVC(), 4, random_state=0).fit(X, Y).certificate_.promises == 0


def test_importance_of_members():
    """What members tell of their columns stands in the places of these columns; NaN where they tell nothing."""
    model = BaggingClassifier(TheirTree(), 3, max_features=2, random_state=0).fit(X, Y)
    for member, columns, told in zip(model.estimators_, model.estimators_features_, model.importances_, strict=True):
        np.testing.assert_allclose(told[columns], member.feature_importances_)
        assert told.sum() == pytest.approx(1.0)
    assert np.isnan(BaggingClassifier(GaussianNB(), 2, random_state=0).fit(X, Y).importances_).all()


# ---- scikit-learn ----------------------------------------------------------------------------------------------------


def test_as_accurate_as_scikit_learn():
    """Out-of-bag accuracy over seeds is scikit-learn's, to within four standard errors of the difference."""
    table, y = load_breast_cancer(return_X_y=True)
    table, ours, other = table[:, :8], [], []
    for seed in range(5):
        ours.append(BaggingClassifier(n_estimators=30, oob_score=True, random_state=seed).fit(table, y).oob_score_)
        other.append(TheirBagging(n_estimators=30, oob_score=True, random_state=seed, n_jobs=1).fit(table, y).oob_score_)
    spread = np.sqrt((np.var(ours, ddof=1) + np.var(other, ddof=1)) / 5)
    assert abs(np.mean(ours) - np.mean(other)) <= 4 * spread + 1 / len(y)


def test_better_than_one_tree():
    """Thirty trees err less than one on rows that they have not seen."""
    table, y = load_diabetes(return_X_y=True)
    train, test = slice(300), slice(300, None)
    one = DecisionTreeRegressor().fit(table[train], y[train]).score(table[test], y[test])
    many = BaggingRegressor(n_estimators=30, random_state=0).fit(table[train], y[train]).score(table[test], y[test])
    assert many > one + 0.1


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "base", "said"),
    [
        (BaggingClassifier, 5, r"estimator of BaggingClassifier must be a classifier.*got 5"),
        (BaggingClassifier, StandardScaler(), r"must be a classifier, with fit and predict.*StandardScaler"),
        (BaggingClassifier, GaussianNB, r"got the class GaussianNB"),
        (BaggingClassifier, LinearRegression(), r"must be a classifier, but LinearRegression is a regressor"),
        (BaggingClassifier, make_pipeline(LinearRegression()), r"must be a classifier, but Pipeline is a regressor"),
        (BaggingRegressor, LogisticRegression(), r"must be a regressor, but LogisticRegression is a classifier"),
        (BaggingRegressor, DecisionTreeClassifier(), r"must be a regressor, but DecisionTreeClassifier is a classifier"),
    ],
)
def test_base_learners_of_the_wrong_kind(kind, base, said):
    """What cannot fit and predict, and regressors for classes and the reverse, are refused by name."""
    with pytest.raises(ValueError, match=said):
        kind(base).fit(X, Y if kind is BaggingClassifier else Z)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max_features": 0}, "max_features of BaggingClassifier"),
        ({"max_features": 0.0}, "max_features of BaggingClassifier"),
        ({"max_features": 6}, r"max_features must be <= n_features: 6 .* 5"),
        ({"max_samples": 0}, "max_samples of BaggingClassifier"),
        ({"max_samples": 121, "bootstrap": False}, "121 different rows, but there are 120"),
        ({"n_estimators": 0}, "n_estimators of BaggingClassifier"),
        ({"voting": "loud"}, "voting of BaggingClassifier"),
        ({"estimator": DecisionTreeClassifier(min_samples_leaf=0)}, "min_samples_leaf of DecisionTreeClassifier"),
        ({"estimator": DecisionTreeClassifier(monotonic_cst=[1])}, "monotonic_cst"),
        ({"estimator": DecisionTreeClassifier(priors=[0.2, 0.2, 0.6])}, "priors has shape"),
        ({"estimator": DecisionTreeClassifier(costs=[[0.0]])}, "costs has shape"),
    ],
)
def test_bad_parameters(options, said):
    """Parameters, those of the tree too, are refused by name before any member is made."""
    with pytest.raises(ValueError, match=said):
        BaggingClassifier(**options).fit(X, Y)


def test_targets_of_the_wrong_kind():
    """Measurements are no classes, words are no numbers; Poisson wants no negative ones."""
    with pytest.raises(ValueError, match="row 0"):
        BaggingClassifier().fit(X, Z)
    with pytest.raises(ValueError, match=r"'yes'|'no'"):
        BaggingRegressor().fit(X, Y)
    with pytest.raises(ValueError, match="negative"):
        BaggingRegressor(DecisionTreeRegressor(criterion="poisson")).fit(X, Z)


def test_weights_required():
    """Where weights cannot be told by repeated rows, a base learner without weights is refused with its name."""
    rows = BaggingClassifier().open(X, Y)
    with pytest.raises(ValueError, match="KNeighborsClassifier does not support sample_weight"):
        ModelMaker.of(KNeighborsClassifier(), rows, required=True)
    assert ModelMaker.of(GaussianNB(), rows, required=True).bare.classes == 2
