"""Classes that are normal: densities against scipy, samples, laws of units and offsets, hard cases, coefficients."""

import numpy as np
import pytest
from discriminants import FAMILY, FROM_SUMS, NEW, WORDS, X, Y, assert_same, every, problem
from scipy.integrate import simpson
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from aprendiz import (
    DiagonalDiscriminantAnalysis,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)


def those(models, *, without):
    """The members in whose parameters a word does not stand."""
    return pytest.mark.parametrize("model", [model for model in models if without not in repr(model)], ids=repr)


# ---- densities and samples -------------------------------------------------------------------------------------------


@every
def test_densities_are_those_of_scipy(model):
    """log P(k, x), its sum over the classes, and the posteriors, from the means and covariances of the model."""
    model = clone(model).fit(X, WORDS)
    shapes = [shape.matrix for shape in model.ellipsoids_] * (3 if len(model.ellipsoids_) == 1 else 1)
    joint = np.column_stack(
        [np.log(p) + multivariate_normal(m, C).logpdf(NEW) for p, m, C in zip(model.priors_, model.means_, shapes, strict=True)]
    )
    np.testing.assert_allclose(model.predict_joint_log_proba(NEW), joint, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(model.log_density(NEW), logsumexp(joint, axis=1), rtol=1e-9)
    np.testing.assert_allclose(model.predict_proba(NEW), np.exp(joint - logsumexp(joint, axis=1, keepdims=True)), rtol=1e-8)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(NEW)), model.predict_proba(NEW), rtol=1e-13)
    scores = model.decision_function(NEW)
    np.testing.assert_allclose(scores - scores[:, :1], joint - joint[:, :1], rtol=1e-8, atol=1e-9)
    np.testing.assert_array_equal(model.predict(NEW), model.classes_[joint.argmax(axis=1)])
    far = np.array([[50.0, -50.0, 50.0]])
    assert model.log_density(far) < model.log_density(model.means_).min() - 10


@every
def test_densities_add_up_to_one(model):
    """The integral of p(x) over a plane is 1."""
    model = clone(model).fit(X[:, :2], Y)
    places = np.linspace(-15, 15, 151)
    grid = np.stack(np.meshgrid(places, places), axis=-1).reshape(-1, 2)
    density = np.exp(model.log_density(grid)).reshape(151, 151)
    assert simpson(simpson(density, x=places), x=places) == pytest.approx(1.0, abs=1e-6)


@every
def test_samples(model):
    """Shares, means and covariances of drawn rows, each within four standard errors; a seed gives the same rows again."""
    model, n = clone(model).fit(X, WORDS), 20_000
    table, y = model.sample(n, random_state=3)
    for k, label in enumerate(model.classes_):
        mine, C = table[y == label], model.ellipsoids_[k if len(model.ellipsoids_) > 1 else 0].matrix
        p, m = model.priors_[k], len(mine)
        assert abs(m / n - p) < 4 * np.sqrt(p * (1 - p) / n)
        assert (np.abs(mine.mean(axis=0) - model.means_[k]) < 4 * np.sqrt(np.diag(C) / m)).all()
        error = np.sqrt((np.outer(np.diag(C), np.diag(C)) + C**2) / m)
        assert (np.abs(np.cov(mine.T) - C) < 4 * error).all()
    again = model.sample(n, random_state=3)
    np.testing.assert_array_equal(again[0], table)
    assert not np.array_equal(model.sample(50, random_state=4)[0], table[:50])
    assert model.sample()[0].shape == (1, 3)
    with pytest.raises(ValueError, match="n_samples must be a whole number of at least 1, got -1"):
        model.sample(-1)


# ---- laws ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "size"),
    [
        (QuadraticDiscriminantAnalysis(), 1e8),
        (LinearDiscriminantAnalysis(), 1e8),
        (DiagonalDiscriminantAnalysis(), 1e8),
        (DiagonalDiscriminantAnalysis(shared=False), 1e8),
        (RegularizedDiscriminantAnalysis(0.3), 1e3),
        (RegularizedDiscriminantAnalysis(0.3, toward_diagonal=0.6), 1e3),
    ],
    ids=repr,
)
def test_posteriors_do_not_know_units(model, size):
    """Columns in other units and with other zeros give the same posteriors; the density changes by the units alone."""
    unit, zero = np.array([1 / size, 1.0, size]), np.array([3.0, -7.0, 1.0])
    one, two = clone(model).fit(X, Y), clone(model).fit((X + zero) * unit, Y)
    np.testing.assert_allclose(two.predict_proba((NEW + zero) * unit), one.predict_proba(NEW), rtol=1e-5, atol=1e-9)
    expected = one.log_density(NEW) - np.log(unit).sum()
    np.testing.assert_allclose(two.log_density((NEW + zero) * unit), expected, rtol=1e-6, atol=1e-6)


@those(FAMILY, without="reg_param")
@pytest.mark.parametrize("size", [1e-8, 1e8])
def test_all_columns_in_another_unit(model, size):
    """One unit for all columns changes no posterior, but with `reg_param`, which pulls towards I itself."""
    one, two = clone(model).fit(X, Y), clone(model).fit(X * size, Y)
    np.testing.assert_allclose(two.predict_proba(NEW * size), one.predict_proba(NEW), rtol=1e-8, atol=1e-11)


