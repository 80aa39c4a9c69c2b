"""A model of 100 MB on disk, against what the disk and NumPy do with the same bytes in the same folder.

    python -m benchmarks.persistence      prints a list of results as JSON

Saving ends when the bytes have reached the disk (fsync), for both. Loading finds them in the cache of the operating system,
for both: what is compared is the work of reading, not the disk. Turns are interleaved, each writes a new file, and the best
one counts. Peaks are those of the first turn, above what was resident before it.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import QUICK, alone

CENTRES, COLUMNS = (1_250 if QUICK else 12_500), 1_000
TURNS = 3 if QUICK else 7


@dataclass(frozen=True)
class StoredResult:
    """Saving, or loading."""

    what: str
    bytes: int
    seconds: float
    numpy_seconds: float
    peak: int | None
    numpy_peak: int | None
    same: bool  # whether the arrays came back bit by bit

    @property
    def kept(self) -> bool:
        return self.same

    def __str__(self) -> str:
        return f"{self.what}: {rate(self.bytes, self.seconds):.0f} MB/s, NumPy {rate(self.bytes, self.numpy_seconds):.0f} MB/s"


def rate(size: int, seconds: float) -> float:
    """Megabytes a second."""
    return size / 1e6 / seconds


def measured() -> Iterator[StoredResult]:
    """In a process of its own."""
    yield from (StoredResult(**numbers) for numbers in alone.in_process("benchmarks.persistence"))


def main() -> None:
    from aprendiz.persistence import load, save

    model = fitted_by_hand()
    centres = model.cluster_centers_
    with tempfile.TemporaryDirectory() as folder:
        ours, plain = Path(folder, "model.apz"), Path(folder, "centres.npy")
        saving = in_turn(lambda: save(model, ours), lambda: write_through(plain, centres), (ours, plain))
        loading = in_turn(lambda: load(ours), lambda: np.load(plain))
        same = np.array_equal(load(ours).cluster_centers_, centres)
        size = ours.stat().st_size
    results = [StoredResult(what, size, *numbers, same) for what, numbers in {"save": saving, "load": loading}.items()]
    print(json.dumps([asdict(result) for result in results]))


def fitted_by_hand() -> Any:
    """A KMeans whose centres are all of its 100 MB."""
    from aprendiz import KMeans

    model = KMeans(CENTRES)
    model.cluster_centers_ = np.random.default_rng(0).normal(size=(CENTRES, COLUMNS))
    model.n_features_in_ = COLUMNS
    return model


def write_through(file: Path, array: np.ndarray) -> None:
    """np.save, until the bytes have reached the disk."""
    with open(file, "wb") as opened:
        np.save(opened, array)
        opened.flush()
        os.fsync(opened.fileno())


def in_turn(
    ours: Callable[[], Any], plain: Callable[[], Any], written: tuple[Path, ...] = ()
) -> tuple[float, float, int | None, int | None]:
    """The best times of both, and their peaks."""
    times: list[list[float]] = [[], []]
    peaks: list[list[int | None]] = [[], []]
    for _ in range(TURNS):
        for file in written:
            file.unlink(missing_ok=True)
        for which, call in enumerate((ours, plain)):
            before = alone.settled_memory()
            start = time.perf_counter()
            call()
            times[which].append(time.perf_counter() - start)
            peaks[which].append(alone.peak_above(before))
    return min(times[0]), min(times[1]), peaks[0][0], peaks[1][0]


if __name__ == "__main__":
    main()
