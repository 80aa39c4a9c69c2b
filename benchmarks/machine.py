"""What the machine is, and what it can do: the rates that no method can beat, measured in the same run.

    GEMM        2·m³ operations of a product of two m × m matrices in float64, over its time
    reading     bytes of an array much larger than the caches, over the time to add up its halves in two threads
    copying     the same for reading one array and writing another, both counted

The best of several turns each, some before and some after all cases.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks import QUICK, THREADS

LIBRARIES = (
    "aprendiz",
    "numpy",
    "scipy",
    "numba",
    "scikit-learn",
    "scikit-learn-intelex",
    "celer",
    "skglm",
    "faiss-cpu",
    "kmedoids",
    "fastcluster",
    "pyarrow",
    "dask",
)
SIDE = 1000 if QUICK else 3000
BYTES = 2**27 if QUICK else 2**29
TURNS = 7


@dataclass(frozen=True)
class Limits:
    """Operations and bytes a second."""

    gemm: float
    gemm_one: float  # on one thread
    read: float
    copy: float

    def or_better(self, other: Limits) -> Limits:
        """The best of two measurements."""
        return Limits(*map(max, astuple(self), astuple(other)))


def limits() -> Limits:
    """Measure them."""
    with threadpool_limits(1):
        one = gemm_rate()
    return Limits(gemm_rate(), one, read_rate(), copy_rate())


def best(call: Callable[[], Any]) -> float:
    times = []
    for _ in range(TURNS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def gemm_rate() -> float:
    A = np.random.default_rng(0).normal(size=(SIDE, SIDE))
    B, out = A.T.copy(), np.empty_like(A)
    return 2 * SIDE**3 / best(lambda: np.matmul(A, B, out=out))


def read_rate() -> float:
    parts = np.array_split(np.ones(BYTES // 8), THREADS)
    with ThreadPoolExecutor(THREADS) as pool:
        return BYTES / best(lambda: list(pool.map(np.sum, parts)))


def copy_rate() -> float:
    parts, copies = (np.array_split(np.ones(BYTES // 8), THREADS) for _ in range(2))
    with ThreadPoolExecutor(THREADS) as pool:
        return 2 * BYTES / best(lambda: list(pool.map(np.copyto, copies, parts)))


# ---- company ---------------------------------------------------------------------------------------------------------


class Others:
    """How much of the processor other programs took since this was made: a disturbed run should say so."""

    def __init__(self) -> None:
        self.start, self.busy, self.own = time.perf_counter(), busy_seconds(), own_seconds()

    def share(self) -> float | None:
        """Of all cores together, between 0 and 1; None where the system does not tell."""
        busy, wall = busy_seconds(), time.perf_counter() - self.start
        if busy is None or self.busy is None:
            return None
        others = (busy - self.busy) - (own_seconds() - self.own)
        return max(0.0, others / (wall * (os.cpu_count() or 1)))


def busy_seconds() -> float | None:
    """Of all cores and all programs, other machines on the same host included (steal)."""
    try:
        with open("/proc/stat") as file:
            user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    except (OSError, ValueError):
        return None
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own_seconds() -> float:
    """Of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])


# ---- description -----------------------------------------------------------------------------------------------------


def described() -> dict[str, str]:
    """Processor, cores, memory, system and versions, by name."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{memory / 1e9:.0f} GB",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: installed(name) for name in LIBRARIES},
    }


def processor() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown"


def installed(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"
