"""The five learners where scikit-learn expects estimators: pipelines, searches, clones, frames, routed weights, files."""

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.cluster import KMeans as TheirKMeans
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.decomposition import PCA as THEIR_PCA
from sklearn.linear_model import LinearRegression as TheirLinearRegression
from sklearn.linear_model import LogisticRegression as TheirLogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler as TheirScaler

import aprendiz
from aprendiz import PCA, KMeans, LinearRegression, LogisticRegression, StandardScaler

CANCER = load_breast_cancer()
X, Y = CANCER.data[:300], CANCER.target[:300]
SUGAR, PROGRESS = load_diabetes(return_X_y=True)
WEIGHT = np.random.default_rng(0).uniform(0.5, 2, size=300)


def classifier():
    """Scaler, PCA and k-means distances in front of a logistic model: four of the five."""
    return make_pipeline(StandardScaler(), PCA(6), KMeans(5, random_state=0), LogisticRegression())


def regressor():
    """The fifth, on the same steps."""
    return make_pipeline(StandardScaler(), PCA(6), KMeans(5, random_state=0), LinearRegression())


@pytest.mark.parametrize("pipeline", [classifier, regressor])
def test_clone(pipeline):
    """A clone has the parameters and nothing else; fitted, it gives the same bits."""
    fitted = pipeline().fit(X, Y)
    copy = clone(fitted)
    assert not hasattr(copy[-1], "coef_")
    assert {k: repr(v) for k, v in copy.get_params().items()} == {k: repr(v) for k, v in fitted.get_params().items()}
    np.testing.assert_array_equal(copy.fit(X, Y).predict(X), fitted.predict(X))


def test_same_pipeline_with_scikit_learn():
    """Scaler → PCA → linear model predicts as scikit-learn's steps do, and so does any mixture of the two."""
    ours = make_pipeline(StandardScaler(), PCA(5), LinearRegression()).fit(SUGAR, PROGRESS).predict(SUGAR)
    theirs = make_pipeline(TheirScaler(), THEIR_PCA(5), TheirLinearRegression()).fit(SUGAR, PROGRESS).predict(SUGAR)
    mixed = make_pipeline(StandardScaler(), THEIR_PCA(5), LinearRegression()).fit(SUGAR, PROGRESS).predict(SUGAR)
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)
    np.testing.assert_allclose(mixed, theirs, rtol=1e-10)


def test_grid_search_chooses_as_with_scikit_learn():
    """The same scores in every cell of a grid over steps of the pipeline, hence the same choice."""
    grid = {"pca__n_components": [2, 5], "logisticregression__C": [0.01, 1.0]}
    ours = GridSearchCV(make_pipeline(StandardScaler(), PCA(), LogisticRegression()), grid, cv=3).fit(X, Y)
    theirs = GridSearchCV(make_pipeline(TheirScaler(), THEIR_PCA(), TheirLogisticRegression(tol=1e-8)), grid, cv=3).fit(X, Y)
    np.testing.assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    assert ours.best_params_ == theirs.best_params_


def test_grid_search_over_all_steps():
    """Parameters of every step can be searched, and two threads of the search give the same scores as one."""
    grid = {"standardscaler__with_std": [True, False], "pca__whiten": [True, False], "kmeans__n_clusters": [3, 6]}
    search = GridSearchCV(classifier(), grid, cv=3).fit(X, Y)
    with joblib.parallel_config("threading", n_jobs=2):
        threads = GridSearchCV(classifier(), grid, cv=3).fit(X, Y)
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], threads.cv_results_["mean_test_score"])
    assert search.best_estimator_[-1].n_features_in_ == search.best_params_["kmeans__n_clusters"]


def test_unsupervised_search():
    """KMeans and PCA are scored by their own score, as scikit-learn's are."""
    Z = StandardScaler().fit_transform(X)
    ours, theirs = (cross_val_score(model(6), Z, cv=3) for model in (PCA, THEIR_PCA))
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    start = Z[[0, 20, 40]]
    ours, theirs = (cross_val_score(model(3, init=start, n_init=1), Z, cv=3) for model in (KMeans, TheirKMeans))
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)


