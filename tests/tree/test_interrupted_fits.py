"""Ctrl-C while trees grow: a KeyboardInterrupt, whatever kernel it meets."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from aprendiz import AdaBoostClassifier, DecisionTreeClassifier, RandomForestClassifier
from aprendiz.compilation.compiled import interruptible

X = np.random.default_rng(0).normal(size=(20_000, 6))
Y = np.random.default_rng(1).integers(0, 2, len(X))


PATIENCE = 60  # seconds: many times what a signal takes


@pytest.fixture
def handled():
    """A signal raises KeyboardInterrupt, also where the tests were started by a program that ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def fit_again_and_again(model, done):
    end = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < end:
            model.fit(X, Y)
    finally:
        done.set()


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeClassifier(exact=True),
        DecisionTreeClassifier(exact=False),
        RandomForestClassifier(5, random_state=0),
        AdaBoostClassifier(DecisionTreeClassifier(max_depth=3, exact=False), n_estimators=5),
    ],
    ids=["exact", "binned", "forest", "boosting"],
)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of a signal that Python loses
def test_a_real_signal(model, handled):
    """The signal arrives in the middle of one of many fits; the model can be fitted afterwards. Python loses a signal that
    comes while it calls back for a weak reference, so that it is pressed again, as a user would."""
    model.fit(X[:3000], Y[:3000])
    done = threading.Event()

    def press():
        while not done.wait(0.3):
            os.kill(os.getpid(), signal.SIGINT)
            done.wait(3.0)

    signals = threading.Thread(target=press)
    signals.start()
    with pytest.raises(KeyboardInterrupt):
        fit_again_and_again(model, done)
    signals.join()
    assert model.fit(X[:3000], Y[:3000]).score(X[:3000], Y[:3000]) > 0.5


@pytest.mark.parametrize("links", [1, 2, 3])
def test_a_signal_under_other_errors(links):
    """However many errors of the interpreter lie on top of it; one without a signal stays what it is."""

    def failing(first):
        error = first
        for _ in range(links):
            try:
                raise SystemError from error
            except SystemError as above:
                error = above
        raise error

    with pytest.raises(KeyboardInterrupt):
        interruptible(failing, KeyboardInterrupt())
    with pytest.raises(SystemError):
        interruptible(failing, ValueError())
