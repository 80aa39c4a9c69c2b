"""Gradient boosting on histograms: agreement with scikit-learn, exactness, constraints, early stopping, words."""

import numpy as np
import pandas as pd
import pytest
from sklearn import ensemble as theirs
from sklearn.metrics import log_loss

import aprendiz
from aprendiz import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from aprendiz.ensemble.boosting import growth

RNG = np.random.default_rng(0)
X = np.round(RNG.normal(size=(600, 4)) * 20) / 4  # at most 255 values in a column
Y = X[:, 0] * X[:, 1] / 9 + np.sin(X[:, 2]) + RNG.normal(size=600)
COUNTS = RNG.poisson(np.exp(0.1 * X[:, 0])).astype(float)
SIZES = np.exp(0.1 * X[:, 0] + 0.3 * RNG.normal(size=600))
KINDS = np.digitize(X[:, 0] + X[:, 1] + 2 * RNG.normal(size=600), [-5, 5])
WEIGHT = RNG.uniform(0.5, 2.0, 600)
HOLES = np.where(RNG.random(X.shape) < 0.1, np.nan, X)


def numbers(**parameters):
    return HistGradientBoostingRegressor(**{"max_iter": 12, "learning_rate": 0.3, **parameters})


def twin(**parameters):
    return theirs.HistGradientBoostingRegressor(**{"max_iter": 12, "learning_rate": 0.3, **parameters})


# ---- agreement -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["", "weighted"])
@pytest.mark.parametrize(
    ("table", "y", "parameters"),
    [
        (X, Y, {}),
        (HOLES, Y, {}),
        (X, COUNTS, {"loss": "poisson"}),
        (X, SIZES, {"loss": "gamma"}),
        (X, Y, {"l2_regularization": 5.0, "max_depth": 3, "max_leaf_nodes": None}),
        (X, Y, {"interaction_cst": [{0, 1}, {1, 2}]}),
        (X, Y, {"min_samples_leaf": 60}),
    ],
    ids=["squares", "holes", "poisson", "gamma", "shallow", "interactions", "large-leaves"],
)
def test_numbers_of_scikit_learn(table, y, parameters, weight):
    """The same trees, but for gradients in single precision there."""
    mine, their = numbers(**parameters).fit(table, y, weight), twin(**parameters).fit(table, y, weight)
    np.testing.assert_allclose(mine.predict(table), their.predict(table), rtol=2e-5, atol=2e-5)
    stages = zip(mine.staged_predict(table), their.staged_predict(table), strict=True)
    assert all(np.allclose(a, b, rtol=2e-5, atol=2e-5) for a, b in stages)
    assert mine.certificate_.holds
    assert mine.n_iter_ == 12


@pytest.mark.parametrize(("loss", "quantile"), [("absolute_error", None), ("quantile", 0.8)])
def test_steps_that_are_medians(loss, quantile):
    """Slopes of two sizes make equal gains, which scikit-learn tells apart by rounding, so that trees differ: each leaf of the
    first tree has the median or quantile of its rows, and the loss is about that of scikit-learn."""
    parameters = {"loss": loss, "quantile": quantile}
    first = numbers(**parameters, max_iter=1).fit(X, Y)
    moved, start = first.predict(X), first.baseline_[0]
    for step in np.unique(moved):
        left = Y[moved == step] - start
        np.testing.assert_allclose(step - start, 0.3 * np.quantile(left, quantile or 0.5), rtol=1e-9, atol=1e-12)
    mine, their = numbers(**parameters).fit(X, Y), twin(**parameters).fit(X, Y)

    def mean_loss(said):
        q = 0.5 if quantile is None else quantile
        return np.where(said <= Y, q * (Y - said), (1 - q) * (said - Y)).mean()

    assert mean_loss(mine.predict(X)) < 1.03 * mean_loss(their.predict(X))


