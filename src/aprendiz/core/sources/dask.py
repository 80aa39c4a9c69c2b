"""Rows of Dask arrays and frames: the work goes to the data, and only records come back.

A partition is read, checked, cut into blocks and summed where it lies; its record joins seven others, and so on, in a tree
whose fan-in is a power of two. What travels: the statistic with its parameters, once for each worker that needs them, and the
records. With local threads, with processes and with `distributed` it is the same graph of pure tasks, so a worker that is
killed costs nothing but time: its tasks are done again elsewhere.

Partitions are boundaries of blocks. The sum has the bits of the array in memory where each partition holds 2ᵏ whole blocks,
and agrees to rounding otherwise.

Every pass computes the partitions anew unless the collection is persisted. Data that would then be others (random numbers
without a seed, a stream that is used up) are refused as soon as the length or the seal of a partition (partitions.py) shows it;
so are data that a lost worker would take with it (scattered by hand).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.rows import Array, Block, Record, Result, Rows, read_only
from aprendiz.core.sources.partitions import (
    Place,
    Reading,
    add_records,
    part_blocks,
    part_each,
    part_first,
    part_seal,
    part_sum,
    part_table,
)
from aprendiz.core.targets import as_target, same_length

FAN_IN = 8


def is_dask(X: Any) -> bool:
    """Is it a collection of Dask? (Without importing Dask to ask.)"""
    return hasattr(type(X), "__dask_graph__")


def dask_rows(X: Any, y: Any = None, sample_weight: Any = None, *, labels: bool = False) -> DaskRows:
    """The rows of a Dask array or frame, with targets (`labels`, or numbers) and weights of the same length."""
    refuse_no_table(X)
    names = list(X.columns) if hasattr(X, "columns") else None
    parts = partitions(X)
    refuse_scattered(X, y, sample_weight)
    lengths = known_lengths(X, parts)
    targets = cut_like_rows("y", y, lengths)
    weights = cut_like_rows("sample_weight", sample_weight, lengths)
    columns = len(names) if names is not None else int(X.shape[1])
    if columns == 0:
        raise ValueError("Found array with 0 feature(s) while a minimum of 1 is required.")
    reading = Reading(columns, None if names is None else tuple(names), labels)
    whole = [list(part) for part in zip(parts, targets, weights, strict=True)]
    return DaskRows(whole, lengths, reading, homes=homes(X, parts))


def refuse_no_table(X: Any) -> None:
    """Collections that are no tables."""
    kind = type(X).__name__
    if kind == "Series":
        raise ValueError("Expected 2D array, got a Dask series instead: give a frame with one column, X[['name']].")
    if kind not in ("Array", "DataFrame"):
        raise TypeError(f"X is a {kind} of Dask: give a Dask array or a Dask frame.")
    if X.ndim != 2:
        raise ValueError(f"Expected 2D array, got a Dask array of {X.ndim} dimensions instead: give rows and columns.")


class DaskRows(Rows):
    """Rows of the partitions of a Dask collection. `parts` holds X, target and weight of each, not yet computed."""

    def __init__(
        self,
        parts: list[list[Any]],
        lengths: list[int],
        reading: Reading,
        columns: int | None = None,
        homes: Sequence[tuple[str, ...]] = (),
        seals: dict[int, bytes] | None = None,
    ):
        self.parts, self.lengths, self.reading = parts, lengths, reading
        self.seals: dict[int, bytes] = {} if seals is None else seals  # shared by all rows that are made from these
        self.homes = homes or [()] * len(parts)
        self.starts = [0, *np.cumsum(lengths).tolist()]
        self.count = self.starts.pop()
        self.names = None if reading.renamed or not all_words(reading.names) else reading.names
        self.columns = reading.columns if columns is None else columns
        self.complete = not reading.missing_is_fine
        full = [number for number, length in enumerate(lengths) if length]
        self.leader = full[0] if full else 0
        if full and self.leader not in self.seals:
            self.seals[self.leader] = self.at_leader(part_seal)

    def __repr__(self) -> str:
        return f"<rows of Dask: {self.count:,} × {self.columns} columns in {len(self.parts)} partitions>"

    # ---- what Rows asks for --------------------------------------------------------------------------------------------

    def sum(self, statistic: Callable[..., Record], *parameters: Any) -> Record:
        """Records of the partitions, added in a tree; those of empty partitions are left out."""
        records = self.tasks(part_sum, (statistic, parameters))
        add = self.delay(add_records)
        while len(records) > 1:
            records = [add(records[k : k + FAN_IN]) for k in range(0, len(records), FAN_IN)]
        return self.keep_seals(self.compute(records)[0])

    def each(self, function: Callable[..., Array], *parameters: Any) -> Array:
        pieces = self.compute(self.tasks(part_each, (function, parameters)))
        return np.concatenate([self.keep_seals(piece) for piece in pieces if piece is not None])

    def keep_seals(self, found: Any) -> Any:
        """A result without its seals, which are kept: later passes must find the same partitions."""
        if found is None:
            return None
        self.seals.update(found.seals)
        return found.result

    def first(self, function: Callable[..., Result], *parameters: Any) -> Result:
        return self.at_leader(part_first, function, parameters)

    def empty(self) -> bool:
        return self.count == 0

    def groups(self) -> Iterator[Iterable[Block]]:
        """The blocks of one partition after the other, brought here. (Sums do not need this.)"""
        for number, part in enumerate(self.parts):
            (here,) = self.compute([self.delay(part_blocks)(self.reading, self.place(number), *part)])
            yield here

    def changed(self, change: Callable[[Block], Block]) -> DaskRows:
        reading = replace(self.reading, changes=(*self.reading.changes, change))
        rows = DaskRows(self.parts, self.lengths, reading, self.columns, self.homes, self.seals)
        rows.labels, rows.noted, rows.width, rows.complete = self.labels, self.noted, self.width, False
        return rows

    def map(self, transform: Callable[[Array], Array], names: Sequence[str] | None = None) -> DaskRows:
        rows = self.changed(lambda block: replace(block, X=read_only(transform(block.X))))
        rows.reading = replace(rows.reading, renamed=True)
        rows.names, rows.columns = names, rows.first(lambda block: int(block.X.shape[1]))
        return rows

    def with_missing(self) -> DaskRows:
        reading = replace(self.reading, missing_is_fine=True)
        return DaskRows(self.parts, self.lengths, reading, self.columns, self.homes, self.seals)

    def apply_transform(self, transform: Callable[[Array], Array]) -> Any:
        """A Dask array, not yet computed."""
        return self.map(transform).array()

    def array(self) -> Any:
        """The features as a Dask array, not yet computed."""
        import dask.array as da

        dtype = self.first(lambda block: block.X.dtype)
        pieces = self.tasks(part_table, (lambda block: block.X, ()))
        shapes = [(length, self.columns) for length in self.lengths]
        known = [(piece, shape) for piece, shape in zip(pieces, shapes, strict=True) if shape[0]]
        return da.concatenate([da.from_delayed(piece, shape, dtype) for piece, shape in known])

    # ---- tasks ---------------------------------------------------------------------------------------------------------

    def tasks(self, work: Callable[..., Any], told: tuple[Any, ...]) -> list[Any]:
        """`work` on each partition, where it lies if it is persisted (elsewhere if that worker is gone). What all of them are
        told is one node of the graph: sent once, not once for each."""
        from dask import annotate, delayed

        common = delayed((self.reading, *told), pure=False, traverse=False)
        do, tasks = self.delay(work), []
        for number, (part, home) in enumerate(zip(self.parts, self.homes, strict=True)):
            with annotate(workers=list(home), allow_other_workers=True) if home else nullcontext():
                tasks.append(do(common, self.place(number), *part))
        return tasks

    def place(self, number: int) -> Place:
        return Place(number, self.starts[number], self.lengths[number], self.seals.get(number))

    def at_leader(self, work: Callable[..., Any], *told: Any) -> Any:
        """`work` on the first partition that has rows."""
        number = self.leader
        common = (self.reading, *told)
        return self.compute([self.delay(work)(common, self.place(number), *self.parts[number])])[0]

    @staticmethod
    def delay(work: Callable[..., Any]) -> Any:
        from dask import delayed

        return delayed(work, pure=False, traverse=False)

    def compute(self, tasks: list[Any]) -> Any:
        """By whatever scheduler is in charge; local threads share the one thread that BLAS is held to."""
        from dask import compute

        with single_blas(self.work):
            return compute(*tasks, optimize_graph=False)


# ---- collections -------------------------------------------------------------------------------------------------------


def partitions(collection: Any) -> list[Any]:
    """The partitions of a frame, or the runs of rows of an array, each with all columns."""
    if hasattr(collection, "chunks") and collection.ndim == 2:
        collection = collection.rechunk({1: -1})
    delayed = collection.to_delayed()
    return list(delayed.ravel()) if isinstance(delayed, np.ndarray) else list(delayed)


def known_lengths(collection: Any, parts: list[Any]) -> list[int]:
    """The rows of each partition: known of most arrays, counted for frames."""
    if hasattr(collection, "chunks") and not np.isnan(collection.chunks[0]).any():
        return [int(length) for length in collection.chunks[0]]
    from dask import compute, delayed

    return [int(length) for length in compute(*(delayed(len, pure=False)(part) for part in parts))]


def cut_like_rows(name: str, values: Any, lengths: list[int]) -> list[Any]:
    """Targets or weights, cut as the rows are."""
    if values is None:
        return [None] * len(lengths)
    if is_dask(values):
        if (kind := type(values).__name__) not in ("Array", "Series", "DataFrame", "Index"):
            raise TypeError(f"{name} is a {kind} of Dask: give a Dask array, a Dask series, or an array.")
        if hasattr(values, "chunks") and not np.isnan(values.chunks[0]).any():
            same_length(name, int(sum(values.chunks[0])), sum(lengths))
            values = values.rechunk({0: tuple(lengths)})
        found = partitions(values)
        own = known_lengths(values, found)
        same_length(name, sum(own), sum(lengths))
        return found if own == lengths else recut(found, own, lengths)
    array = as_target(values)
    if array.ndim == 0:
        array = np.full(sum(lengths), array)
    if name == "sample_weight" and array.ndim != 1:
        raise ValueError(f"sample_weight must be a 1d array, got an array of shape {array.shape}.")
    same_length(name, len(array), sum(lengths))
    return np.split(array, np.cumsum(lengths)[:-1])


def recut(parts: list[Any], own: list[int], lengths: list[int]) -> list[Any]:
    """Partitions of other lengths: for each wanted one, the pieces that cover its rows. (A reader of files may have joined
    small partitions of one column and not of another; a filter may have emptied some.)"""
    from dask import delayed

    join = delayed(joined_rows, pure=False)
    ends, wanted = np.cumsum([0, *own]), np.cumsum([0, *lengths])
    found = []
    for start, stop in pairwise(wanted):
        covers = [k for k in range(len(own)) if ends[k] < stop and start < ends[k + 1]]
        cuts = [(max(start - ends[k], 0), min(stop, ends[k + 1]) - ends[k]) for k in covers]
        found.append(join([parts[k] for k in covers] or parts[:1], cuts or [(0, 0)]))
    return found


def joined_rows(parts: list[Any], cuts: list[tuple[int, int]]) -> Array:
    """Some rows of each part, one under the other."""
    return np.concatenate([as_target(part)[a:b] for part, (a, b) in zip(parts, cuts, strict=True)])


def homes(collection: Any, parts: list[Any]) -> list[tuple[str, ...]]:
    """The workers that hold each partition of a persisted collection; none where it is not known."""
    if "distributed" not in sys.modules:
        return [()] * len(parts)
    from distributed import futures_of, get_client

    held = futures_of(collection)
    who = get_client().who_has(held) if held else {}
    return [tuple(who.get(part.key, ())) for part in parts]


def refuse_scattered(*collections: Any) -> None:
    """Data that a client scattered by hand are nowhere but in the memory of a worker: if it is lost, so are they."""
    if "distributed" not in sys.modules:
        return
    from distributed import Future, get_client

    keys = {key for c in collections if is_dask(c) for key in earlier_results(dict(c.__dask_graph__()), Future)}
    if not keys:
        return
    lost = get_client().run_on_scheduler(without_recipe, keys=list(keys))
    if lost:
        raise ValueError(
            f"The data depend on {lost[0]!r}, which was scattered and cannot be computed again if its worker is lost: "
            "build the collection from files or arrays (from_array, read_parquet) instead."
        )


def earlier_results(graph: dict[Any, Any], future: type) -> Iterator[Any]:
    """The keys of earlier results that a graph starts from."""
    for key, node in graph.items():
        if isinstance(node, future):
            yield key
        yield from (key for key in getattr(node, "dependencies", ()) if key not in graph)


def without_recipe(keys: list[Any], dask_scheduler: Any = None) -> list[str]:
    """Those of the keys, and of what they were computed from, of which the scheduler knows no task, only a result."""
    lost, seen, waiting = list[str](), set[Any](), [dask_scheduler.tasks[key] for key in keys if key in dask_scheduler.tasks]
    while waiting:
        task = waiting.pop()
        if task.key not in seen:
            seen.add(task.key)
            needed = getattr(task.run_spec, "dependencies", ())
            forgotten = task.run_spec is None or any(key not in dask_scheduler.tasks for key in needed)
            lost += [str(task.key)] if forgotten else []
            waiting += task.dependencies
    return lost


def all_words(names: tuple[Any, ...] | None) -> bool:
    """Are the columns named by words? (Numbers are no names, as in scikit-learn; a mixture is refused.)"""
    if names is None:
        return False
    words = sum(isinstance(name, str) for name in names)
    if 0 < words < len(names):
        raise TypeError("Feature names are only supported if all of them are strings: rename the columns of the frame.")
    return words > 0
