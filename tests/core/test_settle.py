"""A fit that is interrupted while it sets its attributes: it is as before or as after, never half of each."""

import sys

import numpy as np
import pandas as pd
import pytest

from aprendiz import BayesDecisionClassifier, CalibratedClassifierCV, Columns, GaussianNB, StandardScaler
from aprendiz.evaluation import Tuned
from aprendiz.lab import LevelColumns
from aprendiz.lab.levels import rows_of_levels

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(40, 2)), np.arange(40) % 2
NAMED = pd.DataFrame(X + 5.0, columns=["a", "b"])
WORDS = pd.DataFrame({"tree": ["oak", "ash"] * 4, "leaf": ["red", "green"] * 4})
FEWER = WORDS[WORDS["tree"] == "oak"]
COUNTS, FEWER_COUNTS = ([rows_of_levels(some, column) for column in Columns.of(WORDS)] for some in (WORDS, FEWER))
PAIRS = [CalibratedClassifierCV(GaussianNB(), cv=2).fit(table, Y).calibrated_classifiers_ for table in (NAMED, X)]

CASES = {  # what is made; its method; the first call and the second
    "StandardScaler": (StandardScaler, StandardScaler.settle, ({"a_": 1, "b_": 2}, {"b_": 3, "a_": 4, "c_": 5})),
    "names are removed": (
        StandardScaler,
        StandardScaler.settle,
        ({"feature_names_in_": "ab", "a_": 1}, {"feature_names_in_": None, "a_": 2}),
    ),
    "BayesDecisionClassifier": (
        lambda: BayesDecisionClassifier(GaussianNB()),
        BayesDecisionClassifier.fit,
        ((NAMED, Y), (X, Y + 1)),
    ),
    "CalibratedClassifierCV": (
        lambda: CalibratedClassifierCV(GaussianNB(), cv=2),
        CalibratedClassifierCV.keep,
        ((np.unique(Y), PAIRS[0]), (np.unique(Y), PAIRS[1])),
    ),
    "Tuned": (lambda: Tuned(GaussianNB(), {"var_smoothing": [1e-9]}, folds=2), Tuned.fit, ((X, Y), (X[:, :1], Y + 1))),
    "LevelColumns": (lambda: LevelColumns(Columns.of(WORDS)), LevelColumns.fit_counts, ((COUNTS,), (FEWER_COUNTS,))),
}


def called(model, method, given):
    method(model, *(given if isinstance(given, tuple) else (given,)))
    return model


def interrupt_at(step, method):
    """A tracer that presses Ctrl-C before the n-th line that a method comes to."""
    steps = iter(range(step + 1))

    def tracer(frame, event, argument):
        if frame.f_code is not method.__code__:
            return None
        if event == "line" and next(steps, None) == step:
            raise KeyboardInterrupt
        return tracer

    return tracer


def content(model):
    """The attributes, as text that tells any two apart."""
    return {name: repr(value if not hasattr(value, "__dict__") else vars(value)) for name, value in vars(model).items()}


@pytest.mark.parametrize("case", CASES)
def test_interrupted_at_any_line(case):
    make, method, (first, second) = CASES[case]
    before = content(called(make(), method, first))
    after = content(called(called(make(), method, first), method, second))
    assert before != after
    step, former = 0, sys.gettrace()
    while True:
        model = called(make(), method, first)
        sys.settrace(interrupt_at(step, method))
        try:
            called(model, method, second)
            break
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(former)
        assert content(model) in (before, after), step
        step += 1
    assert step > 2
