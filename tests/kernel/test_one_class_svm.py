"""OneClassSVM: scikit-learn's answer, and the share of rows outside."""

import numpy as np
import pytest
from reference import dual_twins as twins
from scipy import sparse
from sklearn import svm
from sklearn.exceptions import ConvergenceWarning

from aprendiz import OneClassSVM

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
NEW = 1.5 * RNG.normal(size=(25, 3))
W = RNG.choice([0.5, 1.0, 3.0], size=60)


@pytest.mark.parametrize("given", [{}, {"nu": 0.1, "gamma": 0.3}, {"kernel": "poly", "coef0": 1.0, "degree": 2}], ids=str)
@pytest.mark.parametrize("w", [None, W], ids=["plain", "weights"])
def test_same_as_scikit_learn(given, w):
    ours, theirs = (cls(tol=1e-8, **given).fit(X, sample_weight=w) for cls in (OneClassSVM, svm.OneClassSVM))
    assert np.array_equal(ours.support_, theirs.support_)
    for name in ("support_", "n_support_", "dual_coef_", "intercept_", "support_vectors_", "offset_"):
        assert np.shape(getattr(ours, name)) == np.shape(getattr(theirs, name))
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-4)
    np.testing.assert_allclose(ours.offset_, theirs.offset_, rtol=1e-6)
    np.testing.assert_allclose(ours.score_samples(NEW), theirs.score_samples(NEW), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(ours.decision_function(NEW), theirs.decision_function(NEW), atol=1e-4)
    assert np.array_equal(ours.predict(NEW), theirs.predict(NEW))
    assert set(ours.predict(NEW)) == {1, -1}


def test_the_plane_of_one_class():
    """It lies between the rows and zero: the linear kernel is not moved, for Σα = ν·n and not 0."""
    ours, theirs = (machine(kernel="linear", nu=0.2, tol=1e-8).fit(X + 3.0) for machine in (OneClassSVM, svm.OneClassSVM))
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-5)
    np.testing.assert_allclose(ours.offset_, theirs.offset_, rtol=1e-5)
    np.testing.assert_allclose(ours.decision_function(NEW), theirs.decision_function(NEW), atol=1e-3)
    assert ours.centre_ is None


@pytest.mark.parametrize("nu", [0.05, 0.2, 0.5, 0.9])
def test_the_share_outside(nu):
    """At most ν of the rows outside, at least ν support vectors; the sum of the coefficients is ν·n."""
    model = OneClassSVM(nu=nu, gamma=0.3, tol=1e-7).fit(X)
    assert (model.decision_function(X) < -1e-5).sum() <= nu * 60
    assert len(model.support_) >= nu * 60
    assert model.dual_coef_.sum() == pytest.approx(nu * 60)
    assert (model.dual_coef_ > 0).all()
    assert (model.dual_coef_ <= 1).all()


@pytest.mark.parametrize("seed", range(4))
def test_all_cases(seed):
    table = np.random.default_rng(seed).normal(size=(6, 2))
    K = twins.gaussian(table, table, 0.7)
    best, least = twins.all_cases(K, np.zeros(6), np.zeros(6), np.ones(6), [(range(6), 2.4)])
    model = OneClassSVM(nu=0.4, gamma=0.7, tol=1e-9).fit(table)
    found = np.zeros(6)
    found[model.support_] = model.dual_coef_[0]
    np.testing.assert_allclose(found, best, atol=1e-6)
    assert -model.certificate_.dual == pytest.approx(least, rel=1e-8)


def test_all_rows_count():
    """ν = 1: every coefficient is 1, and the score is a sum over all rows."""
    model = OneClassSVM(nu=1.0, gamma=0.3).fit(X)
    assert (model.dual_coef_ == 1.0).all()
    np.testing.assert_allclose(model.score_samples(NEW), twins.gaussian(NEW, X, 0.3).sum(axis=1), rtol=1e-12)


def test_y_is_not_looked_at():
    usual = OneClassSVM().fit(X)
    assert np.array_equal(OneClassSVM().fit(X, ["?"] * 60).dual_coef_, usual.dual_coef_)
    assert np.array_equal(OneClassSVM().fit_predict(X), usual.predict(X))


def test_sparse_and_far_from_zero():
    thin, usual = OneClassSVM(gamma=0.3, tol=1e-8).fit(sparse.csr_array(X)), OneClassSVM(gamma=0.3, tol=1e-8).fit(X)
    np.testing.assert_allclose(thin.score_samples(NEW), usual.score_samples(NEW), rtol=1e-5)
    dyadic = np.round(X * 256) / 256
    near, far = (OneClassSVM(gamma=0.3).fit(dyadic + shift) for shift in (0.0, 2.0**30))
    assert np.array_equal(near.score_samples(dyadic), far.score_samples(dyadic + 2.0**30))
    assert near.offset_ == far.offset_


def test_stopped_early_and_refused():
    with pytest.warns(ConvergenceWarning, match="OneClassSVM stopped early"):
        assert not OneClassSVM(max_iter=2, gamma=2.0).fit(X).certificate_.holds
    for nu in (0.0, 1.1):
        with pytest.raises(ValueError, match="nu"):
            OneClassSVM(nu=nu).fit(X)
