"""Nearest shrunken centroids: the formulas of the paper written out, laws of the threshold, and cross-validation by refits."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import norm
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold

import aprendiz
from aprendiz import GaussianNB, NearestShrunkenCentroids
from aprendiz.bayes.gaussian.threshold_path import Thresholded

quick = settings(max_examples=60, deadline=None)


def problem(seed, rows=40, columns=6, kinds=3):
    """Rows of overlapping classes, each at least twice; the last columns say nothing."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(kinds), np.arange(kinds), rng.integers(0, kinds, max(0, rows - 2 * kinds))]
    shift = rng.normal(size=(kinds, columns)) * (np.arange(columns) < max(1, columns // 2))
    return rng.normal(size=(len(y), columns)) * rng.uniform(0.2, 5, columns) + 1.5 * shift[y] + 7.0, y


def paper(X, y, threshold, X_new, priors=None):
    """Shrunken differences, centroids, discriminants and posteriors as Tibshirani et al. (2002) define them, in plain loops."""
    labels, (n, p) = np.unique(y), X.shape
    overall = X.mean(axis=0)
    means = np.array([X[y == k].mean(axis=0) for k in labels])
    s = np.sqrt(sum(((X[y == k] - X[y == k].mean(axis=0)) ** 2).sum(axis=0) for k in labels) / (n - len(labels)))
    s0 = np.median(s)
    d, centroids = np.zeros((len(labels), p)), np.zeros((len(labels), p))
    for k, label in enumerate(labels):
        m = np.sqrt(1 / (y == label).sum() - 1 / n)
        for j in range(p):
            one = (means[k, j] - overall[j]) / (m * (s[j] + s0))
            d[k, j] = np.sign(one) * max(abs(one) - threshold, 0.0)
            centroids[k, j] = overall[j] + m * (s[j] + s0) * d[k, j]
    priors = np.array([(y == k).mean() for k in labels]) if priors is None else np.asarray(priors)
    delta = np.array([(((X_new - c) / (s + s0)) ** 2).sum(axis=1) for c in centroids]).T - 2 * np.log(priors)
    posterior = np.exp(-delta / 2 - logsumexp(-delta / 2, axis=1, keepdims=True))
    return d, centroids, delta, posterior


# ---- the paper -------------------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(8, 40), st.integers(1, 60), st.integers(2, 4), st.floats(0.0, 3.0), st.booleans())
def test_agrees_with_the_paper(seed, rows, columns, kinds, threshold, given_priors):
    """Differences, centroids, discriminants, posteriors and classes; more columns than rows too."""
    X, y = problem(seed, rows, columns, kinds)
    priors = np.arange(1.0, kinds + 1) / np.arange(1.0, kinds + 1).sum() if given_priors else None
    X_new = problem(seed + 1, rows, columns, kinds)[0]
    d, centroids, delta, posterior = paper(X, y, threshold, X_new, priors)
    if not d.any():
        with pytest.warns(UserWarning, match="removes every column"):
            model = NearestShrunkenCentroids(threshold, priors=priors).fit(X, y)
    else:
        model = NearestShrunkenCentroids(threshold, priors=priors).fit(X, y)
    np.testing.assert_allclose(model.shrunken_, d, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(model.centroids_, centroids, rtol=1e-11)
    np.testing.assert_allclose(model.predict_proba(X_new), posterior, rtol=1e-8, atol=1e-12)
    scores = model.decision_function(X_new)
    scores = np.c_[np.zeros(len(scores)), scores] if kinds == 2 else scores
    expected = -delta / 2
    np.testing.assert_allclose(scores - scores[:, :1], expected - expected[:, :1], rtol=1e-8, atol=1e-9)
    assert np.array_equal(model.predict(X_new), delta.argmin(axis=1))
    assert np.array_equal(model.selected_features_, d.any(axis=0))


def test_the_density_is_that_of_normal_columns():
    """log P(k, x) is that of columns with the shrunken means and standard deviations s + s_0."""
    X, y = problem(3)
    model = NearestShrunkenCentroids(0.8).fit(X, y)
    unit = model.within_class_std_dev_ + model.offset_
    for k, centre in enumerate(model.centroids_):
        expected = norm(centre, unit).logpdf(X).sum(axis=1) + np.log(np.mean(y == k))
        np.testing.assert_allclose(model.predict_joint_log_proba(X)[:, k], expected, rtol=1e-10)


def test_no_shrinkage_and_no_offset_is_naive_bayes_with_pooled_variances():
    """Δ = 0, s_0 = 0: the posteriors of GaussianNB whose variances are replaced by the pooled ones."""
    X, y = problem(4)
    naive = GaussianNB().fit(X, y)
    naive.var_ = np.tile(NearestShrunkenCentroids(offset=0.0).fit(X, y).within_class_std_dev_ ** 2, (3, 1))
    found = NearestShrunkenCentroids(offset=0.0).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(found, naive.predict_proba(X), rtol=1e-9, atol=1e-12)


# ---- laws of the threshold -------------------------------------------------------------------------------------------


@quick
@given(st.integers(0, 2**32 - 1), st.floats(0.0, 2.0), st.floats(0.0, 2.0))
def test_shrinking_twice(seed, first, second):
    """Soft thresholds add: what Δ₁ + Δ₂ leaves is what Δ₂ leaves of what Δ₁ left; columns only drop out."""
    X, y = problem(seed, columns=12)
    X[:, 0] += 50.0 * y  # is never removed
    one, both = (NearestShrunkenCentroids(t).fit(X, y) for t in (first, first + second))
    left = np.sign(one.shrunken_) * np.maximum(np.abs(one.shrunken_) - second, 0.0)
    np.testing.assert_allclose(both.shrunken_, left, atol=1e-12)
    assert (both.selected_features_ <= one.selected_features_).all()


@quick
@given(st.integers(0, 2**32 - 1), st.floats(0.0, 2.0))
def test_columns_that_drop_out_have_no_say(seed, threshold):
    """Whatever stands in them, the posteriors are the same."""
    X, y = problem(seed, columns=12)
    X[:, 0] += 50.0 * y
    model = NearestShrunkenCentroids(threshold).fit(X, y)
    other = np.where(model.selected_features_, X, 1e200)
    assert np.array_equal(model.predict_proba(other), model.predict_proba(X))


def test_constant_columns_change_nothing():
    """They are not selected, and fewer than half of them leave every answer as it was but for s_0, which is given here."""
    X, y = problem(5)
    wide = np.column_stack([X, np.full((len(X), 4), 1e8 + 0.1)])
    narrow, broad = (NearestShrunkenCentroids(0.3, offset=0.5).fit(Z, y) for Z in (X, wide))
    assert not broad.selected_features_[6:].any()
    assert np.array_equal(broad.predict_proba(wide), narrow.predict_proba(X))


def test_most_columns_are_constant():
    """The median spread would be 0: that of the columns that vary is taken."""
    X, y = problem(6, columns=3)
    model = NearestShrunkenCentroids().fit(np.column_stack([X, np.zeros((len(X), 20))]), y)
    assert model.offset_ == np.median(model.within_class_std_dev_[:3])


def test_a_threshold_that_removes_every_column():
    """The priors decide, the warning says so and names the largest difference."""
    X, y = problem(7)
    largest = np.abs(NearestShrunkenCentroids().fit(X, y).shrunken_).max()
    with pytest.warns(UserWarning, match=f"removes every column, the priors alone decide.*{largest:.6g}"):
        model = NearestShrunkenCentroids(1.01 * largest).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), np.tile(np.bincount(y) / len(y), (len(y), 1)))
    np.testing.assert_allclose(model.centroids_, np.tile(X.mean(axis=0), (3, 1)))
    assert model.n_parameters_ == 0


def test_another_threshold_without_the_rows():
    """A fit to the sums of another fit is the fit to the rows, and forgets what that one tried."""
    X, y = problem(8, 60)
    model = NearestShrunkenCentroids("cv").fit(X, y)
    again = model.set_params(shrink_threshold=0.7).fit_sums(model.sums_)
    np.testing.assert_allclose(again.centroids_, NearestShrunkenCentroids(0.7).fit(X, y).centroids_, rtol=1e-12)
    assert again.cv_errors_ is None


def test_ten_thousand_columns():
    """Posteriors of 10 000 columns far from every class are numbers that sum to 1."""
    rng = np.random.default_rng(0)
    y = np.arange(30) % 3
    X = rng.normal(size=(30, 10_000)) + y[:, None]
    model = NearestShrunkenCentroids().fit(X, y)
    P = model.predict_proba(np.vstack([X, 100.0 * X]))
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    assert np.isfinite(model.decision_function(100.0 * X)).all()


def test_cells_beyond_all_classes():
    """A row with which no class can be told gets the priors, with a warning."""
    X, y = problem(9)
    model = NearestShrunkenCentroids().fit(X * 1e-100, y)
    with pytest.warns(UserWarning, match="1 row has probability 0 in every class"):
        P = model.predict_proba([[1e308, -1e308, 1e308, 1e308, -1e308, 1e308]])
    np.testing.assert_allclose(P[0], model.class_prior_)


def test_a_class_of_one_row():
    """It has a centre and a prior, and its row is told."""
    X, y = problem(10)
    X, y = np.vstack([X, np.full(6, 60.0)]), np.append(y, 3)
    model = NearestShrunkenCentroids(0.5).fit(X, y)
    assert model.predict(X)[-1] == 3
    assert model.class_prior_[3] == 1 / len(X)


# ---- the path --------------------------------------------------------------------------------------------------------


@quick
@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.lists(st.floats(0.0, 4.0), min_size=1, max_size=8))
def test_path_is_that_of_single_fits(seed, kinds, thresholds):
    """Columns left and errors are those of a fit for each threshold, in the order given."""
    X, y = problem(seed, 30, 12, kinds)
    X[:, 0] += 50.0 * y
    path = NearestShrunkenCentroids().path(X, y, thresholds)
    assert np.array_equal(path.thresholds, thresholds)
    for threshold, columns, error in zip(path.thresholds, path.columns, path.errors, strict=True):
        model = NearestShrunkenCentroids(threshold).fit(X, y)
        assert columns == model.selected_features_.sum()
        assert error == pytest.approx(1.0 - model.score(X, y))


