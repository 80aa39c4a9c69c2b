"""Tables that break trees: contradictions, constants, nothing known, many levels, extreme numbers and weights."""

import numpy as np
import pandas as pd
import pytest

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor

RNG = np.random.default_rng(0)
X = RNG.integers(0, 10, (200, 3)).astype(float)
LONG = RNG.normal(size=(300, 2))
NOISY = X[:, 0] + RNG.normal(0, 3, 200)
CLASSES = (NOISY > 4).astype(int)
WEIGHT = RNG.uniform(0.5, 2.0, 200)
MISSING = ("own", "surrogate", "fractional")


def same_questions(one, other, scale=1.0, shift=0.0):
    np.testing.assert_array_equal(one.tree_.feature, other.tree_.feature)
    np.testing.assert_array_equal(one.tree_.children, other.tree_.children)
    asks = ~one.tree_.is_leaf
    np.testing.assert_allclose(one.tree_.threshold[asks] * scale + shift, other.tree_.threshold[asks], rtol=1e-14)


# ---- little to learn -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", MISSING)
def test_nothing_known(missing):
    """Columns of missing cells alone ask nothing, beside others or alone."""
    empty = np.full((200, 1), np.nan)
    alone = DecisionTreeClassifier(missing=missing).fit(empty, CLASSES)
    np.testing.assert_allclose(alone.predict_proba(empty), [np.bincount(CLASSES) / 200] * 200)
    beside = DecisionTreeClassifier(missing=missing).fit(np.hstack([empty, X]), CLASSES)
    assert not (beside.tree_.feature == 0).any()
    assert beside.score(np.hstack([empty, X]), CLASSES) == DecisionTreeClassifier().fit(X, CLASSES).score(X, CLASSES)


@pytest.mark.parametrize("learner", [DecisionTreeClassifier(), DecisionTreeRegressor()], ids=["classes", "numbers"])
def test_contradictions(learner):
    """Equal rows with different targets share a leaf, which says their mean."""
    table, y = np.array([[1.0], [1.0], [1.0], [2.0]]), np.array([0, 1, 1, 0])
    learner.fit(table, y)
    said = learner.predict_proba(table)[:, 1] if hasattr(learner, "predict_proba") else learner.predict(table)
    np.testing.assert_allclose(said, [2 / 3, 2 / 3, 2 / 3, 0.0])


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_one_row(criterion):
    """One row is a leaf."""
    learner = DecisionTreeRegressor(criterion=criterion).fit(X[:1], [3.5])
    assert learner.predict(X[:3]).tolist() == [3.5] * 3
    assert learner.get_n_leaves() == 1


def test_constant_columns():
    """Constant columns ask nothing."""
    learner = DecisionTreeClassifier().fit(np.full((200, 1), 7.0), CLASSES)
    assert learner.get_n_leaves() == 1
    both = np.column_stack([np.full(200, 7.0), X[:, 0]])
    assert set(DecisionTreeClassifier().fit(both, CLASSES).tree_.feature) == {-2, 1}


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("kind", ["words", "numbers"])
def test_single_column(missing, kind):
    """A table of one column."""
    one = pd.DataFrame({"a": [f"w{int(v)}" for v in X[:, 0]]}) if kind == "words" else X[:, :1]
    learner = DecisionTreeClassifier(missing=missing).fit(one, CLASSES)
    means = np.array([CLASSES[X[:, 0] == v].mean() for v in X[:, 0]])
    np.testing.assert_array_equal(learner.predict(one)[means != 0.5], (means > 0.5)[means != 0.5])


# ---- many levels -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("categories", ["subsets", "multiway"])
@pytest.mark.parametrize("levels", [254, 255, 256, 300, 33_000])
def test_many_levels(categories, levels):
    """Any number of levels, each with a branch or in a subset; a missing cell beside them."""
    words = pd.Categorical.from_codes(np.append(np.arange(levels), -1), [f"w{k:05d}" for k in range(levels)])
    frame, y = pd.DataFrame({"a": words, "b": 1.0}), np.append(np.arange(levels), 0) % 2
    learner = DecisionTreeClassifier(categories=categories).fit(frame, y)
    assert learner.score(frame, y) == 1.0
    assert learner.tree_.n_leaves == (2 if categories == "subsets" else levels + 1)


