"""Bounds over classes of rules: labellings are counted, inverses are inverse, and the classes of models are known."""

from itertools import combinations, product
from math import comb, exp, log

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression as FromElsewhere
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.tree import DecisionTreeClassifier as TreeFromElsewhere

from aprendiz import (
    C45,
    PCA,
    DecisionTreeClassifier,
    GaussianNB,
    KNeighborsClassifier,
    LogisticRegression,
    NaiveBayes,
    OneVsRestClassifier,
    Perceptron,
    QuadraticDiscriminantAnalysis,
    StandardScaler,
    StollerCut,
)
from aprendiz.evaluation.bounds import (
    cover_count,
    finite_class,
    hoeffding,
    hyperplane_erm,
    shatters,
    stoller_erm,
    structural_risk,
    vc_bound,
    vc_dimension,
)
from aprendiz.evaluation.bounds.classes.labellings import log_sauer, log_tree_labellings
from aprendiz.evaluation.bounds.classes.model_class import class_of

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(60, 3))
TWO = (X[:, 0] + 0.3 * X[:, 1] > 0).astype(int)
THREE = np.digitize(X[:, 0], [-0.5, 0.5])


# ---- shattering --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "d"), [(1, 1), (4, 1), (3, 2), (5, 2), (6, 2), (5, 3), (6, 3), (5, 4)])
def test_general_position_has_covers_count(n, d):
    found = shatters(RANDOM.normal(size=(n, d)))
    assert found.general_position
    assert found.separable == found.cover == cover_count(n, d)
    assert bool(found) == (n <= d + 1)


def test_labellings_one_by_one():
    """All 2^n labellings of points in special position, each tried by a programme of another form: s(wᵀx + b) ≥ 1 has a
    solution."""
    points = np.array([[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [0.5, 0.5]])
    count = 0
    for signs in product([-1.0, 1.0], repeat=len(points)):
        rows = -np.array(signs)[:, None] * np.column_stack([points, np.ones(len(points))])
        count += linprog(np.zeros(3), A_ub=rows, b_ub=-np.ones(len(points)), bounds=(None, None)).status == 0
    found = shatters(points)
    assert found.separable == count < found.cover
    assert not found.general_position


def test_shattering_does_not_depend_on_units():
    """Nor on the place, the order of the points, or a column without meaning."""
    points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [3.0, 1.0]])
    found = shatters(points)
    assert shatters(points * [1e-8, 1e6] + [5, -2e6]) == found
    assert shatters(points[::-1]) == found
    assert shatters(np.column_stack([points, np.ones(5)])).separable == found.separable
    assert shatters([[1.0], [1.0]]).separable == 2  # twice the same point has one label