def test_path_sets_nothing_and_ends_without_columns():
    """By default it goes from all columns to none, and the estimator stays unfitted."""
    X, y = problem(11)
    model = NearestShrunkenCentroids(n_thresholds=5)
    path = model.path(X, y)
    assert path.columns[0] == 6
    assert path.columns[-1] == 0
    assert (np.diff(path.columns) <= 0).all()
    assert not hasattr(model, "classes_")
    assert str(path).splitlines()[0].split() == ["threshold", "columns", "error"]
    assert len(str(path).splitlines()) == 6


@pytest.mark.parametrize("bad", [[0.0, -1.0], [0.0, np.inf], [0.0, np.nan]])
def test_bad_thresholds(bad):
    """A threshold that is no number of at least 0 is named."""
    with pytest.raises(ValueError, match=r"thresholds\[1\] must be a number of at least 0"):
        NearestShrunkenCentroids().path(*problem(12), bad)


# ---- cross-validation ------------------------------------------------------------------------------------------------


def refitted(X, y, thresholds, splitter, weight=None):
    """Errors of fits to the training rows of each split, by no more than the public interface."""
    weight = np.ones(len(X)) if weight is None else weight
    errors = np.empty((len(thresholds), splitter.get_n_splits()))
    for t, threshold in enumerate(thresholds):
        for k, (train, test) in enumerate(splitter.split(X, y)):
            model = NearestShrunkenCentroids(threshold).fit(X[train], y[train], sample_weight=weight[train])
            errors[t, k] = np.average(model.predict(X[test]) != y[test], weights=weight[test])
    return errors


