"""What a certificate promises: names, words, and that nothing of it can be changed."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import aprendiz
from aprendiz.core.certificate import Certificate

GOOD = Certificate("the gap is small", True, {"gap": 1e-9, "passes": 7, "separated": False})


def test_values_are_attributes():
    """The numbers can be read by their names."""
    assert GOOD.gap == 1e-9
    assert GOOD.passes == 7
    assert GOOD.separated is False


def test_unknown_names():
    """A name that is not there is an AttributeError, so that hasattr and copy work."""
    with pytest.raises(AttributeError, match="slope"):
        _ = GOOD.slope
    assert not hasattr(GOOD, "slope")


def test_in_words():
    """As text it says whether the claim holds, what it is, and each number by its name."""
    assert str(GOOD) == "holds: the gap is small (gap = 1e-09, passes = 7, separated = False)"
    assert str(Certificate("the gap is small", False, {"gap": 0.5})) == "DOES NOT HOLD: the gap is small (gap = 0.5)"


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))])
def test_copies(way):
    """Copies and pickles are equal to the original."""
    assert way(GOOD) == GOOD


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c)), lambda c: c])
def test_later(way):
    """A certificate that is found later is found once, when it is looked at, and is like any other."""
    calls = []
    late = Certificate.later(lambda: calls.append(1) or GOOD)
    assert calls == []
    late = way(late)
    assert (late, late.gap, str(late), hasattr(late, "slope")) == (GOOD, GOOD.gap, str(GOOD), False)
    assert calls == [1]
    with pytest.raises(FrozenInstanceError):
        late.holds = False


def test_frozen():
    """Evidence is not edited."""
    with pytest.raises(FrozenInstanceError):
        GOOD.holds = False


@pytest.mark.parametrize("name", [name for name, _ in aprendiz.all_learners()])
def test_of_every_learner(name, suited):
    """Every fit carries a certificate that holds on easy data, with at least one number, in a line that can be read."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(250, 4))  # more values in a column would be for other kernels of trees, which test_growth.py has
    cls = getattr(aprendiz, name)
    noise = rng.normal(size=250)
    y = {"none": None, "numbers": X[:, 0] + noise, "classes": X[:, 0] + 0.3 * noise > 0}[cls.target]
    known = cls().get_params()
    settings = {"random_state": 0, "n_components": 3} if "retry" in known else {"random_state": 0}
    settings |= {"tol": 1e-2} if "nesterovs_momentum" in known else {}  # in 200 epochs
    settings |= {"learning_rate_init": 0.02} if "nesterovs_momentum" in known and cls.target == "none" else {}
    model = cls(**settings) if "random_state" in known else cls(**({"k": 2} if "k" in known else {}))
    certificate = model.fit(suited(cls, X), y).certificate_
    assert certificate.holds
    assert certificate.values
    assert certificate.claim in str(certificate)
    assert "\n" not in str(certificate)
    assert len(str(certificate)) < 500


def test_does_not_hold_where_it_should_not():
    """A fit that merely stopped has a certificate that says so."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = X @ [3.0, -2.0, 1.0] + rng.normal(size=200) > 0
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model = aprendiz.LogisticRegression(C=100.0, max_iter=1, tol=1e-10).fit(X, y)
    assert not model.certificate_.holds
    assert str(model.certificate_).startswith("DOES NOT HOLD")


def test_ill_conditioned_columns_do_not_hold():
    """Least squares with columns that agree in all but the last digits promises few digits, and says that it does not hold."""
    t = np.linspace(0, 1, 50)
    X = np.column_stack([t, t + 1e-15 * np.cos(40 * t)])
    model = aprendiz.LinearRegression().fit(X, t)
    assert model.certificate_.rank < 2 or model.certificate_.digits < 8
