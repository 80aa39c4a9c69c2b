"""Conjugate priors: posteriors, predictives and evidence against quadrature, sampling and the chain rule; one row after the
other as all at once; MAP against search; improper priors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, special, stats

from aprendiz.bayes.distributions import (
    Bernoulli,
    Beta,
    Categorical,
    Dirichlet,
    Gamma,
    Gaussian,
    InverseGamma,
    MultivariateGaussian,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalMean,
    Poisson,
)

RNG = np.random.default_rng(3)
SCALE = np.array([[2.0, 0.5], [0.5, 1.0]])
CASES = {
    "NormalMean": (NormalMean(1, 2, 3), RNG.normal(2, 1, size=8)),
    "InverseGamma": (InverseGamma(2, 3, 1.5), RNG.normal(2, 1, size=8)),
    "NormalInverseGamma": (NormalInverseGamma(1, 0.5, 2, 3), RNG.normal(2, 1, size=8)),
    "NormalInverseWishart": (NormalInverseWishart([1, 0], 0.5, 4, SCALE), RNG.normal(size=(8, 2))),
    "Beta": (Beta(1.5, 2.5), np.array([1, 0, 1, 1, 0, 1, 1, 1])),
    "Dirichlet": (Dirichlet([1.5, 1, 2]), np.array([0, 2, 2, 1, 2, 0, 2, 2])),
    "Gamma": (Gamma(2.5, 0.5), np.array([3, 1, 4, 1, 5, 9, 2, 6])),
}
cases = pytest.mark.parametrize(("prior", "x"), CASES.values(), ids=list(CASES))
ONE = ("NormalMean", "InverseGamma", "Beta", "Gamma")
one_parameter = pytest.mark.parametrize(("prior", "x"), [CASES[name] for name in ONE], ids=ONE)
LIMITS = {NormalMean: (-40, 40), InverseGamma: (0, np.inf), Beta: (0, 1), Gamma: (0, np.inf)}


def member(prior, theta):
    """The family member with one parameter."""
    if isinstance(prior, NormalMean):
        return Gaussian(theta, prior.noise)
    if isinstance(prior, InverseGamma):
        return Gaussian(prior.centre, theta)
    return (Bernoulli if isinstance(prior, Beta) else Poisson)(theta)


def assert_same(one, other, rtol=1e-9):
    assert type(one) is type(other)
    for name in one.__dataclass_fields__:
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=rtol, atol=1e-9)


# ---- Bayes' rule -----------------------------------------------------------------------------------------------------


@one_parameter
def test_evidence_and_posterior_by_quadrature(prior, x):
    """∫ p(x | θ) p(θ) dθ is the evidence, and the integrand divided by it the density of the posterior."""

    def joint(theta):
        return float(np.exp(member(prior, theta).log_likelihood(x) + prior.log_density(theta)))

    area = integrate.quad(joint, *LIMITS[type(prior)], epsabs=0, epsrel=1e-9, limit=200)[0]
    assert prior.evidence(x) == pytest.approx(area, rel=1e-7)
    assert prior.log_evidence(x) == pytest.approx(np.log(area), rel=1e-7)
    posterior = prior.posterior(x)
    for theta in posterior.quantile([0.05, 0.5, 0.9]):
        assert float(posterior.density(theta)) == pytest.approx(joint(theta) / prior.evidence(x), rel=1e-9)


def test_two_parameters_by_quadrature():
    """The same for mean and variance of a Gaussian together, over the plane."""
    prior, x = CASES["NormalInverseGamma"][0], CASES["NormalInverseGamma"][1][:4]

    means, logs = np.linspace(-20, 24, 401), np.linspace(-4, 8, 201)
    lines = []
    for log in logs:
        pairs = np.column_stack([means, np.full(len(means), np.exp(log))])
        likelihood = Gaussian(0, np.exp(log)).log_density(x[:, None] - means).sum(axis=0)
        lines.append(np.exp(likelihood + prior.log_density(pairs) + log))
    area = integrate.simpson(integrate.simpson(lines, x=means), x=logs)
    assert prior.evidence(x) == pytest.approx(area, rel=1e-4)
    pair = np.array([2.0, 1.5])
    wanted = Gaussian(*pair).log_likelihood(x) + prior.log_density(pair) - prior.log_evidence(x)
    assert float(prior.posterior(x).log_density(pair)) == pytest.approx(wanted, rel=1e-10)


def test_bayes_rule_of_matrices_and_vectors():
    """ln p(θ | x) = ln p(x | θ) + ln p(θ) − ln p(x) at any θ, for what no quadrature reaches."""
    prior, X = CASES["NormalInverseWishart"]
    for mean, covariance in [([0, 0], np.eye(2)), ([1, -1], [[2, 0.3], [0.3, 0.5]])]:
        likelihood = MultivariateGaussian(mean, covariance).log_likelihood(X)
        wanted = likelihood + prior.log_density((mean, covariance)) - prior.log_evidence(X)
        assert float(prior.posterior(X).log_density((mean, covariance))) == pytest.approx(wanted, rel=1e-10)
    prior, x = CASES["Dirichlet"]
    for p in ([0.2, 0.3, 0.5], [0.01, 0.01, 0.98]):
        wanted = Categorical(p).log_likelihood(x) + prior.log_density(p) - prior.log_evidence(x)
        assert float(prior.posterior(x).log_density(p)) == pytest.approx(wanted, rel=1e-10)


def test_densities_of_scipy():
    """Dirichlet, and the normal-inverse-Wishart as the product of its two factors."""
    p = np.array([0.2, 0.3, 0.5])
    assert float(Dirichlet([1.5, 1, 2]).log_density(p)) == pytest.approx(stats.dirichlet([1.5, 1, 2]).logpdf(p), rel=1e-12)
    prior, sigma, mu = CASES["NormalInverseWishart"][0], np.array([[2, 0.3], [0.3, 0.5]]), np.array([1.0, -1.0])
    wanted = stats.invwishart(4, SCALE).logpdf(sigma) + stats.multivariate_normal([1, 0], sigma / 0.5).logpdf(mu)
    assert float(prior.log_density((mu, sigma))) == pytest.approx(wanted, rel=1e-12)


@cases
def test_evidence_is_the_product_of_predictives(prior, x):
    """The chain rule: ln p(x) = Σ ln p(xᵢ | x₁ … xᵢ₋₁), each factor the predictive of the posterior so far."""
    total, belief = 0.0, prior
    for i in range(len(x)):
        total += belief.predictive().log_density(x[i : i + 1])[0]
        belief = belief.posterior(x[i : i + 1])
    assert prior.log_evidence(x) == pytest.approx(total, rel=1e-11)


@cases
def test_one_by_one_in_any_order_and_all_at_once(prior, x):
    """Updating with parts of the rows, in any order, is updating with all of them; no row changes nothing."""
    whole = prior.posterior(x)
    for cut in (0, 1, 5):
        assert_same(prior.posterior(x[cut:]).posterior(x[:cut]), whole)
        assert_same(prior.updated(prior.statistics(x[cut:]) + prior.statistics(x[:cut])), whole)
    assert_same(prior.posterior(x[:0]), prior)
    assert prior.log_evidence(x[:0]) == pytest.approx(0, abs=1e-12)


numbers = st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=20)


@given(numbers, st.integers(0, 20), st.floats(-100, 100), st.floats(0.01, 100), st.floats(0.01, 100))
@settings(max_examples=100, deadline=None)
def test_sequential_is_batch_for_gaussians(values, cut, centre, rows, scale):
    """For any rows and any cut: posteriors agree, and the evidence of all is that of the first times that of the rest."""
    x, first, rest = np.array(values), np.array(values[:cut]), np.array(values[cut:])
    for prior in (
        NormalMean(centre, scale, rows),
        NormalInverseGamma(centre, rows, 2.0, scale),
        InverseGamma(2.0, scale, centre),
    ):
        step = prior.posterior(first)
        assert_same(step.posterior(rest), prior.posterior(x), rtol=1e-7)
        split = prior.log_evidence(first) + step.log_evidence(rest)
        assert prior.log_evidence(x) == pytest.approx(split, rel=1e-7, abs=1e-7)


@given(st.lists(st.integers(0, 6), max_size=30), st.integers(0, 30), st.floats(0.01, 50), st.floats(0.01, 50))
@settings(max_examples=100, deadline=None)
def test_sequential_is_batch_for_counts(values, cut, a, b):
    """The same for counts, labels and zeros and ones."""
    x = np.array(values, dtype=int)
    for prior, rows in ((Gamma(a, b), x), (Beta(a, b), x % 2), (Dirichlet([a, b, a, b, a, b, a]), x)):
        step = prior.posterior(rows[:cut])
        assert_same(step.posterior(rows[cut:]), prior.posterior(rows))
        split = prior.log_evidence(rows[:cut]) + step.log_evidence(rows[cut:])
        assert prior.log_evidence(rows) == pytest.approx(split, rel=1e-8, abs=1e-8)


@cases
def test_weights_repeat_rows(prior, x):
    """A weight counts a row so many times, in posterior and evidence."""
    w = np.array([0, 1, 2, 3, 1, 0, 2, 1])
    assert_same(prior.posterior(x, w), prior.posterior(np.repeat(x, w, axis=0)))
    assert prior.log_evidence(x, w) == pytest.approx(prior.log_evidence(np.repeat(x, w, axis=0)), rel=1e-11)


@pytest.mark.parametrize("name", [name for name in CASES if name != "NormalInverseWishart"])
def test_missing_cells_change_nothing(name):
    """A row without a value says nothing."""
    prior, x = CASES[name]
    holes = np.insert(x.astype(float), [0, 4], np.nan)
    assert_same(prior.posterior(holes), prior.posterior(x))
    assert prior.log_evidence(holes) == pytest.approx(prior.log_evidence(x), rel=1e-12)


# ---- predictive ------------------------------------------------------------------------------------------------------


@one_parameter
def test_predictive_by_quadrature(prior, x):
    """∫ p(x' | θ) p(θ | x) dθ at some x'."""
    posterior = prior.posterior(x)
    for new in (0.0, 1.0) if isinstance(prior, Beta) else (0.0, 2.0, 5.0):

        def integrand(theta, new=new):
            return float(member(prior, theta).density(new) * posterior.density(theta))

        area = integrate.quad(integrand, *LIMITS[type(prior)], epsabs=0, epsrel=1e-10, limit=200)[0]
        assert float(posterior.predictive().density(new)) == pytest.approx(area, rel=1e-7)


@pytest.mark.parametrize("name", ["NormalInverseGamma", "NormalInverseWishart", "Dirichlet"])
def test_predictive_by_sampling(name):
    """The mean density of members drawn from the posterior is the predictive density, within its standard error."""
    prior, x = CASES[name]
    posterior = prior.posterior(x)
    if name == "NormalInverseGamma":
        drawn = [Gaussian(*pair).density(1.0) for pair in posterior.sample(4000, seed=5)]
        wanted = posterior.predictive().density(1.0)
    elif name == "Dirichlet":
        drawn, wanted = posterior.sample(4000, seed=5)[:, 1], posterior.predictive().density(1)
    else:
        drawn = [MultivariateGaussian(m, S).density([1.0, 0.5]) for m, S in zip(*posterior.sample(4000, seed=5), strict=True)]
        wanted = posterior.predictive().density([1.0, 0.5])
    assert np.mean(drawn) == pytest.approx(float(wanted), abs=4.5 * np.std(drawn) / np.sqrt(4000))


@cases
def test_moments_are_those_of_samples(prior, x):
    """Mean and variance of the parameters, of a posterior of many rows that has them."""
    posterior = prior.posterior(np.concatenate([x, x, x]))
    drawn, mean, variance = posterior.sample(4000, seed=9), posterior.mean, posterior.variance
    if isinstance(prior, NormalInverseGamma):
        drawn = tuple(drawn.T)
    drawn, mean, variance = (value if isinstance(value, tuple) else (value,) for value in (drawn, mean, variance))
    for values, m, v in zip(drawn, mean, variance, strict=True):
        error = np.sqrt(np.asarray(v) / 4000)
        assert (np.abs(values.mean(axis=0) - m) < 4.5 * error).all()
        np.testing.assert_allclose(values.var(axis=0), v, rtol=0.3)


def test_marginals_of_mean_and_variance():
    """μ alone is Student's t and σ² alone inverse gamma: shares of samples below their quantiles."""
    posterior = CASES["NormalInverseGamma"][0].posterior(CASES["NormalInverseGamma"][1])
    drawn = posterior.sample(4000, seed=2)
    for values, marginal in zip(drawn.T, (posterior.of_mean(), posterior.of_variance()), strict=True):
        for q in (0.1, 0.5, 0.9):
            assert np.mean(values <= marginal.quantile(q)) == pytest.approx(q, abs=4.5 * np.sqrt(q * (1 - q) / 4000))


def test_one_column_of_the_wishart_prior_is_the_gamma_prior():
    """a = ν/2, b = Ψ/2: posterior, predictive, mode and evidence agree."""
    wide, narrow = NormalInverseWishart([1], 0.5, 4, [[6]]), NormalInverseGamma(1, 0.5, 2, 3)
    x = CASES["NormalInverseGamma"][1]
    assert wide.log_evidence(x[:, None]) == pytest.approx(narrow.log_evidence(x), rel=1e-11)
    wide, narrow = wide.posterior(x[:, None]), narrow.posterior(x)
    np.testing.assert_allclose(wide.predictive().log_density(x[:, None]), narrow.predictive().log_density(x), rtol=1e-11)
    assert float(wide.mean[1].item()) == pytest.approx(narrow.mean[1], rel=1e-12)


def test_the_two_labels_of_a_dirichlet_are_a_beta():
    """Dirichlet (b, a) of the labels 0 and 1 is Beta (a, b)."""
    x = CASES["Beta"][1]
    two, one = Dirichlet([2.5, 1.5]), Beta(1.5, 2.5)
    assert two.log_evidence(x) == pytest.approx(one.log_evidence(x), rel=1e-12)
    assert two.posterior(x).mode().probabilities[1] == pytest.approx(one.posterior(x).mode().p, rel=1e-13)
    assert two.posterior(x).variance[1] == pytest.approx(one.posterior(x).variance, rel=1e-13)


# ---- MAP -------------------------------------------------------------------------------------------------------------


@one_parameter
def test_map_is_the_largest_density(prior, x):
    """`fit` with a prior is where the posterior density is largest, found by search."""
    posterior = prior.posterior(x)
    ends = tuple(posterior.quantile([0.001, 0.999]))
    found = optimize.minimize_scalar(lambda t: -float(posterior.log_density(t)), bounds=ends, method="bounded").x
    fitted = prior.family.fit(x, prior=prior)
    parameter = {NormalMean: "mean", InverseGamma: "variance", Beta: "p", Gamma: "rate"}[type(prior)]
    assert getattr(fitted, parameter) == pytest.approx(found, rel=1e-4)
    assert fitted == posterior.mode()


def test_map_of_several_parameters_is_the_largest_density():
    """No neighbour in any direction has a larger posterior density."""
    prior, x = CASES["NormalInverseGamma"]
    posterior, best = prior.posterior(x), Gaussian.fit(x, prior=prior)
    top = posterior.log_density([best.mean, best.variance])
    for step in 1e-3 * RNG.normal(size=(20, 2)):
        assert posterior.log_density([best.mean + step[0], best.variance + step[1]]) < top
    prior, X = CASES["NormalInverseWishart"]
    posterior, best = prior.posterior(X), MultivariateGaussian.fit(X, prior=prior)
    top = posterior.log_density((best.mean, best.covariance))
    for step in 1e-3 * RNG.normal(size=(20, 2, 3)):
        covariance = best.covariance + step[:, 1:] + step[:, 1:].T
        assert posterior.log_density((best.mean + step[:, 0], covariance)) < top
    prior, x = CASES["Dirichlet"]
    posterior, best = prior.posterior(x), Categorical.fit(x, prior=prior)
    for p in RNG.dirichlet(1000 * best.probabilities, size=20):
        assert posterior.log_density(p) < posterior.log_density(best.probabilities)


def test_flat_priors_give_maximum_likelihood():
    """Beta (1, 1), Dirichlet (1, …, 1) and very wide priors agree with the fit without a prior."""
    x = CASES["Beta"][1]
    assert Bernoulli.fit(x, prior=Beta(1, 1)) == Bernoulli.fit(x)
    x = CASES["Dirichlet"][1]
    np.testing.assert_allclose(Categorical.fit(x, prior=Dirichlet([1, 1, 1])).probabilities, Categorical.fit(x).probabilities)
    x = CASES["Gamma"][1]
    assert Poisson.fit(x, prior=Gamma(1, 0)) == Poisson.fit(x)
    x = CASES["NormalMean"][1]
    assert Gaussian.fit(x, prior=NormalMean(0, 1e12, 1)).mean == pytest.approx(Gaussian.fit(x).mean, rel=1e-10)


def test_modes_at_the_ends():
    """Where the density grows without bound at one end, that is the mode; at both, there is none."""
    assert Beta(0.5, 3).mode() == Bernoulli(0)
    assert Beta(3, 0.5).mode() == Bernoulli(1)
    assert Beta(1, 0.5).mode() == Bernoulli(1)
    assert Beta(0.5, 1).mode() == Bernoulli(0)
    assert Gamma(0.5, 2).mode() == Poisson(0)
    with pytest.raises(ValueError, match="grows without bound at 0 and at 1: use its mean"):
        Beta(0.5, 0.5).mode()
    with pytest.raises(ValueError, match="every p is as probable"):
        Beta(1, 1).mode()
    with pytest.raises(ValueError, match="grows without bound where 'b' is impossible"):
        Dirichlet([2, 0.5], ["a", "b"]).mode()
    with pytest.raises(ValueError, match="all probabilities are as probable"):
        Dirichlet([1, 1]).mode()


# ---- improper priors -------------------------------------------------------------------------------------------------

IMPROPER = {
    "inverse gamma": (InverseGamma(0, 1, 2), np.array([1.0, 2.5, 3])),
    "Haldane": (Beta(0, 0), np.array([0, 1, 1])),
    "a label": (Dirichlet([0, 1]), np.array([0, 1, 1])),
    "gamma": (Gamma(0, 0), np.array([2, 3])),
    "1/σ²": (NormalInverseGamma(0, 0, -0.5, 0), np.array([1.0, 2.5, 3])),
    "Wishart": (NormalInverseWishart([0, 0], 0.1, 0, np.eye(2)), np.array([[1.0, 2], [2, 0], [4, 1]])),
}


@pytest.mark.parametrize(("prior", "x"), IMPROPER.values(), ids=list(IMPROPER))
def test_improper_priors(prior, x):
    """They have no evidence and no predictive, and say why; their posteriors have both."""
    assert not prior.proper
    with pytest.raises(ValueError, match=r"is improper, its density has no finite integral, so there is no evidence"):
        prior.log_evidence(x)
    with pytest.raises(ValueError, match="is improper"):
        prior.predictive()
    posterior = prior.posterior(x)
    assert posterior.proper
    assert np.isfinite(posterior.log_evidence(x))
    assert np.isfinite(posterior.predictive().log_density(x)).all()


def test_one_over_variance_prior_is_the_t_interval():
    """With p(μ, σ²) ∝ 1/σ² the 95 % interval of μ is that of the t test."""
    x = CASES["NormalInverseGamma"][1]
    ours = NormalInverseGamma(0, 0, -0.5, 0).posterior(x).of_mean().interval(0.95)
    theirs = stats.t.interval(0.95, len(x) - 1, x.mean(), stats.sem(x))
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)