@pytest.mark.parametrize("kinds", [KINDS > 0, KINDS], ids=["two", "three"])
def test_classes_of_scikit_learn(kinds):
    parameters = {"max_iter": 8, "min_samples_leaf": 30}
    mine = HistGradientBoostingClassifier(**parameters).fit(HOLES, kinds, WEIGHT)
    their = theirs.HistGradientBoostingClassifier(**parameters).fit(HOLES, kinds, WEIGHT)
    np.testing.assert_allclose(mine.predict_proba(HOLES), their.predict_proba(HOLES), atol=1e-5)
    np.testing.assert_allclose(mine.decision_function(HOLES), their.decision_function(HOLES), atol=1e-4)
    assert np.array_equal(mine.predict(HOLES), their.predict(HOLES))
    assert np.array_equal(list(mine.staged_predict_proba(HOLES))[-1], mine.predict_proba(HOLES))
    assert np.array_equal(list(mine.staged_decision_function(HOLES))[-1], mine.decision_function(HOLES))
    assert np.array_equal(list(mine.staged_predict(HOLES))[-1], mine.predict(HOLES))
    np.testing.assert_allclose(mine.losses_[-1], log_loss(kinds, mine.predict_proba(HOLES), sample_weight=WEIGHT), rtol=1e-9)


def test_class_weight():
    """A class of twice the weight is one whose rows weigh twice as much."""
    weighted = HistGradientBoostingClassifier(max_iter=5, class_weight={1: 2.0}).fit(X, KINDS)
    rows = HistGradientBoostingClassifier(max_iter=5).fit(X, KINDS, np.where(KINDS == 1, 2.0, 1.0))
    assert np.array_equal(weighted.predict_proba(X), rows.predict_proba(X))


def test_share_of_columns():
    """Each node looks at some of the columns: with one of four, the strongest is no longer in every root."""
    model = numbers(max_features=0.25, max_iter=30, random_state=0).fit(X, Y)
    roots = model.forest_.nodes["feature"][model.forest_.start[:-1]]
    assert set(roots) == {0, 1, 2, 3}
    again = numbers(max_features=0.25, max_iter=30, random_state=0).fit(X, Y)
    assert np.array_equal(again.predict(X), model.predict(X))


# ---- exactness -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kinds", [None, KINDS], ids=["numbers", "classes"])
def test_threads(monkeypatch, kinds):
    """Rows in several parts, which several threads divide and add up: the same bits."""
    model = numbers() if kinds is None else HistGradientBoostingClassifier(max_iter=3)
    y = Y if kinds is None else kinds
    alone = model.fit(HOLES, y, WEIGHT).forest_
    monkeypatch.setattr(growth, "SHARED", 400)
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "3")
    shared = model.fit(HOLES, y, WEIGHT).forest_
    for name, array in alone.arrays.items():
        assert np.array_equal(array, getattr(shared, name)), name


def test_room_is_found_when_it_is_needed(monkeypatch):
    """More nodes and histograms than there was room for at first."""
    expected = numbers(max_leaf_nodes=None, min_samples_leaf=1, max_iter=2).fit(X, Y).forest_
    monkeypatch.setattr(growth, "FIRST_NODES", 4)
    monkeypatch.setattr(growth, "FIRST_SLOTS", 2)
    found = numbers(max_leaf_nodes=None, min_samples_leaf=1, max_iter=2).fit(X, Y).forest_
    assert len(found.nodes) > 1000
    assert np.array_equal(found.nodes, expected.nodes)


def test_sums_do_not_depend_on_the_unit():
    """Targets times a power of two: steps times it, the same splits."""
    one, large = numbers().fit(X, Y), numbers().fit(X, Y * 2.0**40)
    assert np.array_equal(one.predict(X) * 2.0**40, large.predict(X))


