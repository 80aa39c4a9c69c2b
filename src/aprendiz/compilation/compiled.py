"""The one way to compile a loop.

`@compiled` is Numba's `njit` with the options that hold everywhere in aprendiz: no GIL (parallelism is threads over
blocks), a cache on disk (a kernel compiles once per machine), NumPy's arithmetic (0/0 is NaN, no exception), and the
four fast-math licences that let reductions vectorise but keep the meaning of NaN and infinity. `@compiled(exact=True)`
takes the licences away, for compensated sums.

A kernel is a free function of arrays, scalars, None, and records: named tuples of these. Its annotations say which, and mypy
holds its callers to them; Numba finds the types by itself. It may call kernels of other files. Numba's own cache would not
notice an edit of those, so the folder of the cache is named after everything that ends up in the machine code of a file's
kernels:

    key(file) = hash(source of the file, constants and records it imports, key(every file whose kernels it imports))      (1)

and of this file, which chooses how they are compiled.
The cache lies in the user's cache folder (`cache_folder`), never inside the installed package, and Numba caches of other
packages are not touched. Where no folder can be written, kernels are compiled anew in each process.

The first fit on a machine waits for all this, so kernels are kept cheap to compile
(docs/decisions/0028-kernels-across-files.md). An argument that is None switches a part of a kernel off: Numba removes what
stands behind `if part is not None` before it looks at it. A kernel that only kernels call says so (`inner=True`): Python has no
entry to it, and it is optimised as a part of its callers only (inner_kernels.py).
"""

from __future__ import annotations

import gc
import hashlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, TypeVarTuple, overload

import numba
import numpy as np
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import is_jitted

from aprendiz.compilation.inner_kernels import InnerCompiler, KernelCompiler
from aprendiz.compilation.read_only_arguments import KernelDispatcher

LICENCES = {"reassoc", "contract", "nsz", "arcp"}
DAYS = 30  # kernels of earlier sources are removed when they have not been used for so long

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

# An integer of a kernel. A counter that starts as int64(0) has its type at once (record 0028); for mypy it is an int, as range
# gives them: Numba makes no difference.
int64: Callable[[Any], int] = np.int64  # type: ignore[assignment]

_decorating = threading.Lock()


@overload
def compiled(function: Kernel, *, exact: bool = False, inner: bool = False) -> Kernel: ...


@overload
def compiled(*, exact: bool = False, inner: bool = False) -> Callable[[Kernel], Kernel]: ...


def compiled(function: Callable[..., Any] | None = None, *, exact: bool = False, inner: bool = False) -> Any:
    """Decorate a kernel. See the header for what is promised and what a kernel may do."""
    if function is None:
        return lambda f: compiled(f, exact=exact, inner=inner)
    options: dict[str, Any] = {"nogil": True, "fastmath": False if exact else LICENCES, "error_model": "numpy"}
    options["no_cfunc_wrapper"] = True
    options["pipeline_class"] = InnerCompiler if inner else KernelCompiler
    if inner:
        options["no_cpython_wrapper"] = True
    with _decorating:  # where a function is cached is decided when it is decorated
        chosen = numba.config.CACHE_DIR
        try:
            numba.config.CACHE_DIR = str(folder_of_kernels(function.__module__))
            kernel = numba.njit(cache=True, **options)(function)
        except RuntimeError:  # the folder cannot be written ("no locator available"), or there is no source
            kernel = numba.njit(**options)(function)
        finally:
            numba.config.CACHE_DIR = chosen
    if is_jitted(kernel):  # else compilation is switched off
        kernel.__class__ = KernelDispatcher
    return kernel


def interruptible(kernel: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Call a long kernel: a Ctrl-C that arrives while its arguments are taken apart or its results are made is one, not a
    SystemError, however many of those lie on top of it."""
    try:
        return kernel(*arguments)
    except SystemError as error:
        cause: BaseException | None = error
        while isinstance(cause, SystemError):
            cause = cause.__cause__ or cause.__context__
        if isinstance(cause, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise


class Compilations(event.Listener):
    """No garbage is collected while Numba compiles: a ninth of the time would go there, and next to nothing is garbage. Numba
    compiles one kernel at a time, and those that it calls inside. The time is counted, since it is not that of a fit."""

    depth, was_enabled, began, seconds = 0, False, 0.0, 0.0

    def on_start(self, _event: Any) -> None:
        if self.depth == 0:
            self.began = time.perf_counter()
            self.was_enabled = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, _event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.seconds += time.perf_counter() - self.began
            if self.was_enabled:
                gc.enable()


_compilations = Compilations()
event.register("numba:compile", _compilations)


def seconds_of_compilation() -> float:
    """How long this process has compiled kernels so far."""
    return _compilations.seconds


if hasattr(os, "register_at_fork"):  # a fork waits for a kernel that is being compiled: the child could never compile another
    for lock in (_decorating, global_compiler_lock):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


# ---- the cache ---------------------------------------------------------------------------------------------------------


def cache_folder() -> Path:
    """Where kernels are kept: below NUMBA_CACHE_DIR, if that is set, else below the user's cache folder."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen) / "aprendiz"
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "aprendiz"


@cache
def folder_of_kernels(module: str) -> Path:
    """The folder for the kernels of a module as it stands. Numba divides it by the place that the module is installed in."""
    home = cache_folder() / module
    folder = home / key_of_sources(module)[:16]
    try:
        os.utime(folder)  # it is in use
    except OSError:
        remove_old_folders(home)
    return folder


@cache
def key_of_sources(module: str) -> str:
    """(1)."""
    key = hashlib.sha256(own_sources())
    key.update(Path(source_file(module)).read_bytes())
    names = vars(sys.modules[module])
    for name in sorted(names):
        value = getattr(names[name], "_fields", names[name])  # of a record, the order of its fields
        if is_constant(value) and not name.startswith("__"):
            key.update(f"{name}={value!r};".encode())
    for other in sorted(kernel_modules(names) - {module}):
        key.update(key_of_sources(other).encode())
    return key.hexdigest()


@cache
def own_sources() -> bytes:
    """How kernels are compiled: this file and those that it is made of."""
    modules = (__name__, InnerCompiler.__module__, KernelDispatcher.__module__)
    return b"".join(Path(source_file(module)).read_bytes() for module in modules)


def kernel_modules(names: dict[str, Any]) -> set[str]:
    """The modules of the kernels that some global names lead to, as kernels or as modules that hold some."""
    kernels = {value.__module__ for value in names.values() if is_jitted(value)}
    modules = (value for value in names.values() if isinstance(value, ModuleType))
    return kernels | {module.__name__ for module in modules if any(is_jitted(part) for part in vars(module).values())}


def is_constant(value: Any) -> bool:
    """Is this a value that Numba writes into machine code: a number, a string, or a tuple of such?"""
    if isinstance(value, tuple):
        return all(is_constant(part) for part in value)
    return isinstance(value, bool | int | float | str | np.generic)


def source_file(module: str) -> str:
    """The file of a module. Kernels that were typed at a prompt have none, and no cache."""
    file = getattr(sys.modules[module], "__file__", None)
    if file is None or not os.path.exists(file):
        raise RuntimeError(f"the source of {module} is no file")
    return str(file)


def remove_old_folders(home: Path) -> None:
    """Remove the folders of earlier sources that nobody has used for a month."""
    try:
        for folder in home.iterdir():
            if folder.stat().st_mtime < time.time() - DAYS * 86_400:
                shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        pass  # there is none yet, or it is somebody else's
