"""An interrupt, or too little memory, at any moment of a fit: it ends at once, and the learner is as it was before, or whole.

A moment is a call that the fit makes, to a function of aprendiz or from one of them. The calls are counted (`sys.setprofile`),
and the fit is repeated with an exception at some of them, at the last ones too, where its attributes are set. One learner for
each way through the rows stands for all.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import warnings
from contextlib import contextmanager
from inspect import CO_GENERATOR
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from laws.conftest import short_blocks  # noqa: F401  a fixture
from laws.subjects import AT_LARGE, every, of_each_family

import aprendiz
from aprendiz.core.threads import SharedWork
from hostile.attack import NAMES, answers, good, make, report, target, to_run, unsound

SOURCE = str(Path(aprendiz.__file__).parent)
PLACES = (0.02, 0.3, 0.6, 0.9)  # shares of the calls of a fit, beside the last ones
LOCKS = ("__enter__", "__exit__", "acquire", "release")  # Python lets nothing come between a lock and the block that it guards
SECONDS = 20  # far more than a fit of sixty rows takes

pytestmark = pytest.mark.filterwarnings("ignore")  # a fit that is interrupted warns that it did not converge


@contextmanager
def moments(happen):
    """Call `happen(number)` at each moment of this thread. (Where a generator goes on, an exception of a profiler would pass by
    its `finally`, as no interrupt does.)"""
    count = 0

    def watch(frame, event, argument):
        nonlocal count
        if not frame.f_code.co_filename.startswith(SOURCE):
            return
        if (event == "call" and not frame.f_code.co_flags & CO_GENERATOR) or (
            event == "c_call" and argument.__name__ not in LOCKS
        ):
            count += 1
            happen(count)

    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(None)


def number_of_moments(fit):
    """How many there are, of a fit that has been done before: later ones import and compile nothing."""
    fit()
    last = 0

    def note(number):
        nonlocal last
        last = number

    with moments(note):
        fit()
    return last


def stopped_at(chosen, error, fit):
    """What a fit ends with that is stopped at a moment."""

    def stop(number):
        if number == chosen:
            raise error

    try:
        with moments(stop):
            fit()
    except BaseException as ended_with:
        return ended_with
    return None


def chosen_moments(last):
    return sorted({max(1, int(share * last)) for share in PLACES} | {last - back for back in (0, 2, 5, 9) if last > back})


def fault_of_stop(cls, error, *given):
    """The fault of a fit that is stopped at some moments, if there is one."""
    whole = make(cls).fit(*given)
    last = number_of_moments(lambda: make(cls).fit(*given))
    for moment in chosen_moments(last):
        model = make(cls)
        begin = time.monotonic()
        ended_with = stopped_at(moment, error(), lambda model=model: model.fit(*given))
        if time.monotonic() - begin > SECONDS:
            return f"at {moment} of {last}: took {time.monotonic() - begin:.0f} s"
        if ended_with is not None and not isinstance(ended_with, error):
            return f"at {moment} of {last}: {type(ended_with).__name__}: {ended_with}"
        if fault := partial(model, whole, good(cls)):
            return f"at {moment} of {last}: {fault}"
    return None


def partial(model, whole, X):
    """Is a learner something between not fitted and fitted?"""
    there, fitted, unfitted = (set(vars(one)) for one in (model, whole, type(whole)(**whole.get_params(deep=False))))
    if there == unfitted:
        return None
    if there != fitted:
        return f"partly fitted: {sorted(fitted - there)} are not there"
    return unsound(answers(model, X), len(X))


@every(AT_LARGE)
def test_interrupts(cls, short_blocks):  # noqa: F811
    """Ctrl-C: KeyboardInterrupt, and no other exception."""
    cases = to_run({"Ctrl-C": (good(cls), target(cls))})
    report(cls, {name: fault_of_stop(cls, KeyboardInterrupt, *given) for name, given in cases})


@every(of_each_family([cls for cls in AT_LARGE if "files" not in cls.exceptions]))
def test_interrupts_of_files(cls, short_blocks, tmp_path):  # noqa: F811
    """The same while a file is read."""
    path = tmp_path / "rows.parquet"
    frame = pd.DataFrame(good(cls), columns=NAMES)
    frame if target(cls) is None else frame.insert(3, "y", target(cls))
    frame.to_parquet(path, row_group_size=16)
    rows = aprendiz.rows(path, target=None if target(cls) is None else "y")
    cases = to_run({"Ctrl-C, file": (rows,)})
    report(cls, {name: fault_of_stop(cls, KeyboardInterrupt, *given) for name, given in cases})


@every(of_each_family(AT_LARGE))
def test_too_little_memory(cls):
    """An allocation that fails: MemoryError, and nothing is learned."""
    cases = to_run({"no memory": (good(cls), target(cls))})
    report(cls, {name: fault_of_stop(cls, MemoryError, *given) for name, given in cases})


@every(of_each_family(AT_LARGE))
def test_too_little_memory_of_a_helper(cls, short_blocks, monkeypatch):  # noqa: F811
    """A helper thread that has no memory ends the fit, at once."""
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "3")
    here, failed = threading.get_ident(), []
    work_once = SharedWork.work_once

    def fail_elsewhere(work):
        def function(item, usual=work.function):
            if threading.get_ident() == here:
                time.sleep(0.01)  # the helpers have a turn
                return usual(item)
            failed.append(item)
            raise MemoryError

        if not hasattr(work, "usual"):
            work.usual, work.function = work.function, function
        work_once(work)

    monkeypatch.setattr(SharedWork, "work_once", fail_elsewhere)
    model, begin = make(cls), time.monotonic()
    ended_with = stopped_at(0, MemoryError(), lambda: model.fit(good(cls), target(cls)))
    fault = None
    if failed and not isinstance(ended_with, MemoryError):
        fault = f"{ended_with!r} though a helper had no memory"
    elif failed and set(vars(model)) != set(vars(cls())):
        fault = "partly fitted"
    elif time.monotonic() - begin > SECONDS:
        fault = f"took {time.monotonic() - begin:.0f} s"
    report(cls, {"no memory of a helper": fault})


# ---- children --------------------------------------------------------------------------------------------------------


def fits_in_a_child(cls):
    """Does a forked process fit a learner, or wait for ever?"""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python's, of forks in processes with threads
        child = os.fork()
    if child == 0:
        try:
            make(cls).fit(good(cls), target(cls))
        finally:
            os._exit(0)
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if os.waitpid(child, os.WNOHANG)[0]:
            return True
        time.sleep(0.002)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return False


def test_forks(short_blocks, monkeypatch):  # noqa: F811
    """A process that is forked while another thread fits, at any moment of that fit, can fit."""
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "2")
    cls = aprendiz.KMeans
    last = number_of_moments(lambda: make(cls).fit(good(cls)))
    chosen = set(np.linspace(1, last, 6).astype(int).tolist())
    at_moment, go_on = threading.Semaphore(0), threading.Semaphore(0)

    def pause(number):
        if number in chosen:
            at_moment.release()
            go_on.acquire()

    def fit():
        with moments(pause):
            make(cls).fit(good(cls))

    thread = threading.Thread(target=fit)
    thread.start()
    waiting = []
    for moment in sorted(chosen):
        while not at_moment.acquire(timeout=0.05) and thread.is_alive():
            pass  # on its way; or at its end, where the helpers took more of the work than before
        if not thread.is_alive():
            break
        if not fits_in_a_child(cls):
            waiting.append(moment)
        go_on.release()
    thread.join(SECONDS)
    assert not thread.is_alive()
    assert waiting == [], f"children wait for ever after a fork at moments {waiting} of {last}"
