"""RadiusNeighborsClassifier and RadiusNeighborsRegressor: scikit-learn's answers; rows without neighbours."""

import numpy as np
import pytest
from sklearn.neighbors import RadiusNeighborsClassifier as TheirClassifier
from sklearn.neighbors import RadiusNeighborsRegressor as TheirRegressor

from aprendiz import RadiusNeighborsClassifier, RadiusNeighborsRegressor

RNG = np.random.default_rng(6)
X = RNG.normal(size=(700, 2))
Y = np.array(["ash", "birch", "cedar"])[np.argmax(np.c_[X, X[:, 0] * X[:, 1]] + RNG.normal(size=(700, 3)), axis=1)]
NUMBERS = np.column_stack([X[:, 0] ** 2, X[:, 1] + RNG.normal(size=700)])
Q = np.vstack([RNG.normal(size=(300, 2)) / 2, X[:20]])
WEIGHTS = {"uniform": "uniform", "distance": "distance", "function": lambda d: 1 / (1 + d)}
FAR = np.array([[50.0, 50.0], [0.0, 0.0], [-60.0, 1.0]])


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("radius", [0.7, 3.0])
def test_same_as_scikit_learn(weights, radius):
    """Classes, posteriors and means, for new rows and for those of the fit without themselves."""
    parameters = {"weights": WEIGHTS[weights], "radius": radius}
    ours = RadiusNeighborsClassifier(**parameters, outlier_label="most_frequent").fit(X, Y)
    theirs = TheirClassifier(**parameters, outlier_label="most_frequent").fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(Q), theirs.predict_proba(Q), rtol=1e-9, atol=1e-14)
    assert np.array_equal(ours.predict(Q), theirs.predict(Q))
    for y in (NUMBERS, NUMBERS[:, 0]):
        ours, theirs = RadiusNeighborsRegressor(**parameters).fit(X, y), TheirRegressor(**parameters).fit(X, y)
        np.testing.assert_allclose(ours.predict(Q), theirs.predict(Q), rtol=1e-9, atol=1e-13)


def test_rows_of_the_fit():
    """`predict(None)` asks about each row without itself, as scikit-learn's."""
    ours, theirs = (cls(3.0).fit(X, NUMBERS[:, 0]) for cls in (RadiusNeighborsRegressor, TheirRegressor))
    lonely = np.isnan(with_warning(theirs))
    assert np.array_equal(np.isnan(with_warning(ours)), lonely)
    np.testing.assert_allclose(with_warning(ours)[~lonely], with_warning(theirs)[~lonely], rtol=1e-9, atol=1e-13)


def with_warning(model, rows=None):
    """Predictions with the warning about rows without neighbours, if there is one."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return model.predict(rows)


def test_rows_without_neighbours_are_refused():
    """Without a label for them, rows without neighbours are refused by their numbers, with the remedies."""
    model = RadiusNeighborsClassifier().fit(X, Y)
    for method in (model.predict, model.predict_proba):
        with pytest.raises(
            ValueError, match=r"No neighbors found for test samples \[0, 2\].*larger radius, give an outlier_label"
        ):
            method(FAR)


@pytest.mark.parametrize("label", ["cedar", "most_frequent", ["birch"]])
def test_label_of_outliers(label):
    """Rows without neighbours get the label, and all of its probability."""
    ours, theirs = (cls(outlier_label=label).fit(X, Y) for cls in (RadiusNeighborsClassifier, TheirClassifier))
    assert ours.outlier_label_ == theirs.outlier_label_
    assert np.array_equal(ours.predict(FAR), theirs.predict(FAR))
    np.testing.assert_allclose(ours.predict_proba(FAR), theirs.predict_proba(FAR), rtol=1e-12)


def test_label_of_outliers_that_is_no_class():
    """A label that no row of the fit has: probabilities of 0, with a warning; a longer word is not cut."""
    model = RadiusNeighborsClassifier(outlier_label="somewhere else").fit(X, Y)
    with pytest.warns(UserWarning, match="is not in training classes"):
        assert model.predict(FAR)[[0, 2]].tolist() == ["somewhere else"] * 2
    with pytest.warns(UserWarning, match="'somewhere else' is not in training classes.*row 0"):
        found = model.predict_proba(FAR)
    np.testing.assert_allclose(found.sum(axis=1), [0, 1, 0], rtol=1e-15)


@pytest.mark.parametrize("label", [3, ["ash", "birch"], [["ash"]]])
def test_bad_labels_of_outliers(label):
    """A label of another kind than the classes, and more than one, are refused."""
    with pytest.raises((ValueError, TypeError), match="outlier_label"):
        RadiusNeighborsClassifier(outlier_label=label).fit(X, Y)


def test_no_mean():
    """Rows without neighbours have no mean: NaN, and a warning with the first of them."""
    model = RadiusNeighborsRegressor().fit(X, NUMBERS[:, 0])
    with pytest.warns(UserWarning, match="predicting NaN: first row 0, 2 in all"):
        found = model.predict(FAR)
    assert np.isnan(found).tolist() == [True, False, True]


def test_the_edge_belongs_to_the_ball():
    """A row at the distance of the radius is a neighbour."""
    model = RadiusNeighborsRegressor(0.5).fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 7.0])
    assert model.predict([[0.5]])[0] == 2.0


def test_random_ties():
    """Ties are drawn from the seed, row by row."""
    rows, y, ask = [[-1.0], [1.0]], ["b", "a"], np.zeros((300, 1))
    assert set(RadiusNeighborsClassifier().fit(rows, y).predict(ask)) == {"a"}
    found = RadiusNeighborsClassifier(ties="random", random_state=0).fit(rows, y).predict(ask)
    assert 100 < (found == "a").sum() < 200