def test_many_levels_of_numbers():
    """300 levels and a number as the target: one question finds the levels above the mean."""
    frame = pd.DataFrame({"a": [f"w{k:03d}" for k in range(300)], "b": 0.0})
    y = np.where(RNG.permutation(300) < 150, 0.0, 1.0)
    assert DecisionTreeRegressor(max_depth=1).fit(frame, y).score(frame, y) == 1.0


# ---- extreme numbers -------------------------------------------------------------------------------------------------


SIZES = ((2.0**-40, 0), (2.0**-1000, 0), (1, 2.0**27), (2.0**1000, 0), (-(2.0**1015), 2.0**1018))


@pytest.mark.parametrize(("scale", "shift"), SIZES)
def test_cells_of_any_size(scale, shift):
    """Tiny cells, offsets of 1e8 and cells near the largest number: the same questions, each row on its side."""
    plain = DecisionTreeClassifier().fit(X * np.sign(scale), CLASSES)
    other = DecisionTreeClassifier().fit(X * scale + shift, CLASSES)
    same_questions(plain, other, abs(scale), shift)
    np.testing.assert_array_equal(other.predict(X * scale + shift), plain.predict(X * np.sign(scale)))


@pytest.mark.parametrize("low", [-1.7e308, 1e308])
def test_midpoints_do_not_overflow(low):
    """The middle of two numbers whose sum or difference is none."""
    table = np.array([low, 1.6e308])[:, None]
    for splitter in ("best", "random"):
        learner = DecisionTreeRegressor(splitter=splitter, random_state=0).fit(table, [0.0, 1.0])
        assert low <= learner.tree_.threshold[0] < 1.6e308
        assert learner.predict(table).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize(("scale", "shift"), [(1.0, 2.0**41), (2.0**-100, 0.0), (2.0**100, 0.0)])
@pytest.mark.parametrize("table", [X[:, :2].repeat(2, axis=0)[:300], LONG], ids=["few values", "many values"])
def test_targets_of_any_size(criterion, scale, shift, table):
    """Targets far from 0, tiny and large: the same questions."""
    y = np.round(np.random.default_rng(3).normal(size=300), 3) * 1024 // 1 / 1024  # no digit is lost by the shift
    plain = DecisionTreeRegressor(criterion=criterion, min_samples_leaf=8).fit(table, y)
    other = DecisionTreeRegressor(criterion=criterion, min_samples_leaf=8).fit(table, y * scale + shift)
    same_questions(plain, other)
    np.testing.assert_allclose(other.predict(table), plain.predict(table) * scale + shift, rtol=1e-14)


# ---- weights ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", "squared_error", "absolute_error", "poisson"])
@pytest.mark.parametrize("scale", [2.0**-60, 2.0**-30, 2.0**60])
def test_scale_of_weights(criterion, scale):
    """Only ratios of weights matter."""
    numbers = criterion.endswith("_error") or criterion == "poisson"
    cls, y = (DecisionTreeRegressor, NOISY - NOISY.min() + 1) if numbers else (DecisionTreeClassifier, CLASSES)
    plain, other = (cls(criterion=criterion, min_samples_leaf=5).fit(X, y, sample_weight=WEIGHT * s) for s in (1.0, scale))
    same_questions(plain, other)


@pytest.mark.parametrize("ratio", [1e3, 1e6, 1e9])
@pytest.mark.parametrize("classes", [2, 3])
def test_ratio_of_weights(ratio, classes):
    """Rows that weigh next to nothing beside others are still told apart from them."""
    y = (LONG[:, 0] > 0).astype(int) + (LONG[:, 0] > 1) * (classes == 3)
    learner = DecisionTreeClassifier(max_depth=1).fit(LONG, y, sample_weight=np.where(y > 0, 1.0, ratio))
    values = np.sort(LONG[:, 0])
    at = np.searchsorted(values, 0)
    assert learner.tree_.feature[0] == 0
    assert learner.tree_.threshold[0] == pytest.approx((values[at - 1] + values[at]) / 2)


