"""Nearest centroid: scikit-learn's answers, and the cases that scikit-learn leaves undefined."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.neighbors import NearestCentroid as Theirs

import aprendiz
from aprendiz import NearestCentroid

ATTRIBUTES = ("centroids_", "deviations_", "within_class_std_dev_", "class_prior_")
SCORES = ("decision_function", "predict_proba", "predict_log_proba")


def problem(seed, rows=40, columns=5, kinds=3):
    """Rows of overlapping classes, each at least twice."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(kinds), np.arange(kinds), rng.integers(0, kinds, rows - 2 * kinds)]
    X = rng.normal(size=(rows, columns)) * rng.uniform(0.1, 10, columns) + rng.normal(size=(kinds, columns))[y] + 3.0
    return X, y


@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(8, 40),
    st.integers(1, 8),
    st.integers(2, 4),
    st.sampled_from(["euclidean", "manhattan"]),
    st.sampled_from([None, 0.3, 1.0, 5.0]),
    st.sampled_from(["uniform", "empirical", "given"]),
    st.sampled_from([np.asarray, sparse.csr_matrix, sparse.csc_array]),
)
def test_agrees_with_scikit_learn(seed, rows, columns, kinds, metric, shrink_threshold, priors, form):
    """Fitted numbers, scores and classes, for both metrics, any threshold and any priors; sparse tables as dense ones."""
    X, y = problem(seed, rows, columns, kinds)
    priors = (np.arange(1, kinds + 1) / (kinds * (kinds + 1) / 2)).tolist() if priors == "given" else priors
    ours = NearestCentroid(metric, shrink_threshold=shrink_threshold, priors=priors).fit(form(X), y)
    theirs = Theirs(metric, shrink_threshold=shrink_threshold, priors=priors).fit(X, y)
    for name in ATTRIBUTES:
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=1e-10, err_msg=name)
    assert np.array_equal(ours.predict(form(X)), theirs.predict(X))
    for name in SCORES:
        assert hasattr(ours, name) == hasattr(theirs, name) == (metric == "euclidean")
        if metric == "euclidean":
            np.testing.assert_allclose(getattr(ours, name)(form(X)), getattr(theirs, name)(X), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_weights_count_rows(metric):
    """A row of weight 2 stands twice, for means and for medians."""
    X, y = problem(1)
    weight = np.random.default_rng(0).integers(1, 4, len(X))
    weighted = NearestCentroid(metric, shrink_threshold=0.5).fit(X, y, sample_weight=weight.astype(float))
    repeated = NearestCentroid(metric, shrink_threshold=0.5).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    for name in ATTRIBUTES:
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_files(metric, tmp_path):
    """A file gives the bits of the array, medians too."""
    import pandas as pd

    X, y = problem(2, rows=9000)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(5)]).assign(y=y)
    frame.to_parquet(tmp_path / "t.parquet")
    read = NearestCentroid(metric).fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))
    held = NearestCentroid(metric).fit(X, y)
    for name in ATTRIBUTES:
        assert np.array_equal(getattr(read, name), getattr(held, name)), name


def test_the_median_minimises_the_distances():
    """The manhattan centre has the smallest sum of distances to the rows of its class, among all of them and some others."""
    X, y = problem(3)
    model = NearestCentroid("manhattan").fit(X, y)
    for k, centre in enumerate(model.centroids_):
        mine = X[y == k]
        others = np.vstack([mine, centre + np.random.default_rng(0).normal(size=(200, 5))])
        least = np.abs(mine - centre).sum()
        assert (np.abs(mine[:, None] - others).sum(axis=(0, 2)) >= least - 1e-9).all()


def test_a_threshold_beyond_all_differences():
    """All centres become the mean of all rows, every distance is equal, and the first class is the answer."""
    X, y = problem(4)
    model = NearestCentroid(shrink_threshold=1e6).fit(X, y)
    np.testing.assert_allclose(model.centroids_, np.tile(X.mean(axis=0), (3, 1)))
    assert not model.deviations_.any()
    assert (model.predict(X) == 0).all()


def test_one_row_for_each_class():
    """No spread is known: the nearest row decides, where scikit-learn has NaN."""
    X = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
    model = NearestCentroid().fit(X, ["a", "b", "c"])
    assert list(model.predict(X + 0.4)) == ["a", "b", "c"]
    assert not model.within_class_std_dev_.any()
    assert np.isfinite(model.deviations_).all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isnan(Theirs().fit(X, ["a", "b", "c"]).within_class_std_dev_).all()


def test_columns_that_do_not_vary():
    """Shrinking classes that are single points gives finite centres, between the class and the mean of all rows."""
    X = np.repeat([[0.0, 5.0], [2.0, 5.0]], 4, axis=0)
    model = NearestCentroid(shrink_threshold=0.5).fit(X, np.repeat([0, 1], 4))
    m = np.sqrt(1 / 4 - 1 / 8)  # of both classes; the unit is that of the column
    np.testing.assert_allclose(model.centroids_, [[0.5 * m, 5.0], [2 - 0.5 * m, 5.0]])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"priors": [0.5, 0.5]}, r"priors has shape \(2,\), there are 3 classes: give one"),
        ({"priors": [0.5, 0.7, -0.2]}, r"priors must be non-negative.*-0.2"),
        ({"metric": "cosine"}, r"metric of NearestCentroid must be 'euclidean' or 'manhattan'.*'cosine'"),
        ({"shrink_threshold": 0.0}, r"shrink_threshold of NearestCentroid must be a number above 0"),
    ],
)
def test_bad_parameters(parameters, message):
    """What cannot be used is refused by name and value."""
    with pytest.raises(ValueError, match=message):
        NearestCentroid(**parameters).fit(*problem(5))


def test_priors_that_do_not_sum_to_1():
    """They are divided by their sum, with a warning, as in scikit-learn."""
    X, y = problem(6)
    with pytest.warns(UserWarning, match="do not sum to 1"):
        model = NearestCentroid(priors=[2.0, 1.0, 1.0]).fit(X, y)
    np.testing.assert_allclose(model.class_prior_, [0.5, 0.25, 0.25])


def test_a_class_without_weight():
    """It has no centre, and is named."""
    X, y = problem(7)
    with pytest.raises(ValueError, match=r"the class 1 has no weight.*leave its rows out"):
        NearestCentroid().fit(X, y, sample_weight=(y != 1).astype(float))


def test_rows_that_are_all_alike():
    with pytest.raises(ValueError, match="All features have zero variance"):
        NearestCentroid().fit(np.ones((4, 2)), [0, 0, 1, 1])
