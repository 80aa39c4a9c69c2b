"""SVR: scikit-learn's answer, the tube, the sign of w, and optimality on random problems."""

import numpy as np
import pytest
from reference import dual_twins as twins
from scipy import sparse
from sklearn import svm
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

from aprendiz import RBF, SVR

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] ** 2 + X[:, 1] + 0.3 * RNG.normal(size=60)
NEW = RNG.normal(size=(25, 3))
W = RNG.choice([0.0, 0.5, 1.0, 3.0], size=60)


def same(ours, theirs, new=NEW):
    for name in ("n_support_", "dual_coef_", "intercept_", "support_vectors_"):
        assert getattr(ours, name).shape == getattr(theirs, name).shape
        assert getattr(ours, name).dtype == getattr(theirs, name).dtype
        assert sparse.issparse(getattr(ours, name)) == sparse.issparse(getattr(theirs, name))
    dense = [m.dual_coef_.toarray() if sparse.issparse(m.dual_coef_) else m.dual_coef_ for m in (ours, theirs)]
    np.testing.assert_allclose(*dense, atol=1e-4 * np.abs(dense[1]).max())
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-4)
    assert isinstance(ours.n_iter_, int)
    assert ours.certificate_.holds


@pytest.mark.filterwarnings("ignore:.*Sigmoid.*is not positive semi-definite")
@pytest.mark.parametrize(
    "given",
    [
        *({}, {"gamma": "auto", "C": 10.0}, {"epsilon": 0.0}, {"epsilon": 0.5}, {"kernel": "linear"}),
        *({"kernel": "poly", "degree": 2, "coef0": 1.0}, {"kernel": "sigmoid", "gamma": 0.1}),
    ],
    ids=str,
)
def test_same_as_scikit_learn(given):
    ours, theirs = (cls(tol=1e-8, **given).fit(X, Y) for cls in (SVR, svm.SVR))
    assert np.array_equal(ours.support_, theirs.support_)
    same(ours, theirs)


def test_weights_sparse_and_precomputed():
    given = {"gamma": 0.5, "tol": 1e-8}
    same(SVR(**given).fit(X, Y, W), svm.SVR(**given).fit(X, Y, W))
    same(SVR(**given).fit(sparse.csr_array(X), Y), svm.SVR(**given).fit(sparse.csr_array(X), Y), sparse.csr_array(NEW))
    K = twins.gaussian(X, X, 0.5)
    machines = (cls(kernel="precomputed", tol=1e-8).fit(K, Y) for cls in (SVR, svm.SVR))
    same(*machines, twins.gaussian(NEW, X, 0.5))


def test_the_sign_of_w():
    """w = Σ(α − α*)x with α of the rows above the tube: the other sign gives −w, which does not fit."""
    table = np.linspace(-2.0, 2.0, 15)[:, None]
    y = 3.0 * table[:, 0] + 0.5 * np.sin(9.0 * np.arange(15))
    ours, theirs = (cls(kernel="linear", C=10.0, tol=1e-8).fit(table, y) for cls in (SVR, svm.SVR))
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
    assert ours.coef_[0, 0] > 2.5
    np.testing.assert_allclose(ours.coef_, ours.dual_coef_ @ table[ours.support_], rtol=1e-12)
    above = (y - ours.predict(table))[ours.support_]
    assert (np.sign(above) == np.sign(ours.dual_coef_[0])).all()


