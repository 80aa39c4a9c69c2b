"""Worked examples of trees: the tumour table (A-11, A-25, M-03), numbers of splits (M-01), Gini (M-04), and errata."""

import numpy as np
import pandas as pd
import pytest

from aprendiz import DecisionTreeClassifier, DecisionTreeRegressor
from aprendiz.datasets import load
from aprendiz.lab import read
from aprendiz.tree import count_splits

COLUMNS = ["size", "smoothness", "symmetry"]


@pytest.fixture(scope="module")
def tumour():
    return load("tumour", return_X_y=True, as_frame=True)


def root(tumour, criterion):
    """The root of the tumour tree, a branch for each level, worked."""
    worked = DecisionTreeClassifier(criterion=criterion, categories="multiway").fit(*tumour).worked()
    assert worked.as_dict()["column"] == COLUMNS
    return worked


def measures(worked, name):
    return [getattr(one, name) for one in worked.candidates]


# ---- the tumour table ----------------------------------------------------------------------------------------------------


def test_entropy_and_gains(tumour):
    """A-11."""
    worked = root(tumour, "entropy")
    assert worked.contents.summary.tolist() == [9, 5]
    assert worked.impurity == pytest.approx(0.940286, abs=5e-7)
    np.testing.assert_allclose(measures(worked, "decrease"), [0.424623, 0.118159, 0.090276], atol=5e-7)
    assert worked.chosen.column == 0


def test_printed_gain_of_smoothness_is_impossible():
    """A-11: the text prints 0.119. With 5 and 9 rows, no division in three gives a gain between 0.1185 and 0.1195."""
    gains = set()
    for a in np.ndindex(6, 6):
        for b in np.ndindex(10, 10):
            positive, negative = np.array([*a, 5 - sum(a)]), np.array([*b, 9 - sum(b)])
            if positive[-1] >= 0 and negative[-1] >= 0 and (positive + negative > 0).all():
                both = positive + negative
                shares = np.stack([positive, negative]) / both
                bits = -np.sum(shares * np.log2(shares, where=shares > 0, out=np.zeros_like(shares)), axis=0)
                gains.add(round(0.9402859586706311 - float(both @ bits) / 14, 6))
    assert 0.118159 in gains
    assert not [gain for gain in gains if 0.1185 <= gain < 0.1195]


def test_entropies_of_the_children_are_weighted(tumour):
    """Errata of A III.5.2.1: the gain is the entropy less the mean of the branches by their rows, not their plain mean."""
    one = root(tumour, "entropy").candidates[0]
    np.testing.assert_allclose(one.weight, [4, 5, 5])
    assert 0.940286 - one.weight @ one.impurity / 14 == pytest.approx(0.424623, abs=1e-6)
    assert 0.940286 - one.impurity.mean() == pytest.approx(0.459000, abs=1e-6)


def test_gini_and_error(tumour):
    """A-25: impurities of the root, and their decreases."""
    gini, error = root(tumour, "gini"), root(tumour, "error")
    assert gini.impurity == pytest.approx(0.459184, abs=5e-7)
    assert error.impurity == pytest.approx(0.357143, abs=5e-7)
    np.testing.assert_allclose(measures(gini, "decrease"), [0.230612, 0.073469, 0.054422], atol=5e-7)
    np.testing.assert_allclose(measures(error, "decrease"), [3 / 14, 1 / 14, 0], atol=1e-12)


def test_gain_ratios(tumour):
    """A-25: C4.5 ranks symmetry above smoothness, ID3 the reverse."""
    worked = root(tumour, "gain_ratio")
    np.testing.assert_allclose(measures(worked, "ratio"), [0.269191, 0.077197, 0.091630], atol=5e-7)
    by_ratio = np.argsort(measures(worked, "ratio"))[::-1]
    by_gain = np.argsort(measures(worked, "decrease"))[::-1]
    assert [COLUMNS[j] for j in by_ratio] == ["size", "symmetry", "smoothness"]
    assert [COLUMNS[j] for j in by_gain] == ["size", "smoothness", "symmetry"]


