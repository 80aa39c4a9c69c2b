"""The discriminant family at its edges: collinear columns, classes that are announced but not seen, offsets."""

import numpy as np
import pytest
from discriminants import NEW, WORDS, X, Y, problem
from scipy.special import softmax
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLinear
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as TheirQuadratic

from aprendiz import (
    DiagonalDiscriminantAnalysis,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)

WITH_PRIORS = [
    QuadraticDiscriminantAnalysis(priors=[0.2, 0.3, 0.5]),
    LinearDiscriminantAnalysis(priors=[0.2, 0.3, 0.5]),
    LinearDiscriminantAnalysis("eigen", 0.2, priors=[0.2, 0.3, 0.5]),
    RegularizedDiscriminantAnalysis(0.3, 0.2, priors=[0.2, 0.3, 0.5]),
    DiagonalDiscriminantAnalysis(priors=[0.2, 0.3, 0.5]),
    NearestMean(priors=[0.2, 0.3, 0.5]),
    NearestMean(),
]


@pytest.mark.parametrize("model", WITH_PRIORS, ids=repr)
def test_a_class_that_was_announced_but_not_seen(model):
    """It has no density: it is not predicted, and the others are those of a fit without it, their priors made to add up."""
    seen = WORDS != "ash"
    found = clone(model).partial_fit(X[seen], WORDS[seen], classes=["ash", "birch", "cedar"])
    alone = clone(model) if isinstance(model.priors, str) else clone(model).set_params(priors=[0.375, 0.625])
    alone.fit(X[seen], WORDS[seen])
    assert (found.predict_proba(NEW)[:, 0] == 0).all()
    np.testing.assert_allclose(found.predict_proba(NEW)[:, 1:], alone.predict_proba(NEW), rtol=1e-9, atol=1e-13)
    assert set(found.sample(100, random_state=0)[1]) == {"birch", "cedar"}
    found.partial_fit(X[~seen], WORDS[~seen])
    np.testing.assert_allclose(found.predict_proba(NEW), clone(model).fit(X, WORDS).predict_proba(NEW), rtol=1e-8, atol=1e-12)


def test_only_classes_without_rows_are_expected():
    """Nothing is left to decide for, and the classes that have rows are named."""
    model = QuadraticDiscriminantAnalysis(priors=[1.0, 0.0, 0.0])
    with pytest.raises(
        ValueError, match="Only classes without rows have a positive prior: give one to some of 'birch', 'cedar'"
    ):
        model.fit(X, WORDS, sample_weight=(WORDS != "ash").astype(float))


def test_priors_that_are_rounded():
    """They are made to add up to 1."""
    model = QuadraticDiscriminantAnalysis(priors=[0.333333] * 3).fit(X, Y)
    assert model.priors_.sum() == pytest.approx(1.0, abs=1e-15)
    assert len(model.sample(5, random_state=0)[0]) == 5


# ---- collinear columns -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [30, 300, 3000])
@pytest.mark.parametrize(
    "model",
    [
        QuadraticDiscriminantAnalysis(),
        LinearDiscriminantAnalysis(),
        LinearDiscriminantAnalysis("eigen"),
        RegularizedDiscriminantAnalysis(0.5),
    ],
    ids=repr,
)
def test_a_column_that_is_the_sum_of_others(model, rows):
    """It says nothing new: the certificate does not hold, and the posteriors are those without it."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 3, rows)
        table = rng.normal(size=(rows, 3)) + y[:, None]
        wide = np.c_[table, table.sum(axis=1)]
        found = clone(model).fit(wide, y)
        assert not found.certificate_.holds
        assert found.certificate_.rank == 3
        np.testing.assert_allclose(
            found.predict_proba(wide), clone(model).fit(table, y).predict_proba(table), rtol=1e-4, atol=1e-6
        )


@pytest.mark.parametrize("wide", [1e7, 1e12])
def test_classes_of_very_different_width(wide):
    """Deviations of 1 and 10⁷ or 10¹²: the narrow class is not taken for one that does not vary."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 30)
    table = rng.normal(size=(60, 3)) * np.where(y == 0, 1.0, wide)[:, None]
    for model in (QuadraticDiscriminantAnalysis(), RegularizedDiscriminantAnalysis()):
        assert model.fit(table, y).score(table, y) == 1
        assert model.certificate_.holds


