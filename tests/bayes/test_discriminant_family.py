"""The discriminant family: agreement with scikit-learn, the ends of the regularized one, sums of folds, choice by them."""

from functools import reduce
from operator import add

import numpy as np
import pytest
from discriminants import NEW, WORDS, X, Y, assert_same, drawn_priors, from_sums, problem
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import naive_bayes
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLinear
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as TheirQuadratic
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold

from aprendiz import (
    DiagonalDiscriminantAnalysis,
    GaussianNB,
    LinearDiscriminantAnalysis,
    NearestMean,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)

few, many = settings(max_examples=20, deadline=None), settings(max_examples=100, deadline=None)
seeds = st.integers(0, 2**32 - 1)


# ---- scikit-learn ----------------------------------------------------------------------------------------------------


@many
@given(
    seeds,
    st.integers(2, 5),
    st.integers(1, 5),
    st.sampled_from([None, "auto", 0.0, 0.4]),
    st.booleans(),
    st.sampled_from([0.0, 0.3]),
)
def test_quadratic_agrees_with_scikit_learn(seed, kinds, columns, shrinkage, given_priors, reg_param):
    """Posteriors, scores, means, variances along the axes and covariances, with shrinkage, ridge and priors."""
    X, y = problem(seed, 2 * columns + 4, columns, kinds)
    parameters = {"priors": drawn_priors(seed, kinds) if given_priors else None, "store_covariance": True}
    parameters |= {"reg_param": reg_param} if shrinkage is None else {"solver": "eigen", "shrinkage": shrinkage}
    ours, theirs = (kind(**parameters).fit(X, y) for kind in (QuadraticDiscriminantAnalysis, TheirQuadratic))
    np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(ours.priors_, theirs.priors_, rtol=1e-13)
    for k in range(kinds):
        np.testing.assert_allclose(ours.covariance_[k], theirs.covariance_[k], rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(ours.scalings_[k], np.sort(theirs.scalings_[k])[::-1], rtol=1e-7, atol=1e-10)
    new = problem(seed + 1, 5, columns, kinds)[0]
    np.testing.assert_allclose(ours.decision_function(new), theirs.decision_function(new), rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), rtol=1e-6, atol=1e-10)


@many
@given(
    seeds,
    st.integers(2, 5),
    st.integers(1, 6),
    st.sampled_from(
        [("svd", None), ("lsqr", None), ("eigen", None), ("lsqr", 0.3), ("eigen", 0.3), ("lsqr", "auto"), ("eigen", "auto")]
    ),
    st.booleans(),
)
def test_linear_agrees_with_scikit_learn(seed, kinds, columns, solver, given_priors):
    """Posteriors, coefficients, and for "svd" the transform up to signs, of every solver, with shrinkage and priors."""
    X, y = problem(seed, columns + 4, columns, kinds)
    parameters = {"solver": solver[0], "shrinkage": solver[1], "priors": drawn_priors(seed, kinds) if given_priors else None}
    ours, theirs = (kind(**parameters).fit(X, y) for kind in (LinearDiscriminantAnalysis, TheirLinear))
    assert_linear(ours, theirs, problem(seed + 1, 5, columns, kinds)[0])


@few
@given(
    seeds,
    st.integers(2, 4),
    st.integers(15, 40),
    st.sampled_from([("svd", None), ("lsqr", 0.3), ("eigen", 0.7), ("eigen", "auto")]),
)
def test_linear_with_fewer_rows_than_columns(seed, kinds, columns, solver):
    """The same where the covariance is singular."""
    rng = np.random.default_rng(seed)
    y = np.arange(3 * kinds) % kinds
    X = rng.normal(size=(3 * kinds, columns)) + rng.normal(size=(kinds, columns))[y]
    ours, theirs = (kind(*solver).fit(X, y) for kind in (LinearDiscriminantAnalysis, TheirLinear))
    assert_linear(ours, theirs, rng.normal(size=(20, columns)))
    assert ours.certificate_.holds == (solver[1] is not None)


def assert_linear(ours, theirs, new):
    scale = max(1.0, np.abs(theirs.coef_).max())
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6, atol=1e-8 * scale)
    scores = theirs.decision_function(new)
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), rtol=1e-5, atol=1e-8)
    from_attributes = new @ ours.coef_.T + ours.intercept_
    np.testing.assert_allclose(
        np.squeeze(from_attributes), np.squeeze(scores), rtol=1e-6, atol=1e-7 * max(1, np.abs(scores).max())
    )
    if ours.solver == "svd":
        one, two = ours.transform(new), theirs.transform(new)
        assert one.shape == two.shape
        np.testing.assert_allclose(
            one * np.sign(one[0]), two * np.sign(two[0]), rtol=1e-5, atol=1e-7 * max(1, np.abs(two).max())
        )