def test_pruning_path_of_the_tumour_tree(tumour):
    """M-03: 5, 3 and 1 leaves at the prices 0, 1/14 and 3/28; cut there, the fitted tree has as many."""
    model = DecisionTreeClassifier(criterion="entropy", categories="multiway").fit(*tumour)
    path = model.prune_path()
    assert path.leaves.tolist() == [5, 3, 1]
    np.testing.assert_allclose(path.alphas, [0, 1 / 14, 3 / 28], rtol=1e-12)
    for leaves, alpha in zip([5, 3, 1], path.alphas, strict=True):
        assert path.tree(alpha).n_leaves == leaves
    assert model.prune(alpha=path.alphas[1]).get_n_leaves() == 3


def test_costs_of_the_nodes_along_the_path(tumour):
    """M-03: R(t), R(T_t) and g(t) of each node. The node of least g is cut next, at α = g; α of the root is (5 − 2)/14/2."""
    path = DecisionTreeClassifier(criterion="entropy", categories="multiway").fit(*tumour).prune_path()
    whole, middle, root = (path.nodes(alpha) for alpha in path.alphas)
    inner = np.flatnonzero(~path.full.is_leaf)
    np.testing.assert_allclose(whole.alone[inner], [5 / 14, 1 / 14, 1 / 14], rtol=1e-12)  # size; symmetry, smoothness below it
    np.testing.assert_allclose(whole.below[inner], 0.0)
    np.testing.assert_allclose(whole.saved[inner], [5 / 56, 1 / 14, 1 / 14], rtol=1e-12)  # 5 leaves below the root
    np.testing.assert_allclose([middle.below[0], middle.saved[0]], [2 / 14, 3 / 28], rtol=1e-12)
    assert np.isinf(middle.saved[inner[1:]]).all()
    assert np.isnan(middle.alone).sum() == 4  # nodes that are cut off
    assert root.alone[0] == root.below[0] == pytest.approx(5 / 14)
    assert str(middle).splitlines()[1].split() == ["0", "0.3571", "0.1429", "0.1071"]
    assert len(str(middle).splitlines()) == 5


def test_boundary_thresholds_suffice():
    """Entropy and Gini have their best threshold between rows of different label: the tree is that of all thresholds."""
    rng = np.random.default_rng(0)
    for seed, missing in enumerate([0.0, 0.0, 0.2]):
        X = rng.integers(0, 25, (120, 3)).astype(float)
        X[rng.uniform(size=X.shape) < missing] = np.nan
        y = (np.nan_to_num(X[:, 0]) + rng.integers(0, 12, 120)) // 13
        for criterion in ("gini", "entropy", "log_loss", "gain_ratio"):
            every, few = (
                DecisionTreeClassifier(criterion=criterion, thresholds=which).fit(X, y).tree_ for which in ("all", "boundary")
            )
            assert every.node_count > 9, seed
            for name in ("feature", "threshold", "children", "missing_branch", "n_node_samples"):
                np.testing.assert_array_equal(getattr(every, name), getattr(few, name))


@pytest.mark.parametrize("criterion", ["error", lambda p: 1 - p.max()], ids=["error", "function"])
def test_boundary_thresholds_are_between_labels(criterion):
    """The error rate is not strictly concave: all cuts of a run are equal, and only its ends are asked about."""
    X, y = np.arange(8.0)[:, None], list("aabbbbaa")
    found = DecisionTreeClassifier(criterion=criterion, thresholds="boundary", max_depth=1, min_samples_leaf=2).fit(X, y)
    assert found.tree_.threshold[0] == 1.5
    with pytest.raises(ValueError, match='thresholds="boundary" needs splitter="best"'):
        DecisionTreeClassifier(thresholds="boundary", splitter="random").fit(X, y)
    none = DecisionTreeClassifier(criterion=criterion, thresholds="boundary", min_samples_leaf=3).fit(X, y)
    assert none.tree_.node_count == 1  # every boundary is too near the end


