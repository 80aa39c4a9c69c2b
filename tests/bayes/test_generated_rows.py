"""New rows and densities of naive Bayes."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import norm

from aprendiz import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB, NearestShrunkenCentroids

RANDOM = np.random.default_rng(0)
CODES = RANDOM.integers(0, 3, (200, 3)).astype(float)
WORDS = np.array(["no", "yes"])
Y = WORDS[(CODES[:, 0] + RANDOM.integers(0, 2, 200) > 1).astype(int)]


@pytest.mark.parametrize(("model", "levels"), [(CategoricalNB(), 3), (BernoulliNB(), 2)])
def test_densities_sum_to_one(model, levels):
    """Over all rows there can be."""
    X = CODES if levels == 3 else (CODES > 0).astype(float)
    every = np.array(list(product(range(levels), repeat=3)), dtype=float)
    assert np.exp(model.fit(X, Y).log_density(every)).sum() == pytest.approx(1.0, abs=1e-12)


def test_density_of_gaussians():
    """The sum over the classes of π times the product of normal densities."""
    X = RANDOM.normal(size=(80, 2)) + 2 * np.arange(80)[:, None] % 4
    y = np.arange(80) % 2
    model = GaussianNB().fit(X, y)
    parts = [np.prod(norm.pdf(X, model.theta_[k], np.sqrt(model.var_[k])), axis=1) for k in range(2)]
    np.testing.assert_allclose(model.log_density(X), np.log(model.class_prior_ @ parts), rtol=1e-12)


def test_density_of_counts():
    """Over all rows of n events it sums to one, from sparse tables too; fractions have no density."""
    model = MultinomialNB().fit(CODES, Y)
    for events in (1, 4):
        every = np.array([row for row in product(range(events + 1), repeat=3) if sum(row) == events], dtype=float)
        assert np.exp(model.log_density(every)).sum() == pytest.approx(1.0, abs=1e-12)
        np.testing.assert_allclose(model.log_density(sparse.csr_array(every)), model.log_density(every), rtol=1e-12)
    with pytest.raises(ValueError, match=r"Input X holds 0\.5 in row 1, column 2: only whole counts have a density"):
        model.log_density([[1.0, 0.0, 2.0], [1.0, 0.0, 0.5]])


def test_events_of_new_rows():
    """As many as are asked for, or the mean of the class; columns in the shares of the class, within four standard errors."""
    model = MultinomialNB().fit(CODES, Y)
    rows, classes = model.sample(2000, random_state=0, total=10)
    assert (rows.sum(axis=1) == 10).all()
    for k, word in enumerate(WORDS):
        theta, n = np.exp(model.feature_log_prob_[k]), 10 * (classes == word).sum()
        assert (np.abs(rows[classes == word].sum(axis=0) / n - theta) < 4 * np.sqrt(theta / n)).all()
    rows, classes = model.sample(50, random_state=0)
    usual = {word: np.rint(CODES[word == Y].sum(axis=1).mean()) for word in WORDS}
    np.testing.assert_array_equal(rows.sum(axis=1), [usual[word] for word in classes])
    with pytest.raises(ValueError, match="total must be a whole number of at least 1, got 0"):
        model.sample(5, total=0)


@pytest.mark.parametrize("far", [0.0, 1e9])
def test_density_of_shrunken_centroids(far):
    """Normal columns around the shrunken means with deviation s + s₀, also where a class lies far away."""
    X = CODES + RANDOM.normal(size=CODES.shape)
    X[Y == "yes"] += far
    model = NearestShrunkenCentroids(0.5).fit(X, Y)
    unit = model.within_class_std_dev_ + model.offset_
    logs = np.stack([norm.logpdf(X, model.centroids_[k], unit).sum(axis=1) for k in range(2)], axis=1)
    expected = np.logaddexp(*(logs + np.log(model.class_prior_)).T)
    np.testing.assert_allclose(model.log_density(X), expected, rtol=1e-6 if far else 1e-12)
    rows, classes = model.sample(20_000, random_state=0)
    for k, word in enumerate(WORDS):
        apart = (rows[classes == word] - model.centroids_[k]) / unit
        n = len(apart)
        assert np.abs(apart.mean(axis=0)).max() < 4 / np.sqrt(n)
        assert np.abs(apart.std(axis=0) - 1).max() < 4 / np.sqrt(2 * n)
        assert abs(n / 20_000 - model.class_prior_[k]) < 4 * np.sqrt(0.25 / 20_000)


def test_missing_cells_are_summed_over():
    """p of a row with a missing cell is the sum over what might stand there."""
    model = CategoricalNB().fit(CODES, Y)
    row = np.array([[1.0, np.nan, 2.0]])
    each = [np.exp(model.log_density(np.array([[1.0, value, 2.0]])))[0] for value in range(3)]
    assert np.exp(model.log_density(row))[0] == pytest.approx(sum(each), rel=1e-12)


@pytest.mark.parametrize("model", [CategoricalNB(), BernoulliNB(), GaussianNB()], ids=lambda m: type(m).__name__)
def test_samples_are_like_the_fit(model):
    """Shares of the classes and means of the columns, within four standard errors."""
    X = (CODES > 0).astype(float) if isinstance(model, BernoulliNB) else CODES
    rows, classes = model.fit(X, Y).sample(20_000, random_state=0)
    share = np.exp(model.log_prior())
    assert np.abs([(classes == word).mean() for word in WORDS] - share).max() < 4 * np.sqrt(0.25 / 20_000)
    for k, word in enumerate(WORDS):
        of_class = rows[classes == word]
        if isinstance(model, GaussianNB):
            expected, spread = model.theta_[k], np.sqrt(model.var_[k])
        elif isinstance(model, BernoulliNB):
            expected, spread = np.exp(model.feature_log_prob_[k]), 0.5
        else:
            expected, spread = [np.exp(table[k]) @ np.arange(3) for table in model.feature_log_prob_], 1.0
        assert (np.abs(of_class.mean(axis=0) - expected) < 4 * spread / np.sqrt(len(of_class))).all()


def test_samples_follow_the_seed():
    model = GaussianNB().fit(CODES, Y)
    one, other = model.sample(5, random_state=3), model.sample(5, random_state=3)
    assert np.array_equal(one[0], other[0])
    assert np.array_equal(one[1], other[1])


@pytest.mark.parametrize("n", [0, -1, 2.5, "many"])
def test_bad_numbers_of_rows(n):
    with pytest.raises(ValueError, match="n_samples"):
        GaussianNB().fit(CODES, Y).sample(n)