def test_outlying_gradients_take_another_word():
    """One target that is far away leaves the others too few bits in one word; the fit is that of scikit-learn still."""
    y = Y.copy()
    y[0] = 1e9
    model = numbers(min_samples_leaf=1, max_iter=3).fit(X, y)
    their = twin(min_samples_leaf=1, max_iter=3).fit(X, y)
    np.testing.assert_allclose(model.predict(X[:1]), their.predict(X[:1]), rtol=1e-6)


# ---- constraints -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "poisson"])
def test_monotonic(loss):
    """Pairs of rows that differ in a constrained column alone, 10⁵ of them."""
    y = COUNTS if loss == "poisson" else Y
    model = numbers(loss=loss, monotonic_cst=[1, 0, -1, 0], max_iter=25).fit(HOLES, y)
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(100_000, 4)) * 6
    for column, sign in ((0, 1), (2, -1)):
        higher = rows.copy()
        higher[:, column] += rng.exponential(3.0, len(rows))
        assert (sign * (model.predict(higher) - model.predict(rows)) >= 0).all()
    free = numbers(loss=loss, max_iter=25).fit(HOLES, y)
    assert not (free.predict(higher) <= free.predict(rows)).all()


def test_monotonic_classes():
    model = HistGradientBoostingClassifier(monotonic_cst={"b": 1}, max_iter=10)
    table = pd.DataFrame(X, columns=list("abcd"))
    model.fit(table, KINDS > 0)
    higher = table.assign(b=table["b"] + 1.0)
    assert (model.predict_proba(higher)[:, 1] >= model.predict_proba(table)[:, 1]).all()


def test_interactions():
    """No branch leaves its set of columns; those in no set are one of their own."""
    model = numbers(interaction_cst=[{0, 1}], max_iter=15).fit(X, Y)
    for number in range(15):
        tree = model.forest_.tree(number)
        for leaf in np.flatnonzero(tree.is_leaf):
            seen, node = set(), tree.parent[leaf]
            while node >= 0:
                seen.add(int(tree.feature[node]))
                node = tree.parent[node]
            assert seen <= {0, 1} or seen <= {2, 3}


# ---- levels and words ------------------------------------------------------------------------------------------------


def colours(rows=400):
    rng = np.random.default_rng(5)
    colour = rng.choice(["red", "green", "blue", "grey", "pink"], rows)
    size = rng.choice(["small", "medium", "large"], rows)
    z = rng.normal(size=rows)
    y = np.where(np.isin(colour, ["red", "pink"]), 3.0, 0.0) + (size == "large") + z + 0.1 * rng.normal(size=rows)
    frame = pd.DataFrame({"colour": colour, "size": pd.Categorical(size), "z": np.round(z, 1)})
    frame.loc[::17, "colour"] = None
    return frame, y


def test_words():
    """Words, declared categories and missing cells straight from a frame; levels by their numbers give the same trees."""
    frame, y = colours()
    model = numbers().fit(frame, y)
    assert model.is_categorical_.tolist() == [True, True, False]
    assert model.score(frame, y) > 0.9
    codes = [frame[name].astype("category").cat.codes.replace(-1, np.nan) for name in ("colour", "size")]
    coded = np.column_stack([*codes, frame["z"]])
    for given in ([0, 1], [True, True, False]):
        by_number = numbers(categorical_features=given).fit(coded, y)
        assert np.array_equal(by_number.predict(coded), model.predict(frame))
    their = twin(categorical_features=[0, 1]).fit(coded, y)
    errors = [np.mean((said - y) ** 2) for said in (model.predict(frame), their.predict(coded))]
    assert errors[0] < 1.02 * errors[1]  # its order of levels is that of shrunken means
    assert not np.array_equal(numbers().fit(coded, y).predict(coded), model.predict(frame))


def test_unseen_level():
    """A level that the fit did not see is a missing cell, and is reported."""
    frame, y = colours()
    model = numbers().fit(frame, y)
    strange, gap = frame[:1].assign(colour="mauve"), frame[:1].assign(colour=pd.Series([None], dtype=object))
    with pytest.warns(UserWarning, match="mauve"):
        said = model.predict(strange)
    assert np.array_equal(said, model.predict(gap))


