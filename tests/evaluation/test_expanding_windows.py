"""Windows in the order of time: nothing is predicted from later rows."""

import numpy as np
import pytest

from aprendiz import KNeighborsRegressor
from aprendiz.evaluation import ExpandingWindows, Tuned, evaluate
from aprendiz.locale import language


@pytest.mark.parametrize(("n", "k"), [(10, 3), (7, 2), (103, 5), (4, 3), (9, 1)])
def test_windows(n, k):
    """Each window trains on all rows before those it tests; the tests follow each other to the last row, in equal parts."""
    splits = list(ExpandingWindows(k).splits(np.zeros(n), None, False))
    assert len(splits) == k
    for train, test in splits:
        np.testing.assert_array_equal(train, np.arange(test[0]))
        assert len(test) == n // (k + 1)
    tested = np.concatenate([test for _train, test in splits])
    np.testing.assert_array_equal(tested, np.arange(tested[0], n))
    assert tested[0] >= n // (k + 1)


def test_groups_stay_on_one_side():
    """Training rows of a group that is tested are left out."""
    groups = np.array([*range(20), *range(10, 30), *range(25, 45)])
    splits = list(ExpandingWindows(2).splits(np.random.default_rng(0).random(60), groups, False))
    for train, test in splits:
        assert not {*groups[train]} & {*groups[test]}
    assert [len(train) for train, _test in splits] == [10, 35]


def test_a_single_class_teaches_nothing():
    """Parts before which there is one class are not tested."""
    y = np.repeat(["a", "b"], 20)
    assert [test[0] for _train, test in ExpandingWindows(4).splits(y, None, True)] == [24, 32]


def test_the_future_is_not_seen():
    """A trend that neighbours follow between known rows is lost where only earlier rows are known; so it is in the tuning."""
    t = np.arange(120.0)
    found = evaluate(KNeighborsRegressor(1), t[:, None], t, protocol=ExpandingWindows(4), metrics="mae")
    assert found.score("mae").value == pytest.approx(12.5)  # the mean of 1, 2, …, 24
    tuned = Tuned(KNeighborsRegressor(), {"n_neighbors": [1, 3, 9]}, folds=ExpandingWindows(3)).fit(t[:, None], t)
    assert tuned.best_params_ == {"n_neighbors": 1}


def test_refusals():
    with pytest.raises(ValueError, match="at least 1"):
        ExpandingWindows(0)
    with pytest.raises(ValueError, match="3 windows need at least 4 rows"):
        list(ExpandingWindows(3).splits(np.zeros(3), None, False))
    y = np.repeat(["a", "b"], [39, 1])
    with pytest.raises(ValueError, match="there is a single class"):
        list(ExpandingWindows(4).splits(y, None, True))
    with language("es"):
        assert str(ExpandingWindows(4)) == "4 ventanas en orden temporal, cada una entrenada con las filas anteriores"
