"""A contender alone in a fresh process: how long its first call takes, and how much memory it needs at its peak.

    python -m benchmarks.alone FAMILY CASE CONTENDER      prints {"seconds": …, "peak": …}

The estimator is imported and the data are made first (a model too, where a prediction is timed); that does not count. Then
the peak of the resident memory is reset, the call is timed, and the peak above what was resident before is read. So the
number holds what the call loads (compiled code from the cache on disk, buffers and threads of BLAS) beside the arrays that
it makes.
"""

from __future__ import annotations

import ctypes
import gc
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Alone:
    """Seconds of the first call; bytes at its peak, None where the system does not tell."""

    seconds: float
    peak: int | None


def measured(family: str, case: str, contender: str) -> Alone:
    """Run this file in a process of its own."""
    return Alone(**in_process("benchmarks.alone", family, case, contender))


def in_process(module: str, *arguments: str) -> Any:
    """The JSON that `python -m module arguments` prints on its last line."""
    done = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{module} {' '.join(arguments)} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def main(family: str, name: str, contender: str) -> None:
    from benchmarks.harness import cases

    case = next(case for case in cases(family) if case.name == name)
    one = case.contenders[contender]
    assert one.estimator is not None  # imported now
    call = one.ready(case.make(case.size), case.seeds[0])
    before = settled_memory()
    start = time.perf_counter()
    call()
    seconds = time.perf_counter() - start
    print(json.dumps(asdict(Alone(seconds, peak_above(before)))))


# ---- memory of this process ------------------------------------------------------------------------------------------


def settled_memory() -> int | None:
    """Give back what is free, forget the peak so far; the bytes that stay resident."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except (OSError, AttributeError):
        return None
    return resident("VmRSS")


def peak_above(before: int | None) -> int | None:
    """Bytes at the peak since `settled_memory` said what was resident."""
    peak = resident("VmHWM")
    return None if peak is None or before is None else peak - before


def resident(entry: str) -> int | None:
    """VmRSS (now) or VmHWM (peak), in bytes."""
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(entry + ":"))
    except (OSError, StopIteration):
        return None


if __name__ == "__main__":
    main(*sys.argv[1:])