# ---- many rows and columns, refusals ---------------------------------------------------------------------------------


def test_a_million_rows_do_not_underflow():
    """The evidence of many rows is 0 in a double, its logarithm is finite and nearly the largest log likelihood."""
    x = np.zeros(10**6)
    x[::3] = 1
    best = Bernoulli.fit(x).log_likelihood(x)
    found = Beta().log_evidence(x)
    assert Beta().evidence(x) == 0
    assert found == pytest.approx(best, rel=1e-4)
    assert found == pytest.approx(float(special.betaln(1 + x.sum(), 1 + (1 - x).sum())), rel=1e-14)


REFUSED = {
    "shape": (lambda: NormalInverseGamma(0, 1, -1, 1), "shape = -1 of NormalInverseGamma must be at least −1/2"),
    "scale": (lambda: InverseGamma(1, -1), "scale = -1 of InverseGamma must be at least 0"),
    "alpha": (lambda: Dirichlet([1, -1], ["a", "b"]), "alpha of the label 'b' is -1: it must be at least 0"),
    "unknown label": (
        lambda: Dirichlet(1, ["a", "b"]).posterior(["a", "c"]),
        "x holds the label 'c', which the prior does not",
    ),
    "singular": (lambda: NormalInverseWishart([0, 0], 1, 3, [[1, 1], [1, 1]]), "scale is singular or not positive: column 1"),
    "columns": (lambda: NormalInverseWishart([0, 0], 1, 3, np.eye(2)).posterior(np.ones((2, 3))), "X has 3 columns, the"),
    "mean of Σ": (lambda: NormalInverseWishart([0, 0], 1, 3, np.eye(2)).mean, "df = 3: Σ has a mean only above 3"),
    "variance of Σ": (lambda: NormalInverseWishart([0, 0], 1, 5, np.eye(2)).variance, "df = 5: Σ has a variance only above 5"),
    "no mode": (lambda: NormalInverseGamma(0, 0, 1, 1).mode(), "has no largest density"),
    "no mode of σ²": (lambda: InverseGamma(1, 0).mode(), "scale = 0: the density of σ² grows without bound at 0"),
    "no mode of λ": (lambda: Gamma(1, 0).mode(), "has no mode: choose rate above 0"),
    "a pair": (
        lambda: NormalInverseWishart([0, 0], 1, 3, np.eye(2)).log_density(5),
        r"x must be a pair \(mean, covariance\) of 2",
    ),
    "pairs": (lambda: NormalInverseGamma(0, 1, 1, 1).log_density([1, 2, 3]), "give pairs"),
    "shares": (lambda: Dirichlet([1, 1]).log_density([1, 2, 3]), "give 2 probabilities"),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=list(REFUSED))
def test_refusals(call, message):
    """Each names the parameter, its value and the remedy."""
    with pytest.raises(ValueError, match=message):
        call()
