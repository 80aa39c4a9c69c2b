"""Drop-in on classic tables: the same answers as scikit-learn."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans as TheirKMeans
from sklearn.decomposition import PCA as THEIR_PCA
from sklearn.linear_model import LinearRegression as TheirLinearRegression
from sklearn.linear_model import LogisticRegression as TheirLogisticRegression
from sklearn.preprocessing import StandardScaler as TheirScaler

from aprendiz import PCA, KMeans, LinearRegression, LogisticRegression, StandardScaler

# file, options to read it, and the column of the class (None where there is none)
TABLES = {
    "iris": ("iris.csv", {"index_col": 0}, "Species"),
    "USArrests": ("USArrests.csv", {"index_col": 0}, None),
    "faithful": ("faithful.csv", {"index_col": 0}, None),
    "ruspini": ("cluster_ruspini.csv", {"index_col": 0}, None),
    "banknote": ("banknote_authentication.csv", {"header": None}, 4),
    "concrete": ("concrete.csv", {}, None),
    "Glass": ("mlbench_Glass.csv", {}, "Type"),
}


@pytest.fixture(params=TABLES)
def table(request, acceptance):
    """The numbers of a table."""
    return read(acceptance, request.param)[0]


@pytest.fixture(params=["iris", "banknote", "Glass"])
def labelled(request, acceptance):
    """The numbers of a table, and its classes."""
    return read(acceptance, request.param)


def read(acceptance, name):
    file, options, label = TABLES[name]
    frame = pd.read_csv(acceptance / "tables" / file, **options)
    y = None if label is None else frame.pop(label).to_numpy(str)
    return frame.to_numpy(float), y


def test_standard_scaler(table):
    """Means, variances and transformed rows agree to rounding."""
    ours, theirs = StandardScaler().fit(table), TheirScaler().fit(table)
    np.testing.assert_allclose(ours.mean_, theirs.mean_, rtol=1e-13)
    np.testing.assert_allclose(ours.var_, theirs.var_, rtol=1e-11)  # theirs loses what the offset costs (RI of Glass: 10⁵)
    np.testing.assert_allclose(ours.transform(table), theirs.transform(table), atol=1e-9)
    assert ours.n_samples_seen_ == theirs.n_samples_seen_


def test_linear_regression(table):
    """The last column on the others: coefficients, rank, predictions and R² agree."""
    X, y = table[:, :-1], table[:, -1]
    ours, theirs = LinearRegression().fit(X, y), TheirLinearRegression().fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8)  # κ of the centred columns of Glass is 10⁴
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-8)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-10 * np.abs(y).max())
    np.testing.assert_allclose(ours.singular_, theirs.singular_, rtol=1e-10)
    assert ours.rank_ == theirs.rank_
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), rel=1e-11)


def test_pca(table):
    """Components (up to sign), variances and coordinates agree."""
    ours, theirs = PCA().fit(table), THEIR_PCA(svd_solver="full").fit(table)
    np.testing.assert_allclose(ours.explained_variance_, theirs.explained_variance_, rtol=1e-9)
    signs = np.sign((ours.components_ * theirs.components_).sum(axis=1))
    np.testing.assert_allclose(ours.components_ * signs[:, None], theirs.components_, atol=1e-9)
    scale = np.abs(table - table.mean(axis=0)).max()
    np.testing.assert_allclose(ours.transform(table) * signs, theirs.transform(table), atol=1e-9 * scale)
    np.testing.assert_array_equal(signs, 1)  # scikit-learn too makes the entry of largest size positive


@pytest.mark.parametrize("k", [2, 3, 5])
def test_k_means(table, k):
    """From the same start: the same labels, inertia and number of passes."""
    start = table[np.linspace(0, len(table) - 1, k).astype(int)]
    ours, theirs = KMeans(k, init=start).fit(table), TheirKMeans(k, init=start, n_init=1).fit(table)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-10, atol=1e-12)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-11)
    assert ours.n_iter_ == theirs.n_iter_


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_logistic_regression(labelled, C):
    """Coefficients and probabilities agree with scikit-learn's Newton solver, driven to its end."""
    X, y = labelled
    ours = LogisticRegression(C=C).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at such a tolerance it may say that no further step helps
        theirs = TheirLogisticRegression(C=C, solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(X, y)
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    # the sizes of both gradients times H⁻¹: 10⁻¹² · n · C
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-7 * np.abs(theirs.coef_).max())
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_few_rows_and_many_columns(acceptance):
    """golub, 72 × 7129: PCA and logistic regression agree with scikit-learn where n is far below d."""
    frame = pd.read_csv(acceptance / "genomics" / "golub.csv.gz")
    y, X = frame.pop("y").to_numpy(str), frame.to_numpy(float)
    ours, theirs = PCA(10).fit(X), THEIR_PCA(10, svd_solver="full").fit(X)
    np.testing.assert_allclose(ours.explained_variance_, theirs.explained_variance_, rtol=1e-10)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-8 * np.abs(X).max())
    Z = StandardScaler().fit_transform(X)
    ours = LogisticRegression(C=0.01).fit(Z, y)
    theirs = TheirLogisticRegression(C=0.01, tol=1e-8, max_iter=1000).fit(Z, y)
    np.testing.assert_allclose(ours.predict_proba(Z), theirs.predict_proba(Z), atol=1e-6)  # lbfgs at 10⁻⁸
