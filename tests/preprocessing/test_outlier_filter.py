"""Outliers: the limits of each method, what is found, what is clipped, and what is left out of what is learned from."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2
from sklearn.covariance import MinCovDet
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import aprendiz
from aprendiz import (
    DropOutliers,
    GaussianMixture,
    KMeans,
    LinearRegression,
    LogisticRegression,
    NaiveBayes,
    OutlierFilter,
    QuadraticDiscriminantAnalysis,
    StandardScaler,
    Tuned,
)
from aprendiz.evaluation import KFolds, evaluate
from aprendiz.locale import language

RNG = np.random.default_rng(0)
COLUMN = [[1.0], [2.0], [3.0], [4.0], [50.0]]


def normal_rows(n=400, seed=0):
    """Correlated normal rows with three rows far away, which no single column shows."""
    rng = np.random.default_rng(seed)
    X = rng.multivariate_normal([5.0, -3.0], [[1.0, 0.95], [0.95, 1.0]], n)
    X[:3] = np.array([[6.8, -4.8], [3.2, -1.2], [7.0, -4.5]])
    return X


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_z_by_hand():
    """Mean 0 and standard deviation 2 (denominator n): limits ±6 for t = 3."""
    x = np.array([-2.0, 2.0, -2.0, 2.0])[:, None]
    model = OutlierFilter("z").fit(x)
    assert (model.low_[0], model.high_[0]) == (-6.0, 6.0)
    assert OutlierFilter("z", threshold=0.5).fit(x).outliers_.rows.tolist() == [0, 1, 2, 3]


def test_quartiles_by_hand():
    """Quartiles 2 and 4 of five cells: limits −1 and 7."""
    model = OutlierFilter("iqr").fit(COLUMN)
    assert (model.low_[0], model.high_[0]) == (-1.0, 7.0)
    assert model.outliers_.rows.tolist() == [4]
    assert model.outliers_.scores.tolist() == [23.5]
    assert model.transform([[50.0], [-9.0], [3.5]]).ravel().tolist() == [7.0, -1.0, 3.5]


def test_robust_z_by_hand():
    """Median 3, median absolute deviation 1: limits 3 ± 3·1.4826."""
    model = OutlierFilter("z", robust=True).fit(COLUMN)
    assert model.high_[0] == pytest.approx(3 + 3 * 1.482602218505602, rel=1e-15)
    assert model.outliers_.rows.tolist() == [4]


def test_ten_rows_have_no_z_of_three():
    """No cell of n is farther than √(n − 1) standard deviations from the mean: quartiles find what z cannot."""
    x = np.append(np.zeros(9), 1e6)[:, None]
    assert len(OutlierFilter("z").fit(x).outliers_) == 0
    assert OutlierFilter("iqr").fit(x).outliers_.rows.tolist() == [9]


def test_mahalanobis_is_the_inverse_covariance():
    """d² by the inverse of NumPy's covariance, and χ² of as many degrees of freedom as columns."""
    X = normal_rows()
    model = OutlierFilter("mahalanobis").fit(X)
    away = X - X.mean(axis=0)
    d2 = np.einsum("ij,jk,ik->i", away, np.linalg.inv(np.cov(X.T, bias=True)), away)
    assert np.allclose(model.score_rows(X), d2, rtol=1e-10)
    assert model.limit_ == pytest.approx(chi2.ppf(0.975, 2), rel=1e-12)
    assert model.outliers_.rows.tolist() == np.flatnonzero(d2 > chi2.ppf(0.975, 2)).tolist()
    assert model.outliers_.mask()[:3].all()
    assert not OutlierFilter("z").fit(X).outliers_.mask()[:3].any()


def test_robust_mahalanobis_is_not_masked():
    """A fifth of the rows far away widens the covariance until they hide; by medians they are found, and the centre is near
    that of the minimum covariance determinant."""
    rng = np.random.default_rng(1)
    good = rng.multivariate_normal([0, 0, 0], [[1, 0.5, 0.2], [0.5, 2, 0.3], [0.2, 0.3, 1]], 400)
    X = np.vstack([good, rng.normal(7.0, 0.3, (100, 3))])
    plain, robust = (OutlierFilter("mahalanobis", robust=robust).fit(X) for robust in (False, True))
    assert plain.outliers_.mask()[400:].sum() == 0
    assert robust.outliers_.mask()[400:].all()
    assert robust.outliers_.mask()[:400].mean() < 0.1
    theirs = MinCovDet(random_state=0).fit(X)
    assert np.linalg.norm(robust.centre_ - theirs.location_) < 0.7  # medians of such columns move by 0.32 σ, σ² = 1, 2, 1