def test_rows_in_the_directions_of_the_means():
    """In the coordinates of `transform` the covariance within classes is I, means vary less from direction to direction, and
    the nearest mean by priors gives the classes."""
    model = LinearDiscriminantAnalysis().fit(X, Y)
    Z = model.transform(X)
    means = np.array([Z[k == Y].mean(axis=0) for k in range(3)])
    np.testing.assert_allclose((Z - means[Y]).T @ (Z - means[Y]) / len(Z), np.eye(2), atol=1e-12)
    between = (means - Z.mean(axis=0)).T @ ((means - Z.mean(axis=0)) * model.priors_[:, None])
    np.testing.assert_allclose(between - np.diag(np.diagonal(between)), 0, atol=1e-12)
    np.testing.assert_allclose(np.diagonal(between) / np.trace(between), model.explained_variance_ratio_, rtol=1e-11)
    nearest = (((Z[:, None] - means) ** 2).sum(axis=2) - 2 * np.log(model.priors_)).argmin(axis=1)
    np.testing.assert_array_equal(nearest, model.predict(X))


# ---- the ends of the regularized one ---------------------------------------------------------------------------------


@few
@given(seeds, st.integers(2, 4), st.integers(1, 5), st.booleans())
def test_ends_of_the_regularized_one(seed, kinds, columns, given_priors):
    """λ = γ = δ = 0 is quadratic, λ = 1 linear, λ = δ = 1 diagonal, δ = 1 naive Bayes, λ = γ = 1 the nearest mean."""
    X, y = problem(seed, 2 * columns + 4, columns, kinds)
    priors = drawn_priors(seed, kinds) if given_priors else None
    new = problem(seed + 1, 5, columns, kinds)[0]
    for values, other in [
        ((0, 0, 0), QuadraticDiscriminantAnalysis(priors=priors)),
        ((1, 0, 0), LinearDiscriminantAnalysis(priors=priors)),
        ((1, 0, 1), DiagonalDiscriminantAnalysis(priors=priors)),
        ((0, 0, 1), DiagonalDiscriminantAnalysis(shared=False, priors=priors)),
        ((1, 1, 0), NearestMean(priors="shares" if priors is None else priors)),
    ]:
        pooled, identity, diagonal = values
        model = RegularizedDiscriminantAnalysis(pooled, identity, toward_diagonal=diagonal, priors=priors).fit(X, y)
        assert_same(model, other.fit(X, y), new)
        assert (model.toward_pooled_, model.toward_identity_) == (pooled, identity)


