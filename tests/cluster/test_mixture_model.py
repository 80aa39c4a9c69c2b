"""MixtureModel: EM with the families of bayes.distributions, against formulas and against GaussianMixture."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz import GaussianMixture, MixtureModel
from aprendiz.bayes.distributions import Bernoulli, Gaussian, MultivariateGaussian, Poisson, StudentT
from aprendiz.core.parameters import ParameterError

RNG = np.random.default_rng(5)
COUNTS = np.concatenate([RNG.poisson(2, 120), RNG.poisson(11, 80)])[:, None]


def test_poisson_by_hand():
    """Every pass is the textbook one, and the likelihood is that of the formula."""
    rate, weight, x = np.array([1.0, 6.0]), np.array([0.5, 0.5]), COUNTS.ravel()
    model = MixtureModel([Poisson(1.0), Poisson(6.0)], tol=1e-10).fit(COUNTS)
    for bound in model.lower_bounds_:
        logs = np.log(weight) + stats.poisson.logpmf(x[:, None], rate)
        assert bound == pytest.approx(logsumexp(logs, axis=1).mean(), rel=1e-11)
        r = np.exp(logs - logsumexp(logs, axis=1, keepdims=True))
        weight, rate = r.mean(axis=0), x @ r / r.sum(axis=0)
    np.testing.assert_allclose([one.rate for one in model.components_], rate, rtol=1e-9)
    np.testing.assert_allclose(model.weights_, weight, rtol=1e-9)
    assert model.n_parameters_ == 3
    assert model.bic(COUNTS) == pytest.approx(-2 * len(x) * model.score(COUNTS) + 3 * np.log(len(x)), rel=1e-12)
    assert model.aic(COUNTS) == pytest.approx(-2 * len(x) * model.score(COUNTS) + 6, rel=1e-12)


def test_bernoulli_columns():
    """Two kinds of rows of six binary columns are told apart, columns independent within each."""
    p = np.array([[0.9, 0.9, 0.9, 0.1, 0.1, 0.1], [0.1, 0.2, 0.1, 0.9, 0.8, 0.9]])
    kind = np.repeat([0, 1], [150, 100])
    table = (RNG.random((250, 6)) < p[kind]).astype(float)
    model = MixtureModel("Bernoulli", 2, random_state=0).fit(table)
    assert model.n_parameters_ == 13
    found = np.array([[one.p for one in member] for member in model.components_])
    order = np.argsort(-found[:, 0])
    np.testing.assert_allclose(found[order], p, atol=0.12)
    assert (order[kind] == model.predict(table)).mean() > 0.95
    assert model.certificate_.holds


def test_a_heavy_gaussian_takes_the_outliers():
    """A narrow and a wide Gaussian at one place: the wide one has the far rows."""
    x = np.concatenate([RNG.normal(0, 1, 190), RNG.normal(0, 20, 10)])[:, None]
    model = MixtureModel([Gaussian(0.0, 1.0), Gaussian(0.0, 100.0)]).fit(x)
    assert model.predict([[0.5], [30.0]]).tolist() == [0, 1]
    assert 0.8 < model.components_[0].variance < 1.3


def test_a_distribution_that_is_no_family_stays():
    """Beside a Gaussian that moves, a Student's t that does not: only its weight is learned."""
    x = RNG.normal(3, 1, 200)[:, None]
    model = MixtureModel([Gaussian(0.0, 1.0), StudentT(2.0, 0.0, 10.0)]).fit(x)
    assert model.components_[1] == StudentT(2.0, 0.0, 10.0)
    assert model.components_[0].mean == pytest.approx(x.mean(), abs=0.05)
    assert model.n_parameters_ == 3