@pytest.mark.filterwarnings("ignore:.*removes every column")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("settings", "splitter"),
    [
        ({}, StratifiedKFold(10)),
        ({"cv": 4, "random_state": 3}, StratifiedKFold(4, shuffle=True, random_state=3)),
        ({"cv": KFold(5)}, KFold(5)),
    ],
    ids=["stratified", "shuffled", "splitter"],
)
def test_errors_are_those_of_refits(settings, splitter, weighted):
    """The sums of the other folds give the errors of fits to their rows."""
    X, y = problem(13, 120, 15)
    weight = np.random.default_rng(0).integers(1, 4, len(X)) / 2.0 if weighted else None
    model = NearestShrunkenCentroids("cv", n_thresholds=8, **settings).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(model.cv_errors_, refitted(X, y, model.thresholds_, splitter, weight), atol=1e-12)


def test_the_choice():
    """The largest of the thresholds with the smallest mean error; with "one_se", within a standard error of it."""
    X, y = problem(14, 120, 30)
    best = NearestShrunkenCentroids("cv").fit(X, y)
    simple = NearestShrunkenCentroids("cv", rule="one_se").fit(X, y)
    mean = best.cv_errors_.mean(axis=1)
    least = mean <= mean.min() + 1e-12
    assert best.shrink_threshold_ == best.thresholds_[least].max()
    spread = best.cv_errors_[np.flatnonzero(least)[-1]].std(ddof=1) / np.sqrt(10)
    assert simple.shrink_threshold_ == best.thresholds_[mean <= mean.min() + spread + 1e-12].max()
    assert simple.shrink_threshold_ > best.shrink_threshold_
    assert best.columns_left_[best.thresholds_ == best.shrink_threshold_] == best.selected_features_.sum()
    again = NearestShrunkenCentroids(best.shrink_threshold_).fit(X, y)
    np.testing.assert_allclose(again.centroids_, best.centroids_, rtol=1e-12)


