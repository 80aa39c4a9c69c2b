"""A class far away from the others: the posteriors of the others keep their digits, against exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from discriminants import FROM_SUMS, NEW, X, Y
from scipy.special import log_softmax
from sklearn.base import clone

from aprendiz import FisherDiscriminant, LinearDiscriminantAnalysis, LinearMachine, NearestShrunkenCentroids

AWAY = np.random.default_rng(3).normal(size=(8, 3)) + np.array([1.0, -2.0, 0.5])
SOME = NEW[:6]


def with_a_far_class(distance):
    """A fourth class at some distance, heavier than the others together."""
    table, labels = np.vstack([X, AWAY + distance]), np.append(Y, np.full(8, 3))
    return table, labels, np.where(labels == 3, 16.0, 1.0)


def exact(values):
    return [Fraction(float(value)) for value in values]


def exact_means(table, labels):
    return [[sum(exact(column)) / len(column) for column in table[labels == k].T] for k in range(4)]


def exact_solution(A, b):
    """A⁻¹b by elimination."""
    rows = [[*row, value] for row, value in zip(A, b, strict=True)]
    for i in range(len(rows)):
        pivot = next(r for r in range(i, len(rows)) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(len(rows)):
            if r != i:
                rows[r] = [a - rows[r][i] * c for a, c in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]


def exact_distances(row, means, covariances):
    """(x − μ_k)ᵀΣ_k⁻¹(x − μ_k) of each class."""
    found = []
    for mean, covariance in zip(means, covariances, strict=True):
        z = [a - b for a, b in zip(exact(row), mean, strict=True)]
        found.append(sum(a * b for a, b in zip(z, exact_solution(covariance, z), strict=True)))
    return found


def posteriors(distances, start):
    """log P(k | x) of the three classes that are near."""
    least = min(distances)
    return log_softmax([start[k] - float(distances[k] - least) / 2 for k in range(4)])[:3]


LINEAR = [*map(LinearDiscriminantAnalysis, ("svd", "lsqr", "eigen")), LinearMachine()]


@pytest.mark.parametrize("model", LINEAR, ids=repr)
@pytest.mark.parametrize("distance", [1e3, 1e6, 1e12])
def test_linear_discriminants_against_rational_numbers(model, distance):
    """Every solver has the posteriors that the rows have in exact arithmetic, whatever the distance of the fourth class."""
    table, labels, weight = with_a_far_class(distance)
    model = clone(model).fit(table, labels, sample_weight=weight)
    means = exact_means(table, labels)
    rows = [[a - b for a, b in zip(exact(row), means[k], strict=True)] for row, k in zip(table, labels, strict=True)]
    counts, total = exact(weight), Fraction(float(weight.sum()))
    S = [[sum(w * z[i] * z[j] for w, z in zip(counts, rows, strict=True)) / total for j in range(3)] for i in range(3)]
    start = np.log(np.bincount(labels, weight) / weight.sum())
    wanted = [posteriors(exact_distances(row, means, [S] * 4), start) for row in SOME]
    tolerance = 1e-6 if isinstance(model, LinearMachine) else 1e-9  # it takes its sums around one point for all classes
    np.testing.assert_allclose(model.predict_log_proba(SOME)[:, :3], wanted, rtol=tolerance, atol=tolerance)
    if distance <= 1e6 and not isinstance(model, LinearMachine):
        assert model.scalings_.shape == (3, 3)  # the directions in which the three differ, too


@pytest.mark.parametrize("model", FROM_SUMS, ids=repr)
@pytest.mark.parametrize("distance", [1e6, 1e12])
def test_distances_of_the_family(model, distance):
    """Each member decides by the distances from its means, as exact arithmetic has them for its covariances."""
    table, labels, weight = with_a_far_class(distance)
    model = clone(model).fit(table, labels, sample_weight=weight)
    shapes = [model.ellipsoids_[0 if model.one_shape else k] for k in range(4)]
    covariances, means = [[exact(row) for row in shape.matrix] for shape in shapes], exact_means(table, labels)
    start = np.log(model.priors_) - 0.5 * np.array([shape.log_determinant for shape in shapes])
    distances = [exact_distances(row, means, covariances) for row in SOME]
    wanted = [posteriors(one, start) for one in distances]
    np.testing.assert_allclose(model.predict_log_proba(SOME)[:, :3], wanted, rtol=1e-8, atol=1e-8)
    density = [[start[k] - 1.5 * np.log(2 * np.pi) - float(one[k]) / 2 for k in range(4)] for one in distances]
    np.testing.assert_allclose(model.predict_joint_log_proba(SOME), density, rtol=1e-8)


@pytest.mark.parametrize("threshold", [0.0, 1.0])
@pytest.mark.parametrize("distance", [1e6, 1e12])
def test_shrunken_centroids(threshold, distance):
    """Distances from the shrunken centroids, which differ from the means by Δ·m·u, also along a path of thresholds."""
    table, labels, weight = with_a_far_class(distance)
    model = NearestShrunkenCentroids(threshold).fit(table, labels, sample_weight=weight)
    unit, total = model.within_class_std_dev_ + model.offset_, model.class_count_
    factor = np.sqrt(1 / total - 1 / total.sum())[:, None]
    means = np.stack([table[labels == k].mean(axis=0) for k in range(4)])
    centroids = means - np.sign(model.shrunken_) * threshold * factor * unit
    np.testing.assert_allclose(model.centroids_[:3], centroids[:3], rtol=1e-9)
    square = np.stack([(((SOME - c) / unit) ** 2).sum(axis=1) for c in centroids], axis=1)
    wanted = log_softmax(np.log(model.class_prior_) - 0.5 * square, axis=1)
    np.testing.assert_allclose(model.predict_log_proba(SOME)[:, :3], wanted[:, :3], rtol=1e-8, atol=1e-8)
    found = model.path(table, labels, [threshold], sample_weight=weight)
    assert found.errors[0] == pytest.approx(1 - model.score(table, labels, sample_weight=weight), abs=1e-12)


# ---- columns that separate by themselves -----------------------------------------------------------------------------------


def test_a_column_that_is_left_out_though_it_separates():
    """scikit-learn leaves it out, too; a warning names it, and what it advises uses it."""
    table = np.column_stack([NEW[:, :2].repeat(3, axis=0)[: len(Y)], Y])
    for solver in ("svd", "lsqr", "eigen"):
        with pytest.warns(UserWarning, match="Column 2 is constant in each class, but not in all"):
            LinearDiscriminantAnalysis(solver).fit(table, Y)
    for model in (LinearDiscriminantAnalysis("eigen", 0.01), FisherDiscriminant()):
        assert model.fit(table, Y).score(table, Y) == 1.0
    LinearDiscriminantAnalysis().fit(np.column_stack([X, np.full(len(Y), 0.1)]), Y)  # a constant column: not a word