def test_same_as_gaussian_mixture():
    """With multivariate Gaussians it is GaussianMixture without ε."""
    X = np.vstack([RNG.normal(size=(80, 2)), RNG.normal(size=(60, 2)) @ [[1, 0.5], [0, 1]] + 3])
    starts, weight = [[0.0, 0.0], [2.0, 2.0]], RNG.uniform(0.5, 2, 140)
    model = MixtureModel([MultivariateGaussian(c, np.eye(2)) for c in starts], tol=1e-9).fit(X, sample_weight=weight)
    given = {"weights_init": [0.5, 0.5], "means_init": starts, "precisions_init": np.stack([np.eye(2)] * 2)}
    other = GaussianMixture(2, reg_covar=0.0, tol=1e-9, max_iter=1000, **given).fit(X, sample_weight=weight)
    np.testing.assert_allclose(model.lower_bounds_, other.lower_bounds_, rtol=1e-10)
    np.testing.assert_allclose([one.covariance for one in model.components_], other.covariances_, rtol=1e-7)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-8)
    np.testing.assert_allclose(model.score_samples(X), other.score_samples(X), rtol=1e-9)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_likelihood_never_falls(seed):
    """For mixed columns, a count and a coin, from random members."""
    rng = np.random.default_rng(seed)
    table = np.column_stack([rng.poisson(4, 50), rng.integers(0, 2, 50)])
    members = [[Poisson(rng.uniform(1, 9)), Bernoulli(rng.uniform(0.1, 0.9))] for _ in range(2)]
    model = MixtureModel(members, tol=1e-7, max_iter=5000).fit(table)
    assert model.certificate_.holds
    assert (np.diff(model.lower_bounds_) >= -1e-12).all()


def test_samples():
    """Samples have the mean of the mixture, to five standard errors, and come again with the same seed."""
    model = MixtureModel("Poisson", 2, random_state=0).fit(COUNTS)
    drawn, y = model.sample(5000)
    assert drawn.shape == (5000, 1)
    mean = model.weights_ @ [one.rate for one in model.components_]
    assert drawn.mean() == pytest.approx(mean, abs=5 * COUNTS.std() / np.sqrt(5000))
    np.testing.assert_allclose(np.bincount(y) / 5000, model.weights_, atol=0.04)
    np.testing.assert_array_equal(drawn, model.sample(5000)[0])
    np.testing.assert_array_equal(model.sample(50, random_state=3)[0], model.sample(50, random_state=3)[0])
    assert not np.array_equal(model.sample(50, random_state=3)[0], drawn[:50])
    np.testing.assert_array_equal(model.log_density(drawn[:9]), model.score_samples(drawn[:9]))


def test_equal_weights():
    """Weights can be held at 1/k."""
    model = MixtureModel("Poisson", 2, weights="equal", random_state=0).fit(COUNTS)
    np.testing.assert_array_equal(model.weights_, [0.5, 0.5])
    assert model.n_parameters_ == 2


def test_refusals():
    """Members that do not fit the columns, collapsed components, impossible rows: all are named."""
    with pytest.raises(ParameterError, match=r"components\[0\] .* does not describe 2 column"):
        MixtureModel([Poisson(1.0)]).fit(np.ones((3, 2)))
    with pytest.raises(ParameterError, match=r"components\[1\] = 3 is not a distribution"):
        MixtureModel([Poisson(1.0), 3]).fit(COUNTS)
    with pytest.raises(ParameterError, match="components of MixtureModel"):
        MixtureModel("Normal").fit(COUNTS)
    with pytest.raises(ParameterError, match="is not a family"):
        MixtureModel(StudentT).fit(COUNTS)
    with pytest.raises(ParameterError, match="components is empty"):
        MixtureModel([]).fit(COUNTS)
    with pytest.raises(ValueError, match=r"Component 0 has collapsed in column 0 \(All values of x are 1"):
        MixtureModel([Gaussian(0.9, 0.01), Gaussian(50.0, 1.0)]).fit([[1.0], [1.0], [49.0], [50.0], [51.0]])
    with pytest.raises(ValueError, match="Row 1 has probability 0 in every component"):
        MixtureModel([Bernoulli(0.0), Bernoulli(0.0)]).fit([[0.0], [1.0]])
    with pytest.raises(ValueError, match="whole numbers of at least 0"):
        MixtureModel("Poisson", 2).fit([[0.5], [1.0], [2.0]])


