"""Drop-in on classic tables: the same answers as scikit-learn."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans as TheirKMeans
from sklearn.decomposition import PCA as THEIR_PCA
from sklearn.linear_model import LinearRegression as TheirLinearRegression
from sklearn.linear_model import LogisticRegression as TheirLogisticRegression
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.linear_model import RidgeCV as TheirRidgeCV
from sklearn.naive_bayes import GaussianNB as TheirGaussianNB
from sklearn.preprocessing import MinMaxScaler as TheirMinMaxScaler
from sklearn.preprocessing import RobustScaler as TheirRobustScaler
from sklearn.preprocessing import StandardScaler as TheirScaler

from aprendiz import (
    PCA,
    GaussianNB,
    KMeans,
    LinearRegression,
    LogisticRegression,
    MinMaxScaler,
    Ridge,
    RidgeCV,
    RobustScaler,
    StandardScaler,
)

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


def test_min_max_scaler(table):
    """Extremes are the same bits, scaled rows agree to rounding, also beyond the extremes of the fit."""
    ours, theirs = (cls((-1, 1)).fit(table[::2]) for cls in (MinMaxScaler, TheirMinMaxScaler))
    np.testing.assert_array_equal(ours.data_min_, theirs.data_min_)
    np.testing.assert_array_equal(ours.data_max_, theirs.data_max_)
    np.testing.assert_allclose(ours.transform(table), theirs.transform(table), atol=1e-11)  # theirs loses what the offset costs
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(table)), table, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("levels", [(25.0, 75.0), (5.0, 95.0)])
def test_robust_scaler(table, levels):
    """Medians and ranges agree to the last digit or two, scaled rows to rounding."""
    ours, theirs = (cls(quantile_range=levels).fit(table) for cls in (RobustScaler, TheirRobustScaler))
    np.testing.assert_allclose(ours.center_, theirs.center_, rtol=1e-15)
    np.testing.assert_allclose(ours.scale_, theirs.scale_, rtol=1e-11)  # a difference: RI of Glass varies in its third digit
    np.testing.assert_allclose(ours.transform(table), theirs.transform(table), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 100.0])
def test_ridge(table, alpha):
    """The last column on the others: coefficients, predictions and R² agree."""
    X, y = table[:, :-1], table[:, -1]
    ours, theirs = (cls(alpha).fit(X, y) for cls in (Ridge, TheirRidge))
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8, atol=1e-10 * np.abs(theirs.coef_).max())
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-10 * np.abs(y).max())
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), rel=1e-10)
    assert ours.certificate_.holds


@pytest.mark.parametrize("cv", [None, 5])
def test_ridge_cv(table, cv):
    """The same penalty of thirteen, with the same score, by leave-one-out and by folds."""
    X, y = StandardScaler().fit_transform(table[:, :-1]), table[:, -1]
    ours, theirs = (cls(np.logspace(-3, 3, 13), cv=cv).fit(X, y) for cls in (RidgeCV, TheirRidgeCV))
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-9)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8, atol=1e-10 * np.abs(theirs.coef_).max())


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


def test_gaussian_naive_bayes(labelled):
    """Means, variances, log joint and classes agree; so do batches sorted by class, ε included."""
    X, y = labelled
    ours, theirs = GaussianNB().fit(X, y), TheirGaussianNB().fit(X, y)
    in_batches = GaussianNB()
    for part in np.array_split(np.argsort(y, kind="stable"), 5):
        in_batches.partial_fit(X[part], y[part])
    for model in (ours, in_batches):
        np.testing.assert_allclose(model.theta_, theirs.theta_, rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(model.var_, theirs.var_, rtol=1e-9)
        assert model.epsilon_ == pytest.approx(theirs.epsilon_, rel=1e-11)
        np.testing.assert_array_equal(model.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.predict_joint_log_proba(X), theirs.predict_joint_log_proba(X), rtol=1e-8)


def test_few_rows_and_many_columns(acceptance):
    """golub, 72 × 7129: PCA, logistic and ridge regression and naive Bayes agree with scikit-learn where n is far below d."""
    frame = pd.read_csv(acceptance / "genomics" / "golub.csv.gz")
    y, X = frame.pop("y").to_numpy(str), frame.to_numpy(float)
    ours, theirs = PCA(10).fit(X), THEIR_PCA(10, svd_solver="full").fit(X)
    np.testing.assert_allclose(ours.explained_variance_, theirs.explained_variance_, rtol=1e-10)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-8 * np.abs(X).max())
    Z = StandardScaler().fit_transform(X)
    ours = LogisticRegression(C=0.01).fit(Z, y)
    theirs = TheirLogisticRegression(C=0.01, tol=1e-8, max_iter=1000).fit(Z, y)
    np.testing.assert_allclose(ours.predict_proba(Z), theirs.predict_proba(Z), atol=1e-6)  # lbfgs at 10⁻⁸
    target = (y == y[0]).astype(float)
    np.testing.assert_allclose(Ridge(10.0).fit(Z, target).coef_, TheirRidge(10.0).fit(Z, target).coef_, rtol=1e-8, atol=1e-13)
    alphas = [1.0, 100.0, 10_000.0]
    ours, theirs = (cls(alphas, store_cv_results=True).fit(Z, target) for cls in (RidgeCV, TheirRidgeCV))
    assert ours.alpha_ == theirs.alpha_
    np.testing.assert_allclose(ours.cv_results_, theirs.cv_results_, rtol=1e-7, atol=1e-12)
    np.testing.assert_array_equal(GaussianNB().fit(X, y).predict(X), TheirGaussianNB().fit(X, y).predict(X))