def test_weight_zero_is_absent():
    """A row of weight 0 is as good as left out."""
    weight = WEIGHT * (RNG.uniform(size=200) < 0.7)
    one = DecisionTreeClassifier().fit(X, CLASSES, sample_weight=weight)
    other = DecisionTreeClassifier().fit(X[weight > 0], CLASSES[weight > 0], sample_weight=weight[weight > 0])
    same_questions(one, other)
    np.testing.assert_array_equal(one.tree_.value, other.tree_.value)


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [np.inf, np.nan, -1.0])
def test_impossible_weights(weight):
    """A weight that is none is refused by its row."""
    given = np.where(np.arange(200) == 17, weight, 1.0)
    with pytest.raises(ValueError, match="row 17"):
        DecisionTreeClassifier().fit(X, CLASSES, sample_weight=given)


def test_single_class():
    """One class gives a leaf."""
    model = DecisionTreeClassifier().fit(X, np.ones(200))
    assert model.tree_.node_count == 1
    assert model.certificate_.holds
    assert model.feature_importances_.tolist() == [0.0] * X.shape[1]


BAD_COSTS = {
    r"shape \(3, 3\).*2 classes": np.ones((3, 3)),
    r"shape \(2,\)": [1, 1],
    r"row 0, column 1": [[0, -1], [1, 0]],
    r"row 1, column 0": [[0, 1], [np.nan, 0]],
    r"diagonal": [[1, 1], [1, 0]],
    r"row of costs is 0": [[0, 0], [1, 0]],
}


@pytest.mark.parametrize(("message", "costs"), BAD_COSTS.items())
def test_impossible_costs(message, costs):
    """Costs of the wrong shape or sign."""
    with pytest.raises(ValueError, match=message):
        DecisionTreeClassifier(costs=costs).fit(X, CLASSES)


@pytest.mark.parametrize("priors", [[0.5, 0.6], [1.0], [1.0, 0.0], [np.nan, 1.0]])
def test_impossible_priors(priors):
    """Priors of the wrong number or that are no shares."""
    with pytest.raises(ValueError, match="priors"):
        DecisionTreeClassifier(priors=priors).fit(X, CLASSES)


def test_prior_of_a_class_without_weight():
    """A prior of a class whose rows all weigh nothing cannot be kept."""
    y = np.arange(200) % 3
    with pytest.raises(ValueError, match="class 2"):
        DecisionTreeClassifier(priors=[0.2, 0.3, 0.5]).fit(X, y, sample_weight=(y != 2) * 1.0)


@pytest.mark.parametrize("y", [[-1.0, 1.0], [0.0, 0.0]])
def test_impossible_counts(y):
    """Poisson means are above 0."""
    with pytest.raises(ValueError, match="Poisson"):
        DecisionTreeRegressor(criterion="poisson").fit(X[:2], y)


# ---- random questions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio", "squared_error", "absolute_error", "poisson"])
@pytest.mark.parametrize("max_features", [None, 1])
def test_random_questions(criterion, max_features):
    """Random thresholds differ from seed to seed, and the rows come to the nodes that counted them."""
    numbers = criterion.endswith("_error") or criterion == "poisson"
    above = (LONG[:, 0] > LONG[:, 1]).astype(int)
    cls, y = (DecisionTreeRegressor, LONG[:, 1] ** 2 + 0.1) if numbers else (DecisionTreeClassifier, above)
    roots = set()
    for seed in range(4):
        rules = {"criterion": criterion, "splitter": "random", "max_features": max_features, "random_state": seed}
        learner = cls(**rules).fit(LONG, y)
        roots.add(learner.tree_.threshold[0])
        np.testing.assert_array_equal(learner.decision_path(LONG).sum(axis=0).A1, learner.tree_.n_node_samples)
        assert learner.score(LONG, y) == 1.0
    assert len(roots) == 4
