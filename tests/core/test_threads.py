"""The ordered map: what every learner leans on when it works on several threads."""

import _thread
import ast
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import aprendiz
from aprendiz.core import threads as threads_module
from aprendiz.core.threads import SharedWork, num_threads, ordered_map, scratch

from .patience import PATIENCE, in_time


@pytest.fixture(params=[1, 2, 4])
def threads(request, monkeypatch):
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(request.param))
    return request.param


@pytest.fixture
def four(monkeypatch):
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "4")


def eventually(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the condition never came true"
        time.sleep(0.001)


# ---- the only place --------------------------------------------------------------------------------------------------

PARALLEL = {"_thread", "asyncio", "concurrent", "dask", "distributed", "joblib", "loky", "multiprocessing", "subprocess"}
PARALLEL |= {"sklearn.utils.parallel", "threading", "threadpoolctl"}
ELSEWHERE = {  # what other files take from these modules, and why that is no second place
    "core/blas.py": {"concurrent", "threading", "threadpoolctl"},  # the thread that governs BLAS, and a count of holders
    "compilation/compiled.py": {"threading"},  # a lock while a kernel is decorated
    "core/sources/dask.py": {"dask", "distributed"},  # tasks of collections, run by the user's scheduler
    "cluster/agglomerative_clustering.py": {"joblib"},  # `memory`, a cache on disk
    "selection/search/inner_folds.py": {"joblib"},  # `n_jobs`, as in scikit-learn: fits of any estimator
    "linear/shared/binary_problems.py": {"sklearn.utils.parallel"},  # `n_jobs`, as in scikit-learn: fits of any estimator
    "lab/formats/statistical.py": {"subprocess"},  # a damaged file may end the process that reads it
    "lab/time_limit.py": {"threading"},  # the clock of `--budget`
    "persistence/check_rows.py": {"joblib"},  # other people's estimators held to one thread
}


def parallel_modules(tree):
    """The modules above that a file imports, and loops that Numba would run in parallel."""
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    names |= {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
    found = {module for module in PARALLEL for name in names if name == module or name.startswith(f"{module}.")}
    found |= {"prange" for node in ast.walk(tree) if getattr(node, "id", getattr(node, "attr", "")) == "prange"}
    return found | {"parallel=" for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "parallel"}


def test_nothing_else_is_parallel():
    """Threads are made in core/threads.py alone; kernels run on the thread that calls them."""
    root = Path(aprendiz.__file__).parent
    sources = {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8") for file in sorted(root.rglob("*.py"))}
    words = re.compile("|".join([*map(re.escape, PARALLEL), "prange", "parallel"]))
    found = {file: parallel_modules(ast.parse(text)) for file, text in sources.items() if words.search(text)}
    assert found.pop("core/threads.py") == {"concurrent", "joblib", "threading"}
    assert {file: modules for file, modules in found.items() if modules} == ELSEWHERE


def test_the_rule_is_noticed():
    """What would be a second place is found, wherever it stands in a file."""
    source = "def f():\n    from concurrent.futures import thread\n    import numba\n    return numba.prange, g(parallel=True)"
    assert parallel_modules(ast.parse(source)) == {"concurrent", "prange", "parallel="}
    assert parallel_modules(ast.parse("from sklearn.utils.parallel import Parallel")) == {"sklearn.utils.parallel"}
    assert not parallel_modules(ast.parse("import threadings, numpy\nfrom aprendiz.core.threads import ordered_map"))


# ---- how many threads ------------------------------------------------------------------------------------------------


def test_num_threads_asked_for(monkeypatch):
    """APRENDIZ_NUM_THREADS decides alone."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "7")
    assert num_threads() == 7


def test_num_threads_capped(monkeypatch):
    """OMP_NUM_THREADS caps the number of cores and never raises it."""
    monkeypatch.delenv("APRENDIZ_NUM_THREADS", raising=False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    cores = num_threads()
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert num_threads() == 1
    monkeypatch.setenv("OMP_NUM_THREADS", str(cores + 10))
    assert num_threads() == cores


@pytest.mark.parametrize("wrong", ["0", "-1", "two", "1.5", " "])
def test_num_threads_refused(monkeypatch, wrong):
    """A number of threads that is none is refused with the name of the variable and its value."""
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", wrong)
    with pytest.raises(ValueError, match="APRENDIZ_NUM_THREADS") as error:
        num_threads()
    assert repr(wrong) in str(error.value)


# ---- the ordered map -------------------------------------------------------------------------------------------------


def test_order_is_kept(threads):
    """Results come in the order of the items, whoever is done first."""
    pauses = random.Random(0)

    def slow(item):
        time.sleep(pauses.choice([0.0, 0.001, 0.004]))
        return item * item

    assert list(ordered_map(slow, range(100))) == [i * i for i in range(100)]


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_items(threads, count):
    """No item, one item, fewer items than threads: nothing is lost or invented."""
    assert list(ordered_map(str, iter(range(count)))) == [str(i) for i in range(count)]


def test_works_side_by_side(four):
    """Several items are really computed at the same time: four meet at a barrier."""
    barrier = threading.Barrier(4)

    def meet(item):
        barrier.wait(PATIENCE)
        return item

    assert in_time(lambda: list(ordered_map(meet, range(4)))) == [0, 1, 2, 3]


def test_single_item_stays_with_the_caller(four):
    """One item is computed by the thread that asks for it."""
    assert list(ordered_map(lambda _: threading.get_ident(), [0])) == [threading.get_ident()]


def test_items_in_flight_are_bounded(threads):
    """At most 2 × threads items are taken and not yet given out; with helpers, that many really are."""
    taken = []

    def items():
        for i in range(60):
            taken.append(i)
            yield i

    results = ordered_map(lambda i: i, items())
    for received, _ in enumerate(results, start=1):
        if threads > 1:
            eventually(lambda: len(taken) in (60, received + 2 * threads))  # noqa: B023  used within this turn
        time.sleep(0.002)  # whoever would take one more has the time to
        assert len(taken) - received <= 2 * threads


def test_error_of_the_function(threads):
    """An error of the function arrives in its place: all results before it have been given out."""

    def picky(item):
        if item == 17:
            raise ZeroDivisionError("item 17")
        return item

    received = []
    with pytest.raises(ZeroDivisionError, match="item 17"):
        received.extend(ordered_map(picky, range(50)))
    assert received == list(range(17))


@pytest.mark.parametrize("length", [0, 1, 2, 9])
def test_error_of_the_items(threads, length):
    """An error of whoever gives the items arrives after the results of the items before it."""

    def items():
        yield from range(length)
        raise OSError("the disk is gone")

    received = []
    with pytest.raises(OSError, match="the disk is gone"):
        received.extend(ordered_map(lambda i: i, items()))
    assert received == list(range(length)) or (length == 1 and received == [])  # two items are asked for before any work


def test_usable_after_an_error(four):
    """An error leaves no thread behind that waits: the next maps work."""
    for _ in range(20):
        with pytest.raises(ZeroDivisionError):
            list(ordered_map(lambda i: 1 // (i - 3), range(10)))
    assert in_time(lambda: list(ordered_map(abs, range(100)))) == list(range(100))


def test_stop_iteration_inside_the_function(four):
    """A StopIteration that escapes from the function is an error, not a quiet end."""

    def empty(item):
        if item == 5:
            return next(iter(()))
        return item

    with pytest.raises(RuntimeError):
        list(ordered_map(empty, range(10)))


def test_nested_in_the_function(threads):
    """A map inside the function of a map does not wait for itself."""

    def inner(i):
        return sum(ordered_map(lambda j: i * j, range(10)))

    assert in_time(lambda: list(ordered_map(inner, range(20)))) == [45 * i for i in range(20)]


def test_nested_in_the_items(threads):
    """A map that feeds a map does not wait for it."""

    def items():
        for i in range(20):
            yield sum(ordered_map(lambda j: i * j, range(10)))  # noqa: B023  used within this turn

    assert in_time(lambda: list(ordered_map(lambda v: v, items()))) == [45 * i for i in range(20)]


def test_chained_maps(threads):
    """A map of a map of a map, all lazy, gives the composition."""
    chained = ordered_map(lambda v: v * 2, ordered_map(lambda v: v + 1, ordered_map(lambda v: v * v, range(30))))
    assert in_time(lambda: list(chained)) == [2 * (i * i + 1) for i in range(30)]


def test_many_maps_at_once(four):
    """Maps of several threads share the helpers without getting in each other's way."""
    answers = [None] * 6

    def run(number):
        answers[number] = list(ordered_map(lambda i: (time.sleep(0.0005), number * i)[1], range(60)))

    callers = [threading.Thread(target=run, args=(n,), daemon=True) for n in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(PATIENCE)
    assert answers == [[n * i for i in range(60)] for n in range(6)]


def test_closed_early(four):
    """Whoever stops listening stops the helpers: no item is taken afterwards, and no function is running."""
    taken, running = [], []

    def items():
        i = 0
        while True:
            taken.append(i)
            yield i
            i += 1

    def work(item):
        running.append(item)
        time.sleep(0.001)
        running.remove(item)
        return item

    results = ordered_map(work, items())
    assert [next(results), next(results)] == [0, 1]
    results.close()
    assert running == []
    before = len(taken)
    time.sleep(0.02)
    assert len(taken) == before <= 2 + 2 * 4


def test_never_started(four):
    """A map that nobody asks for takes nothing."""
    taken = []
    results = ordered_map(taken.append, range(10))
    results.close()
    assert taken == []


def test_keyboard_interrupt_of_a_worker(four):
    """A KeyboardInterrupt raised while an item is computed reaches the caller."""

    def work(item):
        if item == 7:
            raise KeyboardInterrupt
        return item

    with pytest.raises(KeyboardInterrupt):
        list(ordered_map(work, range(1000)))


def test_keyboard_interrupt_of_the_user(four):
    """Ctrl-C while the map waits or works ends it at once, with its helpers."""
    started, running = [], {}

    def work(item):
        running[threading.current_thread()] = True
        started.append(item)
        if item == 20:
            _thread.interrupt_main()
        time.sleep(0.002)
        running[threading.current_thread()] = False
        return item

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in ordered_map(work, range(5000)):
                pass
    finally:
        signal.signal(signal.SIGINT, before)
    running.pop(threading.main_thread(), None)  # the interrupt may have arrived inside the function
    assert not any(running.values())
    assert len(started) < 5000


def test_scratch_is_of_its_thread(four):
    """Scratch arrays have the shape asked for and are shared by no two threads."""
    assert scratch(3, 5).shape == (3, 5)
    barrier = threading.Barrier(4)

    def own(item):
        mine = scratch(64, 64)
        mine[:] = item
        barrier.wait(PATIENCE)
        return bool((mine == item).all())

    assert in_time(lambda: list(ordered_map(own, range(4)))) == [True] * 4


STOPS = """
import numpy as np
from aprendiz.core.sources.arrays import ArrayRows

class Heavy:
    def __add__(self, other):
        raise MemoryError("no room")

ArrayRows(np.zeros((100_000, 8))).sum(lambda block: Heavy())
"""


def test_a_process_ends_after_an_error():
    """Where adding up fails, not computing, helpers do not wait for ever for more to do."""
    done = subprocess.run([sys.executable, "-c", STOPS], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "MemoryError: no room" in done.stderr


def test_a_helper_without_memory_ends_the_work(four, monkeypatch):
    """Where a helper fails in waiting, not in computing, the others do not do all of the work first."""
    has_room, done = SharedWork.has_room, []

    def fails(self):
        if threading.current_thread() is not threading.main_thread():
            raise MemoryError("no room to wait")
        return has_room(self)

    def slow(item):
        done.append(item)
        time.sleep(0.002)

    monkeypatch.setattr(SharedWork, "has_room", fails)
    with pytest.raises(MemoryError, match="no room to wait"):
        list(ordered_map(slow, range(1000)))
    assert len(done) < 500


def test_no_memory_does_not_wait_for_its_turn(four):
    """A MemoryError is raised though items before it are not done: what they wait for may never come."""
    failed = threading.Event()

    def computed(item):
        if item == 3:
            failed.set()
            raise MemoryError("item 3")
        assert failed.wait(PATIENCE)
        return item

    received = []
    with pytest.raises(MemoryError, match="item 3"):
        received.extend(ordered_map(computed, range(100)))
    assert received == []


def test_threads_that_cannot_be_started(four, monkeypatch):
    """The helpers that are there already are let go."""

    class Pool:
        def submit(self, work):
            if started:
                raise RuntimeError("can't start new thread")
            started.append(threading.Thread(target=work, daemon=True))
            started[0].start()
            return SimpleNamespace(cancel=lambda: False, result=started[0].join)

    started = []
    monkeypatch.setattr(threads_module, "_pool", lambda threads: Pool())
    with pytest.raises(RuntimeError, match="new thread"):
        in_time(lambda: list(ordered_map(abs, range(10**9))))
    assert not started[0].is_alive()


FORKS = """
import os, sys, threading, time
import numpy as np
from numba.core.compiler_lock import global_compiler_lock
from aprendiz.core import blas, threads
from aprendiz.compilation import compiled
from aprendiz.core.sources.arrays import ArrayRows

X = np.ones((40_000, 8))
total = lambda: ArrayRows(X).sum(lambda block: block.X.sum())
with blas.single_blas():
    assert total() == X.size  # the pools are there
held, enough = threading.Event(), threading.Event()

def at_work():
    "A thread in the middle of everything: it has the locks, and lets go of those for which a fork waits."
    with threads._pools_lock, blas._holders_lock:
        with global_compiler_lock, compiled._decorating:
            held.set()
            time.sleep(0.2)
        enough.wait()

worker = threading.Thread(target=at_work)
worker.start()
held.wait()
child = os.fork()
if child == 0:
    with blas.single_blas():
        right = total() == X.size and len(threads._pools) == 1 and len(blas._holders) == 1
    with global_compiler_lock, compiled._decorating:
        os._exit(0 if right and len(blas._holders) == 0 else 3)
enough.set()
worker.join()
end = time.monotonic() + 30
while not (ended := os.waitpid(child, os.WNOHANG))[0]:
    if time.monotonic() > end:
        os.kill(child, 9)
    time.sleep(0.01)
assert total() == X.size
sys.exit(os.waitstatus_to_exitcode(ended[1]) != 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_child_of_a_process_at_work():
    """A fork while other threads are at work: the child has its own pools and free locks, and does not wait for ever."""
    script = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKS]
    done = subprocess.run(
        script, capture_output=True, text=True, timeout=90, check=False, env={**os.environ, "APRENDIZ_NUM_THREADS": "4"}
    )
    assert done.returncode == 0, done.stderr