def test_few_rows_in_the_span_or_not():
    """Three to seven rows of one more column: the form in the span of the rows is the dense one."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        d = int(rng.integers(4, 9))
        y = np.arange(d - 1) % 2
        table = rng.normal(size=(d - 1, d)) * rng.uniform(0.1, 10, d) + 5 * rng.normal(size=d)
        for model in (QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis(), RegularizedDiscriminantAnalysis(0.5)):
            model.fit(table, y)
            dense, new = clone(model).fit_sums(model.sums_.moments()), 5 * rng.normal(size=(10, d))
            np.testing.assert_allclose(model.predict_proba(new), dense.predict_proba(new), rtol=1e-3, atol=1e-6)


def test_units_of_the_regularized_one():
    """Without a ball, columns in units of 10⁻⁸ and 10⁸ give the same posteriors, with few rows too."""
    unit = np.array([1e-8, 1.0, 1e8])
    for parameters in ((0.3, 0.0, 0.0), (0.0, 0.0, 0.5)):
        pooled, identity, diagonal = parameters
        one, two = (
            RegularizedDiscriminantAnalysis(pooled, identity, toward_diagonal=diagonal).fit(X * u, Y) for u in (1.0, unit)
        )
        np.testing.assert_allclose(two.predict_proba(NEW * unit), one.predict_proba(NEW), rtol=1e-7, atol=1e-10)


def test_quadratic_with_fewer_rows_than_columns():
    """λ = γ = 0 is the quadratic one where the covariances are singular too."""
    rng = np.random.default_rng(6)
    y = np.arange(20) % 2
    for columns in (15, 40):
        table = rng.normal(size=(20, columns)) * rng.uniform(0.1, 10, columns) + y[:, None]
        one, two = (kind().fit(table, y) for kind in (RegularizedDiscriminantAnalysis, QuadraticDiscriminantAnalysis))
        new = rng.normal(size=(20, columns)) * 5
        np.testing.assert_allclose(one.log_density(new), two.log_density(new), rtol=1e-6)


# ---- shrinkage="auto" ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs"), [(QuadraticDiscriminantAnalysis, TheirQuadratic), (LinearDiscriminantAnalysis, TheirLinear)]
)
def test_automatic_shrinkage_of_a_constant_column(ours, theirs):
    """The posteriors are scikit-learn's."""
    wide = np.c_[X, np.full(len(X), 7.0)]
    found, wanted = (kind(solver="eigen", shrinkage="auto").fit(wide, Y).predict_proba(wide) for kind in (ours, theirs))
    np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-12)


def test_automatic_shrinkage_with_a_class_without_weight():
    """The others are those of a fit without its rows."""
    for kind in (QuadraticDiscriminantAnalysis, LinearDiscriminantAnalysis):
        model = kind(solver="eigen", shrinkage="auto")
        found = clone(model).fit(X, Y, sample_weight=(Y != 2).astype(float))
        alone = clone(model).fit(X[Y != 2], Y[Y != 2])
        np.testing.assert_allclose(found.predict_proba(NEW)[:, :2], alone.predict_proba(NEW), rtol=1e-8, atol=1e-12)


# ---- coefficients ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6, 1e9])
def test_thresholds_far_from_zero(offset):
    """The posteriors are equal at the thresholds, up to the rounding of a number of that size."""
    table, y = problem(3, 30, 1, 2)
    model = QuadraticDiscriminantAnalysis().fit(table + offset, y)
    roots = model.thresholds_[0, 1]
    assert len(roots) >= 1
    np.testing.assert_allclose(model.decision_function(roots[:, None]), 0, atol=1e-9 + 1e-15 * offset * 100)


def test_thresholds_between_classes_that_are_expected():
    """A class with the prior 0 has none."""
    model = QuadraticDiscriminantAnalysis(priors=[0.5, 0.5, 0.0]).fit(X[:, :1], WORDS)
    assert list(model.thresholds_) == [("ash", "birch")]


def test_coefficients_where_directions_are_left_out():
    """With fewer rows than columns, and with collinear ones, the coefficients give the posteriors of the linear one."""
    rng = np.random.default_rng(4)
    y = np.arange(12) % 3
    for table in (rng.normal(size=(12, 30)), np.c_[(few := rng.normal(size=(12, 3)) + y[:, None]), few.sum(axis=1)]):
        model = LinearDiscriminantAnalysis().fit(table, y)
        q = model.quadratic_
        scores = np.einsum("ij,kjl,il->ik", table, q.W, table) + table @ q.w.T + q.w0
        np.testing.assert_allclose(softmax(scores, axis=1), model.predict_proba(table), rtol=1e-4, atol=1e-5)


def test_batches_far_from_zero():
    """Exact numbers around 2³⁰ in batches give what they give at once."""
    table = np.round(X * 1024) / 1024 + 2.0**30
    for model in (QuadraticDiscriminantAnalysis(), LinearDiscriminantAnalysis()):
        pieces = clone(model)
        for start in range(0, len(table), 7):
            pieces.partial_fit(table[start : start + 7], Y[start : start + 7])
        np.testing.assert_allclose(pieces.predict_proba(table), model.fit(table, Y).predict_proba(table), rtol=1e-8, atol=1e-11)
