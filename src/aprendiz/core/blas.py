"""BLAS on one thread, while it is held.

Its number of threads changes the bits of a product, and two pools (its own and ours, threads.py) fight for the same cores
(docs/decisions/0002-one-blas-thread.md). threadpoolctl lets one thread govern a library and silently ignores the others, so
one thread of ours, the governor, does it for everybody; holders are counted, the first sets the limit, the last restores it.

Rows hold it while they are summed, learners while they fit. A method that multiplies matrices of its own holds it itself.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from aprendiz.core.threads import in_worker

_holders = 0
_holders_lock = threading.Lock()
_governors: dict[int, ThreadPoolExecutor] = {}
_controllers: dict[int, Any] = {}
_limits: dict[int, Any] = {}


def _governor() -> ThreadPoolExecutor:
    process = os.getpid()
    if process not in _governors:
        _governors[process] = ThreadPoolExecutor(1, "aprendiz-blas")
    return _governors[process]


def _hold() -> None:
    process = os.getpid()
    if process not in _controllers:
        import scipy.linalg.blas  # noqa: F401  NumPy's and SciPy's BLAS must both be loaded before they are looked for
        from threadpoolctl import ThreadpoolController

        _controllers[process] = ThreadpoolController().select(user_api="blas")
    _free_control(process)
    _limits[process] = _controllers[process].limit(limits=1)


def _release() -> None:
    process = os.getpid()
    if process in _limits:
        _limits.pop(process).restore_original_limits()
        _free_control(process)


def _free_control(process: int) -> None:
    """Let the next caller govern OpenBLAS: it obeys one thread only, and that may be somebody else's."""
    for library in _controllers[process].lib_controllers:
        if library.internal_api == "openblas":
            library.clear_controlling_thread(force=True)


@contextmanager
def single_blas(work: float = float("inf")) -> Iterator[None]:
    """Hold BLAS to one thread. Below `work` = 2¹⁸ multiplications it never uses more, and nothing is done."""
    global _holders
    if work < 2**18 or in_worker():  # whoever feeds the workers holds it already
        yield
        return
    with _holders_lock:
        _holders += 1
        try:
            if _holders == 1:
                _governor().submit(_hold).result()
        except BaseException:  # an interrupt while we wait: the governor holds all the same, and must let go
            _let_go()
            raise
    try:
        yield
    finally:
        with _holders_lock:
            _let_go()


def _let_go() -> None:
    global _holders
    _holders -= 1
    if _holders == 0:
        _governor().submit(_release).result()
