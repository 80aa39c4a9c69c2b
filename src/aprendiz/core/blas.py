"""BLAS on one thread, while it is held.

Its number of threads changes the bits of a product, and two pools (its own and ours, threads.py) fight for the same cores
(docs/decisions/0002-one-blas-thread.md). threadpoolctl lets one thread govern a library and silently ignores the others, so
one thread of ours, the governor, does it for everybody: the first holder sets the limit, the last one restores it.

Rows hold it while they are summed, learners while they fit. A method that multiplies matrices of its own holds it itself.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

from aprendiz.core.threads import in_forked_children, in_worker


class _Holder:
    """Somebody who holds BLAS."""


_holders: weakref.WeakSet[_Holder] = weakref.WeakSet()  # an interrupt may come anywhere: who is gone holds nothing
_holders_lock = threading.Lock()
_limits: list[Any] = []  # the limit that is set, if there is one


@cache
def _governor() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "aprendiz-blas")


@cache
def _controller() -> Any:
    import scipy.linalg.blas  # noqa: F401  NumPy's and SciPy's BLAS must both be loaded before they are looked for
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


def _renew() -> None:
    """In a forked child nobody holds BLAS; a limit that was set stays until the next holder lets go."""
    global _holders_lock
    _holders_lock = threading.Lock()
    _holders.clear()
    _governor.cache_clear()


in_forked_children(_renew)


def _hold() -> None:
    _release()  # what a forked child has inherited
    _free_control()
    _limits.append(_controller().limit(limits=1))


def _release() -> None:
    if _limits:
        _limits.pop().restore_original_limits()
        _free_control()


def _free_control() -> None:
    """Let the next caller govern OpenBLAS: it obeys one thread only, and that may be somebody else's."""
    for library in _controller().lib_controllers:
        if library.internal_api == "openblas":
            library.clear_controlling_thread(force=True)


@contextmanager
def single_blas(work: float = float("inf")) -> Iterator[None]:
    """Hold BLAS to one thread. Below `work` = 2¹⁸ multiplications it never uses more, and nothing is done."""
    if work < 2**18 or in_worker():  # whoever feeds the workers holds it already
        yield
        return
    process, holder = os.getpid(), _Holder()
    try:
        with _holders_lock:
            _holders.add(holder)
            if len(_holders) == 1 or not _limits:
                _governor().submit(_hold).result()
        yield
    finally:
        if process == os.getpid():  # a child that was forked in between holds nothing
            with _holders_lock:
                _holders.discard(holder)
                if not _holders:
                    _governor().submit(_release).result()
