"""One pass over a Dask array, against the same sum over the same array in memory: what Dask adds, and what travels.

    python -m benchmarks.dask      prints a list of results as JSON

    overhead = (time of the pass − time in memory) / partitions                                                (1)

The pass is `Spread.of`: weight, sum and square of every column. It is done by local threads, and by a local cluster of two
processes with one thread each, which hold the partitions; the passes in memory come in between. A pass over partitions also
looks for bad cells in each of them; in memory that was done when the rows were opened, and is part of (1).

Bytes on the wire are those that the workers note when they have written to a connection (`Worker.transfer_outgoing_log`):
to each other, and to the client by way of the scheduler. What they send is called a partition if it has the size of one:
`distributed` may place a task where its partition is not, or move it to a worker that is idle.
The counter of the loopback device holds everything besides: graphs, messages, and other programs that use it meanwhile.
"""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, astuple, dataclass
from typing import Any

import numpy as np

from benchmarks import QUICK, THREADS, alone

PARTITIONS = 10 if QUICK else 100
ROWS, COLUMNS = 10_000, 30  # of a partition
BYTES = 8 * ROWS * COLUMNS
TURNS = 3 if QUICK else 10
SETTLED = 0.2  # seconds until the workers have noted what they sent


@dataclass(frozen=True)
class Wire:
    """What travelled during a pass, in bytes; how many partitions were among it."""

    between: int  # from worker to worker
    received: int  # by the client
    moved: int
    loopback: int | None


@dataclass(frozen=True)
class DaskResult:
    """Passes of one kind: the best time, the most bytes."""

    where: str
    partitions: int
    record: int  # bytes of the sums
    seconds: float
    memory_seconds: float
    error: float  # of the sums, relative to those in memory
    peak: int | None  # bytes above what was resident before, in the process that needs most
    wire: Wire | None = None

    @property
    def overhead(self) -> float:
        """(1), in seconds."""
        return (self.seconds - self.memory_seconds) / self.partitions

    @property
    def kept(self) -> bool:
        """Whether the sums are right."""
        return self.error <= 1e-12

    def __str__(self) -> str:
        moved = "" if self.wire is None else f", {self.wire.moved} partitions moved"
        return f"{self.where}: {1000 * self.overhead:.2f} ms for each partition{moved}"


def measured() -> Iterator[DaskResult]:
    """In a process of its own."""
    yield from (restored(**numbers) for numbers in alone.in_process("benchmarks.dask"))


def restored(wire: dict[str, Any] | None = None, **numbers: Any) -> DaskResult:
    """A result from its numbers."""
    return DaskResult(**numbers, wire=None if wire is None else Wire(**wire))


def main() -> None:
    memory = Pass.in_memory()
    print(json.dumps([asdict(result) for results in (by_threads, by_workers) for result in results(memory)]))


# ---- passes ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pass:
    """A sum over rows, wherever they are."""

    rows: Any
    pivot: Any

    @classmethod
    def in_memory(cls) -> Pass:
        from aprendiz.core.sources.arrays import ArrayRows
        from aprendiz.core.sums import find_pivot

        rows = ArrayRows(np.concatenate([partition(number) for number in range(PARTITIONS)]))
        return cls(rows, find_pivot(rows))

    def over(self, table: Any) -> Pass:
        """The same over a Dask array."""
        from aprendiz.core.sources.dask import dask_rows

        return Pass(dask_rows(table), self.pivot)

    def timed(self) -> tuple[float, Any]:
        from aprendiz.core.sums import Spread

        start = time.perf_counter()
        record = self.rows.sum(Spread.of, self.pivot)
        return time.perf_counter() - start, record


def partition(number: int) -> np.ndarray:
    return np.random.default_rng([0, number]).normal(size=(ROWS, COLUMNS))


def dask_table() -> Any:
    """The partitions, made where they will lie."""
    import dask.array as da
    from dask import delayed

    pieces = [delayed(partition)(number) for number in range(PARTITIONS)]
    return da.concatenate([da.from_delayed(piece, (ROWS, COLUMNS), np.float64) for piece in pieces])


