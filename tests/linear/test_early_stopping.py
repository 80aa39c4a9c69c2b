"""Rows set aside: which they are, that nothing is learned from them, and when their scores end a fit."""

from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import r2_score

import aprendiz
from aprendiz import Perceptron, SGDClassifier, SGDRegressor
from aprendiz.core.random import hashes
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.linear.shared.early_stopping import ASIDE, chosen_rows, determination, split_rows

RNG = np.random.default_rng(3)
N, D = 300, 5
X = RNG.normal(size=(N, D))
NUMBERS = X @ [2.0, -1.0, 0.5, 0.0, 1.0] + RNG.normal(size=N)
THREE = np.array(["a", "b", "c"])[np.digitize(NUMBERS, [-1.0, 3.0])]
WEIGHT = RNG.integers(1, 4, N) / 2.0
LEARNERS = [(SGDClassifier, THREE), (SGDRegressor, NUMBERS), (Perceptron, THREE)]
ids = [cls.__name__ for cls, _ in LEARNERS]


def aside(y, seed, fraction):
    """Whether each row is set aside by a fit of that seed."""
    codes = np.unique(y, return_inverse=True)[1] if y.dtype.kind == "U" else np.zeros(len(y), int)
    return chosen_rows(codes, hashes(seed, ASIDE, np.arange(len(y))), fraction)


@pytest.mark.parametrize("fraction", [0.1, 0.25, 0.9])
def test_shares(fraction):
    """Of each class its share is set aside, to half a row."""
    codes = np.repeat([0, 1, 2], [100, 37, 8])
    for seed in range(5):
        drawn = hashes(seed, ASIDE, np.arange(len(codes)))
        found = np.bincount(codes[chosen_rows(codes, drawn, fraction)], minlength=3)
        assert (np.abs(found - fraction * np.array([100, 37, 8])) <= 0.5).all()


def test_every_row_may_be_drawn():
    """Over many seeds each row is set aside about as often as any other."""
    codes = np.repeat([0, 1], 20)
    counts = sum(chosen_rows(codes, hashes(seed, ASIDE, np.arange(40)), 0.25).astype(int) for seed in range(400))
    assert counts.min() > 60  # 100 are expected, with a deviation of 8.7
    assert counts.max() < 140


@pytest.mark.parametrize(("cls", "y"), LEARNERS, ids=ids)
def test_nothing_is_learned_from_them(cls, y):
    """In the order in which they stand: the fit to the other rows alone, dense or sparse, with weights."""
    settings = {"tol": None, "max_iter": 4, "shuffle": False, "random_state": 7}
    kept = ~aside(y, 7, 0.3)
    for table in (X, sparse.csr_matrix(X), X.astype(np.float32)):
        with pytest.warns(ConvergenceWarning) if cls is Perceptron else nullcontext():
            whole = cls(early_stopping=True, validation_fraction=0.3, **settings).fit(table, y, sample_weight=WEIGHT)
            alone = cls(**settings).fit(table[kept], y[kept], sample_weight=WEIGHT[kept])
        assert np.array_equal(whole.coef_, alone.coef_)
        assert np.array_equal(whole.history_, alone.history_)
        assert whole.certificate_.objective == alone.certificate_.objective


@pytest.mark.parametrize(("cls", "y"), LEARNERS, ids=ids)
def test_when_it_stops(cls, y):
    """In the epoch that is the third in a row in which no plane scores higher than ever before by tol. The planes of stochastic
    gradient descent rest one by one, those of the perceptron together."""
    settings = {"random_state": 1, "tol": 0.01, "max_iter": 60}
    model = cls(early_stopping=True, n_iter_no_change=3, **settings).fit(X, y)
    held, codes = aside(y, 1, 0.1), np.unique(y, return_inverse=True)[1]
    best, idle = np.full(len(model.last_planes_), -np.inf), np.zeros(len(model.last_planes_), int)
    for state in list(cls(early_stopping=True, n_iter_no_change=3, **settings).steps(X, y))[1:]:
        assert (idle < 3).any()
        T = X[held] @ state.planes[:, 1:].T + state.planes[:, 0]
        if cls is SGDRegressor:
            scores = r2_score(y[held], T[:, 0]) * np.ones(1)
        else:
            scores = np.mean((T > 0) == (codes[held][:, None] == np.arange(3)), axis=0)
        walking = (idle < 3) | (cls is Perceptron)
        idle = np.where(~walking, idle, np.where(scores >= best + 0.01 - 1e-15, 0, idle + 1))
        best = np.maximum(best, scores)
    assert (idle >= 3).all()
    assert state.iteration == model.n_iter_ < 60
    assert model.stopped_ == "converged"
    assert model.certificate_.score == pytest.approx(scores.mean())