def test_shatters_refuses():
    with pytest.raises(ValueError, match=r"points has shape \(3,\)"):
        shatters([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="points"):
        shatters([[1.0, np.nan]])
    with pytest.raises(TypeError, match="must hold numbers"):
        shatters([["a", "b"]])
    with pytest.raises(ValueError, match="More than 11 are never shattered"):
        shatters(RANDOM.normal(size=(40, 10)))


# ---- counts and dimensions ---------------------------------------------------------------------------------------------


def test_sauers_sum():
    assert exp(log_sauer(20, 3)) == pytest.approx(sum(comb(20, i) for i in range(4)), rel=1e-12)
    assert log_sauer(5, 9) == 5 * log(2)
    assert log_sauer(2 * 10**9, 50) == pytest.approx(log(sum(comb(2 * 10**9, i) for i in range(51))), rel=1e-12)


def labellings_by_trees(points, leaves):
    """All labellings that binary trees with so many leaves make, by trying all cuts."""
    n = len(points)
    if leaves == 1 or n == 0:
        return {(0,) * n, (1,) * n} if n else {()}
    found = labellings_by_trees(points, 1)
    for j in range(points.shape[1]):
        for c in np.unique(points[:, j])[:-1]:
            left = points[:, j] <= c
            for i in range(1, leaves):
                for a in labellings_by_trees(points[left], i):
                    for b in labellings_by_trees(points[~left], leaves - i):
                        whole = np.empty(n, int)
                        whole[left], whole[~left] = a, b
                        found.add(tuple(whole.tolist()))
    return found


@pytest.mark.parametrize(("n", "d", "leaves"), [(4, 1, 2), (6, 1, 3), (5, 2, 2), (6, 2, 3), (5, 3, 3)])
def test_the_count_of_trees_is_an_upper_bound(n, d, leaves):
    points = RANDOM.normal(size=(n, d))
    count = len(labellings_by_trees(points, leaves))
    assert count <= exp(log_tree_labellings(n, leaves, d, 2)) * (1 + 1e-12)
    shattered = max(m for m in range(1, n + 1) if len(labellings_by_trees(points[:m], leaves)) == 2**m)
    assert shattered <= vc_dimension("trees", d, leaves=leaves)


def test_dimensions():
    """The exact ones; of counts, the largest m with S(m) ≥ 2^m, tried one by one."""
    assert [vc_dimension("linear", d) for d in (1, 2, 10)] == [2, 3, 11]
    assert vc_dimension("polynomial", 3, degree=2) == 10
    assert vc_dimension("boxes", 5) == 10
    assert [vc_dimension("finite", size=size) for size in (1, 2, 3, 1024, 3**40)] == [0, 1, 1, 10, 63]
    for d, leaves, K in ((1, 2, 2), (4, 3, 2), (30, 8, 5)):
        counted = [m for m in range(leaves, 400) if log_tree_labellings(m, leaves, d, K) >= m * log(2)]
        assert vc_dimension("trees", d, leaves=leaves, classes=K) == max(counted)
    counted = [m for m in range(3, 300) if 3 * log_sauer(m, 3) >= m * log(2)]
    assert vc_dimension("linear", 2, classes=3) == max(counted)
    assert vc_dimension("linear", 2, classes=2) == 3


def test_boxes_shatter_what_they_should():
    """2d points on the axes are shattered by boxes; of 2d + 1 points, the outermost ones cannot be in and the other out."""
    for d in (1, 2, 3):
        points = np.vstack([np.eye(d), -np.eye(d)])
        for size in range(1, 2 * d + 1):
            for chosen in combinations(range(2 * d), size):
                low, high = points[list(chosen)].min(axis=0), points[list(chosen)].max(axis=0)
                inside = ((points >= low) & (points <= high)).all(axis=1)
                assert set(np.flatnonzero(inside)) == set(chosen)


@pytest.mark.parametrize(
    ("model", "dimension"),
    [
        (LogisticRegression(), 4),
        (FromElsewhere(), 4),
        (Perceptron(), 4),
        (OneVsRestClassifier(Perceptron()), 4),
        (GaussianNB(), 7),
        (NaiveBayes(), 7),
        (QuadraticDiscriminantAnalysis(), 10),
        (StollerCut(), vc_dimension("trees", 3, leaves=2)),
        (DummyClassifier(), 1),
        (make_pipeline(StandardScaler(), LogisticRegression()), 4),
        (make_pipeline(PCA(2), LogisticRegression()), 3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_classes_of_models(model, dimension):
    assert vc_dimension(model.fit(X, TWO)) == dimension


@pytest.mark.parametrize("tree", [DecisionTreeClassifier(max_leaf_nodes=5), TreeFromElsewhere(max_leaf_nodes=5)])
def test_trees_of_models(tree):
    """By leaves, whoever made them; the rows chose how many, so there is only a share of δ."""
    tree.fit(X, THREE)
    leaves = tree.get_n_leaves()
    assert vc_dimension(tree) == vc_dimension("trees", 3, leaves=leaves, classes=3)
    assert class_of(tree).share == 1 / (leaves * (leaves + 1))


def test_models_without_a_class():
    with pytest.raises(ValueError, match="neighbours label any distinct rows in any way"):
        vc_dimension(KNeighborsClassifier().fit(X, TWO))
    with pytest.raises(ValueError, match="votes of many members"):
        vc_dimension(RandomForestClassifier(3, random_state=0).fit(X, TWO))
    with pytest.raises(ValueError, match="a step before the classifier"):
        vc_dimension(make_pipeline(PolynomialFeatures(2), LogisticRegression()).fit(X, TWO))
    with pytest.raises(ValueError, match="a step before the classifier"):
        vc_dimension(make_pipeline(PCA(2), DecisionTreeClassifier()).fit(X, TWO))
    words = np.where(X > 0, "yes", "no")
    with pytest.raises(ValueError, match="its columns are categories"):
        vc_dimension(NaiveBayes().fit(words, TWO))
    many = np.array([["a", "b", "c"][k % 3] for k in range(60)])[:, None]
    with pytest.raises(ValueError, match="binary splits of numeric columns"):
        vc_dimension(C45().fit(many, np.arange(60) % 3))
    with pytest.raises(ValueError, match="rules must be"):
        vc_dimension("lines", 2)
    with pytest.raises(ValueError, match="d must be a whole number"):
        vc_dimension("linear")
    with pytest.raises(ValueError, match="rules must be"):
        vc_dimension(7)


# ---- bounds ------------------------------------------------------------------------------------------------------------

UNIFORM = {
    "finite": (finite_class, {"size": 3**10}),
    "finite, consistent": (finite_class, {"size": 3**10, "consistent": True}),
    "vc": (vc_bound, {"dimension": 5}),
    "vc, consistent": (vc_bound, {"dimension": 5, "consistent": True}),
    "stoller": (stoller_erm, {}),
    "hyperplane": (hyperplane_erm, {"d": 3}),
}
each = pytest.mark.parametrize(("bound", "given"), UNIFORM.values(), ids=UNIFORM.keys())


@each
def test_inverses(bound, given):
    """One convention for all: ε of (n, δ), δ of (n, ε), and the fewest rows of (ε, δ)."""
    n, delta = 5000, 0.05
    eps = bound(n, delta=delta, **given)
    assert bound(n, eps=min(eps, 1.0), **given) == pytest.approx(delta, rel=1e-6)
    rows = bound(eps=0.2, delta=delta, **given)
    assert bound(rows, eps=0.2, **given) <= delta * (1 + 1e-12) < bound(rows - 1, eps=0.2, **given)


@each
def test_monotone(bound, given):
    by_rows = [bound(n, delta=0.05, **given) for n in (2000, 4000, 10**5, 10**7)]
    assert (np.diff(by_rows) < 0).all()
    assert bound(5000, delta=0.01, **given) > bound(5000, delta=0.1, **given)


def test_bounds_by_hand():
    """2M·e^{−2nε²}, M·e^{−nε}, 4·S(2n)·e^{−nε²/8}, 2·S(2n)·2^{−nε/2}; a class of one rule is Hoeffding's."""
    assert finite_class(100, size=10, eps=0.2) == pytest.approx(20 * np.exp(-8), rel=1e-12)
    assert finite_class(100, size=10, eps=0.2, consistent=True) == pytest.approx(10 * np.exp(-20), rel=1e-12)
    S = sum(comb(200, i) for i in range(3))
    assert vc_bound(100, dimension=2, eps=0.9) == pytest.approx(4 * S * np.exp(-100 * 0.81 / 8), rel=1e-11)
    assert vc_bound(100, dimension=2, eps=0.9, consistent=True) == pytest.approx(2 * S * 2.0**-45, rel=1e-11)
    assert finite_class(100, size=1, eps=0.2) == pytest.approx(hoeffding(100, eps=0.2), rel=1e-12)
    assert vc_bound(10, dimension=10**5, eps=0.1) > 1
    assert vc_bound(10**6, dimension=10**6, eps=0.1) == np.inf


def test_a_finite_class_by_simulation():
    """Thresholds on a grid, labels by a coin: the largest deviation exceeds ε no more often than the bound says."""
    n, rules, eps = 60, 9, 0.2
    coins = RANDOM.integers(0, 2, size=(400, n))
    at = RANDOM.uniform(size=(400, n))
    said = at[:, None, :] > np.linspace(0.1, 0.9, rules)[None, :, None]
    deviation = np.abs((said != coins[:, None, :]).mean(axis=2) - 0.5).max(axis=1)
    assert (deviation >= eps).mean() <= finite_class(n, size=rules, eps=eps)


@pytest.mark.parametrize(
    ("bad", "match"),
    [
        ({"n": 0, "delta": 0.05}, "n must be a whole number"),
        ({"n": 10, "delta": 0.0}, "delta must be a probability"),
        ({"n": 10, "eps": 1.2}, "eps must be"),
        ({"n": 10}, "give two of them"),
    ],
)
def test_bounds_refuse(bad, match):
    with pytest.raises(ValueError, match=match):
        vc_bound(dimension=3, **bad)
    with pytest.raises(ValueError, match=match):
        finite_class(size=3, **bad)


def test_sizes_refused():
    with pytest.raises(ValueError, match="dimension must be a whole number"):
        vc_bound(10, dimension=0, eps=0.1)
    with pytest.raises(ValueError, match="size must be a whole number"):
        finite_class(10, size=2.5, eps=0.1)
    with pytest.raises(ValueError, match="d must be a whole number"):
        cover_count(3, 0)


# ---- structural risk ---------------------------------------------------------------------------------------------------


def test_the_smallest_bound_is_chosen():
    """Each is the training error and the ε of its share of δ; the first of equal ones is best."""
    given = {"a": (0.3, 2), "b": (0.1, 6), "c": (0.09, 40)}
    found = structural_risk(given, 50_000, delta=0.06)
    expected = [error + vc_bound(50_000, dimension=h, delta=0.02) for error, h in given.values()]
    assert found.bounds == pytest.approx(expected, rel=1e-14)
    assert found.best == "b"
    assert not found.vacuous
    assert structural_risk([(0.2, 3), (0.2, 3)], 1000).best == 0
    assert structural_risk([(0.2, 3)], 20).vacuous
    assert "promise nothing" in str(structural_risk([(0.2, 3)], 20))


def test_more_rows_choose_richer_classes():
    given = {"line": (0.20, 3), "parabola": (0.12, 6), "cubic": (0.10, 10)}
    assert [structural_risk(given, n).best for n in (300, 30_000, 3_000_000)] == ["line", "parabola", "cubic"]


def test_structural_risk_refuses():
    with pytest.raises(ValueError, match="candidates is empty"):
        structural_risk({}, 100)
    with pytest.raises(TypeError, match="must be a pair"):
        structural_risk({"a": 0.3}, 100)
    with pytest.raises(ValueError, match="training error of 'a' must be from 0 to 1"):
        structural_risk({"a": (1.3, 2)}, 100)
    with pytest.raises(ValueError, match="VC dimension of 'a' must be a whole number"):
        structural_risk({"a": (0.3, 0)}, 100)
    with pytest.raises(ValueError, match="n must be a whole number"):
        structural_risk({"a": (0.3, 2)}, 0)
