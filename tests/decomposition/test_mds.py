"""Scaling by majorization: scikit-learn's passes, a stress that never rises, ordinal scaling that sees nothing but order."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.stats import rankdata
from sklearn import manifold
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.isotonic import IsotonicRegression

from aprendiz import MDS, ClassicalMDS, smacof, stress
from aprendiz.decomposition.majorization.disparities import PairOrder
from aprendiz.decomposition.majorization.guttman import Sweep

X = load_iris().data[::3]
D = cdist(X, X)
START = np.random.default_rng(0).normal(size=(len(X), 2))


# ---- beside scikit-learn and the definitions -----------------------------------------------------------------------------


@pytest.mark.parametrize("components", [1, 2])
def test_same_passes_as_scikit_learn(components):
    """From the same points, the same points after as many passes."""
    start = np.random.default_rng(1).normal(size=(len(X), components))
    ours = smacof(D, init=start, n_components=components, return_n_iter=True)
    theirs = manifold.smacof(D, init=start, n_init=1, return_n_iter=True)
    np.testing.assert_allclose(ours[0], theirs[0], atol=1e-9)
    assert ours[1] == pytest.approx(theirs[1], rel=1e-10)
    assert ours[2] == theirs[2]


def test_sweep_is_its_definition():
    """Stress, transform and gradient by formulas, the gradient by differences too; pairs at one place have no direction."""
    points = START.copy()
    points[3] = points[7]
    found, d = Sweep.of(points, D), cdist(points, points)
    assert found.stress == pytest.approx(((d - D) ** 2).sum() / 2, rel=1e-13)
    assert found.squares == pytest.approx((d**2).sum() / 2, rel=1e-13)
    ratio = np.divide(D, d, out=np.zeros_like(D), where=d > 0)
    np.testing.assert_allclose(found.image, (np.diag(ratio.sum(axis=1)) - ratio) @ points / len(X), atol=1e-13)
    here = Sweep.of(START, D)
    step = np.zeros_like(START)
    step[5, 1] = 1e-6
    slope = (Sweep.of(START + step, D).stress - Sweep.of(START - step, D).stress) / 2e-6
    assert slope == pytest.approx(2 * len(X) * (START - START.mean(axis=0) - here.image)[5, 1], rel=1e-6)
    centred = START - START.mean(axis=0)
    assert here.slope(START) == pytest.approx(np.linalg.norm(centred - here.image) / np.linalg.norm(here.image), rel=1e-12)


def test_disparities_are_isotonic_regression():
    """Kruskal's: equal dissimilarities have equal disparities, and pairs with 0 have 0."""
    rounded = np.round(D, 1)
    rounded[2, 5] = rounded[5, 2] = 0.0
    pairs = np.triu_indices(len(X), 1)
    order, d, delta = PairOrder.of(rounded), cdist(START, START)[pairs], rounded[pairs]
    wanted = np.zeros_like(d)
    wanted[delta > 0] = IsotonicRegression().fit_transform(delta[delta > 0], d[delta > 0])
    np.testing.assert_allclose(order.table(order.isotonic(START))[pairs], wanted, atol=1e-12)
    found = order.nearest_to(START)
    np.testing.assert_allclose(found[pairs], wanted * np.sqrt(len(d) / (wanted**2).sum()), atol=1e-12)
    assert np.array_equal(found, found.T)


def test_ordinal_scaling_begins_with_ranks():
    """Ties share their mean rank."""
    rounded, pairs = np.round(D, 1), np.triu_indices(len(X), 1)
    first = PairOrder.of(rounded).first()[pairs]
    apart = rounded[pairs] > 0
    ranks = rankdata(rounded[pairs][apart])
    np.testing.assert_allclose(first[apart], ranks * np.sqrt(len(first) / (ranks**2).sum()), rtol=1e-12)
    assert not first[~apart].any()


def test_as_low_as_scikit_learn_for_ordinal_scaling():
    """It begins with ranks, and ends where scikit-learn does."""
    ours = MDS(metric_mds=False).fit(X, init=START)
    theirs = manifold.MDS(metric_mds=False, init="random").fit(X, init=START)
    assert ours.stress_ == pytest.approx(theirs.stress_, rel=0.02)