def test_adaptive_steps():
    """With early stopping, steps get shorter when the score does not rise, and the fit goes on."""
    settings = {"early_stopping": True, "random_state": 0, "eta0": 0.1}
    adaptive = SGDClassifier(learning_rate="adaptive", **settings).fit(X, THREE)
    assert adaptive.n_iter_ > SGDClassifier(learning_rate="constant", **settings).fit(X, THREE).n_iter_


def test_it_goes_on_with_the_same_rows():
    """A fit that goes on from one of its states ends with the same bits, whatever drew its seed."""
    model = SGDClassifier(early_stopping=True, random_state=np.random.RandomState(5))
    states = list(model.steps(X, THREE))
    *_, last = SGDClassifier(early_stopping=True, random_state=np.random.RandomState(9)).steps(X, THREE, since=states[2])
    assert np.array_equal(last.planes, states[-1].planes)


def test_determination():
    """R² as scikit-learn has it, with weights and for several targets; of a constant, 1 where it is met and else 0."""
    T, Y = RNG.normal(size=(20, 2)), RNG.normal(size=(20, 2)) + 3.0
    for w in (None, RNG.random(20)):
        expected = r2_score(Y, T, sample_weight=w, multioutput="raw_values")
        np.testing.assert_allclose(determination(T, Y, w), expected, rtol=1e-12)
    same = np.ones((4, 2))
    assert determination(np.column_stack([np.ones(4), np.arange(4.0)]), same, None).tolist() == [1.0, 0.0]


def test_refusals(tmp_path):
    """Too few rows, rows without weight, tables that are not in memory, and partial_fit."""
    with pytest.raises(ValueError, match=r"validation_fraction=0.1 of 4 rows sets none aside"):
        SGDClassifier(early_stopping=True).fit(X[:4], ["a", "b", "a", "b"])
    with pytest.raises(ValueError, match=r"validation_fraction=0.9 of 6 rows leaves none to learn from"):
        SGDClassifier(early_stopping=True, validation_fraction=0.9).fit(X[:6], ["a", "b", "a", "b", "b", "b"])
    weight = np.where(aside(NUMBERS, 0, 0.1), 0.0, 1.0)
    with pytest.raises(ValueError, match="weights for validation set are all zero"):
        SGDRegressor(early_stopping=True, random_state=0).fit(X, NUMBERS, sample_weight=weight)
    pd.DataFrame(X).add_prefix("x").assign(y=NUMBERS).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match="needs a table in memory"):
        SGDRegressor(early_stopping=True).fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))
    for cls, y in LEARNERS:
        announced = {} if cls is SGDRegressor else {"classes": np.unique(y)}
        with pytest.raises(ValueError, match="early_stopping should be False with partial_fit"):
            cls(early_stopping=True).partial_fit(X, y, **announced)
    with pytest.raises(ValueError, match="validation_fraction of SGDClassifier must be"):
        SGDClassifier(validation_fraction=0.0).fit(X, THREE)


def test_split_keeps_what_rows_know():
    """Names and labels of the table stay with both parts."""
    rows = ArrayRows(X, np.arange(N) % 2, WEIGHT, [f"x{j}" for j in range(D)])
    rows.labels = np.array(["no", "yes"])
    training = split_rows(rows, 0, 0.2)
    assert training.count + training.held.count == N
    for part in (training, training.held):
        assert part.names == rows.names
        assert part.labels is rows.labels
    assert training.held.weight.sum() + training.weight.sum() == pytest.approx(WEIGHT.sum())