def by_threads(memory: Pass) -> Iterator[DaskResult]:
    import dask

    with dask.config.set(scheduler="threads", num_workers=THREADS):
        there = memory.over(dask_table().persist())
        there.timed()
        yield compared(f"{THREADS} local threads", memory, there, TURNS, Processes())


def by_workers(memory: Pass) -> Iterator[DaskResult]:
    from distributed import Client, LocalCluster, wait

    cluster = LocalCluster(n_workers=THREADS, threads_per_worker=1, dashboard_address=None)
    with cluster, Client(cluster) as client:
        table = dask_table().persist()
        wait(table)
        there = memory.over(table)
        for which, turns in {"first pass": 1, "later passes": TURNS}.items():
            yield compared(f"{THREADS} processes, {which}", memory, there, turns, Processes(client))


def compared(where: str, memory: Pass, there: Pass, turns: int, processes: Processes) -> DaskResult:
    """Passes in turn, in memory and there."""
    times, times_there, wires = [], [], []
    processes.settle()
    for _ in range(turns):
        seconds, right = memory.timed()
        times.append(seconds)
        processes.forget_sent()
        seconds, record = there.timed()
        times_there.append(seconds)
        wires.append(processes.sent())
    return DaskResult(
        where=where,
        partitions=PARTITIONS,
        record=len(pickle.dumps(record)),
        seconds=min(times_there),
        memory_seconds=min(times),
        error=difference(record, right),
        peak=processes.peak(),
        wire=most(wires),
    )


def difference(record: Any, right: Any) -> float:
    """Of means and scatters."""
    pairs = [(record.mean, right.mean), (record.scatter, right.scatter)]
    return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in pairs)


def most(wires: list[Wire | None]) -> Wire | None:
    """The largest number of each kind."""
    known = [astuple(wire) for wire in wires if wire is not None]
    return Wire(*(None if None in kind else max(kind) for kind in zip(*known, strict=True))) if known else None


# ---- processes -------------------------------------------------------------------------------------------------------


class Processes:
    """This process, and the workers of a cluster if there is one: the memory they need, and what they send."""

    def __init__(self, client: Any = None) -> None:
        self.client = client
        self.before: list[int | None] = []
        self.device_before: int | None = None

    def everywhere(self, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """What a function says here, and in every worker."""
        there = {} if self.client is None else self.client.run(function, *arguments)
        return [function(*arguments), *(there[worker] for worker in sorted(there))]

    def settle(self) -> None:
        self.before = self.everywhere(alone.settled_memory)

    def peak(self) -> int | None:
        """Of the process that needs most, above what was resident before."""
        peaks = self.everywhere(alone.resident, "VmHWM")
        if None in peaks or None in self.before:
            return None
        return max(peak - before for peak, before in zip(peaks, self.before, strict=True))

    def forget_sent(self) -> None:
        if self.client is not None:
            self.client.run(clear_notes)
            time.sleep(SETTLED)
            self.device_before = loopback()

    def sent(self) -> Wire | None:
        """What travelled since; None where there are no workers."""
        if self.client is None:
            return None
        device = loopback()
        time.sleep(SETTLED)
        notes = [note for found in self.client.run(notes_of).values() for note in found]
        return Wire(
            between=sum(size for to_worker, size, _ in notes if to_worker),
            received=sum(size for to_worker, size, _ in notes if not to_worker),
            moved=sum(partitions for _, _, partitions in notes),
            loopback=None if device is None or self.device_before is None else device - self.device_before,
        )


def clear_notes(dask_worker: Any) -> None:
    dask_worker.transfer_outgoing_log.clear()


def notes_of(dask_worker: Any) -> list[tuple[bool, int, int]]:
    """Whether it went to another worker, its bytes on the wire, and the partitions in it."""
    return [
        (note["who"] is not None, note["compressed"], sum(size >= BYTES for size in note["keys"].values()))
        for note in dask_worker.transfer_outgoing_log
    ]


def loopback() -> int | None:
    """Bytes that the loopback device has sent so far; None where the system does not tell."""
    try:
        with open("/proc/net/dev") as file:
            return next(int(line.split(":")[1].split()[8]) for line in file if line.strip().startswith("lo:"))
    except (OSError, StopIteration):
        return None


if __name__ == "__main__":
    main()