def test_all_missing_column():
    """A column without a single cell changes nothing."""
    empty = np.column_stack([X, np.full(len(X), np.nan)])
    assert np.array_equal(numbers().fit(empty, Y).predict(empty), numbers().fit(X, Y).predict(X))


def test_constant_table():
    """Without a column that varies there is only the start."""
    model = numbers(max_iter=2).fit(np.ones((50, 3)), Y[:50])
    np.testing.assert_allclose(model.predict(np.ones((2, 3))), Y[:50].mean(), rtol=1e-12)


def test_fewer_bins():
    """At most max_bins values of a column are told apart, and as many as there are if there are no more."""
    model = numbers(max_bins=8, max_leaf_nodes=None, min_samples_leaf=1).fit(X, Y)
    nodes = model.forest_.nodes[model.forest_.nodes["feature"] == 0]
    assert len(np.unique(nodes["threshold"])) == 7
    assert model.search_ == "binned"
    few = np.round(X / 8)
    assert np.array_equal(numbers(max_bins=20).fit(few, Y).predict(few), numbers().fit(few, Y).predict(few))


# ---- early stopping, more trees --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scoring", ["loss", "r2", None, lambda model, X, y: -np.abs(model.predict(X) - y).mean()])
def test_early_stopping(scoring):
    """The fit stops when the score on rows that it did not learn from has not risen for some iterations."""
    model = numbers(early_stopping=True, scoring=scoring, n_iter_no_change=3, max_iter=200, random_state=0).fit(X, Y)
    scores = model.validation_score_
    assert model.do_early_stopping_
    assert 3 < model.n_iter_ < 200
    assert len(scores) == len(model.train_score_) == model.n_iter_ + 1
    assert max(scores[-3:]) <= scores[-4] + model.tol
    assert model.stopped_ == "converged"
    on_its_own = numbers(early_stopping=True, scoring=scoring, validation_fraction=None, random_state=0).fit(X, Y)
    assert not len(on_its_own.validation_score_)
    assert on_its_own.train_score_[-1] > on_its_own.train_score_[0]


def test_given_rows_to_stop_by():
    """X_val and y_val: the scores are those of these rows, and the trees those of the others alone."""
    frame, y = colours()
    model = numbers(max_iter=6).fit(frame[:300], y[:300], X_val=frame[300:], y_val=y[300:])
    alone = numbers(max_iter=6, early_stopping=False).fit(frame[:300], y[:300])
    np.testing.assert_allclose(model.predict(frame), alone.predict(frame), rtol=1e-12)
    np.testing.assert_allclose(model.validation_score_[-1], -0.5 * np.mean((model.predict(frame[300:]) - y[300:]) ** 2))
    kinds = HistGradientBoostingClassifier(max_iter=3, scoring="accuracy")
    kinds.fit(X[:400], KINDS[:400], X_val=X[400:], y_val=KINDS[400:])
    assert kinds.validation_score_[-1] == kinds.score(X[400:], KINDS[400:])
    with pytest.raises(ValueError, match="y_val was not provided"):
        kinds.fit(X, KINDS, X_val=X)


def test_rare_class_stays_to_learn_from():
    """A class of a single row is not held out."""
    kinds = KINDS.copy()
    kinds[0] = 7
    model = HistGradientBoostingClassifier(early_stopping=True, max_iter=5, random_state=0).fit(X, kinds)
    assert model.predict_proba(X).shape == (600, 4)
    assert len(model.validation_score_) == 6


