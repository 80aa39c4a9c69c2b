"""Trees that are grown level by level, from sums over blocks, are those that are grown in memory on the same bins."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import aprendiz
from aprendiz.core.parameters import ParameterError
from aprendiz.tree import C45, CART, ID3, DecisionTreeClassifier, DecisionTreeRegressor
from aprendiz.tree.growth import levelwise, sampled_codes
from aprendiz.tree.shared import decision_tree

ROWS, NAMES = 20_000, [f"x{j}" for j in range(5)]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Measurements, whole numbers and missing cells, with classes, numbers, counts and weights, as a frame and as a file."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, 5))
    X[:, 1] = rng.integers(0, 9, ROWS)
    X[rng.random(X.shape) < 0.05] = np.nan
    signal = np.nan_to_num(X[:, 0]) * 2 + np.nan_to_num(X[:, 1]) - 2 * (np.isnan(X[:, 2]))
    frame = pd.DataFrame(X, columns=NAMES)
    frame["kind"] = np.digitize(signal + rng.standard_normal(ROWS), [1.0, 5.0])
    frame["number"] = np.round(1e6 + signal * 8 + rng.standard_normal(ROWS))
    frame["count"] = rng.poisson(np.exp(0.2 * signal))
    frame["weight"] = rng.integers(1, 4, ROWS).astype(float)
    path = tmp_path_factory.mktemp("levels") / "t.parquet"
    frame.to_parquet(path, row_group_size=3000)
    return frame, path


@pytest.fixture
def by_levels(monkeypatch):
    """As if the rows were too many even for their codes; the bins are made from all of them."""
    monkeypatch.setattr(decision_tree, "GATHERED", 0)
    monkeypatch.setattr(decision_tree, "CODED", 0)
    monkeypatch.setattr(sampled_codes, "SAMPLE", 2**23)


def both(model, table, target, weighted=False):
    """The tree of the file, by levels, and the one that grows node by node in memory."""
    frame, path = table
    weight = "weight" if weighted else None
    levels = model.fit(aprendiz.rows(path, columns=NAMES, target=target, weight=weight)).tree_
    other = type(model)(**{**model.get_params(), "exact": False})
    with pytest.MonkeyPatch.context() as usual:
        usual.setattr(decision_tree, "CODED", 2**31)
        memory = other.fit(frame[NAMES].to_numpy(), frame[target], frame["weight"] if weighted else None)
    assert memory.search_ == "binned"
    return levels, memory.tree_


CASES = [
    (DecisionTreeClassifier(max_depth=5), "kind"),
    (DecisionTreeClassifier(criterion="entropy", min_samples_leaf=50), "kind"),
    (DecisionTreeClassifier(criterion="gain_ratio", max_depth=4), "kind"),
    (DecisionTreeClassifier(criterion="error", max_depth=4), "kind"),
    (DecisionTreeClassifier(max_depth=4, costs=[[0, 1, 5], [1, 0, 1], [1, 1, 0]]), "kind"),
    (DecisionTreeClassifier(max_depth=6, max_features=2, random_state=3), "kind"),
    (DecisionTreeClassifier(max_depth=4, splitter="random", random_state=3), "kind"),
    (DecisionTreeClassifier(min_impurity_decrease=0.002), "kind"),
    (ID3(max_depth=4), "kind"),
    (DecisionTreeRegressor(max_depth=5), "number"),
    (DecisionTreeRegressor(max_depth=4, criterion="poisson"), "count"),
]


@pytest.mark.parametrize(("model", "target"), CASES, ids=lambda case: str(case) if isinstance(case, str) else repr(case))
def test_same_tree(table, by_levels, model, target):
    """Same questions, same rows in the nodes, and the same answers to rounding."""
    levels, memory = both(model, table, target)
    assert levels.node_count > 3
    for name in ("feature", "children", "missing_branch", "n_node_samples"):
        assert_array_equal(getattr(levels, name), getattr(memory, name), name)
    for name in ("threshold", "value", "impurity", "weighted_n_node_samples"):
        assert_allclose(getattr(levels, name), getattr(memory, name), rtol=1e-7, atol=1e-9, err_msg=name)


def test_weights(table, by_levels):
    """Rows count as often as their weight says (here the bins, made without weights, are another reason to differ)."""
    levels, memory = both(DecisionTreeClassifier(max_depth=3), table, "kind", weighted=True)
    assert_allclose(levels.weighted_n_node_samples[0], memory.weighted_n_node_samples[0])
    assert_allclose(levels.value[0], memory.value[0])
    assert levels.feature[0] == memory.feature[0]


def test_many_nodes_in_little_room(table, by_levels, monkeypatch):
    """A level whose tables do not fit takes several passes, and the tree is the same."""
    whole, _ = both(DecisionTreeClassifier(max_depth=6), table, "kind")
    monkeypatch.setattr(levelwise, "TABLE_BYTES", 2**18)
    parts, _ = both(DecisionTreeClassifier(max_depth=6), table, "kind")
    assert_array_equal(whole.feature, parts.feature)
    assert_array_equal(whole.threshold, parts.threshold)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (DecisionTreeRegressor(criterion="absolute_error"), "absolute_error"),
        (DecisionTreeClassifier(max_leaf_nodes=9), "max_leaf_nodes"),
        (DecisionTreeClassifier(exact=True), "exact=True"),
        (DecisionTreeClassifier(criterion=lambda p: 1 - (p**2).sum()), "a criterion that is a function"),
        (C45(), "fractional"),
        (CART(), "surrogate"),
    ],
)
def test_what_needs_the_rows_at_once(table, by_levels, model, words):
    """What cannot be counted is refused, with the remedy."""
    target = "number" if isinstance(model, DecisionTreeRegressor) else "kind"
    with pytest.raises(ParameterError, match=f"{words}.*read a part"):
        model.fit(aprendiz.rows(table[1], columns=NAMES, target=target))
