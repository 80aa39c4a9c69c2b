"""Several starts of a fit: which one is kept, when the whole is settled, and that nothing but the starts is written twice."""

from dataclasses import dataclass, fields

import numpy as np
import pytest

import aprendiz
from aprendiz.core.several_starts import SeveralStarts, StartState

WITH_STARTS = [cls for _, cls in aprendiz.all_learners() if issubclass(cls, SeveralStarts)]


@dataclass(frozen=True)
class Place(StartState):
    where: float
    best_where: float


@dataclass(frozen=True)
class Height(Place):
    lowest = False


class Descent(SeveralStarts):
    """Halves what it starts from; comes to rest below a limit of its own."""

    State = Place

    def __init__(self, n_init=3, max_iter=10, firsts=(8.0, 4.0, 6.0), rest=1.0, random_state=0):
        self.n_init, self.max_iter, self.firsts, self.rest, self.random_state = n_init, max_iter, firsts, rest, random_state

    def first(self, rows, seed, start):
        return {"where": self.firsts[start]}

    def states(self, rows, since=None):
        def passes(state):
            while True:
                where = state.where / 2
                most = {"passes": self.max_iter, "starts": self.starts()}
                state = state.after(where, where <= self.rest, **most, where=where)
                yield state

        yield from self.each_start(rows, passes, since)

    def attributes(self, state, rows):
        return {"where_": state.best().where}


class Ascent(Descent):
    State = Height


def ends(model):
    *_, last = model.states(None)
    return last


def test_the_lowest_is_kept():
    """Of ends at 1, 1 and 0.75 the last is kept, and all three were counted."""
    states = list(Descent().states(None))
    assert [state.start for state in states] == [0] * 4 + [1] * 3 + [2] * 4
    assert [state.iteration for state in states] == list(range(11))
    assert [state.settled for state in states] == [False] * 10 + [True]
    assert states[-1].best().where == 0.75
    assert states[-1].best().log.tolist() == [3.0, 1.5, 0.75]


def test_the_first_of_equal_ones_is_kept():
    """A later start has to be better, not as good."""
    last = ends(Descent(firsts=(8.0, 4.0, 4.0)))
    assert last.best().log.tolist() == [4.0, 2.0, 1.0]


def test_the_highest_is_kept_of_likelihoods():
    """Where the highest is the best, the objective is its opposite."""
    last = ends(Ascent())
    assert last.best().where == 1.0
    assert last.best().log.tolist() == [4.0, 2.0, 1.0]
    assert last.objective == -0.75


def test_under_way():
    """The start under way is the best as soon as it is better, even before it is over; not before its first pass."""
    for state in Descent(firsts=(8.0, 1.0, 6.0)).states(None):
        best = min([*state.log[-1:], *state.best_log[-1:]], default=np.inf)
        assert state.best().log[-1:].tolist() == ([best] if best < np.inf else [])


def test_settled_means_that_the_best_has_come_to_rest():
    """If the best start only ran out of passes, the whole has not settled; if another one did, it has."""
    assert not ends(Descent(max_iter=2, firsts=(8.0, 9.0, 6.0))).settled
    assert ends(Descent(max_iter=2, firsts=(8.0, 2.0, 6.0))).settled


def test_no_pass_at_all():
    """Without passes the first start is the answer."""
    (state,) = Descent(max_iter=0).states(None)
    assert state.settled
    assert state.best().where == 8.0


def test_max_iter_decides_between_starts():
    """With several starts, more passes may end elsewhere: max_iter belongs to the fingerprint of a checkpoint."""
    assert Descent().decisive() == {"max_iter"}
    assert Descent(n_init=1).decisive() == frozenset()
    assert Descent().most_states() == 33


@pytest.mark.parametrize("cls", WITH_STARTS, ids=lambda cls: cls.__name__)
def test_fields_are_kept(cls):
    """Every field of a best start belongs to a field of the start under way."""
    names = {field.name for field in fields(cls.State)}
    assert {"log", "still"} < {*cls.State.fields_of_best()} < names


def test_learners():
    """All learners whose starts are whole fits have them from here."""
    assert {cls.__name__ for cls in WITH_STARTS} == {
        *("KMeans", "FuzzyCMeans", "GaussianMixture", "KernelKMeans", "MixtureModel", "MDS"),
        *("BayesianNetwork", "HillClimbing"),
    }