def test_a_tenth_of_the_rows_for_validation():
    """A 1654: 10 % of the rows are held back, and the tree grows on the others."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    for pruning in ("reduced_error", "validation"):
        model = DecisionTreeClassifier(pruning=pruning, validation_fraction=0.1, random_state=0).fit(X, y)
        assert model.tree_.n_node_samples[0] == 180


# ---- numbers of splits ---------------------------------------------------------------------------------------------------

NAMES = ["age", "sex", "cp", "trestbps", "chol", "fbs", "restecg", "thalach", "exang", "oldpeak", "slope", "ca", "thal"]
CLEVELAND = dict(zip(NAMES, [40, 1, 7, 49, 151, 1, 3, 90, 1, 39, 3, 3, 3], strict=True))
DISTINCT = {"age": 41, "trestbps": 50, "chol": 152, "thalach": 91, "oldpeak": 40, "ca": 4}
LEVELS = {"sex": 2, "cp": 4, "fbs": 2, "restecg": 3, "exang": 2, "slope": 3, "thal": 3}


def test_splits_at_the_root():
    """M-01: 391 for a table of the shape of UCI Cleveland, 303 rows with these numbers of values and of levels."""
    row = np.arange(303)
    numbers = {name: row % count for name, count in DISTINCT.items()}
    words = {name: [f"level {k}" for k in row % count] for name, count in LEVELS.items()}
    counts = count_splits(pd.DataFrame({**numbers, **words})[NAMES])
    assert counts.columns == CLEVELAND
    assert int(counts) == 391


def test_splits_of_the_weka_copy(acceptance):
    """M-01: the copy of Weka lacks the only row with the blood pressure 158 and repeats its last row: one cut less."""
    X = read(acceptance / "tables" / "heart.c.arff").frame.drop(columns="num")
    counts = count_splits(X)
    assert counts.columns == {**CLEVELAND, "trestbps": 48}
    assert int(counts) == 390
    assert not (X["trestbps"] == 158).any()
    assert X.iloc[-1].equals(X.iloc[-2])


# ---- Gini ----------------------------------------------------------------------------------------------------------------


def gini_of(counts):
    """The Gini index of a node with so many rows of each class."""
    y = np.repeat(np.arange(len(counts)), counts)
    return DecisionTreeClassifier(max_depth=1).fit(np.column_stack([np.arange(len(y)), y]), y).worked().impurity


@pytest.mark.parametrize("positive", range(1, 20))
def test_gini_of_two_classes(positive):
    """M-04: 2P(1 − P)."""
    P = positive / 20
    assert gini_of([positive, 20 - positive]) == pytest.approx(2 * P * (1 - P), abs=1e-14)


def test_gini_of_three_classes():
    """M-04: 0.62; it is + Σ_{k≠k'} P_k P_k' (errata of M: a minus is printed), which no impurity below 0 could be."""
    P = np.array([0.2, 0.3, 0.5])
    pairs = sum(P[k] * P[l] for k in range(3) for l in range(3) if k != l)
    assert gini_of([2, 3, 5]) == pytest.approx(0.62, abs=1e-14)
    assert gini_of([2, 3, 5]) == pytest.approx(pairs, abs=1e-14)


# ---- errata --------------------------------------------------------------------------------------------------------------


def test_branches_count_by_their_share():
    """Errata of D 1.8.2: with branches that all count the same, a question that cuts off one row would be preferred to one that
    answers six of eight rows rightly, and that one would seem to raise the impurity."""
    X = pd.DataFrame({"single": [1, 0, 0, 0, 0, 0, 0, 0], "half": [1, 1, 1, 0, 1, 0, 0, 0]})
    single, half = (one := DecisionTreeClassifier().fit(X, list("aaaabbbb")).worked()).candidates
    unweighted = [one.impurity - candidate.impurity.sum() for candidate in (single, half)]
    assert unweighted[0] > 0 > unweighted[1]
    assert half.decrease > single.decrease > 0
    assert one.chosen is half


def test_sums_of_squares_need_no_weight():
    """Errata of D 1.8.2: V_G is a sum over rows, so that V − V₁ − V₂ is the decrease times the rows."""
    z = np.array([1.0, 2.0, 4.0, 8.0, 9.0])
    worked = DecisionTreeRegressor().fit(np.column_stack([np.arange(5), np.zeros(5)]), z).worked()
    for g, one in enumerate(worked.candidates, start=1):
        spread = [((part - part.mean()) ** 2).sum() for part in (z, z[:g], z[g:])]
        assert 5 * one.decrease == pytest.approx(spread[0] - spread[1] - spread[2])