def test_frames_all_the_way():
    """With set_output every step hands over a frame with names."""
    frame = pd.DataFrame(X[:, :5], columns=list("abcde"))
    steps = make_pipeline(StandardScaler(), PCA(3), KMeans(2, random_state=0)).set_output(transform="pandas")
    Z = steps.fit_transform(frame)
    assert list(Z.columns) == ["kmeans0", "kmeans1"]
    assert list(steps[:1].transform(frame).columns) == list("abcde")
    assert list(steps[-1].feature_names_in_) == ["pca0", "pca1", "pca2"]
    assert list(steps.get_feature_names_out()) == ["kmeans0", "kmeans1"]
    np.testing.assert_allclose(Z.to_numpy(), clone(steps).set_output(transform="default").fit_transform(frame), rtol=1e-14)


def test_routed_weights():
    """With metadata routing, weights reach exactly the steps that ask for them, in fits and in scores."""
    with sklearn.config_context(enable_metadata_routing=True):
        routed = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=True),
            PCA(6).set_fit_request(sample_weight=True),
            KMeans(5, random_state=0).set_fit_request(sample_weight=True),
            LogisticRegression().set_fit_request(sample_weight=True).set_score_request(sample_weight=True),
        ).fit(X, Y, sample_weight=WEIGHT)
        scores = cross_validate(routed, X, Y, cv=3, params={"sample_weight": WEIGHT})["test_score"]
        partly = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False), LinearRegression().set_fit_request(sample_weight=True)
        ).fit(X, Y, sample_weight=WEIGHT)
    assert np.isfinite(scores).all()
    scaler = StandardScaler().fit(X, sample_weight=WEIGHT)
    pca = PCA(6).fit(Z := scaler.transform(X), sample_weight=WEIGHT)
    kmeans = KMeans(5, random_state=0).fit(Z := pca.transform(Z), sample_weight=WEIGHT)
    by_hand = LogisticRegression().fit(kmeans.transform(Z), Y, WEIGHT)
    np.testing.assert_array_equal(routed[-1].coef_, by_hand.coef_)
    plain = StandardScaler().fit(X)
    np.testing.assert_array_equal(partly[0].mean_, plain.mean_)
    np.testing.assert_array_equal(partly[1].coef_, LinearRegression().fit(plain.transform(X), Y, WEIGHT).coef_)


FRAME = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])


def stored(folder, ending):
    """The table with its target in a file, in pieces of 70 rows where the format has pieces."""
    path, table = folder / f"table.{ending}", FRAME.assign(y=Y)
    if ending == "parquet":
        table.to_parquet(path, row_group_size=70)
    else:
        table.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize("pipeline", [classifier, regressor])
def test_files(pipeline, ending, tmp_path):
    """A pipeline fitted to rows of a file is the one fitted in memory."""
    of_file = pipeline().fit(aprendiz.rows(stored(tmp_path, ending), target="y"))
    in_memory = pipeline().fit(FRAME, Y)
    np.testing.assert_allclose(of_file[0].mean_, in_memory[0].mean_, rtol=1e-13)
    np.testing.assert_allclose(of_file[1].components_, in_memory[1].components_, atol=1e-10)
    np.testing.assert_allclose(of_file[2].cluster_centers_, in_memory[2].cluster_centers_, rtol=1e-9)
    np.testing.assert_allclose(of_file[3].coef_, in_memory[3].coef_, rtol=1e-7)  # after three steps, each to rounding
    assert list(of_file.feature_names_in_) == list(FRAME.columns)


@pytest.mark.parametrize("pipeline", [classifier, regressor])
def test_fitted_to_files_used_in_memory(pipeline, tmp_path):
    """A pipeline fitted to rows of a file predicts a frame of the same columns, without a warning."""
    of_file = pipeline().fit(aprendiz.rows(stored(tmp_path, "parquet"), target="y"))
    np.testing.assert_allclose(of_file.predict(FRAME), pipeline().fit(FRAME, Y).predict(FRAME), rtol=1e-7, atol=1e-9)


def test_files_predict_as_they_are_read(tmp_path):
    """Rows of a file can also be predicted, with the answer of the same rows in memory."""
    model = classifier().fit(FRAME, Y)
    rows = aprendiz.rows(stored(tmp_path, "parquet"), columns=list(FRAME.columns))
    np.testing.assert_array_equal(model.predict(rows), model.predict(FRAME))
