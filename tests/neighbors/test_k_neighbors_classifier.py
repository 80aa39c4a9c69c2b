"""KNeighborsClassifier: scikit-learn's votes, posteriors and conventions; ties by the first class or by the seed."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier as TheirClassifier

import aprendiz
from aprendiz import KNeighborsClassifier, NearestNeighbors

RNG = np.random.default_rng(8)
X = RNG.normal(size=(200, 3))
Y = np.array(["ash", "birch", "cedar"])[np.argmax(X + RNG.normal(size=(200, 3)), axis=1)]
Q = np.vstack([RNG.normal(size=(60, 3)), X[:20]])  # some coincide with rows of the fit
WEIGHTS = {"uniform": "uniform", "none": None, "distance": "distance", "function": lambda d: np.exp(-(d**2))}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("k", [1, 2, 4, 9])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "cosine"])
def test_same_as_scikit_learn(weights, k, metric):
    """Classes and posteriors for all weights; even k has ties between classes."""
    parameters = {"weights": WEIGHTS[weights], "n_neighbors": k, "metric": metric}
    ours, theirs = KNeighborsClassifier(**parameters).fit(X, Y), TheirClassifier(**parameters).fit(X, Y)
    if weights != "distance" or metric != "cosine":  # its zeros are rounded there
        np.testing.assert_allclose(ours.predict_proba(Q), theirs.predict_proba(Q), rtol=1e-9, atol=1e-12)
        assert np.array_equal(ours.predict(Q), theirs.predict(Q))


def test_iris_up_to_rows_at_equal_distances():
    """On iris, with many equal distances, posteriors differ from scikit-learn's only where the last neighbour is tied."""
    table, y = load_iris(return_X_y=True)
    ours, theirs = KNeighborsClassifier().fit(table, y), TheirClassifier().fit(table, y)
    distances = NearestNeighbors(n_neighbors=6).fit(table).kneighbors(table)[0]
    clear = distances[:, 5] > distances[:, 4] * (1 + 1e-12)
    assert 100 < clear.sum() < 150
    np.testing.assert_allclose(ours.predict_proba(table[clear]), theirs.predict_proba(table[clear]), rtol=1e-12)


def test_rows_of_the_fit():
    """`predict(None)` leaves each row out, so its score is that of leaving out one row and fitting again."""
    model = KNeighborsClassifier(7).fit(X, Y)
    assert np.array_equal(model.predict(None), TheirClassifier(7).fit(X, Y).predict(None))
    assert model.score(None, Y) == pytest.approx(cross_val_score(KNeighborsClassifier(7), X, Y, cv=LeaveOneOut()).mean())


def test_number_of_neighbours_after_the_fit():
    """Another k after the fit is honoured, as in scikit-learn; more than rows are refused with the numbers."""
    model = KNeighborsClassifier(3).fit(X, Y)
    assert np.array_equal(model.set_params(n_neighbors=11).predict(Q), KNeighborsClassifier(11).fit(X, Y).predict(Q))
    with pytest.raises(ValueError, match=r"n_neighbors = 201, n_samples_fit = 200"):
        model.set_params(n_neighbors=201).predict(Q)
    with pytest.raises(ValueError, match=r"n_neighbors = 5, n_samples_fit = 4"):
        KNeighborsClassifier().fit(X[:4], ["a", "b", "a", "b"])


def test_ties():
    """Two rows of each of two classes around a point: the first class by default, either one by the seed."""
    rows, y, ask = [[-1.0], [-1.0], [1.0], [1.0]], ["b", "b", "a", "a"], np.zeros((400, 1))
    assert set(KNeighborsClassifier(4).fit(rows, y).predict(ask)) == {"a"}
    seeded = [KNeighborsClassifier(4, ties="random", random_state=seed).fit(rows, y).predict(ask) for seed in (0, 0, 1)]
    assert np.array_equal(seeded[0], seeded[1])
    assert not np.array_equal(seeded[0], seeded[2])
    assert 140 < (seeded[0] == "a").sum() < 260
    free = KNeighborsClassifier(4, ties="random").fit(rows, y)
    assert np.array_equal(free.predict(ask), free.predict(ask))


def test_random_ties_come_back(tmp_path):
    """A saved model decides ties as before."""
    model = KNeighborsClassifier(4, ties="random").fit([[-1.0], [-1.0], [1.0], [1.0]], ["b", "b", "a", "a"])
    aprendiz.save(model, tmp_path / "m.apz")
    ask = np.zeros((50, 1))
    assert np.array_equal(aprendiz.load(tmp_path / "m.apz").predict(ask), model.predict(ask))


def test_offsets():
    """Far from zero the neighbours are those near zero: distances are not taken from squares of large numbers."""
    table, ask = np.round(X * 1024) / 1024, np.round(Q * 1024) / 1024
    near, far = KNeighborsClassifier().fit(table, Y), KNeighborsClassifier().fit(table + 2.0**30, Y)
    assert np.array_equal(near.predict_proba(ask), far.predict_proba(ask + 2.0**30))


def test_words_and_missing_cells():
    """A table of words votes by Gower's distance; a word that the fit did not see counts as missing, once said."""
    from aprendiz.datasets import load

    table, y = load("tumour", return_X_y=True, as_frame=True)
    model = KNeighborsClassifier(5, metric="gower").fit(table, y)
    who = NearestNeighbors(n_neighbors=5, metric="gower").fit(table).kneighbors(table)[1]
    wanted = [[(np.asarray(y)[rows] == label).mean() for label in model.classes_] for rows in who]
    np.testing.assert_allclose(model.predict_proba(table), wanted, rtol=1e-14)
    strange, gap = table.iloc[[0]].assign(size="vast"), table.iloc[[0]].assign(size=None)
    with pytest.warns(UserWarning, match="'vast'") as told:
        found = model.predict_proba(strange)
    assert len(told) == 1
    assert np.array_equal(found, model.predict_proba(gap))