def test_lost_components_are_named():
    """A component that no row supports has weight 0, and that is said."""
    with pytest.warns(ConvergenceWarning, match="Component 1 has no rows"):
        MixtureModel([Bernoulli(0.5), Bernoulli(0.0)]).fit([[1.0], [1.0]])


def test_members_come_back(tmp_path):
    """A model with given members is stored and loaded, and says the same; a file with a foreign member is refused."""
    members = [[Poisson(3.0), Gaussian(0.0, 1.0), Bernoulli(0.4)], [Poisson(9.0), StudentT(3.0), Bernoulli(0.6)]]
    X = np.column_stack([COUNTS, RNG.normal(size=200), RNG.integers(0, 2, 200)])
    model = MixtureModel(members).fit(X)
    aprendiz.save(model, tmp_path / "m.apz")
    loaded = aprendiz.load(tmp_path / "m.apz")
    assert loaded.components_ == model.components_
    assert loaded.components[1][1] == StudentT(3.0)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    model.members_ = '[[["contents", {}]]]'
    with pytest.raises(ValueError, match="'contents' is not a distribution"):
        model.predict(X)


# ---- families of one's own -------------------------------------------------------------------------------------------


class Exponential:
    """A family that is nobody's: p(x) = λ e^(−λx), fitted by its own means."""

    def __init__(self, rate):
        self.rate = rate

    def log_density(self, X):
        return np.log(self.rate) - self.rate * X[:, 0]

    def weighted_fit(self, X, weights):
        return Exponential(float(weights.sum() / (weights @ X[:, 0])))


def test_any_object_with_log_density_and_weighted_fit(tmp_path):
    """EM by hand: r = π p/Σ, λ = Σ w r / Σ w r x; weights count, and a file gives the same."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.exponential(1.0, 150), rng.exponential(20.0, 150)])
    w = rng.integers(1, 4, 300).astype(float)
    given = [Exponential(2.0), Exponential(0.01)]
    model = MixtureModel(given).fit(x[:, None], sample_weight=w)
    rates, pi = np.array([2.0, 0.01]), np.array([0.5, 0.5])
    for _ in range(model.n_iter_):
        joint = pi * rates * np.exp(-x[:, None] * rates)
        r = w[:, None] * joint / joint.sum(axis=1, keepdims=True)
        pi, rates = r.sum(axis=0) / w.sum(), r.sum(axis=0) / (r * x[:, None]).sum(axis=0)
    np.testing.assert_allclose([one.rate for one in model.components_], rates, rtol=1e-9)
    np.testing.assert_allclose(model.weights_, pi, rtol=1e-9)
    assert [one.rate for one in given] == [2.0, 0.01]  # what was given stays as it was
    assert model.certificate_.holds
    assert model.n_parameters_ == 3
    density = (pi * rates * np.exp(-x[:, None] * rates)).sum(axis=1)
    np.testing.assert_allclose(model.log_density(x[:, None]), np.log(density), rtol=1e-9)
    pd.DataFrame({"x": x, "w": w}).to_parquet(tmp_path / "t.parquet")
    read = MixtureModel(given).fit(aprendiz.rows(tmp_path / "t.parquet", weight="w"))
    assert [one.rate for one in read.components_] == [one.rate for one in model.components_]
    with pytest.raises(TypeError, match=r"Exponential has no sample\(n, seed\)"):
        model.sample(3)


def test_bad_families():
    """Refused in a sentence."""

    class Wordy(Exponential):
        name = "mine"

        def __init__(self):
            super().__init__(1.0)
            self.label = "a word"

    with pytest.raises(ValueError, match=r"components\[0\].label = 'a word' holds no numbers"):
        MixtureModel([Wordy()]).fit([[1.0], [2.0]])
    with pytest.raises(ValueError, match=r"nor an object with log_density\(X\) and weighted_fit"):
        MixtureModel([object()]).fit([[1.0], [2.0]])

    class Flat(Exponential):
        def log_density(self, X):
            return np.zeros((len(X), 2))

    with pytest.raises(ValueError, match=r"log_density of components\[0\] gave \(2, 2\) for 2 rows"):
        MixtureModel([Flat(1.0)]).fit([[1.0], [2.0]])