def test_optimal_on_many_tables():
    """Sixty tables: rows inside the tube have no coefficient, rows outside ±C, and primal − dual is the gap."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, tol, C, eps = int(rng.integers(2, 40)), (1e-3, 1e-7)[seed % 2], float(10.0 ** rng.uniform(-1, 2)), 0.2 * (seed % 3)
        table, w = np.round(rng.normal(size=(n, 2)), 1 + seed % 3), rng.uniform(0.3, 2.0, n)
        y = rng.normal(size=n)
        model = SVR(C=C, epsilon=eps, gamma=0.5, tol=tol).fit(table, y, w)
        beta, K = np.zeros(n), twins.gaussian(table, table, 0.5)
        beta[model.support_] = model.dual_coef_[0]
        off = y - K @ beta - model.intercept_[0]
        limit, slack = C * w, tol + 1e-9 * C * n
        assert abs(beta.sum()) <= 1e-10 * C * n
        assert (np.abs(beta) <= limit).all()
        assert (np.abs(off[beta == 0]) <= eps + slack).all()
        assert (off * np.sign(beta) >= eps - slack)[beta != 0].all()
        free = (beta != 0) & (np.abs(beta) < limit)
        np.testing.assert_allclose((off * np.sign(beta))[free], eps, atol=slack)
        norm2 = beta @ K @ beta
        primal = 0.5 * norm2 + limit @ np.maximum(0.0, np.abs(off) - eps)
        dual = y @ beta - eps * np.abs(beta).sum() - 0.5 * norm2
        known = model.certificate_
        assert known.holds
        assert (known.primal, known.dual) == (pytest.approx(primal, abs=slack * n), pytest.approx(dual, abs=slack * n))
        assert -1e-9 * C * n <= primal - dual <= 2 * slack * limit.sum()


@pytest.mark.parametrize("seed", range(3))
def test_all_cases(seed):
    rng = np.random.default_rng(seed)
    table, y = rng.normal(size=(5, 2)), rng.normal(size=5)
    K, limit = twins.gaussian(table, table, 0.7), np.full(5, 0.8)
    best, least = twins.all_cases(K, y, -limit, limit, [(range(5), 0.0)], 0.2)
    model = SVR(C=0.8, epsilon=0.2, gamma=0.7, tol=1e-9).fit(table, y)
    found = np.zeros(5)
    found[model.support_] = model.dual_coef_[0]
    np.testing.assert_allclose(found, best, atol=1e-6)
    assert -model.certificate_.dual == pytest.approx(least, abs=1e-8)


def test_a_wide_tube():
    """All rows inside: no support vectors, and the middle of the targets is as good as any constant within ε."""
    model = SVR(epsilon=100.0).fit(X, Y)
    assert model.support_.shape == (0,)
    assert model.dual_coef_.shape == (1, 0)
    assert np.abs(Y - model.predict(X)).max() <= 100.0
    assert len(set(model.predict(NEW))) == 1
    assert model.certificate_.primal == 0.0


def test_far_from_zero_and_little_memory():
    dyadic = np.round(X * 256) / 256
    near, far = (SVR(gamma=0.5).fit(dyadic + shift, Y) for shift in (0.0, 2.0**30))
    assert np.array_equal(near.dual_coef_, far.dual_coef_)
    assert np.array_equal(near.predict(dyadic), far.predict(dyadic + 2.0**30))
    near, far = (SVR(kernel="linear").fit(dyadic + shift, Y) for shift in (0.0, 2.0**30))
    assert np.array_equal(near.coef_, far.coef_)
    assert np.array_equal(near.predict(dyadic), far.predict(dyadic + 2.0**30))
    moved = (dyadic + 2.0**30) @ far.coef_[0] + far.intercept_[0]
    np.testing.assert_allclose(moved, far.predict(dyadic + 2.0**30), atol=1e-5)
    much, little = (SVR(gamma=0.5, tol=1e-7, cache_size=size).fit(X, Y) for size in (200, 0.002))
    np.testing.assert_allclose(much.predict(NEW), little.predict(NEW), atol=1e-5)


def test_a_moved_target():
    """An offset of the target is one of the intercept."""
    here, there = (SVR(gamma=0.5, tol=1e-7).fit(X, Y + shift) for shift in (0.0, 1000.0))
    np.testing.assert_allclose(there.predict(NEW), here.predict(NEW) + 1000.0, atol=1e-5)


def test_kernel_in_a_grid():
    grid = GridSearchCV(SVR(kernel=RBF(gamma=1.0)), {"kernel__gamma": [0.01, 0.3], "C": [1.0, 10.0]}, cv=3).fit(X, Y)
    theirs = GridSearchCV(svm.SVR(), {"gamma": [0.01, 0.3], "C": [1.0, 10.0]}, cv=3).fit(X, Y)
    assert grid.best_params_ == {"C": theirs.best_params_["C"], "kernel__gamma": theirs.best_params_["gamma"]}


def test_stopped_early_and_refused():
    with pytest.warns(ConvergenceWarning, match="SVR stopped early"):
        assert not SVR(max_iter=2).fit(X, Y).certificate_.holds
    for given in ({"epsilon": -0.1}, {"C": 0.0}, {"tol": 0.0}):
        with pytest.raises(ValueError, match=next(iter(given))):
            SVR(**given).fit(X, Y)
