"""What `training` asks of the fits inside it: its arguments, the progress function and bar, its scope."""

import contextlib
import io
import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from aprendiz import KMeans, LogisticRegression, StandardScaler, training
from aprendiz.core.iteration import State

X = np.random.default_rng(0).normal(size=(400, 3))
Y = X[:, 0] + np.random.default_rng(1).normal(size=400) > 0


def model():
    return KMeans(5, random_state=0, tol=0)


def fit_inside(**options):
    with training(**options):
        return model().fit(X)


def open_files():
    """The files that this process has open, where the system tells."""
    found = set()
    for descriptor in Path("/proc/self/fd").glob("*"):
        with contextlib.suppress(OSError):  # closed meanwhile
            found.add(os.readlink(descriptor))
    return found


# ---- arguments -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [-1, -0.001, float("nan"), "soon", [1]])
def test_budget_refused(budget):
    """A budget that is no number of seconds is refused by name and value, before anything is fitted."""
    with pytest.raises((ValueError, TypeError), match="budget") as error:
        fit_inside(budget=budget)
    assert repr(budget) in str(error.value)


@pytest.mark.parametrize("every", [-1.0, float("nan"), "often"])
def test_every_refused(tmp_path, every):
    """So is an interval between checkpoints."""
    with pytest.raises((ValueError, TypeError), match="every") as error:
        fit_inside(checkpoint=tmp_path, every=every)
    assert repr(every) in str(error.value)


@pytest.mark.parametrize("progress", ["yes", 3, [print]])
def test_progress_refused(progress):
    """Progress is True, False or a function; anything else is refused by name and value."""
    with pytest.raises((ValueError, TypeError), match="progress") as error:
        fit_inside(progress=progress)
    assert repr(progress) in str(error.value)


def test_checkpoint_is_a_file(tmp_path):
    """A checkpoint folder that is a file is refused with its name."""
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    with pytest.raises(ValueError, match=r"notes\.txt.*folder"):
        fit_inside(checkpoint=file)
    assert file.read_text() == "mine"


def test_only_by_keyword():
    """Arguments have names: training(60) could mean anything."""
    with pytest.raises(TypeError), training(60):
        pass


def test_folder_is_made(tmp_path):
    """The folder of checkpoints is made, with its parents; a finished fit leaves one whole file in it."""
    folder = tmp_path / "a" / "b"
    fit_inside(checkpoint=str(folder))
    assert [file.suffix for file in folder.iterdir()] == [".npz"]


def test_unreadable_checkpoint(tmp_path):
    """A checkpoint that was damaged is refused with its name and the remedy."""
    fit_inside(checkpoint=tmp_path)
    (file,) = tmp_path.iterdir()
    for damage in (b"", b"nothing of the kind", file.read_bytes()[:100]):
        file.write_bytes(damage)
        with pytest.raises(ValueError, match="remove it") as error:
            fit_inside(checkpoint=tmp_path)
        assert file.name in str(error.value)
        del error
        assert str(file) not in open_files()


def test_budget_of_nothing():
    """A budget of 0 seconds leaves a usable model, says why it stopped, and warns with the remedy."""
    with pytest.warns(ConvergenceWarning, match="time budget is spent"):
        fitted = fit_inside(budget=0)
    assert fitted.cluster_centers_.shape == (5, 3)
    assert "budget" in fitted.stopped_
    assert fitted.predict(X).shape == (400,)


def test_plenty_of_budget_changes_nothing():
    """Inside a generous `training` a fit has the bits it has outside."""
    assert np.array_equal(fit_inside(budget=1e9).cluster_centers_, model().fit(X).cluster_centers_)


# ---- progress --------------------------------------------------------------------------------------------------------


def test_progress_function():
    """The function is called with the learner and each state, in order, from state 0 to the last."""
    seen = []
    with training(progress=lambda learner, state: seen.append((learner, state))):
        fitted = model().fit(X)
    assert all(learner is fitted for learner, _ in seen)
    assert all(isinstance(state, State) for _, state in seen)
    assert [state.iteration for _, state in seen] == list(range(len(seen)))
    assert [state.settled for _, state in seen] == [False] * (len(seen) - 1) + [True]
    assert len(seen) == len(list(model().steps(X)))


def test_state_cannot_be_changed():
    """What a progress function is shown, it cannot spoil."""

    def spoil(_, state):
        state.centers[:] = 0

    with pytest.raises(ValueError, match="read-only"), training(progress=spoil):
        model().fit(X)


def test_error_of_the_progress_function():
    """An error of the function ends the fit and comes out; the learner is not left half-fitted, and `training` is over."""

    def fail(_, state):
        if state.iteration == 2:
            raise ZeroDivisionError

    learner = model()
    with pytest.raises(ZeroDivisionError), training(progress=fail):
        learner.fit(X)
    assert not hasattr(learner, "cluster_centers_")
    assert learner.fit(X).stopped_ == "converged"


def test_scope():
    """Only fits inside are watched; the inner of two `training`s is the one that counts, and the outer one comes back."""
    inner, outer = [], []
    with training(progress=lambda *_: outer.append(1)):
        model().fit(X)
        before = len(outer)
        with training(progress=lambda *_: inner.append(1)):
            model().fit(X)
        assert len(outer) == before == len(inner)
        model().fit(X)
        assert len(outer) == 2 * before
    model().fit(X)
    assert len(outer) == 2 * before


def test_scope_is_a_thread():
    """Fits of other threads are not covered."""
    seen = []
    with training(progress=lambda *_: seen.append(1)):
        thread = threading.Thread(target=lambda: model().fit(X))
        thread.start()
        thread.join()
    assert seen == []


def test_one_pass_learners_are_not_disturbed():
    """A learner of one pass has no states; `training` lets it be."""
    seen = []
    with training(progress=lambda *_: seen.append(1), budget=0):
        StandardScaler().fit(X)
    assert seen == []


@pytest.fixture
def console(monkeypatch):
    """A terminal that is a string."""
    from rich.console import Console

    text = io.StringIO()
    terminal = Console(file=text, force_terminal=True, width=120)
    monkeypatch.setattr("rich.progress.get_console", lambda: terminal)
    return text


def test_progress_bar(console):
    """The bar names each learner, counts its passes and shows its objective."""
    with training(progress=True):
        model().fit(X)
        LogisticRegression().fit(X, Y)
    shown = console.getvalue()
    assert "KMeans" in shown
    assert "LogisticRegression" in shown
    *_, last = model().steps(X)
    assert f"objective {last.objective:.6g}" in shown
    assert f"{last.iteration}/{last.iteration}" in shown  # it ends full, though it could have taken 300


def test_progress_bar_of_a_second_fit(console):
    """Fitting the same learner twice shows two lines."""
    with training(progress=True):
        learner = model()
        learner.fit(X)
        learner.fit(X)
    last = console.getvalue().rsplit("\x1b[2K", 2)[-2:]
    assert "".join(last).count("KMeans") == 2


def test_progress_bar_is_over_afterwards(console):
    """Nothing is written once `training` is over."""
    with training(progress=True):
        model().fit(X)
    before = console.getvalue()
    model().fit(X)
    assert console.getvalue() == before


def test_progress_bar_without_rich(monkeypatch):
    """Without rich the error names what to install."""
    for name in list(sys.modules):
        if name == "rich" or name.startswith("rich."):
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    with pytest.raises(ModuleNotFoundError, match=r"aprendiz\[lab\]"):
        fit_inside(progress=True)