def test_robust_covariance_of_normal_rows():
    """Without outliers the robust covariance is that of the rows; medians of 4000 rows vary by about 1.17/√4000 = 2 %, squares
    by twice that, and ten entries are looked at."""
    true = np.array([[1, 0.5, 0.2], [0.5, 2, 0.3], [0.2, 0.3, 1]])
    X = np.random.default_rng(2).multivariate_normal([3, 2, 1], true, 4000)
    model = OutlierFilter("mahalanobis", robust=True).fit(X)
    assert np.abs(np.linalg.inv(model.whitening_ @ model.whitening_.T) - true).max() < 0.15
    assert np.abs(model.centre_ - [3, 2, 1]).max() < 0.1
    assert model.limit_ == pytest.approx(chi2.ppf(0.975, 3), rel=0.1)
    assert 0.015 < model.outliers_.mask().mean() < 0.035


def test_columns_that_depend_on_others():
    """A column twice: rank and degrees of freedom of the columns that count, and no division by zero."""
    X = normal_rows()
    once, twice = (OutlierFilter("mahalanobis").fit(table) for table in (X, X[:, [0, 1, 0]]))
    assert twice.outliers_.rows.tolist() == once.outliers_.rows.tolist()
    assert (once.certificate_.holds, twice.certificate_.holds, twice.certificate_.rank) == (True, False, 2)


@pytest.mark.parametrize("model", [GaussianMixture(2, random_state=0), NaiveBayes(), QuadraticDiscriminantAnalysis()])
def test_density(model):
    """The rows of smallest ln p(x), as many as the share says; a classifier is fitted with y."""
    X, y = load_iris(return_X_y=True)
    found = OutlierFilter("density", action="report", threshold=0.04, model=model).fit(X, y)
    logs = found.model_.log_density(X)
    assert sorted(found.outliers_.rows) == sorted(np.argsort(logs)[:6])
    assert np.array_equal(found.transform(X), X)
    assert not hasattr(model, "n_features_in_")


# ---- forms of tables -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["z", "iqr", "mahalanobis", "robust", "density"])
def test_files_say_the_same(method, tmp_path, monkeypatch):
    """From a file, block by block, the same limits and the same rows by number."""
    monkeypatch.setattr("aprendiz.core.rows.FEWEST_ROWS", 64)
    monkeypatch.setattr("aprendiz.core.rows.MOST_ROWS", 64)
    frame = pd.DataFrame(normal_rows(300), columns=["a", "b"])
    frame.to_parquet(tmp_path / "t.parquet")
    settings = {"method": "mahalanobis", "robust": True} if method == "robust" else {"method": method}
    if method == "density":
        settings |= {"action": "report", "model": GaussianMixture(1)}
    here = OutlierFilter(**settings).fit(frame)
    there = OutlierFilter(**settings).fit(aprendiz.rows(tmp_path / "t.parquet"))
    assert there.outliers_.rows.tolist() == here.outliers_.rows.tolist()
    assert str(there.outliers_) == str(here.outliers_)
    assert np.allclose(there.score_rows(frame), here.score_rows(frame))


def test_missing_cells():
    """A missing cell is no outlier and stays missing; distances of whole rows need every cell."""
    X = np.vstack([RNG.normal(size=(50, 2)), [[np.nan, 40.0]]])
    model = OutlierFilter("z").fit(X)
    assert model.outliers_.rows.tolist() == [50]
    assert model.outliers_.columns.tolist() == [1]
    clipped = model.transform(X)
    assert np.isnan(clipped[50, 0])
    assert clipped[50, 1] == model.high_[1]
    for table in (X, pd.DataFrame(X, columns=["a", "b"])):
        with pytest.raises(ValueError, match=r"contains NaN: row 50, column (0|'a')"):
            OutlierFilter("mahalanobis").fit(table)
    with pytest.raises(ValueError, match="contains NaN: row 50"):
        OutlierFilter("mahalanobis").fit(X[:50]).transform(X)


