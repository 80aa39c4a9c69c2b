"""The hold on BLAS: one thread inside, whoever asks, and as many as before outside."""

import multiprocessing
import random
import threading
import time
import warnings

import pytest
import scipy.linalg.blas  # noqa: F401  SciPy's BLAS must be loaded before its threads are counted
from threadpoolctl import ThreadpoolController, threadpool_info, threadpool_limits

from aprendiz.core.blas import single_blas
from aprendiz.core.threads import ordered_map

from .patience import PATIENCE, in_time


@pytest.fixture
def four(monkeypatch):
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "4")


def blas_threads():
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.fixture
def usual():
    """BLAS on two threads, whatever it has in the other tests: every test must leave it so."""
    libraries = ThreadpoolController().select(user_api="blas")

    def free():
        """Let any thread govern OpenBLAS."""
        for library in libraries.lib_controllers:
            if library.internal_api == "openblas":
                library.clear_controlling_thread(force=True)

    free()
    limit = libraries.limit(limits=2)
    free()
    if blas_threads() != {2}:
        pytest.skip("BLAS cannot have two threads on this machine: there is nothing to hold")
    yield {2}
    assert blas_threads() == {2}
    free()
    limit.restore_original_limits()
    free()


def test_held_and_restored(usual):
    """BLAS is on one thread inside, on as many as before outside."""
    with single_blas():
        assert blas_threads() == {1}
    assert blas_threads() == usual


def test_small_work_is_left_alone(usual):
    """Below 2¹⁸ multiplications nothing is held; from there on it is."""
    with single_blas(2**18 - 1):
        assert blas_threads() == usual
    with single_blas(2**18):
        assert blas_threads() == {1}


def test_restored_after_an_error(usual):
    """An error inside restores BLAS too."""
    with pytest.raises(ZeroDivisionError), single_blas():
        raise ZeroDivisionError
    assert blas_threads() == usual


def test_nested_holds(usual):
    """Only the outermost hold restores."""
    with single_blas():
        with single_blas():
            assert blas_threads() == {1}
        assert blas_threads() == {1}


def test_overlapping_holds(usual):
    """Two threads whose holds overlap: one thread for BLAS until the last one lets go."""
    held, let_go, seen = threading.Event(), threading.Event(), []

    def other():
        with single_blas():
            held.set()
            let_go.wait(PATIENCE)
            seen.append(blas_threads())

    thread = threading.Thread(target=other, daemon=True)
    with single_blas():
        thread.start()
        assert held.wait(PATIENCE)
    seen.append(blas_threads())  # the first one has let go, the other has not
    let_go.set()
    thread.join(PATIENCE)
    assert seen == [{1}, {1}]
    assert blas_threads() == usual


def test_many_holders(usual):
    """Threads that come and go at random: one thread for BLAS whenever somebody holds it."""
    seen, chance = set(), random.Random(0)

    def come_and_go():
        for _ in range(15):
            with single_blas():
                time.sleep(chance.random() * 0.002)
                seen.update(blas_threads())

    holders = [threading.Thread(target=come_and_go, daemon=True) for _ in range(5)]
    for holder in holders:
        holder.start()
    for holder in holders:
        holder.join(PATIENCE)
    assert seen == {1}


def test_inside_a_limit_of_the_user(usual):
    """A limit that the user holds with threadpoolctl comes back after ours, and the usual number after theirs."""
    with threadpool_limits(2, user_api="blas"):
        with single_blas():
            assert blas_threads() == {1}
        assert blas_threads() == {2}
    with threadpool_limits(1, user_api="blas"):
        with single_blas():
            assert blas_threads() == {1}
        assert blas_threads() == {1}


def test_limit_of_the_user_inside(usual):
    """A limit that the user sets and leaves inside our hold leaves it as it was."""
    with single_blas():
        with threadpool_limits(2, user_api="blas"):
            pass
        assert blas_threads() == {1}


def test_limit_of_another_thread(usual):
    """The user's limit was set by one thread, our hold is asked for by another one."""
    seen = []

    def other():
        with single_blas():
            seen.append(blas_threads())

    with threadpool_limits(2, user_api="blas"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(PATIENCE)
        assert blas_threads() == {2}
    assert seen == [{1}]


def test_user_governs_again_afterwards(usual):
    """After a hold the user's own limits work from any thread."""
    with single_blas():
        pass
    seen = []

    def limit():
        with threadpool_limits(1, user_api="blas"):
            seen.append(blas_threads())
        seen.append(blas_threads())

    limit()
    thread = threading.Thread(target=limit)
    thread.start()
    thread.join(PATIENCE)
    assert seen == [{1}, usual, {1}, usual]


def test_workers_find_it_held(usual, four):
    """Inside a map whose caller holds BLAS, a hold of a worker changes nothing and does not wait."""

    def work(_):
        with single_blas():
            return blas_threads()

    def run():
        with single_blas():
            return list(ordered_map(work, range(20)))

    assert in_time(run) == [{1}] * 20


# ---- children --------------------------------------------------------------------------------------------------------


def answer_of_a_map(queue):
    with single_blas():
        queue.put((list(ordered_map(lambda i: i * i, range(100))), blas_threads()))


def in_a_fork():
    """What a forked child says of a map inside a hold on BLAS."""
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=answer_of_a_map, args=(queue,))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 and later warn of forks with threads
        child.start()
    try:
        return queue.get(timeout=PATIENCE)
    finally:
        child.join(1.0)
        child.kill()
        child.join()


needs_fork = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system does not fork")


@needs_fork
def test_after_a_fork(four):
    """A forked child has its own helpers and its own hold on BLAS; those of its parent are only copies that do not run."""
    squares = [i * i for i in range(100)]
    with single_blas():
        assert list(ordered_map(lambda i: i * i, range(100))) == squares
    assert in_a_fork() == (squares, {1})


@needs_fork
def test_forked_while_blas_is_held(four):
    """A child forked during a fit of its parent works, with BLAS on one thread."""
    with single_blas():
        assert in_a_fork() == ([i * i for i in range(100)], {1})