def test_warm_start_and_resume(tmp_path):
    """More trees on those of the fit before, or on a checkpoint, are those of one fit."""
    whole = HistGradientBoostingClassifier(max_iter=9).fit(HOLES, KINDS)
    warm = HistGradientBoostingClassifier(max_iter=4, warm_start=True).fit(HOLES, KINDS)
    warm.set_params(max_iter=9).fit(HOLES, KINDS)
    with aprendiz.training(checkpoint=tmp_path):
        HistGradientBoostingClassifier(max_iter=4).fit(HOLES, KINDS)
        resumed = HistGradientBoostingClassifier(max_iter=9).fit(HOLES, KINDS)
    for model in (warm, resumed):
        assert np.array_equal(model.predict_proba(HOLES), whole.predict_proba(HOLES))
        assert np.array_equal(model.losses_, whole.losses_)


def test_warm_start_after_early_stopping():
    """A fit that stopped early goes on for a little when it is asked to; none of the columns may hold levels."""
    given = {"early_stopping": True, "max_iter": 200, "n_iter_no_change": 3, "random_state": 0, "categorical_features": []}
    model = numbers(**given, warm_start=True).fit(X, Y)
    before = model.n_iter_
    assert before < model.fit(X, Y).n_iter_ < before + 20
    assert model.is_categorical_ is None


def test_steps_show_the_descent():
    """For squared errors the slope of a state is the size of the residuals, and a tree is one of the residuals before it."""
    states = list(numbers(max_iter=3).steps(X, Y))
    assert [state.iteration for state in states] == [0, 1, 2, 3]
    np.testing.assert_allclose([state.slope**2 / 2 for state in states], [state.objective for state in states])
    assert states[-1].settled
    first = aprendiz.DecisionTreeRegressor(max_leaf_nodes=31, min_samples_leaf=20).fit(X, Y - Y.mean())
    moved = numbers(max_iter=1).fit(X, Y).predict(X) - Y.mean()
    np.testing.assert_allclose(moved, 0.3 * first.predict(X), rtol=1e-6, atol=1e-6)


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "y", "message"),
    [
        ({"loss": "poisson"}, -COUNTS - 1, "non-negative y.*row 0"),
        ({"loss": "poisson"}, 0 * COUNTS, "all of y is 0"),
        ({"loss": "gamma"}, COUNTS, "strictly positive y: y is 0 in row"),
        ({"loss": "quantile"}, Y, "needs the quantile"),
        ({"monotonic_cst": [1, 0]}, Y, "shape 2"),
        ({"monotonic_cst": [2, 0, 0, 0]}, Y, "-1, 0 or 1"),
        ({"monotonic_cst": {"a": 1}}, Y, "no feature names"),
        ({"interaction_cst": [{0, 9}]}, Y, "invalid indices"),
        ({"interaction_cst": "some"}, Y, "pairwise"),
        ({"categorical_features": [7]}, Y, r"\[0, n_features - 1\]"),
        ({"categorical_features": ["a"]}, Y, "without feature names"),
        ({"categorical_features": [True, False]}, Y, "boolean mask"),
        ({"categorical_features": [0], "max_bins": 9}, Y, "cardinality <= 9"),
        ({"scoring": "best"}, Y, "scoring"),
        ({"early_stopping": True, "validation_fraction": 600}, Y, "validation_fraction"),
        ({"monotonic_cst": [1, 0, 0, 0], "categorical_features": [0]}, Y, "no order"),
    ],
)
def test_refused(parameters, y, message):
    with pytest.raises(ValueError, match=message):
        numbers(**parameters).fit(X, y)


def test_refused_of_classes():
    with pytest.raises(ValueError, match="multiclass"):
        HistGradientBoostingClassifier(monotonic_cst=[1, 0, 0, 0]).fit(X, KINDS)
    with pytest.raises(ValueError, match="1d array"):
        numbers().fit(X, np.column_stack([Y, Y]))
    model = HistGradientBoostingClassifier(max_iter=2, warm_start=True).fit(X, KINDS)
    with pytest.raises(ValueError, match="larger than or equal"):
        model.set_params(max_iter=1).fit(X, KINDS)
    with pytest.raises(ValueError, match="other columns or classes"):
        model.set_params(max_iter=3).fit(X, KINDS + 1)