def test_weights():
    """A row of weight 0 says nothing of the limits and is not listed."""
    X = np.vstack([RNG.normal(size=(50, 1)), [[1e6]]])
    model = OutlierFilter("z").fit(X, sample_weight=np.append(np.ones(50), 0.0))
    assert np.allclose(model.high_, OutlierFilter("z").fit(X[:50]).high_)
    assert 50 not in model.outliers_.rows
    assert model.outliers_.count == 50
    assert model.find(X).rows.tolist()[-1] == 50


# ---- what is done with them ------------------------------------------------------------------------------------------


def test_clipped_rows_are_no_outliers():
    """Clipping twice is clipping once; a row outside the ellipsoid comes onto it, in the direction it lies."""
    X = normal_rows()
    for settings in ({"method": "z"}, {"method": "iqr"}, {"method": "mahalanobis"}, {"method": "mahalanobis", "robust": True}):
        model = OutlierFilter(**settings).fit(X)
        once = model.transform(X)
        assert not len(model.find(once))
        assert np.array_equal(model.transform(once), once)
        assert np.array_equal(once[~model.outliers_.mask()], X[~model.outliers_.mask()])
    row, moved = X[0] - model.centre_, once[0] - model.centre_
    assert np.allclose(row / np.linalg.norm(row), moved / np.linalg.norm(moved))


def test_report_leaves_the_rows():
    """`action="report"` changes nothing."""
    X = normal_rows()
    assert np.array_equal(OutlierFilter("mahalanobis", action="report").fit_transform(X), X)


def test_words():
    """Which rows, and why, in both languages."""
    report = OutlierFilter("iqr").fit(pd.DataFrame(COLUMN, columns=["age"])).outliers_
    text = str(report)
    assert "1 of 5 rows is an outlier (more than 1.5 interquartile ranges beyond the quartiles)" in text
    assert "row 4, column 'age': 50, 23.5 interquartile ranges" in text
    assert str(OutlierFilter("iqr").fit([[1.0], [2.0]]).outliers_).startswith("None of 2 rows is an outlier")
    with language("es"):
        assert "fila 4, columna 'age': 50, 23,5 rangos intercuartílicos" in str(report)


def test_many_are_counted():
    """Ten rows are named, the others counted."""
    x = np.append(np.zeros(100), np.arange(1, 16))[:, None]
    assert "… and 5 more" in str(OutlierFilter("iqr").fit(x).outliers_)


def test_refused():
    """What cannot be, and what to do instead."""
    X = normal_rows()
    with pytest.raises(ValueError, match="DropOutliers"):
        OutlierFilter(action="drop").fit_transform(X)
    with pytest.raises(ValueError, match="nowhere to move a row"):
        OutlierFilter("density", model=GaussianMixture()).fit(X)
    with pytest.raises(ValueError, match=r"log_density.*GaussianMixture"):
        OutlierFilter("density", action="report", model=KMeans()).fit(X)
    with pytest.raises(ValueError, match="between 0 and 1"):
        OutlierFilter("mahalanobis", threshold=3.0).fit(X)
    with pytest.raises(ValueError, match="robust=True is of"):
        OutlierFilter("iqr", robust=True).fit(X)
    with pytest.raises(ValueError, match="requires y"):
        OutlierFilter("density", action="report", model=QuadraticDiscriminantAnalysis()).fit(X)


# ---- rows that are left out of what is learned from --------------------------------------------------------------------


def line_with_errors(n=60):
    """y = 2x + 1, and three rows whose x is wrong by a factor of hundred."""
    rng = np.random.default_rng(3)
    x = rng.uniform(0, 10, n)
    y = 2 * x + 1 + 0.1 * rng.normal(size=n)
    x[:3] *= 100
    return x[:, None], y


def test_fit_resample():
    """The kept rows with their targets, in the form they were given."""
    X, y = line_with_errors()
    frame, target = pd.DataFrame(X, columns=["x"]), pd.Series(y)
    kept, labels = OutlierFilter("iqr", action="drop").fit_resample(frame, target)
    assert list(kept.index) == list(labels.index) == list(range(3, 60))
    with pytest.raises(TypeError, match="in memory"):
        OutlierFilter("iqr", action="drop").fit_resample(aprendiz.core.sources.arrays.ArrayRows(X))


