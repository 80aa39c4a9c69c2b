"""NuSVC: scikit-learn's answer, what ν promises, and shares that cannot be."""

import numpy as np
import pytest
from reference import dual_twins as twins
from scipy import sparse
from sklearn import svm
from sklearn.exceptions import ConvergenceWarning

from aprendiz import RBF, SVC, NuSVC

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
TWO = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
THREE = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + 0.5 * RNG.normal(size=60), [-0.6, 0.6])]
NEW = RNG.normal(size=(25, 3))


@pytest.mark.parametrize("y", [TWO, THREE], ids=["2", "3"])
@pytest.mark.parametrize(
    "given",
    [
        *({"gamma": 0.5}, {"nu": 0.1, "gamma": 1.0}, {"kernel": "poly", "degree": 2, "coef0": 1.0, "nu": 0.4}),
        *({"decision_function_shape": "ovo"}, {"break_ties": True}),
    ],
    ids=str,
)
def test_same_as_scikit_learn(given, y):
    ours, theirs = (cls(tol=1e-8, **given).fit(X, y) for cls in (NuSVC, svm.NuSVC))
    assert np.array_equal(ours.support_, theirs.support_)
    for name in ("support_", "n_support_", "dual_coef_", "intercept_", "support_vectors_", "n_iter_", "class_weight_"):
        assert getattr(ours, name).shape == getattr(theirs, name).shape
        assert getattr(ours, name).dtype == getattr(theirs, name).dtype
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-4 * np.abs(theirs.dual_coef_).max())
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    np.testing.assert_allclose(ours.decision_function(NEW), theirs.decision_function(NEW), atol=1e-4)
    assert np.array_equal(ours.predict(NEW), theirs.predict(NEW))
    assert ours.certificate_.holds


def test_weights():
    """Those of rows are scikit-learn's, those of classes are weights of their rows (which scikit-learn passes over)."""
    w = RNG.choice([0.5, 1.0, 2.0], size=60)
    ours, theirs = (cls(nu=0.3, tol=1e-8).fit(X, TWO, w) for cls in (NuSVC, svm.NuSVC))
    np.testing.assert_allclose(ours.decision_function(NEW), theirs.decision_function(NEW), atol=1e-4)
    by_class = NuSVC(nu=0.3, tol=1e-8, class_weight={1: 2.0}).fit(X, TWO)
    by_row = svm.NuSVC(nu=0.3, tol=1e-8).fit(X, TWO, np.where(TWO == 1, 2.0, 1.0))
    np.testing.assert_allclose(by_class.decision_function(NEW), by_row.decision_function(NEW), atol=1e-4)


def test_sparse_and_precomputed():
    """Whatever holds the rows, the answer is that of the dense table."""
    usual = NuSVC(nu=0.3, gamma=0.5, tol=1e-8).fit(X, TWO)
    thin = NuSVC(nu=0.3, gamma=0.5, tol=1e-8).fit(sparse.csr_array(X), TWO)
    given = NuSVC(nu=0.3, kernel="precomputed", tol=1e-8).fit(twins.gaussian(X, X, 0.5), TWO)
    np.testing.assert_allclose(thin.decision_function(NEW), usual.decision_function(NEW), atol=1e-5)
    np.testing.assert_allclose(given.decision_function(twins.gaussian(NEW, X, 0.5)), usual.decision_function(NEW), atol=1e-5)
    assert sparse.issparse(thin.dual_coef_)


@pytest.mark.parametrize("nu", [0.05, 0.2, 0.4, 0.6])
def test_what_nu_promises(nu):
    """At most ν·n margin errors, at least ν·n support vectors; both sums are ν·n/2 before the division by ρ."""
    y = np.arange(60) % 2
    model = NuSVC(nu=nu, gamma=0.5, tol=1e-6).fit(X, y)
    sides = np.where(y == 1, 1.0, -1.0) * model.decision_function(X)
    assert len(model.support_) >= nu * 60 - 1e-9
    coefficients = model.dual_coef_[0]
    largest = np.abs(coefficients).max()  # 1/ρ, if some row is at its bound
    assert (sides < 1 - 10 * model.tol * largest).sum() <= nu * 60 + 1e-9
    if len(model.error_support_):
        assert coefficients[coefficients > 0].sum() == pytest.approx(nu * 30 * largest, rel=1e-9)
        assert coefficients[coefficients < 0].sum() == pytest.approx(-nu * 30 * largest, rel=1e-9)


def test_the_same_as_a_price():
    """SVC with C = 1/ρ has the same answer."""
    model = NuSVC(nu=0.4, gamma=0.5, tol=1e-8).fit(X, TWO)
    C = np.abs(model.dual_coef_).max()
    by_price = SVC(C=C, gamma=0.5, tol=1e-8).fit(X, TWO)
    np.testing.assert_allclose(by_price.decision_function(NEW), model.decision_function(NEW), atol=1e-4)
    np.testing.assert_allclose(by_price.margin_, model.margin_, rtol=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_all_cases(seed):
    """½βᵀKβ with two sums of ν·n/2, divided by ρ."""
    rng = np.random.default_rng(seed)
    table, signs, nu = rng.normal(size=(7, 2)), np.array([1.0, 1, 1, 1, -1, -1, -1]), 0.5
    K = twins.gaussian(table, table, 0.7)
    low, high = np.where(signs > 0, 0.0, -1.0), np.where(signs > 0, 1.0, 0.0)
    best, least = twins.all_cases(K, np.zeros(7), low, high, [(range(4), nu * 3.5), (range(4, 7), -nu * 3.5)])
    model = NuSVC(nu=nu, gamma=0.7, tol=1e-9).fit(table, signs)
    found = np.zeros(7)
    found[model.support_] = model.dual_coef_[0]
    np.testing.assert_allclose(found / np.abs(found).sum(), best / np.abs(best).sum(), atol=1e-5)
    assert -model.certificate_.dual == pytest.approx(least, rel=1e-6)


def test_shares_that_cannot_be():
    y = (np.arange(60) < 12).astype(int)
    with pytest.raises(ValueError, match=r"specified nu is infeasible: nu=0.5 asks for more.*at most 0.4 here"):
        NuSVC(nu=0.5).fit(X, y)
    assert NuSVC(nu=0.4, gamma=0.5).fit(X, y).certificate_.holds  # just possible: all of the smaller class
    for nu in (0.0, 1.5, np.nan):
        with pytest.raises(ValueError, match="nu"):
            NuSVC(nu=nu).fit(X, TWO)


def test_little_memory_and_kernel_objects():
    much, little = (NuSVC(nu=0.3, kernel=RBF(gamma=0.5), tol=1e-6, cache_size=size).fit(X, TWO) for size in (200, 0.002))
    np.testing.assert_allclose(much.decision_function(NEW), little.decision_function(NEW), atol=1e-3)
    assert little.certificate_.holds


def test_far_from_zero():
    dyadic = np.round(X * 256) / 256
    near, far = (NuSVC(nu=0.3, gamma=0.5).fit(dyadic + shift, TWO) for shift in (0.0, 2.0**30))
    assert np.array_equal(near.dual_coef_, far.dual_coef_)
    assert np.array_equal(near.decision_function(dyadic), far.decision_function(dyadic + 2.0**30))


def test_stopped_early():
    with pytest.warns(ConvergenceWarning, match="NuSVC stopped early"):
        model = NuSVC(max_iter=2, gamma=0.5).fit(X, TWO)
    assert not model.certificate_.holds
    assert model.certificate_.violation > model.tol
