"""Threads: the only place in aprendiz where work is done in parallel.

    ordered_map(f, items)     f(item) for each item, in the order of the items, with a bounded number in flight

Rows go through it by themselves (`Rows.sum`, `Rows.each`). Work over other items (columns, folds, trees, pairs of rows) calls
it directly. Neither how the work is cut into items nor who computes them may show in the answer: it has the same bits for any
number of threads.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import chain, islice
from typing import Any, Generic, TypeVar

import numpy as np

Item = TypeVar("Item")
Result = TypeVar("Result")


def num_threads() -> int:
    """`APRENDIZ_NUM_THREADS` if set, else the cores this process may use, capped by `OMP_NUM_THREADS`."""
    wanted = os.environ.get("APRENDIZ_NUM_THREADS")
    if wanted:
        if not wanted.isdigit() or int(wanted) < 1:
            raise ValueError(f"APRENDIZ_NUM_THREADS must be a whole number of at least 1, got {wanted!r}.")
        return int(wanted)
    cores, cap = usable_cores(), os.environ.get("OMP_NUM_THREADS", "")
    return min(cores, int(cap)) if cap.isdigit() and int(cap) > 0 else cores


@cache
def usable_cores() -> int:
    """Cores this process may use, as joblib counts them (affinity, cgroups); asked once for each process."""
    from joblib import cpu_count

    return max(1, int(cpu_count()))


# ---- the ordered map -------------------------------------------------------------------------------------------------

_here = threading.local()
_pools: dict[int, ThreadPoolExecutor] = {}
_pools_lock = threading.Lock()


def _pool(threads: int) -> ThreadPoolExecutor:
    """One pool for each size."""
    with _pools_lock:
        if threads not in _pools:
            _pools[threads] = ThreadPoolExecutor(threads, "aprendiz")
        return _pools[threads]


def in_forked_children(renew: Callable[[], None]) -> None:
    """Call `renew` at the start of every forked child. Only the thread that forks goes on there: a lock that another one held
    is never released, and pools have no threads."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=renew)


def _renew() -> None:
    global _pools_lock
    _pools_lock = threading.Lock()
    _pools.clear()
    usable_cores.cache_clear()
    _here.worker = False


in_forked_children(_renew)


def in_worker() -> bool:
    """Is this thread computing an item of an ordered map?"""
    return getattr(_here, "worker", False)


def ordered_map(function: Callable[[Item], Result], items: Iterable[Item]) -> Generator[Result, None, None]:
    """Yield `function(item)` in the order of `items`, computed by the caller and its helpers side by side. Whoever works on the
    results as they come closes the generator, come what may: its helpers wait for that.

    Inside a worker everything is serial: a shared pool that waits for itself would wait for ever. A single item is computed
    where it is asked for, since handing it over costs more than small work is worth.
    """
    threads = 1 if in_worker() else num_threads()
    remaining = iter(items)
    first = list(islice(remaining, 2)) if threads > 1 else []
    if len(first) < 2:
        yield from map(function, chain(first, remaining))
        return
    work = SharedWork(function, chain(first, remaining), 2 * threads)
    helpers = []
    try:
        for _ in range(threads - 1):
            helpers.append(_pool(threads - 1).submit(work.help))
        yield from work.results()
    finally:
        work.stop()
        for helper in helpers:
            if not helper.cancel():
                helper.result()


class SharedWork(Generic[Item, Result]):
    """Items that several threads take in turn, and their results, given out in order.

    At most `room` items are taken and not yet given out: a fast worker waits rather than pile up results.
    """

    def __init__(self, function: Callable[[Item], Result], items: Iterator[Item], room: int):
        self.function, self.items, self.room = function, items, room
        self.taken = self.given = 0
        self.ended = False
        self.failure: BaseException | None = None  # what ends the work before its order comes to it
        self.done: dict[int, tuple[bool, Any]] = {}  # number of the item → (worked, result or error)
        self.reading, self.change = threading.Lock(), threading.Condition()

    def results(self) -> Iterator[Result]:
        """The results in order; while the next one is not there, this thread works too."""
        while True:
            with self.change:
                while not (ready := self.given in self.done) and not self.has_room() and self.failure is None:
                    if self.ended and self.given == self.taken:
                        return
                    self.change.wait()
                if self.failure is not None:
                    raise self.failure
                if ready:
                    worked, result = self.done.pop(self.given)
                    self.given += 1
                    self.change.notify_all()
            if not ready:
                self.work_once()
            elif worked:
                yield result
            else:
                raise result

    def help(self) -> None:
        """What a helper does: take and compute, until there is nothing left or nobody wants it."""
        try:
            while True:
                with self.change:
                    while not self.has_room():
                        if self.ended:
                            return
                        self.change.wait()
                self.work_once()
        except BaseException as error:  # of this file's own steps: without memory, even a wait fails
            self.fail(error)

    def has_room(self) -> bool:
        return not self.ended and self.taken - self.given < self.room

    def work_once(self) -> None:
        """Take the next item (one thread at a time: it may have to be read from a file) and compute its result."""
        with self.reading:
            if self.ended:
                return
            number = self.taken
            try:
                item = next(self.items)
                self.taken += 1
            except StopIteration:
                self.stop()
                return
            except BaseException as error:
                self.taken += 1
                self.finish(number, (False, error))
                return
        _here.worker = True
        try:
            outcome: tuple[bool, Any] = (True, self.function(item))
        except BaseException as error:
            outcome = (False, error)
        finally:
            _here.worker = False
        self.finish(number, outcome)

    def finish(self, number: int, outcome: tuple[bool, Any]) -> None:
        """Put a result where it is waited for; an error ends the work, at once if there is no memory for more."""
        if isinstance(outcome[1], MemoryError) and not outcome[0]:
            self.fail(outcome[1])
            return
        with self.change:
            self.done[number] = outcome
            self.ended = self.ended or not outcome[0]
            self.change.notify_all()

    def fail(self, error: BaseException) -> None:
        """End the work with an error that does not wait for its turn."""
        self.failure, self.ended = error, True
        self.stop()

    def stop(self) -> None:
        """No more items."""
        with self.change:
            self.ended = True
            self.change.notify_all()


LARGEST_SCRATCH = 2**22  # doubles that a thread keeps between blocks: 32 MiB


def scratch(rows: int, columns: int) -> Any:
    """An uninitialised array that this thread uses again and again: fresh pages for each block would cost more than the
    work done in them. It must not be kept, nor asked for again while it is in use."""
    size = rows * columns
    held = getattr(_here, "scratch", None)
    if held is None or len(held) < size:
        held = np.empty(size)
        if size <= LARGEST_SCRATCH:
            _here.scratch = held
    return held[:size].reshape(rows, columns)
