"""Successive halving: few rows for all candidates, all the more for the best; what is known of each is told."""

import numpy as np
import pytest

from aprendiz import SVC, GaussianNB
from aprendiz.evaluation import Tuned
from aprendiz.evaluation.folds import halving
from aprendiz.evaluation.folds.halving import order_of_rows, rounds


@pytest.mark.parametrize(
    ("rows", "candidates", "plan"),
    [
        (54_000, 9, [(6000, 3), (18_000, 1)]),
        (54_000, 27, [(2000, 9), (6000, 3), (18_000, 1)]),
        (20_000, 25, [(2222, 3), (6666, 1)]),
        (1500, 9, [(1500, 1)]),
        (9000, 2, [(3000, 1)]),
        (9000, 1, [(9000, 1)]),
    ],
)
def test_rounds(rows, candidates, plan):
    """A third of the candidates and three times the rows, never fewer than 2000, until one is left."""
    assert rounds(rows, candidates) == plan


def test_samples_hold_every_class():
    """Each beginning of the order is a sample of the classes; of a small one, ten rows come first."""
    y = np.repeat(["a", "b", "c"], [8000, 1988, 12])
    order = order_of_rows(y, True, 0)
    assert np.array_equal(np.sort(order), np.arange(10_000))
    for count in (500, 2000, 5000):
        names, found = np.unique(y[order[:count]], return_counts=True)
        assert list(names) == ["a", "b", "c"]
        assert found[2] >= 10
        assert found[0] / found[1] == pytest.approx(8000 / 1988, rel=0.1)
    assert np.array_equal(order, order_of_rows(y, True, 0))
    assert not np.array_equal(order, order_of_rows(y, True, 1))
    numbers = order_of_rows(np.arange(1000.0), False, 0)
    assert abs(numbers[:100].mean() - 500) < 100


def test_each_candidate_says_how_many_rows_it_saw(monkeypatch):
    """Most are judged on a sample, one of the best on more; the model is that of all rows with what was chosen."""
    monkeypatch.setattr(halving, "FEWEST", 60)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    y = (X[:, 0] ** 2 + X[:, 1] ** 2 + 0.3 * rng.normal(size=600) > 1.3).astype(int)
    grid = {"C": [0.01, 1.0, 10.0], "gamma": [1e-3, 1.0, 100.0]}
    found = Tuned(SVC(), grid, folds=3, halving=True).fit(X, y)
    assert sorted(found.rows_) == [66] * 6 + [200] * 3
    assert found.scores_.shape == (9, 3)
    assert found.best_params_["gamma"] == 1.0
    last = found.rows_ == 200
    assert found.best_score_ == found.scores_[last].mean(axis=1).max()
    assert np.array_equal(found.predict(X), SVC(**found.best_params_).fit(X, y).predict(X))
    assert np.array_equal(found.scores_, Tuned(SVC(), grid, folds=3, halving=True).fit(X, y).scores_)


def test_groups_stay_whole_and_rows_are_used_once(monkeypatch):
    """Inner folds of a sample keep groups apart too."""
    monkeypatch.setattr(halving, "FEWEST", 40)
    rng = np.random.default_rng(1)
    X, y, groups = rng.normal(size=(300, 2)), np.arange(300) % 2, np.arange(300) // 10
    seen = []
    fits = Tuned.fits
    monkeypatch.setattr(
        Tuned, "fits", lambda self, X, y, train, test, *more: seen.append((train, test)) or fits(self, X, y, train, test, *more)
    )
    Tuned(GaussianNB(), {"var_smoothing": [1e-9, 1e-2, 1.0]}, folds=3, halving=True).fit(X, y, groups)
    assert {len(train) + len(test) for train, test in seen} == {100}
    for train, test in seen:
        assert not set(groups[train]) & set(groups[test])
        assert not set(train) & set(test)


def test_without_halving_all_rows_count():
    """As before."""
    X, y = np.random.default_rng(2).normal(size=(60, 2)), np.arange(60) % 2
    assert (Tuned(GaussianNB(), {"var_smoothing": [1e-9, 1.0]}).fit(X, y).rows_ == 60).all()