def test_the_learner_sees_the_others():
    """The fit is that of the kept rows, bit by bit; every row is predicted."""
    X, y = line_with_errors()
    model, plain = DropOutliers(LinearRegression(), OutlierFilter("iqr")).fit(X, y), LinearRegression().fit(X[3:], y[3:])
    assert np.array_equal(model.estimator_.coef_, plain.coef_)
    assert model.outliers_.rows.tolist() == [0, 1, 2]
    assert len(model.predict(X)) == 60
    weight = np.arange(1.0, 61.0)
    weighted = DropOutliers(LinearRegression(), OutlierFilter("iqr")).fit(X, y, sample_weight=weight)
    assert np.array_equal(weighted.estimator_.coef_, LinearRegression().fit(X[3:], y[3:], weight[3:]).coef_)


def test_inside_the_folds():
    """Each fold finds the outliers of its own training rows, and no test row is left out: the outliers among them count."""
    X, y = line_with_errors()
    learner = DropOutliers(LinearRegression(), OutlierFilter("iqr"))
    found = evaluate(make_pipeline(StandardScaler(), learner), X, y, protocol=KFolds(5), metrics="mse")
    assert sorted(np.concatenate([fold.test for fold in found.folds])) == list(range(60))
    errors = (found.pooled.truth - found.pooled.prediction) ** 2
    tested = np.concatenate([fold.test for fold in found.folds])
    assert errors[tested < 3].min() > 1000 > 1 > errors[tested >= 3].max()
    tuned = Tuned(learner, {"outliers__threshold": [1.5, 1e9]}, folds=3).fit(X, y)
    assert set(tuned.best_params_) == {"outliers__threshold"}


def test_classes():
    """A classifier keeps its probabilities; a class whose rows would all go is named."""
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = DropOutliers(LogisticRegression(), OutlierFilter("mahalanobis")).fit(X, names)
    assert model.predict_proba(X).shape == (150, 3)
    assert list(model.classes_) == ["setosa", "versicolor", "virginica"]
    assert not hasattr(DropOutliers(LinearRegression()), "predict_proba")
    far, label = np.vstack([X, 100 + X[:2]]), np.append(names, ["far", "far"])
    with pytest.raises(ValueError, match="Every row of class 'far' is an outlier"):
        DropOutliers(LogisticRegression()).fit(far, label)


@pytest.mark.parametrize("name", ["y", "sample_weight"])
def test_as_many_targets_as_rows(name):
    """A target or weight too many is an error, even if its row would be left out."""
    X, y = line_with_errors()
    more = {"y": y, "sample_weight": np.ones(60)}
    more[name] = np.append(more[name], 1.0)
    with pytest.raises(ValueError, match=rf"inconsistent numbers of samples.*{name}|{name}"):
        DropOutliers(LinearRegression(), OutlierFilter("iqr")).fit(X, **more)


@parametrize_with_checks([DropOutliers(LinearRegression()), DropOutliers(LogisticRegression())])
def test_scikit_learn(estimator, check):
    """The wrapped learner is an estimator as scikit-learn wants it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def test_filter_of_another_kind():
    """Only an OutlierFilter finds outliers here."""
    with pytest.raises(ValueError, match="must be an OutlierFilter"):
        DropOutliers(LinearRegression(), StandardScaler()).fit(*line_with_errors())


@pytest.mark.parametrize("method", ["z", "mahalanobis", "density"])
def test_in_a_file(method, tmp_path):
    """A stored model finds the same outliers and predicts the same."""
    X, y = load_iris(return_X_y=True)
    rule = OutlierFilter(method, action="report", model=GaussianMixture(2, random_state=0) if method == "density" else None)
    model = DropOutliers(LinearRegression(), rule).fit(X, y)
    aprendiz.save(model, tmp_path / "m.apz")
    again = aprendiz.load(tmp_path / "m.apz")
    assert np.array_equal(again.predict(X), model.predict(X))
    assert str(again.outliers_) == str(model.outliers_)
    assert again.filter_.find(X).rows.tolist() == model.outliers_.rows.tolist()