# ---- what is promised ------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 25), st.booleans())
def test_stress_never_rises(seed, n, metric):
    """For any dissimilarities, of points or not, from any start."""
    rng = np.random.default_rng(seed)
    table = np.round(rng.uniform(0, 3, size=(n, n)), int(rng.integers(0, 4)))
    table = np.triu(table, 1) + np.triu(table, 1).T
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        model = MDS(metric="precomputed", metric_mds=metric, max_iter=30, random_state=seed).fit(table)
    log = model.certificate_.log
    assert (np.diff(log) <= 1e-12 * log[:-1] + 1e-15).all()
    assert model.certificate_.holds


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.sampled_from([np.sqrt, np.exp, lambda d: d**3, lambda d: 7.0 * d]))
def test_only_the_order_counts(seed, change):
    """Dissimilarities in the same order have the same ordinal scaling, to the last bit."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 6, size=(12, 3)).astype(float)  # with ties, and with rows that are alike
    table = cdist(points, points)
    other = np.where(table > 0, change(table), 0.0)
    start = rng.normal(size=(12, 2))
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        one, two = (smacof(t, metric=False, init=start, max_iter=40) for t in (table, other))
    assert np.array_equal(one[0], two[0])
    assert one[1] == two[1]


def test_units_change_nothing():
    """Dissimilarities that are equal but for rounding are equal, in any units."""
    rows = np.array([[1.0, 1.0], [1.0, 4.0], [1.0, 5.0], [3.0, 3.0]])
    large, small = (MDS(metric_mds=False, random_state=0).fit(rows * unit) for unit in (100.0, 0.01))
    assert large.n_iter_ == small.n_iter_
    np.testing.assert_allclose(large.embedding_, small.embedding_, atol=1e-12)


def test_points_come_back():
    """Distances of points in the plane are met; a fit to the end has no slope left."""
    points = np.random.default_rng(3).normal(size=(20, 2))
    model = MDS(init="classical_mds", eps=0.0, max_iter=50)
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        model.fit(points)
    assert model.stress_ < 1e-20
    np.testing.assert_allclose(cdist(model.embedding_, model.embedding_), cdist(points, points), atol=1e-9)
    assert MDS(init="random", random_state=0, eps=1e-12, max_iter=5000).fit(X).certificate_.slope < 1e-4


def test_shift_changes_nothing():
    here, there = (MDS(random_state=0).fit(np.round(X * 8) / 8 + offset) for offset in (0.0, 2.0**30))
    assert np.array_equal(here.embedding_, there.embedding_)


# ---- starts ----------------------------------------------------------------------------------------------------------


def test_the_best_of_several_starts():
    costs = [MDS(random_state=0, n_init=k).fit(X).stress_ for k in (1, 2, 5)]
    assert costs == sorted(costs, reverse=True)
    assert costs[2] < costs[0]


def test_starts_that_are_given():
    """Given points make one start, and so does classical scaling, which is where its embedding leads."""
    with pytest.warns(UserWarning, match="only one init"):
        many = MDS(n_init=3).fit(X, init=START)
    assert np.array_equal(many.embedding_, MDS().fit(X, init=START).embedding_)
    assert many.n_iter_ == len(list(MDS().steps(X, init=START))) - 1
    classical = MDS(init="classical_mds", n_init=4).fit(X)
    assert np.array_equal(classical.embedding_, MDS().fit(X, init=ClassicalMDS().fit(X).embedding_).embedding_)
    with pytest.warns(ConvergenceWarning, match="max_iter"):  # not settled, and yet the only start
        assert MDS(n_init=3, init="classical_mds", max_iter=2, eps=0.0).fit(X).n_iter_ == 2


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (np.full((50, 2), 3.0), "all points lie in one place"),
        (START[:5], "a point for each of the 50 rows"),
        (START * np.nan, "got nan in row 0, column 0"),
    ],
)
def test_bad_starts(start, words):
    with pytest.raises(ValueError, match=words):
        MDS().fit(X, init=start)


@pytest.mark.parametrize(("metric", "words"), [(True, "metric of MDS"), ("nonsense", "nonsense")])
def test_bad_metric(metric, words):
    with pytest.raises(ValueError, match=words):
        MDS(metric=metric).fit(X)


# ---- stress ----------------------------------------------------------------------------------------------------------


def test_stress_of_any_embedding():
    model = MDS(random_state=0).fit(X)
    assert stress(D, model.embedding_, normalized=False) == pytest.approx(model.stress_, rel=1e-12)
    assert stress(D, model.embedding_) == pytest.approx(model.certificate_.stress_1, rel=1e-12)
    d, points = cdist(START, START), np.triu_indices(len(X), 1)
    assert stress(D, START) == pytest.approx(np.sqrt(((d - D) ** 2).sum() / (d**2).sum()), rel=1e-12)
    rounded = np.round(D, 1)
    fitted = np.zeros(len(d[points]))
    apart = rounded[points] > 0
    fitted[apart] = IsotonicRegression().fit_transform(rounded[points][apart], d[points][apart])
    ordinal = np.sqrt(((d[points] - fitted) ** 2).sum() / (d[points] ** 2).sum())
    assert stress(rounded, START, metric=False) == pytest.approx(ordinal, rel=1e-10)
    assert stress(np.expm1(rounded), START, metric=False) == stress(rounded, START, metric=False)