@few
@given(seeds, st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_covariances_of_the_regularized_one(seed, pooled, identity, diagonal):
    """Σ_k is the formula of its header, written out."""
    X, y = problem(seed, 12, 4, 2)
    model = RegularizedDiscriminantAnalysis(pooled, identity, toward_diagonal=diagonal).fit(X, y)
    own = [np.cov(X[y == k].T, ddof=0) for k in (0, 1)]
    common = sum((y == k).mean() * own[k] for k in (0, 1))
    for k in (0, 1):
        A = (1 - pooled) * own[k] + pooled * common
        A = (1 - diagonal) * A + diagonal * np.diag(np.diag(A))
        wanted = (1 - identity) * A + identity * np.trace(A) / 4 * np.eye(4)
        np.testing.assert_allclose(model.ellipsoids_[k].matrix, wanted, rtol=1e-9, atol=1e-11)


@few
@given(seeds, st.integers(2, 4), st.integers(1, 5))
def test_diagonal_of_each_class_is_naive_bayes(seed, kinds, columns):
    """Variances, posteriors and joint densities of Gaussian naive Bayes without smoothing, ours and scikit-learn's."""
    X, y = problem(seed, 5, columns, kinds)
    model = DiagonalDiscriminantAnalysis(shared=False).fit(X, y)
    for other in (GaussianNB(var_smoothing=0), naive_bayes.GaussianNB(var_smoothing=0)):
        other.fit(X, y)
        np.testing.assert_allclose(model.variances_, other.var_, rtol=1e-10)
        np.testing.assert_allclose(model.predict_joint_log_proba(X), other.predict_joint_log_proba(X), rtol=1e-9, atol=1e-9)


# ---- sums ------------------------------------------------------------------------------------------------------------


@from_sums
@pytest.mark.parametrize("shape", [(60, 3), (24, 40)], ids=["many rows", "few rows"])
def test_sums_of_the_other_folds(model, shape):
    """The records of four parts add up to the fit on their rows, weights and more columns than rows included."""
    rng = np.random.default_rng(3)
    y = np.arange(shape[0]) % 3
    table, weight = rng.normal(size=shape) + y[:, None] * rng.normal(size=shape[1]), rng.uniform(0.5, 2, shape[0])
    parts = [rng.permutation(shape[0])[k::4] for k in range(4)]
    records = [model.summarise(model.open(table[part], y[part], weight[part])) for part in parts]
    others = np.concatenate(parts)
    found, whole = clone(model).fit_sums(reduce(add, records)), clone(model).fit(table[others], y[others], weight[others])
    np.testing.assert_allclose(found.means_, whole.means_, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(found.predict_proba(table), whole.predict_proba(table), rtol=1e-5, atol=1e-9)


@from_sums
def test_batches_and_classes_that_come_late(model):
    """Batches of two rows, fewer than the columns, the classes one after the other: what one fit gives."""
    order, pieces = np.argsort(WORDS, kind="stable"), clone(model)
    for start in range(0, len(order), 2):
        pieces.partial_fit(X[order[start : start + 2]], WORDS[order[start : start + 2]])
    assert_same(pieces, clone(model).fit(X, WORDS))


def test_what_needs_all_rows_at_once():
    """It is said, and the model before stays."""
    for model, words in [
        (RegularizedDiscriminantAnalysis("cv", cv=3, n_values=3), '"cv" needs the rows themselves'),
        (LinearDiscriminantAnalysis("eigen", "auto"), 'shrinkage="auto" looks at the rows twice'),
    ]:
        before = model.fit(X, Y).predict_proba(NEW)
        with pytest.raises(ValueError, match=words):
            model.partial_fit(X, Y)
        np.testing.assert_array_equal(model.predict_proba(NEW), before)


@pytest.mark.parametrize("parameters", [(0.0, 0.4), (0.5, 0.4), (1.0, 0.4), (0.5, 1.0)], ids=str)
def test_in_the_span_of_few_rows(parameters):
    """With fewer rows than columns the form in the span of the rows is the dense one."""
    rng = np.random.default_rng(5)
    y = np.arange(12) % 3
    table = rng.normal(size=(12, 30)) * rng.uniform(0.1, 5, 30) + rng.normal(size=(3, 30))[y]
    for model in (
        RegularizedDiscriminantAnalysis(*parameters),
        QuadraticDiscriminantAnalysis(reg_param=0.3),
        LinearDiscriminantAnalysis(),
    ):
        model.fit(table, y)
        dense = clone(model).fit_sums(model.sums_.moments())
        assert type(model.sums_) is not type(dense.sums_)
        new = rng.normal(size=(20, 30))
        np.testing.assert_allclose(model.predict_proba(new), dense.predict_proba(new), rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(model.predict_joint_log_proba(new), dense.predict_joint_log_proba(new), rtol=1e-6)


# ---- cross-validation ------------------------------------------------------------------------------------------------


def refitted(table, y, folds, values, diagonal, weight):
    """Weight of the errors of each pair of values in each fold, by a fit for each."""
    wrong = np.zeros((len(values), len(values), len(folds)))
    for f, (train, test) in enumerate(folds):
        for a, pooled in enumerate(values):
            for b, identity in enumerate(values):
                model = RegularizedDiscriminantAnalysis(pooled, identity, toward_diagonal=diagonal)
                missed = model.fit(table[train], y[train], weight[train]).predict(table[test]) != y[test]
                wrong[a, b, f] = weight[test] @ missed
    return wrong


@pytest.mark.parametrize("diagonal", [0.0, 0.4])
@pytest.mark.parametrize("columns", [4, 60], ids=["many rows", "few rows"])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_errors_are_those_of_refits(columns, diagonal, weighted):
    """To the last count, those of a loop over folds and values that fits anew each time."""
    rng = np.random.default_rng(columns)
    y = np.arange(42) % 3
    table = rng.normal(size=(42, columns)) * rng.uniform(0.5, 2, columns) + 0.6 * rng.normal(size=(3, columns))[y]
    weight = rng.integers(1, 4, 42).astype(float) if weighted else np.ones(42)
    folds = list(StratifiedKFold(3, shuffle=True, random_state=7).split(table, y))
    model = RegularizedDiscriminantAnalysis("cv", "cv", toward_diagonal=diagonal, n_values=4, cv=3, random_state=7)
    model.fit(table, y, sample_weight=weight if weighted else None)
    sizes = np.array([weight[test].sum() for _, test in folds])
    wrong = refitted(table, y, folds, np.linspace(0, 1, 4), diagonal, weight)
    np.testing.assert_array_equal(np.round(model.cv_errors_ * sizes, 9), wrong)
    assert wrong.min() < wrong.max()


def test_the_chosen_pair():
    """Of the pairs with the least mean error the one that pulls most; within a standard error with "one_se"; one value that
    is given is not searched; the model is that of the pair."""
    table, y = problem(11, 15, 3, 3)
    for rule in ("best", "one_se"):
        model = RegularizedDiscriminantAnalysis("cv", "cv", n_values=5, cv=4, rule=rule).fit(table, y)
        mean = model.cv_errors_.mean(axis=2)
        place = np.unravel_index(mean.argmin(), mean.shape)
        limit = mean.min() + (model.cv_errors_[place].std(ddof=1) / 2 if rule == "one_se" else 0)
        pulls = model.pooled_values_[:, None] + model.identity_values_
        assert model.toward_pooled_ + model.toward_identity_ == pulls[mean <= limit + 1e-12].max()
        chosen = RegularizedDiscriminantAnalysis(model.toward_pooled_, model.toward_identity_).fit(table, y)
        assert_same(model, chosen)
    half = RegularizedDiscriminantAnalysis("cv", 0.25, n_values=5, cv=4).fit(table, y)
    assert half.cv_errors_.shape == (5, 1, 4)
    assert half.toward_identity_ == 0.25


@pytest.mark.parametrize("identity", ["scaled", "plain"])
def test_the_diagonal_share_by_cross_validation(identity):
    """Its errors are those of refits on the training rows of each fold, and the model is that of the share it takes."""
    table, y = problem(13, 12, 3, 4)
    folds = list(StratifiedKFold(3, shuffle=True, random_state=7).split(table, y))
    asked = {"identity": identity, "n_values": 3, "cv": 3, "random_state": 7}
    model = RegularizedDiscriminantAnalysis("cv", 0.4, toward_diagonal="cv", **asked).fit(table, y)
    wrong = np.zeros((3, 3, 3))
    for a, pooled in enumerate((0.0, 0.5, 1.0)):
        for c, diagonal in enumerate((0.0, 0.5, 1.0)):
            one = RegularizedDiscriminantAnalysis(pooled, 0.4, toward_diagonal=diagonal, identity=identity)
            for f, (train, test) in enumerate(folds):
                wrong[a, c, f] = (one.fit(table[train], y[train]).predict(table[test]) != y[test]).mean()
    np.testing.assert_allclose(model.cv_errors_, wrong[:, None], atol=1e-12)
    mean = wrong.mean(axis=2)
    assert mean.min() < mean.max()
    assert mean[model.pooled_values_ == model.toward_pooled_, model.diagonal_values_ == model.toward_diagonal_] == mean.min()
    shares = {"toward_diagonal": model.toward_diagonal_, "identity": identity}
    assert_same(model, RegularizedDiscriminantAnalysis(model.toward_pooled_, 0.4, **shares).fit(table, y))


def test_folds_as_they_are_given():
    """A splitter gives the folds; what does not test each row once, or has more folds than rows, is refused."""
    table, y = problem(12, 8, 2, 2)
    split = KFold(3, shuffle=True, random_state=1)
    one = RegularizedDiscriminantAnalysis("cv", n_values=3, cv=split).fit(table, y)
    two = RegularizedDiscriminantAnalysis("cv", n_values=3, cv=list(split.split(table))).fit(table, y)
    np.testing.assert_array_equal(one.cv_errors_, two.cv_errors_)
    with pytest.raises(ValueError, match="must test every row once"):
        RegularizedDiscriminantAnalysis("cv", cv=list(ShuffleSplit(3, random_state=0).split(table))).fit(table, y)
    with pytest.raises(ValueError, match="cv=10 stratified folds are not possible with n_samples=6, of which 3"):
        RegularizedDiscriminantAnalysis("cv").fit(table[:6], [0, 1] * 3)
