"""NuSVR: scikit-learn's answer, and a tube as wide as ν wants it."""

import numpy as np
import pytest
from reference import dual_twins as twins
from scipy import sparse
from sklearn import svm
from sklearn.exceptions import ConvergenceWarning

from aprendiz import SVR, NuSVR

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] ** 2 + X[:, 1] + 0.3 * RNG.normal(size=60)
NEW = RNG.normal(size=(25, 3))


@pytest.mark.parametrize(
    "given",
    [{}, {"nu": 0.2, "C": 10.0}, {"gamma": 0.5, "nu": 0.8}, {"kernel": "poly", "degree": 2, "coef0": 1.0}],
    ids=str,
)
def test_same_as_scikit_learn(given):
    ours, theirs = (cls(tol=1e-8, **given).fit(X, Y) for cls in (NuSVR, svm.NuSVR))
    assert np.array_equal(ours.support_, theirs.support_)
    for name in ("support_", "n_support_", "dual_coef_", "intercept_", "support_vectors_"):
        assert getattr(ours, name).shape == getattr(theirs, name).shape
        assert getattr(ours, name).dtype == getattr(theirs, name).dtype
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-4 * np.abs(theirs.dual_coef_).max())
    np.testing.assert_allclose(ours.predict(NEW), theirs.predict(NEW), atol=1e-4)


@pytest.mark.parametrize("nu", [0.1, 0.3, 0.6])
def test_what_nu_promises(nu):
    """At most ν·n rows outside the tube, at least ν·n support vectors; SVR with the ε that was found has the same answer."""
    model = NuSVR(nu=nu, C=2.0, gamma=0.5, tol=1e-8).fit(X, Y)
    off = np.abs(Y - model.predict(X))
    assert (off > model.epsilon_ + 1e-5).sum() <= nu * 60
    assert len(model.support_) >= nu * 60
    assert model.epsilon_ > 0
    by_width = SVR(C=2.0, epsilon=model.epsilon_, gamma=0.5, tol=1e-8).fit(X, Y)
    np.testing.assert_allclose(by_width.predict(NEW), model.predict(NEW), atol=1e-4)
    free = np.abs(model.dual_coef_[0]) < 2.0 - 1e-9
    np.testing.assert_allclose(off[model.support_][free], model.epsilon_, atol=1e-5)


def test_a_share_of_all():
    """ν = 1: no tube is left. Every row may lie outside."""
    model = NuSVR(nu=1.0, gamma=0.5, tol=1e-6).fit(X, Y)
    assert model.epsilon_ == pytest.approx(0.0, abs=0.2)
    assert model.certificate_.holds


def test_primal_objective():
    """½‖w‖² + C(ν·n·ε + Σ max(0, |error| − ε)) from the public numbers is what the certificate says, but for constants."""
    model = NuSVR(nu=0.4, C=2.0, gamma=0.5, tol=1e-8).fit(X, Y)
    beta, K = np.zeros(60), twins.gaussian(X, X, 0.5)
    beta[model.support_] = model.dual_coef_[0]
    off = np.abs(Y - K @ beta - model.intercept_[0])
    primal = 0.5 * beta @ K @ beta + 2.0 * (0.4 * 60 * model.epsilon_ + np.maximum(0.0, off - model.epsilon_).sum())
    assert primal == pytest.approx(Y @ beta - 0.5 * beta @ K @ beta, rel=1e-6)
    assert model.certificate_.dual == pytest.approx(primal, rel=1e-6)


def test_weights_sparse_and_far_from_zero():
    """A weight of 2 is a row that stands twice; sparse rows; dyadic rows far away."""
    w = np.where(np.arange(60) < 20, 2.0, 1.0)
    twice = np.concatenate([np.arange(60), np.arange(20)])
    one, other = NuSVR(tol=1e-8, gamma=0.5).fit(X, Y, w), NuSVR(tol=1e-8, gamma=0.5).fit(X[twice], Y[twice])
    np.testing.assert_allclose(one.predict(NEW), other.predict(NEW), atol=1e-4)
    thin = NuSVR(tol=1e-8, gamma=0.5).fit(sparse.csr_array(X), Y)
    np.testing.assert_allclose(thin.predict(NEW), NuSVR(tol=1e-8, gamma=0.5).fit(X, Y).predict(NEW), atol=1e-5)
    dyadic = np.round(X * 256) / 256
    near, far = (NuSVR(gamma=0.5).fit(dyadic + shift, Y) for shift in (0.0, 2.0**30))
    assert np.array_equal(near.predict(dyadic), far.predict(dyadic + 2.0**30))


def test_stopped_early_and_refused():
    with pytest.warns(ConvergenceWarning, match="NuSVR stopped early"):
        assert not NuSVR(max_iter=2).fit(X, Y).certificate_.holds
    for given in ({"nu": 0.0}, {"nu": 1.1}, {"C": -1.0}):
        with pytest.raises(ValueError, match=next(iter(given))):
            NuSVR(**given).fit(X, Y)
