"""Families on the line and their estimates: agreement with SciPy, sums that add, weights, missing cells, refusals."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import integrate, optimize, stats

from aprendiz.bayes import distributions
from aprendiz.bayes.distributions import (
    Bernoulli,
    Beta,
    Categorical,
    Dirichlet,
    FiniteUniform,
    Gamma,
    Gaussian,
    InverseGamma,
    NegativeBinomial,
    NormalMean,
    Poisson,
    StudentT,
)

RNG = np.random.default_rng(6)
ROWS = {
    Gaussian: RNG.normal(3, 2, size=60),
    Bernoulli: RNG.integers(0, 2, size=60).astype(float),
    Categorical: RNG.integers(0, 4, size=60).astype(float),
    Poisson: RNG.poisson(4, size=60).astype(float),
    FiniteUniform: RNG.integers(0, 9, size=60).astype(float),
}
WEIGHTS = RNG.integers(0, 4, size=60)
families = pytest.mark.parametrize("family", list(ROWS), ids=lambda family: family.__name__)

CONTINUOUS = {
    "Gaussian": (Gaussian(3, 4), stats.norm(3, 2)),
    "StudentT": (StudentT(3.5, 1, 2), stats.t(3.5, 1, 2)),
    "NormalMean": (NormalMean(1, 9, 2), stats.norm(1, 3)),
    "InverseGamma": (InverseGamma(3.5, 2), stats.invgamma(3.5, scale=2)),
    "Beta": (Beta(2.5, 0.7), stats.beta(2.5, 0.7)),
    "Gamma": (Gamma(2.5, 3), stats.gamma(2.5, scale=1 / 3)),
}
DISCRETE = {
    "Bernoulli": (Bernoulli(0.3), stats.bernoulli(0.3)),
    "Poisson": (Poisson(4.2), stats.poisson(4.2)),
    "NegativeBinomial": (NegativeBinomial(2.5, 0.4), stats.nbinom(2.5, 0.4)),
}
BOTH = CONTINUOUS | DISCRETE
against_scipy = pytest.mark.parametrize(("ours", "theirs"), BOTH.values(), ids=list(BOTH))


def assert_close(one, other, rtol=1e-10):
    """Two distributions of one kind with the same parameters."""
    assert type(one) is type(other)
    for name in one.__dataclass_fields__:
        a, b = getattr(one, name), getattr(other, name)
        if np.asarray(a).dtype.kind in "US":
            np.testing.assert_array_equal(a, b)
        else:
            np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-12)


# ---- agreement with SciPy --------------------------------------------------------------------------------------------


@against_scipy
def test_densities_quantiles_and_moments_of_scipy(ours, theirs):
    """Also far out in the tails, where the density underflows and its logarithm does not."""
    q = np.linspace(0.001, 0.999, 101)
    x = theirs.ppf(q)
    logarithm = theirs.logpmf if ours.discrete else theirs.logpdf
    np.testing.assert_allclose(ours.log_density(x), logarithm(x), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(ours.density(x), np.exp(logarithm(x)), rtol=1e-11)
    np.testing.assert_allclose(ours.quantile(q), x, rtol=1e-8, atol=1e-9)
    assert ours.mean == pytest.approx(theirs.mean(), rel=1e-12)
    assert ours.variance == pytest.approx(theirs.var(), rel=1e-12)
    far = np.array([-7.0, 0.5, 2.0, 50.0])
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(ours.log_density(far), logarithm(far), rtol=1e-9)


@against_scipy
def test_samples_follow_the_distribution(ours, theirs):
    """The same seed gives the same values, a longer sample begins with the shorter one, and the shares are those of SciPy."""
    x = ours.sample(4000, seed=1)
    np.testing.assert_array_equal(x[:100], ours.sample(100, seed=1))
    assert not np.array_equal(x, ours.sample(4000, seed=2))
    for value in theirs.ppf([0.1, 0.5, 0.9]):
        p = theirs.cdf(value)
        assert np.mean(x <= value + 1e-9) == pytest.approx(p, abs=4.5 * np.sqrt(p * (1 - p) / 4000) + 1e-9)


@pytest.mark.parametrize(("ours", "theirs"), CONTINUOUS.values(), ids=list(CONTINUOUS))
def test_intervals(ours, theirs):
    """The middle 90 %: 5 % lie below and above."""
    np.testing.assert_allclose(theirs.cdf(ours.interval(0.9)), [0.05, 0.95], rtol=1e-8)


def test_quantiles_of_counts_are_the_least_values():
    """P(X ≤ k) ≥ q, and P(X ≤ k − 1) < q, for rates from tiny to large."""
    q = np.r_[1e-9, np.linspace(0.01, 0.99, 50), 1 - 1e-9]
    for ours, theirs in [(Poisson(r), stats.poisson(r)) for r in (0, 1e-4, 0.5, 30, 1e4)] + [
        (NegativeBinomial(r, p), stats.nbinom(r, p)) for r in (0.3, 7) for p in (0.05, 0.9)
    ]:
        k = ours.quantile(q)
        assert (theirs.cdf(k) >= q * (1 - 1e-12)).all()
        assert (theirs.cdf(k - 1)[k > 0] < q[k > 0] * (1 + 1e-12)).all()


@against_scipy
def test_far_away(ours, theirs):
    """Next to infinity the logarithm is very negative, never NaN; the last quantile of counts is infinite."""
    assert (ours.log_density([1e300, -1e300, np.inf]) < -500).all()
    np.testing.assert_array_equal(np.isinf(ours.quantile([1.0])), np.isinf(theirs.ppf([1.0])))


def test_student_without_moments():
    """No mean up to one degree of freedom, no variance up to two; many degrees are a Gaussian."""
    assert np.isnan(StudentT(1).mean)
    assert np.isnan(StudentT(1).variance)
    assert StudentT(2).variance == np.inf
    x = np.linspace(-4, 4, 9)
    np.testing.assert_allclose(StudentT(1e9, 3, 2).log_density(x), Gaussian(3, 4).log_density(x), rtol=1e-7)


def test_categorical_by_hand():
    """Words and numbers; a label that is not there has probability 0."""
    words = Categorical([0.2, 0.5, 0.3], ["c", "a", "b"])
    np.testing.assert_allclose(words.density(["a", "b", "c", "d"]), [0.5, 0.3, 0.2, 0], rtol=1e-15)
    numbers = Categorical([0.25, 0.75], [10, 20])
    assert (numbers.mean, numbers.variance) == (17.5, pytest.approx(18.75))
    assert numbers.n_parameters == 1
    drawn = words.sample(5000, seed=0)
    for label, p in zip(words.labels, words.probabilities, strict=True):
        assert np.mean(drawn == label) == pytest.approx(p, abs=4.5 * np.sqrt(p * (1 - p) / 5000))
    with pytest.raises(TypeError, match="The labels are words, such as 'c'"):
        _ = words.mean


def test_an_impossible_label_is_never_drawn():
    """A share of 0 stays 0, at the ends and inside."""
    assert set(Categorical([0, 0.5, 0, 0.5, 0]).sample(2000, seed=0)) == {1, 3}


def test_finite_uniform_by_hand():
    """1/|S| inside, 0 outside; rows in a set of a hundred have the likelihood 100^(−n)."""
    even = FiniteUniform(range(2, 101, 2))
    assert len(even) == 50
    assert even.mean == pytest.approx(51)
    assert even.variance == pytest.approx((50**2 - 1) / 12 * 4)
    assert even.log_likelihood([16, 8, 2, 64]) == pytest.approx(-4 * np.log(50))
    assert even.log_likelihood([16, 7]) == -np.inf
    assert FiniteUniform.fit([3, 1, 3]) == FiniteUniform({1, 3})
    assert set(FiniteUniform(["a", "b"]).sample(50, seed=0)) == {"a", "b"}


# ---- maximum likelihood ----------------------------------------------------------------------------------------------


@families
def test_no_other_member_is_more_likely(family):
    """The likelihood of the estimate is the largest along every parameter."""
    x = ROWS[family]
    best = family.fit(x).log_likelihood(x)
    if family is Gaussian:
        others = [Gaussian(m, v) for m in np.linspace(2, 4, 21) for v in np.linspace(2, 6, 21)]
    elif family is Bernoulli:
        others = [Bernoulli(p) for p in np.linspace(0.01, 0.99, 99)]
    elif family is Poisson:
        others = [Poisson(r) for r in np.linspace(2, 6, 81)]
    elif family is Categorical:
        others = [Categorical(p, family.fit(x).labels) for p in RNG.dirichlet(np.ones(4), size=50)]
    else:
        others = [FiniteUniform(range(9, 20)), FiniteUniform(range(10)), FiniteUniform(range(100))]
    assert all(other.log_likelihood(x) <= best + 1e-9 for other in others)


@families
def test_sums_add(family):
    """The records of parts of the rows add to that of all rows, in any cut."""
    x = ROWS[family]
    whole = family.from_statistics(family.statistics(x))
    for cut in (0, 1, 17, 60):
        parts = family.statistics(x[:cut]) + family.statistics(x[cut:])
        assert_close(family.from_statistics(parts), whole)
    assert_close(family.fit(x), whole)


@families
def test_a_weight_counts_a_row_so_many_times(family):
    """Weights of whole numbers are repetitions; a weight of 0 leaves the row out."""
    x = ROWS[family]
    assert_close(family.fit(x, weights=WEIGHTS), family.fit(np.repeat(x, WEIGHTS)))
    model = family.fit(x)
    assert model.log_likelihood(x, WEIGHTS) == pytest.approx(model.log_likelihood(np.repeat(x, WEIGHTS)), rel=1e-12)


@families
def test_missing_cells_say_nothing(family):
    """They are left out of the estimate, and their log density is 0, so that a likelihood is that of the known cells."""
    x = ROWS[family]
    holes = np.insert(x, [0, 5, 60], np.nan)
    assert_close(family.fit(holes), family.fit(x))
    model = family.fit(x)
    assert model.log_density([np.nan]) == [0]
    assert model.log_likelihood(holes) == pytest.approx(model.log_likelihood(x), rel=1e-13)
    assert_close(family.fit(holes, np.insert(WEIGHTS, [0, 5, 60], 3)), family.fit(x, WEIGHTS))


@families
@pytest.mark.parametrize("form", [list, pd.Series, pl.Series], ids=["list", "pandas", "polars"])
def test_columns_of_all_kinds(family, form):
    """Lists and series are read as arrays are; so are whole numbers."""
    assert_close(family.fit(form(ROWS[family])), family.fit(ROWS[family]))
    if family is not Gaussian:
        assert_close(family.fit(form(ROWS[family].astype(int))), family.fit(ROWS[family]))


def test_words_and_missing_words():
    """None and NaN among words are missing."""
    model = Categorical.fit(["x", None, "y", "x", np.nan])
    np.testing.assert_allclose(model.probabilities, [2 / 3, 1 / 3])
    np.testing.assert_array_equal(model.labels, ["x", "y"])
    np.testing.assert_allclose(model.log_density(["y", None, np.nan]), [-np.log(3), 0, 0])
    added = Categorical.statistics(["x"]) + Categorical.statistics(["y", "x"])
    assert_close(Categorical.from_statistics(added), model)


@pytest.mark.parametrize("offset", [0.0, 1e8, -1e12])
def test_gaussian_keeps_its_digits(offset):
    """Mean and variance of exact arithmetic at any distance from zero, also of parts that are added."""
    x = ROWS[Gaussian] + offset
    exact = [Fraction(float(v)) for v in x]
    mean = sum(exact) / 60
    variance = float(sum((v - mean) ** 2 for v in exact) / 60)
    for record in (Gaussian.statistics(x), Gaussian.statistics(x[:20]) + Gaussian.statistics(x[20:])):
        fitted = Gaussian.from_statistics(record)
        assert fitted.mean == pytest.approx(float(mean), rel=1e-15)
        assert fitted.variance == pytest.approx(variance, rel=1e-9)


# ---- records ---------------------------------------------------------------------------------------------------------


@against_scipy
def test_parameters_cannot_be_changed(ours, theirs):
    """A distribution is a value: frozen, equal to its copy, usable as a key."""
    name = next(iter(ours.__dataclass_fields__))
    with pytest.raises(AttributeError):
        setattr(ours, name, 1.0)
    copy = type(ours)(*(getattr(ours, field) for field in ours.__dataclass_fields__))
    assert copy == ours
    assert len({copy, ours}) == 1
    assert ours != Gaussian(123, 1)


def test_arrays_cannot_be_changed():
    """Neither through the distribution nor through what it was made of."""
    p = np.array([0.5, 0.5])
    model = Categorical(p)
    p[0] = 1
    assert model.probabilities[0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        model.probabilities[0] = 1


def test_every_name_is_there():
    """The table of contents holds what it promises, and `aprendiz.bayes.distributions` needs no import of its own."""
    assert len(distributions.__all__) == 16
    for name in distributions.__all__:
        assert getattr(distributions, name).__name__ == name


# ---- refusals --------------------------------------------------------------------------------------------------------

REFUSED = {
    "variance 0": (lambda: Gaussian(0, 0), "variance = 0 of Gaussian must be above 0"),
    "NaN": (lambda: Gaussian(np.nan, 1), "mean = nan of Gaussian must be a finite number"),
    "p above 1": (lambda: Bernoulli(1.2), "p = 1.2 of Bernoulli must lie between 0 and 1"),
    "p of 1": (lambda: NegativeBinomial(1, 1), "p = 1 of NegativeBinomial must be below 1"),
    "negative rate": (lambda: Poisson(-1), "rate = -1 of Poisson must be at least 0"),
    "sum": (lambda: Categorical([0.5, 0.6]), r"The probabilities sum to 1.1, not to 1: divide them by their sum"),
    "negative share": (lambda: Categorical([-0.5, 1.5]), "probabilities holds -0.5"),
    "labels": (lambda: Categorical([0.5, 0.5], ["a"]), r"labels has shape \(1,\), there are 2 probabilities"),
    "same label": (lambda: Categorical([0.5, 0.5], ["a", "a"]), "The label 'a' is given twice"),
    "no value": (lambda: FiniteUniform([]), "values of FiniteUniform is empty"),
    "no row": (lambda: Gaussian.fit([]), "x has no row with a known value and a weight above 0"),
    "only missing": (lambda: Poisson.fit([np.nan]), "x has no row with a known value"),
    "equal rows": (lambda: Gaussian.fit([3, 3, 3]), "All values of x are 3, so the estimated variance is 0"),
    "equal rows, rounding": (lambda: Gaussian.fit([0.1 + 0.2, 0.3]), "All values of x are 0.3"),
    "too large": (lambda: Gaussian.fit([1e200, -1e200]), r"x holds -?1e\+200, too large to be squared: scale x"),
    "infinity": (lambda: Gaussian.fit([1, np.inf]), "x holds infinity in row 1"),
    "a table": (lambda: Gaussian.fit([[1, 2], [3, 4]]), r"x has shape \(2, 2\): give one column"),
    "a table of labels": (lambda: Categorical.fit([[1, 2], [3, 4]]), r"x has shape \(2, 2\): give one column of labels"),
    "a word": (lambda: Gaussian.fit([1, "two"]), "x holds 'two' in row 1: give numbers, or use Categorical for words"),
    "not 0 or 1": (lambda: Bernoulli.fit([0, 1, 2]), "x holds 2 in row 2: give 0 and 1"),
    "no count": (lambda: Poisson.fit([1, 1.5]), "x holds 1.5 in row 1"),
    "negative count": (lambda: Poisson.fit([1, -1]), "x holds -1 in row 1"),
    "weights": (lambda: Gaussian.fit([1, 2], [1]), r"weights has shape \(1,\), x has 2 rows"),
    "negative weight": (lambda: Gaussian.fit([1, 2], [1, -1]), "weights holds -1.0 in row 1"),
    "a word as weight": (lambda: Gaussian.fit([1, 2], [1, "b"]), "weights holds 'b' in row 1: weights are numbers"),
    "no weight": (lambda: Gaussian.fit([1, 2], [0, 0]), "x has no row with a known value and a weight above 0"),
    "level": (lambda: Gaussian(0, 1).interval(95), "level = 95 must lie between 0 and 1"),
    "words": (lambda: Categorical(["a", 0.5]), "probabilities of Categorical must hold finite numbers, and no words"),
    "unequal rows": (lambda: Gaussian.fit([[1], [2, 3]]), "x has rows of different lengths"),
    "n": (lambda: Gaussian(0, 1).sample(-1), "n = -1 must be a whole number of at least 0"),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=list(REFUSED))
def test_refusals(call, message):
    """Each names the parameter, the row or the value, and the remedy."""
    with pytest.raises(ValueError, match=message):
        call()


def test_refusals_of_kinds():
    """A prior of another family, a prior of a family that has none, words beside numbers."""
    with pytest.raises(TypeError, match="is not a prior of the parameters of Poisson"):
        Poisson.fit([1, 2], prior=Beta())
    with pytest.raises(TypeError, match="is not a prior of the parameters of FiniteUniform"):
        FiniteUniform.fit([1, 2], prior=Dirichlet([1, 1]))
    with pytest.raises(TypeError, match="x mixes words and numbers"):
        Categorical.fit(["a", 1])
    with pytest.raises(TypeError, match="x mixes words and numbers"):
        Categorical([0.5, 0.5], ["a", 1])


# ---- densities integrate to one --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ours", "theirs"), CONTINUOUS.values(), ids=list(CONTINUOUS))
def test_densities_integrate_to_one(ours, theirs):
    """Between two quantiles lies the probability between them."""
    low, high = ours.interval(0.9)
    assert integrate.quad(ours.density, low, high)[0] == pytest.approx(0.9, rel=1e-7)


@pytest.mark.parametrize(("ours", "theirs"), DISCRETE.values(), ids=list(DISCRETE))
def test_the_points_of_a_picture_hold_nearly_all_probability(ours, theirs):
    """Bars are left out where next to nothing is."""
    assert 0.999 <= ours.density(ours.points()).sum() <= 1 + 1e-12


def test_the_mode_of_a_gaussian_is_its_mean():
    """Found by search, too."""
    found = optimize.minimize_scalar(lambda x: -Gaussian(3, 4).density(x), bounds=(-10, 10), method="bounded")
    assert found.x == pytest.approx(3, abs=1e-4)