def test_it_finds_the_columns_that_differ():
    """Twenty of 2000 columns differ: the choice keeps nearly all of them and few others, and errs less than without it."""
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 2000))
    X[:, :20] += 1.2 * rng.normal(size=(3, 20))[y]
    model = NearestShrunkenCentroids("cv", rule="one_se").fit(X, y)
    assert model.selected_features_[:20].sum() >= 12
    assert model.selected_features_[20:].mean() < 0.05
    assert model.cv_errors_.mean(axis=1).min() < model.cv_errors_[0].mean()


def test_files_choose_alike(tmp_path):
    """Folds, errors and choice from a file are those of the array, to the bit."""
    X, y = problem(15, 9000, 5)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(5)]).assign(y=y)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=4000)
    read = NearestShrunkenCentroids("cv", random_state=1).fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))
    held = NearestShrunkenCentroids("cv", random_state=1).fit(X, y)
    assert np.array_equal(read.cv_errors_, held.cv_errors_)
    assert np.array_equal(read.centroids_, held.centroids_)


def test_a_class_that_a_fold_trains_without():
    """A class of one row is in one fold: its row is an error there, and the fit goes on."""
    X, y = problem(16, 60)
    X, y = np.vstack([X, np.full(6, 60.0)]), np.append(y, 3)
    with pytest.warns(UserWarning, match="least populated class"):
        model = NearestShrunkenCentroids("cv", cv=5).fit(X, y)
    assert np.isfinite(model.cv_errors_).all()
    assert list(model.classes_) == [0, 1, 2, 3]


def test_many_thresholds_cost_little():
    """30 thresholds, 10 folds, 100 rows of 10 000 columns, in less than a second (0.06 on two cores)."""
    X, y = problem(17, 100, 10_000)
    NearestShrunkenCentroids("cv").fit(X[:, :9], y)  # compiled
    start = time.perf_counter()
    NearestShrunkenCentroids("cv").fit(X, y)
    assert time.perf_counter() - start < 1.0


def test_equal_scores_go_to_the_first_class():
    """Along the path as in `predict`."""
    X = np.array([[-1.0], [-3.0], [1.0], [3.0]])
    model = NearestShrunkenCentroids().fit(X, [0, 0, 1, 1])
    along = model.along(model.sums_, np.array([0.0, 0.5]))
    assert isinstance(along, Thresholded)
    assert along.classes(np.zeros((1, 1))).tolist() == [[0, 0]]
    assert model.predict(np.zeros((1, 1))).tolist() == [0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"cv": 30}, r"cv=30 stratified folds are not possible with n_samples=60.*give fewer"),
        ({"cv": [(np.arange(30), np.arange(30, 40))]}, "must test every row once"),
        ({"cv": ShuffleSplit(3)}, "cv of NearestShrunkenCentroids must be"),
        ({"cv": 1}, "cv of NearestShrunkenCentroids must be a whole number of at least 2"),
        ({"priors": [0.5, 0.5]}, "Number of priors must match number of classes"),
    ],
)
def test_bad_settings(settings, message):
    """Folds and priors that cannot be are refused with the remedy."""
    with pytest.raises(ValueError, match=message):
        NearestShrunkenCentroids("cv", **settings).fit(*problem(18, 60))


def test_no_choice_in_pieces():
    """Cross-validation needs the rows: pieces and sums alone are refused, and a number is the remedy."""
    X, y = problem(19)
    with pytest.raises(ValueError, match=r'shrink_threshold="cv" needs the rows.*give a number'):
        NearestShrunkenCentroids("cv").partial_fit(X, y)


def test_weights_too_small_to_count():
    """Weights count rows: where they sum to no more than the classes, the remedy is named."""
    X, y = problem(20)
    with pytest.raises(ValueError, match=r"sample_weight sums to 0\.4, no more than the 3 classes.*scale them"):
        NearestShrunkenCentroids().fit(X, y, sample_weight=np.full(len(X), 0.01))