@every
def test_far_from_zero(model):
    """Multiples of 2⁻¹⁰ around 2³⁰ are exact numbers, so an offset of about 10⁹ changes nothing but the last digits."""
    table, new = np.round(X * 1024) / 1024, np.round(NEW * 1024) / 1024
    near, far = clone(model).fit(table, Y), clone(model).fit(table + 2.0**30, Y)
    np.testing.assert_allclose(far.predict_proba(new + 2.0**30), near.predict_proba(new), rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(far.log_density(new + 2.0**30), near.log_density(new), rtol=1e-5, atol=1e-5)


@every
def test_single_precision(model):
    """float32 rows are summed in float64: the same as the same numbers in float64, up to the attributes that are rounded."""
    table = X.astype(np.float32)
    one, two = clone(model).fit(table, Y), clone(model).fit(table.astype(float), Y)
    digits = {"rtol": 1e-5, "atol": 1e-8} if model.in_data_dtype else {"rtol": 1e-9, "atol": 1e-12}
    np.testing.assert_allclose(one.predict_proba(table), two.predict_proba(table.astype(float)), **digits)


@those(FAMILY, without="cv")
def test_weights_are_rows(model):
    """A row of weight 3 is three rows; one of weight 0 is none."""
    weight = np.random.default_rng(8).integers(0, 4, len(X))
    one = clone(model).fit(X, Y, sample_weight=weight)
    two = clone(model).fit(np.repeat(X, weight, axis=0), np.repeat(Y, weight))
    assert_same(one, two)


# ---- hard cases ------------------------------------------------------------------------------------------------------


@every
def test_one_column_and_two_classes(model):
    """A line cut in two: one score for each row, above 0 where the second class is predicted."""
    two = Y < 2
    model = clone(model).fit(X[two, :1], WORDS[two])
    scores = model.decision_function(NEW[:, :1])
    assert scores.shape == (40,)
    np.testing.assert_array_equal(model.predict(NEW[:, :1]) == "birch", scores > 0)
    P = model.predict_proba(NEW[:, :1])
    np.testing.assert_allclose(np.log(P[:, 1]) - np.log(P[:, 0]), scores, rtol=1e-8, atol=1e-9)


@every
def test_a_class_that_is_never_expected(model):
    """A prior of 0: never predicted, never drawn, and the others as without it in the sum."""
    model = clone(model).set_params(priors=[0.25, 0.75, 0.0]).fit(X, WORDS)
    P = model.predict_proba(NEW)
    assert (P[:, 2] == 0).all()
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-13)
    assert set(model.predict(NEW)) == {"ash", "birch"} == set(model.sample(500, random_state=0)[1])
    joint = model.predict_joint_log_proba(NEW)
    assert np.isneginf(joint[:, 2]).all()
    np.testing.assert_allclose(model.log_density(NEW), logsumexp(joint[:, :2], axis=1), rtol=1e-12)


@those(FAMILY, without="cv")
def test_a_class_of_one_row(model):
    """It has a mean and gets the variances that the others have: its row is its own, and those of the others stay theirs."""
    table, y = np.r_[X, [[30.0, 30.0, 30.0]]], np.r_[WORDS, ["oak"]]
    model = clone(model).fit(table, y)
    assert model.predict(table[-1:]) == "oak"
    assert (model.predict(X) != "oak").all()
    assert np.isfinite(model.log_density(table)).all()
    if len(model.ellipsoids_) > 1 and not model.certificate_.holds:
        assert model.certificate_.values["class"] == "oak"


@those(FROM_SUMS, without="NearestMean()")
def test_a_class_without_weight(model):
    """With shares as priors it is never predicted, and the others are those of a fit without its rows."""
    with_zero = clone(model).fit(X, WORDS, sample_weight=(WORDS != "cedar").astype(float))
    without = clone(model).fit(X[WORDS != "cedar"], WORDS[WORDS != "cedar"])
    np.testing.assert_allclose(with_zero.predict_proba(NEW)[:, :2], without.predict_proba(NEW), rtol=1e-7, atol=1e-12)
    assert (with_zero.predict_proba(NEW)[:, 2] == 0).all()


@pytest.mark.parametrize(
    "model",
    [
        QuadraticDiscriminantAnalysis(),
        LinearDiscriminantAnalysis(),
        RegularizedDiscriminantAnalysis(0.3),
        DiagonalDiscriminantAnalysis(),
        DiagonalDiscriminantAnalysis(shared=False),
    ],
    ids=repr,
)
@pytest.mark.parametrize("value", [0.0, 7.0, 1e9 + 0.1])
def test_a_constant_column_says_nothing(model, value):
    """Posteriors are those without it; the certificate does not hold."""
    wide, new = np.c_[X, np.full(len(X), value)], np.c_[NEW, np.full(len(NEW), value)]
    found = clone(model).fit(wide, Y)
    np.testing.assert_allclose(found.predict_proba(new), clone(model).fit(X, Y).predict_proba(NEW), rtol=1e-8, atol=1e-12)
    assert not found.certificate_.holds
    assert found.certificate_.rank == 3


