"""Monotonic constraints: predictions that never fall (or rise) with a column, and the best split among those allowed."""

import numpy as np
import pandas as pd
import pytest
import sklearn.tree
from exhaustive import centre

import aprendiz
from aprendiz import (
    AdaBoostRegressor,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from aprendiz.core.parameters import ParameterError
from aprendiz.tree.shared import decision_tree

SIGNS = [1, -1, 0]
GRID = np.linspace(-3, 3, 41)


def table(rows, seed, missing=0.0):
    """Three columns, one of few values, some cells missing; numbers that depend on all of them; and weights."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    X[:, 1] = np.round(2 * X[:, 1]) / 2
    y = X[:, 0] + np.sin(3 * X[:, 0]) - X[:, 1] ** 2 + X[:, 2] + rng.normal(size=rows)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y, rng.integers(1, 4, rows).astype(float)


def predicted(model, X):
    """What is constrained: the prediction, or the probability of the second class."""
    return model.predict_proba(X)[:, 1] if hasattr(model, "predict_proba") else model.predict(X)


def assert_monotone(model, X):
    """Of rows that differ in one column alone, the predictions have the order of its sign."""
    for j, sign in enumerate(SIGNS):
        swept = np.repeat(X[:, None, :], len(GRID), axis=1)
        swept[:, :, j] = GRID
        found = predicted(model, swept.reshape(-1, X.shape[1])).reshape(len(X), len(GRID))
        assert (sign * np.diff(found, axis=1) >= 0).all()


FULL = [
    DecisionTreeClassifier(),
    DecisionTreeClassifier(criterion="gain_ratio", min_samples_leaf=3),
    DecisionTreeClassifier(thresholds="boundary", priors=[0.7, 0.3]),
    DecisionTreeClassifier(splitter="random", random_state=0),
    DecisionTreeRegressor(),
    DecisionTreeRegressor(criterion="absolute_error"),
    DecisionTreeRegressor(criterion="absolute_error", splitter="random", random_state=0),
    RandomForestClassifier(5, random_state=0),
    RandomForestRegressor(5, random_state=0),
    ExtraTreesClassifier(5, random_state=0, criterion="entropy"),
    ExtraTreesRegressor(5, random_state=0),
]
HOLES = [
    DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=30),
    DecisionTreeClassifier(criterion="error", class_weight="balanced", ccp_alpha=0.002),
    DecisionTreeClassifier(pruning="reduced_error", random_state=0),
    DecisionTreeRegressor(max_leaf_nodes=30),
    DecisionTreeRegressor(criterion="absolute_error"),
    DecisionTreeRegressor(criterion="poisson", min_samples_leaf=2),
    RandomForestClassifier(5, random_state=0, voting="hard", ccp_alpha=0.01),
    ExtraTreesRegressor(5, random_state=0),
]


@pytest.mark.parametrize(
    ("model", "missing"), [(model, 0.0) for model in FULL] + [(model, 0.3) for model in HOLES], ids=lambda case: f"{case!r:.60}"
)
def test_monotone(model, missing):
    """Nothing is lost to rounding: leaves at a bound predict the bound itself."""
    X, y, w = table(200, 1, missing)
    y = y > 0 if hasattr(model, "predict_proba") else np.exp(y / 4)
    model = model.set_params(monotonic_cst=SIGNS).fit(X, y, w)
    assert model.certificate_.holds
    assert np.ptp(predicted(model, X)) > 0
    assert_monotone(model, X[:40])


@pytest.mark.parametrize(
    "model",
    [DecisionTreeClassifier(), DecisionTreeRegressor(), RandomForestClassifier(3, random_state=0), RandomForestRegressor(3)],
    ids=repr,
)
def test_bins(model):
    """Bounds pass on to nodes whose bins are opened."""
    X, y, _ = table(3000, 3, 0.05)
    model = model.set_params(monotonic_cst=SIGNS, exact=False).fit(X, y > 0 if hasattr(model, "predict_proba") else y)
    assert model.search_ == "binned"
    assert_monotone(model, X[:100])


def test_ordered_levels_and_words():
    """Ordered levels may have a sign, beside words that have none."""
    X, y, _ = table(300, 4)
    kinds = pd.Categorical.from_codes(np.digitize(X[:, 2], [-1, 0, 1]), list("dbca"))
    names = ["low", "middle", "high", "top"]

    def frame(codes):
        return pd.DataFrame({"grade": pd.Categorical.from_codes(codes, names, ordered=True), "size": X[:, 1], "kind": kinds})

    seen = frame(np.digitize(np.sin(3 * X[:, 0]), [-0.5, 0, 0.5]))
    free, model = (DecisionTreeRegressor(monotonic_cst=signs).fit(seen, y) for signs in (None, [-1, 0, 0]))
    for one, falls in ((model, True), (free, False)):
        found = np.array([one.predict(frame(np.full(300, k))) for k in range(4)])
        assert (np.diff(found, axis=0) <= 0).all() == falls


# ---- every node --------------------------------------------------------------------------------------------------------


def value(model, y, w):
    return centre(model.criterion, y.astype(float), w)


def loss(model, y, w):
    """Weight times impurity of some rows: Gini's is twice the variance of the second class."""
    far = abs(y.astype(float) - value(model, y, w))
    return w @ (far if model.criterion == "absolute_error" else far**2) * (2 if model.criterion == "gini" else 1)


def check_nodes(model, X, y, w, signs):
    """Every node, from the definitions: its bounds, what it predicts, and that no allowed cut lowers the impurity more. Returns
    the numbers of nodes that predict a bound, and of cuts that a constraint forbids."""
    tree, path = model.tree_, model.decision_path(X).toarray().astype(bool)
    bounds, clipped, forbidden = {0: (-np.inf, np.inf)}, 0, 0
    for t in range(tree.node_count):
        here, (low, high) = path[:, t], bounds[t]
        own, said = value(model, y[here], w[here]), tree.value[t].ravel()[-1]
        assert said == pytest.approx(np.clip(own, low, high), abs=1e-12)
        clipped += not low - 1e-12 <= own <= high + 1e-12
        gains, whole = [0.0], loss(model, y[here], w[here])
        for j, sign in enumerate(signs):
            for cut in np.unique(X[here, j])[:-1]:
                sides = here & (X[:, j] <= cut), here & (X[:, j] > cut)
                left, right = (value(model, y[side], w[side]) for side in sides)
                inside = low - 1e-12 <= min(left, right) and max(left, right) <= high + 1e-12
                if sign == 0 or (inside and sign * (right - left) >= -1e-12):
                    gains.append(whole - sum(loss(model, y[side], w[side]) for side in sides))
                else:
                    forbidden += 1
        if tree.is_leaf[t]:
            assert len(gains) == 1 or whole < 1e-12
            continue
        left, right = tree.children_of(t)
        assert whole - sum(loss(model, y[path[:, b]], w[path[:, b]]) for b in (left, right)) >= max(gains) - 1e-9
        sign = signs[tree.feature[t]]
        middle = (tree.value[left].ravel()[-1] + tree.value[right].ravel()[-1]) / 2
        bounds[left] = (low, middle) if sign > 0 else (middle, high) if sign < 0 else (low, high)
        bounds[right] = (middle, high) if sign > 0 else (low, middle) if sign < 0 else (low, high)
    return clipped, forbidden


@pytest.mark.parametrize("criterion", ["gini", "squared_error", "absolute_error"])
def test_every_node(criterion):
    """Bounds, predictions and best allowed cuts of small tables, against an exhaustive search."""
    kind, seen = DecisionTreeClassifier if criterion == "gini" else DecisionTreeRegressor, np.zeros(2, int)
    for seed in range(6):
        X, y, w = table(30, seed)
        y = y > 0 if criterion == "gini" else y
        model = kind(criterion=criterion, monotonic_cst=SIGNS, max_leaf_nodes=None if seed % 2 else 30).fit(X, y, w)
        seen += check_nodes(model, X, y, w, SIGNS)
    assert (seen > 0).all()


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_nothing_binds(kind):
    """Where the target has the order by itself, or no column has a sign, the tree is that without constraints."""
    X, noise, w = table(200, 5)
    rising = X[:, 0] if kind is DecisionTreeRegressor else X[:, 0] > 0.3
    y = noise if kind is DecisionTreeRegressor else noise > 0
    for target, columns, signs in ((rising, [0], [1]), (y, [0, 1, 2], [0, 0, 0])):
        free = kind().fit(X[:, columns], target, w).tree_
        tree = kind(monotonic_cst=signs).fit(X[:, columns], target, w).tree_
        for name in ("feature", "threshold", "value"):
            np.testing.assert_array_equal(getattr(tree, name), getattr(free, name))


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error", "poisson"])
def test_as_scikit_learn(criterion):
    """The same predictions, where no two splits gain the same."""
    X, y, _ = table(400, 6)
    X[:, 1] += np.random.default_rng(0).random(400) / 10
    classes = criterion in ("gini", "entropy")
    name, y = ("DecisionTreeClassifier", y > 0) if classes else ("DecisionTreeRegressor", np.exp(y / 4))
    options = {"criterion": criterion, "monotonic_cst": SIGNS, "max_leaf_nodes": 25, "min_samples_leaf": 8}
    ours, theirs = (getattr(where, name)(**options, random_state=0).fit(X, y) for where in (aprendiz, sklearn.tree))
    new = table(300, 7)[0]
    np.testing.assert_allclose(predicted(ours, new), predicted(theirs, new), rtol=1e-9)


# ---- ensembles of trees, and what is refused -----------------------------------------------------------------------------


def test_members_elsewhere():
    """A tree with constraints keeps them in a bag, and in boosting."""
    X, y, _ = table(150, 8)
    tree = DecisionTreeRegressor(max_depth=1, monotonic_cst=SIGNS)
    assert_monotone(BaggingRegressor(tree.set_params(max_depth=None), 3, random_state=0).fit(X, y), X[:20])
    boosted = AdaBoostRegressor(tree.set_params(max_depth=1), n_estimators=4, random_state=0).fit(X, y)
    for one in boosted.estimators_:
        assert_monotone(one, X[:20])


def test_one_class():
    model = DecisionTreeClassifier(monotonic_cst=[1]).fit([[1.0], [2.0]], ["a", "a"])
    np.testing.assert_array_equal(model.predict_proba([[3.0]]), [[1.0]])


TREES = [DecisionTreeClassifier, RandomForestClassifier, ExtraTreesClassifier]
FOR_NUMBERS = [DecisionTreeRegressor, RandomForestRegressor, ExtraTreesRegressor]


@pytest.mark.parametrize("kind", TREES + FOR_NUMBERS)
def test_bad_signs(kind):
    X, y, _ = table(20, 9)
    y = y > 0 if kind in TREES else y
    for signs, message in (
        ([1, 0], "monotonic_cst has shape 2 but the input data X has 3 features"),
        ([SIGNS], r"monotonic_cst has shape \(1, 3\)"),
        ([1, 0, 2], r"an array-like of -1, 0 or 1, but got \[0 1 2\]"),
        ([1, 0, np.nan], "an array-like of -1, 0 or 1"),
    ):
        with pytest.raises(ValueError, match=message):
            kind(monotonic_cst=signs).fit(X, y)
    with pytest.raises(ValueError, match="not supported with multiple outputs"):
        kind(monotonic_cst=SIGNS).fit(X, np.column_stack([y, y]))


@pytest.mark.parametrize("kind", TREES)
def test_three_classes(kind):
    X, y, _ = table(20, 9)
    with pytest.raises(ValueError, match="not supported with multiclass classification: y has 3 classes"):
        kind(monotonic_cst=SIGNS).fit(X, np.digitize(y, [-1, 1]))


def test_what_has_no_order():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "word": ["a", "b", "a", "c"]})
    for kind in FOR_NUMBERS:
        with pytest.raises(ParameterError, match="monotonic_cst is -1 for column 1, whose levels have no order"):
            kind(monotonic_cst=[1, -1]).fit(frame, [1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize("kind", TREES)
def test_costs(kind):
    with pytest.raises(ParameterError, match="monotonic_cst needs equal costs: give class_weight or priors"):
        kind(costs=[[0, 1], [5, 0]], monotonic_cst=[1]).fit([[1.0], [2.0]], [0, 1])


@pytest.mark.parametrize("missing", ["surrogate", "fractional"])
def test_missing_cells_that_leave_the_column(missing):
    with pytest.raises(ParameterError, match='monotonic_cst needs missing="own"'):
        DecisionTreeRegressor(missing=missing, monotonic_cst=[1]).fit([[1.0], [2.0]], [1.0, 2.0])


def test_a_criterion_that_is_a_function():
    with pytest.raises(ParameterError, match="monotonic_cst needs a criterion with a name"):
        DecisionTreeClassifier(criterion=lambda p: 1 - p.max(), monotonic_cst=[1]).fit([[1.0], [2.0]], [0, 1])


def test_rows_elsewhere(tmp_path, monkeypatch):
    """Codes of a file are enough; a tree that grows level by level has no bounds."""
    X, y, _ = table(300, 10)
    pd.DataFrame(X, columns=list("abc")).assign(y=y).to_parquet(tmp_path / "rows.parquet")
    rows, model = aprendiz.rows(tmp_path / "rows.parquet", target="y"), RandomForestRegressor(2, monotonic_cst=SIGNS)
    monkeypatch.setattr(decision_tree, "GATHERED", 0)
    swept = pd.DataFrame(np.column_stack([GRID, np.zeros((len(GRID), 2))]), columns=list("abc"))
    assert (np.diff(model.fit(rows).predict(swept)) >= 0).all()
    monkeypatch.setattr(decision_tree, "CODED", 0)
    with pytest.raises(ParameterError, match="monotonic_cst needs the rows in memory"):
        DecisionTreeRegressor(monotonic_cst=SIGNS).fit(rows)
