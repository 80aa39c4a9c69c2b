"""choose_n_neighbors: one search gives for every k what fitting again without the row gives."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold, LeaveOneOut, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsRegressor as TheirRegressor

from aprendiz import ChoiceOfK, KNeighborsClassifier, KNeighborsRegressor, NearestNeighbors, choose_n_neighbors

RNG = np.random.default_rng(4)
X = RNG.normal(size=(60, 3))
LATTICE = RNG.integers(0, 3, size=(60, 3)).astype(float)  # with coinciding rows and ties
Y = np.array(["a", "b", "c"])[np.argmax(X + RNG.normal(size=(60, 3)), axis=1)]
NUMBERS = X[:, 0] + RNG.normal(size=60)
KS = (1, 2, 5, 8, 30, 59)
WEIGHTS = {"uniform": "uniform", "distance": "distance", "function": lambda d: 1 / (1 + d)}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("table", [X, LATTICE], ids=["random", "lattice"])
def test_classes_left_out_one_by_one(weights, table):
    """For each k the error, and its standard error, are those of refitting without each row."""
    found = choose_n_neighbors(table, Y, KS, weights=WEIGHTS[weights])
    for k, error, spread in zip(found.ks, found.errors, found.standard_errors, strict=True):
        model = KNeighborsClassifier(int(k), weights=WEIGHTS[weights])
        wrong = cross_val_predict(model, table, Y, cv=LeaveOneOut()) != Y
        assert error == pytest.approx(wrong.mean(), abs=1e-14)
        assert spread == pytest.approx(wrong.std(ddof=1) / np.sqrt(60), abs=1e-14)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_numbers_left_out_one_by_one(weights):
    """The same for squared errors, against scikit-learn's regressor; several targets are averaged."""
    both = np.column_stack([NUMBERS, X[:, 1] ** 2])
    for y in (NUMBERS, both):
        found = choose_n_neighbors(X, y, KS, weights=WEIGHTS[weights])
        assert found.task == "regression"
        for k, error in zip(found.ks, found.errors, strict=True):
            said = TheirRegressor(int(k), weights=WEIGHTS[weights]).fit(X, y).predict(None)  # each row without itself
            assert error == pytest.approx(((said - y) ** 2).mean(), rel=1e-11)


@pytest.mark.parametrize("cv", [5, KFold(4, shuffle=True, random_state=0)], ids=["stratified", "shuffled"])
def test_folds(cv):
    """With folds the error is the mean of the folds' errors, and its spread theirs."""
    found = choose_n_neighbors(X, Y, (1, 6, 20), cv=cv)
    for k, error, spread in zip(found.ks, found.errors, found.standard_errors, strict=True):
        scores = 1 - cross_val_score(KNeighborsClassifier(int(k)), X, Y, cv=cv)
        assert error == pytest.approx(scores.mean(), abs=1e-14)
        assert spread == pytest.approx(scores.std(ddof=1) / np.sqrt(len(scores)), abs=1e-14)
    assert found.folds == (5 if cv == 5 else 4)
    said = cross_val_predict(KNeighborsRegressor(6), X, NUMBERS, cv=KFold(5))
    folds = [((said - NUMBERS) ** 2)[test].mean() for _, test in KFold(5).split(X)]
    assert choose_n_neighbors(X, NUMBERS, [6], cv=5).errors[0] == pytest.approx(np.mean(folds))


def test_tables_of_words():
    """By Gower's distance too, with the ranges of all rows: for each k the error of asking about each row without itself."""
    frame = pd.DataFrame({"size": X[:, 0], "kind": np.where(X[:, 1] > 0, "up", None), "shape": np.round(X[:, 2]).astype(str)})
    found = choose_n_neighbors(frame, Y, KS, metric="gower")
    for k, error in zip(found.ks, found.errors, strict=True):
        model = KNeighborsClassifier(int(k), metric="gower").fit(frame, Y)
        assert error == pytest.approx(1 - model.score(None, Y), abs=1e-14)
    assert choose_n_neighbors(frame, Y, [5], metric="gower", cv=4).folds == 4


def test_one_search(monkeypatch):
    """All k cost one search: the rows are asked about once."""
    asked = []

    class Counted(NearestNeighbors):
        @property
        def search_(self):
            asked.append(1)
            return super().search_

    monkeypatch.setattr(import_module("aprendiz.neighbors.choose_n_neighbors"), "NearestNeighbors", Counted)
    choose_n_neighbors(X, Y)
    assert len(asked) == 1


def test_which_k_is_chosen():
    """The best is the smallest with the least error; the other is the smallest not above one standard error more."""
    choice = ChoiceOfK(np.array([1, 2, 3, 4, 5]), np.array([0.5, 0.35, 0.31, 0.3, 0.3]), np.full(5, 0.05), "classification")
    assert (choice.best_k, choice.one_se_k) == (4, 2)
    assert str(choice).startswith("k = 4 (error 0.3 ± 0.05, leaving out one row); k = 2 is within")
    assert choose_n_neighbors(X, Y, (30, 5, 5, 1)).ks.tolist() == [1, 5, 30]


def test_numbers_of_neighbours_by_default():
    """1 to 50, or to the number of other rows."""
    assert choose_n_neighbors(X, Y).ks.tolist() == list(range(1, 51))
    assert choose_n_neighbors(X[:12], NUMBERS[:12]).ks.tolist() == list(range(1, 12))
    assert choose_n_neighbors(X, Y, cv=2).ks.max() == 30


@pytest.mark.parametrize(
    ("y", "task"),
    [(Y, "classification"), (NUMBERS, "regression"), (np.arange(60) % 3, "classification"), (X[:, :2], "regression")],
    ids=["words", "decimals", "whole", "columns"],
)
def test_task_by_default(y, task):
    """Words and whole numbers are classes, decimals and several columns numbers."""
    assert choose_n_neighbors(X, y, [3]).task == task


def test_task_as_asked():
    """Whole numbers may be quantities."""
    counts = np.arange(60) % 7
    assert choose_n_neighbors(X, counts, [3], task="regression").errors[0] > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ks": [3, 60]}, "ks holds 60, but only 59 other rows"),
        ({"ks": [40], "cv": 2}, "ks holds 40, but only 30 other rows"),
        ({"ks": []}, "ks is empty"),
        ({"ks": [0]}, "ks must be a whole number of at least 1, got 0"),
        ({"ks": [2.5]}, "ks must be a whole number"),
        ({"task": "ranking"}, "task must be 'classification' or 'regression', got 'ranking'"),
        ({"weights": "heavy"}, "weights must be .* got 'heavy'"),
        ({"metric": "cubic"}, "'cubic'"),
    ],
    ids=str,
)
def test_bad_arguments(arguments, message):
    """What cannot be tried is refused by name and number."""
    with pytest.raises((ValueError, TypeError), match=message):
        choose_n_neighbors(X, Y, **arguments)
