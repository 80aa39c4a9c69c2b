"""A table that is larger than the memory it may use: every learner fitted to a Parquet file, in a process of its own.

    python -m benchmarks.files LEARNER FILE      prints {"seconds": …, "peak": …}

Thirty columns of float64 that do not compress, a number and a class to learn. The same rows are written twice: in row
groups of a million rows, and in a single row group, which a careless reader would hold as a whole. `peak` is the largest
resident memory of the whole process, libraries included; it must stay below 1 GB.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import alone

GIGABYTES = float(os.environ.get("BENCH_FILE_GB", "5"))
COLUMNS = 30
GROUP = 1_000_000  # rows
ALLOWED = 1e9  # bytes
LEARNERS: dict[str, tuple[str | None, dict[str, Any]]] = {  # the target, and the settings
    "StandardScaler": (None, {}),
    "PCA": (None, {}),
    "LinearRegression": ("number", {}),
    "LogisticRegression": ("class", {}),
    "KMeans": (None, {"n_clusters": 8, "max_iter": 3, "random_state": 0}),
}
ON_ONE_GROUP = ("StandardScaler", "LogisticRegression")  # one pass, and many


@dataclass(frozen=True)
class FileResult:
    """One fit to one file."""

    learner: str
    groups: int
    file_bytes: int
    seconds: float
    peak: int | None

    @property
    def kept(self) -> bool:
        """Whether the promise about memory was kept."""
        return self.peak is None or self.peak < ALLOWED

    def __str__(self) -> str:
        peak = "?" if self.peak is None else f"{self.peak / 1e6:.0f}"
        return f"{self.learner}, row groups: {self.groups}; {self.seconds:.1f} s, {peak} MB"


def measured() -> Iterator[FileResult]:
    """Write the files into a temporary folder, fit everything, remove them."""
    if GIGABYTES <= 0:
        return
    with tempfile.TemporaryDirectory() as folder:
        many, one = Path(folder, "many.parquet"), Path(folder, "one.parquet")
        rows = max(1, round(GIGABYTES * 1e9 / (8 * (COLUMNS + 2))))
        write(many, rows)
        yield from (fitted(learner, many) for learner in LEARNERS)
        write_as_one_group(many, one, Path(folder, "table.arrow"))
        many.unlink()
        yield from (fitted(learner, one) for learner in ON_ONE_GROUP)


def fitted(learner: str, file: Path) -> FileResult:
    import pyarrow.parquet as parquet

    numbers = alone.in_process("benchmarks.files", learner, str(file))
    return FileResult(learner, parquet.read_metadata(file).num_row_groups, file.stat().st_size, **numbers)


def main(learner: str, file: str) -> None:
    """Fit one learner in this process."""
    import aprendiz

    target, settings = LEARNERS[learner]
    start = time.perf_counter()
    rows = aprendiz.rows(file, target=target, columns=[f"x{j}" for j in range(COLUMNS)])
    getattr(aprendiz, learner)(**settings).fit(rows)
    print(json.dumps({"seconds": time.perf_counter() - start, "peak": alone.resident("VmHWM")}))


# ---- writing ---------------------------------------------------------------------------------------------------------


def pieces(rows: int) -> Iterator[Any]:
    """The table, a row group at a time."""
    import pyarrow as arrow

    weights = np.random.default_rng(0).normal(size=COLUMNS)
    for number, start in enumerate(range(0, rows, GROUP)):
        random = np.random.default_rng([1, number])
        X = random.normal(size=(COLUMNS, min(GROUP, rows - start)))
        y = weights @ X + 3.0 * random.normal(size=X.shape[1])
        yield arrow.table({**{f"x{j}": X[j] for j in range(COLUMNS)}, "number": y, "class": (y > 0).astype(np.int64)})


def write(file: Path, rows: int) -> None:
    import pyarrow.parquet as parquet

    writer = None
    for piece in pieces(rows):
        writer = writer or parquet.ParquetWriter(file, piece.schema, compression="none", use_dictionary=False)
        writer.write_table(piece, row_group_size=GROUP)
    writer.close()


def write_as_one_group(source: Path, file: Path, between: Path) -> None:
    """The same rows in one row group. They pass through an Arrow file that is mapped into memory, not loaded."""
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    opened = parquet.ParquetFile(source)
    with arrow.ipc.new_file(between, opened.schema_arrow) as writer:
        for group in range(opened.num_row_groups):
            writer.write_table(opened.read_row_group(group))
    with arrow.memory_map(str(between)) as mapped:
        table = arrow.ipc.open_file(mapped).read_all()
        parquet.write_table(table, file, row_group_size=len(table), compression="none", use_dictionary=False)
        del table
    between.unlink()


if __name__ == "__main__":
    main(*sys.argv[1:])