@pytest.mark.parametrize(
    "model",
    [
        QuadraticDiscriminantAnalysis(),
        LinearDiscriminantAnalysis(),
        RegularizedDiscriminantAnalysis(0.5, 0.3),
        DiagonalDiscriminantAnalysis(),
        NearestMean(),
    ],
    ids=repr,
)
def test_ten_thousand_columns(model):
    """Twenty rows of 10 000 columns: finite posteriors that add up to 1, and the rows are told apart, but by the linear one,
    which leaves out all directions in which rows do not vary within classes: the means differ in these."""
    y = np.arange(20) % 2
    table = np.random.default_rng(9).normal(size=(20, 10_000)) + 0.3 * y[:, None]
    P = clone(model).fit(table, y).predict_proba(table)
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-12)
    assert isinstance(model, LinearDiscriminantAnalysis) or np.array_equal(P.argmax(axis=1), y)


# ---- coefficients ----------------------------------------------------------------------------------------------------


@every
def test_discriminants_as_coefficients(model):
    """xᵀWx + wᵀx + w₀ differs from log P(k, x) by one number for all classes and rows."""
    model = clone(model).fit(X, Y)
    q = model.quadratic_
    scores = np.einsum("ij,kjl,il->ik", NEW, q.W, NEW) + NEW @ q.w.T + q.w0
    rest = model.predict_joint_log_proba(NEW) - scores
    np.testing.assert_allclose(rest, rest[0, 0], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize(
    "model", [DiagonalDiscriminantAnalysis(), NearestMean(), NearestMean(priors=[0.2, 0.5, 0.3])], ids=repr
)
def test_planes_as_coefficients(model):
    """xᵀw_k + b_k is largest for the predicted class; for the nearest mean it is σ² times the logarithm of the posterior."""
    model = clone(model).fit(X, Y)
    scores = NEW @ model.coef_.T + model.intercept_
    unit = model.variance_ if isinstance(model, NearestMean) else 1.0
    wanted = unit * model.predict_log_proba(NEW)
    np.testing.assert_allclose(scores - scores[:, :1], wanted - wanted[:, :1], rtol=1e-8, atol=1e-9)


def test_the_number_of_parameters():
    """Means and the different entries of the covariances, whatever the number of classes and columns."""
    for kinds, d in [(2, 1), (2, 5), (4, 3)]:
        X, y = problem(1, 8, d, kinds)
        half = d * (d + 1) // 2
        for model, number in [
            (QuadraticDiscriminantAnalysis(), kinds * (d + half)),
            (RegularizedDiscriminantAnalysis(0.5, 0.5), kinds * (d + half)),
            (LinearDiscriminantAnalysis(), kinds * d + half),
            (DiagonalDiscriminantAnalysis(shared=False), 2 * kinds * d),
            (DiagonalDiscriminantAnalysis(), kinds * d + d),
            (NearestMean(priors="shares"), kinds * d + 1),
            (NearestMean(), kinds * d),
        ]:
            assert model.fit(X, y).n_parameters_ == number


# ---- refused ---------------------------------------------------------------------------------------------------------


def test_what_is_refused():
    """The message names the parameter and the remedy."""
    for model, error, words in [
        (
            LinearDiscriminantAnalysis(shrinkage=0.5),
            NotImplementedError,
            "shrinkage not supported with 'svd' solver: use solver=",
        ),
        (
            QuadraticDiscriminantAnalysis(covariance_estimator=1),
            ValueError,
            "must be an object with a method fit, or None, got 1",
        ),
        (LinearDiscriminantAnalysis(n_components=3), ValueError, r"n_components = 3 cannot be larger than .* = 2"),
        (QuadraticDiscriminantAnalysis(priors=[0.5, 0.5]), ValueError, "priors must match number of classes: 2 for 3"),
        (NearestMean(priors=[0.5, 0.7, -0.2]), ValueError, r"non-negative, got -0.2 for 'cedar'"),
        (DiagonalDiscriminantAnalysis(priors=[0.5, 0.5, 0.5]), ValueError, "sum of the priors should be 1, but it is 1.5"),
    ]:
        with pytest.raises(error, match=words):
            model.fit(X, WORDS)
    with pytest.raises(ValueError, match="samples must be more than the number of classes"):
        LinearDiscriminantAnalysis().fit(X[:3], ["a", "b", "c"])
    with pytest.raises(NotImplementedError, match="transform not implemented for 'lsqr'"):
        LinearDiscriminantAnalysis("lsqr").fit(X, Y).transform(X)
    with pytest.raises(AttributeError, match="thresholds_ are for one column, there are 3"):
        _ = QuadraticDiscriminantAnalysis().fit(X, Y).thresholds_
    with pytest.raises(AttributeError, match="not divided by planes"):
        _ = DiagonalDiscriminantAnalysis(shared=False).fit(X, Y).coef_
    with pytest.raises(NotFittedError):
        NearestMean().log_density(X)
