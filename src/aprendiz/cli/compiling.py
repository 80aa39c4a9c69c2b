"""When kernels are compiled: the first run on a machine waits for that, and should say so.

Numba tells when it begins to compile a kernel, in whatever thread. Kernels that it finds in its cache are not compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

COMPILATION = "numba:compile"  # the name of the event in Numba


@contextmanager
def compilations(begun: Callable[[], None]) -> Iterator[None]:
    """Inside the block, `begun` is called whenever a kernel begins to be compiled."""
    listener = Compilations(begun)
    event.register(COMPILATION, listener)
    try:
        yield
    finally:
        event.unregister(COMPILATION, listener)


class Compilations(event.Listener):
    """Hands the beginning of each compilation on."""

    def __init__(self, begun: Callable[[], None]):
        self.begun = begun

    def on_start(self, _event: Any) -> None:
        self.begun()

    def on_end(self, _event: Any) -> None:
        pass
