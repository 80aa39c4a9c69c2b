"""The one way to compile a loop.

`@compiled` is Numba's `njit` with the options that hold everywhere in aprendiz: no GIL (parallelism is threads over
blocks), a cache on disk (a kernel compiles once per machine), NumPy's arithmetic (0/0 is NaN, no exception), and the
four fast-math licences that let reductions vectorise but keep the meaning of NaN and infinity. `@compiled(exact=True)`
takes the licences away, for compensated sums.

A kernel is a free function of arrays and scalars that calls only kernels of its own file: Numba's cache notices edits of
that file alone. Where no folder can be written, the kernel is compiled anew in each process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

LICENCES = {"reassoc", "contract", "nsz", "arcp"}


def compiled(function: Callable[..., Any] | None = None, *, exact: bool = False) -> Any:
    """Decorate a kernel. See the header for what is promised and what a kernel may do."""
    if function is None:
        return lambda f: compiled(f, exact=exact)
    options = {"nogil": True, "fastmath": False if exact else LICENCES, "error_model": "numpy"}
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # "no locator available": neither the package nor the user's cache folder is writable
        return numba.njit(**options)(function)


def interruptible(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Call a long kernel that returns several arrays: a Ctrl-C that arrives while they are made is one, not a SystemError."""
    try:
        return kernel(*arguments)
    except SystemError as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise
