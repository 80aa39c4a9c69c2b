"""The one door: whatever a user passes as X, y or sample_weight becomes checked rows here, or a clear error.

    features(learner, X)          NumPy, pandas, polars, pyarrow, lists, SciPy sparse (if the learner declares it) → array
    open_rows(learner, X, y, w)   with target and weights (targets.py) as `Rows`, wherever they are (sources/)
    is_read_in_blocks(X)          whether X is opened rows or a collection, rather than a table in memory
    with_own_target(…)            X, y and weights to compare with: opened rows bring theirs
    refuse_empty_sums(…)          what only a sum can show: all weights zero, squares that overflow

Every refusal names the column, the row, the value and the remedy. Nothing is dropped, imputed, clipped or reordered.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from aprendiz.core.cells import ReadTable
from aprendiz.core.columns import Mixed
from aprendiz.core.containers import refuse_iterator, without_mask
from aprendiz.core.frames import as_frame, has_words
from aprendiz.core.precision import noted_dtype
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.several_targets import has_several_targets, several_classes
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.sources.dask import dask_rows, is_dask
from aprendiz.core.sums import Sums
from aprendiz.core.tables import (
    array_table,
    first_bad_cell,
    frame_table,
    refuse_bad_block,
    refuse_cell,
    sparse_table,
)
from aprendiz.core.targets import (
    WEIGHT_POWER,
    LargestNumbers,
    Levels,
    classes,
    numbers,
    plain,
    refuse_few_classes,
    refuse_measurements,
    refuse_target_out_of_range,
    refuse_unknown_label,
    refuse_weights_out_of_range,
    weights,
)
from aprendiz.core.whole_numbers import refuse_inexact_cells, refuse_inexact_targets

Target = Literal["none", "numbers", "classes"]
NEVER = -2000  # a power below which there is no number


def open_rows(
    learner: Any,
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    target: Target = "none",
    reset: bool = True,
    among: Array | None = None,
) -> Rows:
    """Checked rows, with what the learner should note of their columns and of the classes (`among`: see targets.py)."""
    X, y, sample_weight = open_collection(X, y, sample_weight, target=target)
    if isinstance(X, Rows):
        return check_opened(learner, X, y, sample_weight, target=target, reset=reset, among=among)
    if target != "none" and y is None:
        raise ValueError(f"{type(learner).__name__} requires y to be passed, but the target y is None.")
    table, noted = features(learner, X, reset=reset, learning=among is not None)
    count, labels, several, codes = table.shape[0], None, None, None
    if target == "numbers":
        codes = numbers(y, count)
        refuse_target_out_of_range(LargestNumbers.of(codes), learner.target_range())
    elif target == "classes" and learner.several_targets and has_several_targets(y):
        several, codes = several_classes(y, count)
    elif target == "classes":
        labels, codes = classes(y, count, among, learner.least_classes)
    names = noted.get("feature_names_in_") if reset else getattr(learner, "feature_names_in_", None)
    rows = ArrayRows(table, codes, weights(sample_weight, count), names)
    rows.labels, rows.several = labels, several
    rows.noted = {**noted, **noted_dtype(learner, getattr(table, "dtype", None), reset=reset)}
    rows.form = type(X) if getattr(X, "format", "") == "csc" else None
    rows.width = table.shape[1] + (1 if codes is None or codes.ndim == 1 else codes.shape[1])
    return rows


def open_collection(X: Any, y: Any, sample_weight: Any, *, target: Target) -> tuple[Any, Any, Any]:
    """A Dask collection as rows that hold their target and weights; whatever else X is stays as it is."""
    if not is_dask(X):
        return X, y, sample_weight
    return dask_rows(X, None if target == "none" else y, sample_weight, labels=target == "classes"), None, None


def is_read_in_blocks(X: Any) -> bool:
    """Is X opened rows, or a collection that is opened as rows, rather than a table in memory?"""
    return isinstance(X, Rows) or is_dask(X)


def with_own_target(learner: Any, X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """X, y and weights in memory: those of opened rows, where none are given, and those of Dask collections brought here."""
    y, sample_weight = (value.compute() if is_dask(value) else value for value in (y, sample_weight))
    if not isinstance(X, Rows) or y is not None:
        return X, y, sample_weight
    rows = X.with_missing() if "missing" in learner.allows else X
    has_target, has_weight = rows.first(lambda block: (block.y is not None, block.weight is not None))
    if not has_target:
        raise ValueError('The rows have no target to compare with: open them with one, as in rows("t.parquet", target="y").')
    return rows, rows.each(lambda block: block.y), rows.each(lambda block: block.weight) if has_weight else None


def check_opened(
    learner: Any, rows: Rows, y: Any, sample_weight: Any, *, target: Target, reset: bool, among: Array | None = None
) -> Rows:
    """Rows that are opened already: from files, or mapped by an earlier step of a pipeline."""
    if y is not None or sample_weight is not None:
        raise TypeError(
            "y and sample_weight cannot be given beside opened rows: name their columns when you open them, "
            'as in aprendiz.rows("table.parquet", target="y", weight="w").'
        )
    if "missing" in learner.allows:
        rows = rows.with_missing()
    if rows.empty():
        raise ValueError(f"{rows!r} has 0 rows; at least 1 is needed.")
    powers = learner.target_range() if target == "numbers" else None
    dtype, sample, *largest = rows.first(first_look, powers)
    if target != "none" and sample is None:
        raise ValueError(
            f"{type(learner).__name__} requires y to be passed, but the target y is None: "
            'pass it, or open the rows with it, as in aprendiz.rows("table.parquet", target="y").'
        )
    noted = note_columns(learner, rows, rows.columns, rows.names, reset=reset) | noted_dtype(learner, dtype, reset=reset)
    if target == "numbers" and sample is not None and sample.dtype.kind not in "biuf":
        raise ValueError(f"The target holds words such as {plain(sample[0])!r}, not numbers; a regressor needs numbers.")
    if target == "numbers" and sample is not None and sample.dtype.kind in "iu":
        rows = rows.changed(refuse_inexact_block)
    if "missing" not in learner.allows and not rows.complete:
        rows = rows.changed(refuse_bad_block)
    labels = None
    if target == "classes":
        rows = rows.changed(as_vector)
        labels = rows.sum(Levels.of).values
        refuse_measurements(labels, "somewhere")
        if among is None:
            refuse_few_classes(labels, learner.least_classes)
        elif len(among):
            if not np.isin(labels, among).all():
                refuse_unknown_label(among, rows.each(lambda block: block.y))
            labels = among
    refuse_small_numbers(rows, powers, *largest)

    def checked(block: Block) -> Block:
        refuse_large_numbers(powers, block)
        return block if labels is None else replace(block, y=read_only(np.searchsorted(labels, block.y)))

    rows = rows.changed(checked)
    targets = sample.shape[1] if sample is not None and sample.ndim == 2 else 1
    rows.labels, rows.noted, rows.width = labels, noted, rows.columns + targets
    return rows


def as_vector(block: Block) -> Block:
    """Classes in one column are a vector of classes."""
    if block.y.ndim == 1:
        return block
    if block.y.ndim > 2 or block.y.shape[1] != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape (…, {block.y.shape[1]}) instead.")
    return replace(block, y=block.y[:, 0])


def refuse_inexact_block(block: Block) -> Block:
    """Targets of a regressor that are whole numbers must be exact as doubles."""
    refuse_inexact_targets(block.y, block.start)
    return block


def largest_numbers(powers: tuple[int, int] | None, block: Block) -> list[LargestNumbers | None]:
    """Those of the target, if it is one of numbers that are squared or summed, and of the weights, if there are any."""
    summed = powers is not None and block.y is not None and block.y.dtype.kind in "biuf"
    y = LargestNumbers.of(block.y, block.start) if summed else None
    return [y, None if block.weight is None else LargestNumbers.of(block.weight, block.start)]


def refuse_large_numbers(powers: tuple[int, int] | None, block: Block) -> None:
    """Targets or weights that are too large, as they come."""
    y, weight = largest_numbers(powers, block)
    if y is not None and powers is not None and (np.abs(y.value) > 2.0 ** powers[1]).any():
        refuse_target_out_of_range(y, (NEVER, powers[1]))
    if weight is not None and weight.value[0] > 2.0**WEIGHT_POWER:
        refuse_weights_out_of_range(weight)


def refuse_small_numbers(
    rows: Rows, powers: tuple[int, int] | None, y: LargestNumbers | None, weight: LargestNumbers | None
) -> None:
    """Targets or weights of which even the largest is too small. The first block mostly has one that is not; where it has none,
    one more pass finds the largest of all."""
    if y is not None and powers is not None and y.below(powers[0]):
        refuse_target_out_of_range(rows.sum(lambda block: LargestNumbers.of(block.y, block.start)), powers)
    if weight is not None and weight.below(-WEIGHT_POWER):
        refuse_weights_out_of_range(rows.sum(lambda block: LargestNumbers.of(block.weight, block.start)))


def first_look(powers: tuple[int, int] | None, block: Block) -> list[Any]:
    """The precision of the cells, the first entry of the target, and the largest numbers of the first block."""
    return [getattr(block.X, "dtype", None), first_target(block), *largest_numbers(powers, block)]


def first_target(block: Block) -> Array | None:
    """The first entry of the target, if there is a target."""
    return None if block.y is None else np.asarray(block.y[:1])


# ---- X ---------------------------------------------------------------------------------------------------------------


def features(learner: Any, X: Any, *, reset: bool, learning: bool = False) -> tuple[Any, dict[str, Any]]:
    """A float array (or CSR matrix) of shape (rows, columns), float32 or float64; and what to note of its columns.

    Words become a mixed table where the learner allows categories; if it is `learning` more rows, with new levels too.
    """
    refuse_iterator("X", X)
    X, allowed = without_mask(X), learner.allows
    if "categories" in allowed and (mixed := mixed_table(learner, X, reset=reset, learning=learning)) is not None:
        return mixed
    names = None
    kinds = "fiu" if "categories" in allowed else "f"  # codes may stay whole numbers
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in kinds and X.dtype.isnative and X.itemsize in (4, 8):
        table = X
    elif sparse.issparse(X):
        table = sparse_table(X, type(learner).__name__, "sparse" in allowed)
    elif (frame := as_frame(X)) is not None:
        names, table = frame_table(frame, whole="categories" in allowed)
    else:
        table = array_table(X)
    if 0 in table.shape:
        what = "sample(s)" if table.shape[0] == 0 else "feature(s)"
        raise ValueError(f"Found array with 0 {what} (shape={table.shape}) while a minimum of 1 is required.")
    if table.dtype.kind in "iu":
        refuse_inexact_cells(table, names=names)
    elif "infinite" in allowed or (isinstance(X, np.ndarray) and X.dtype.kind in "biu"):
        pass  # whole numbers are finite
    elif which_bad := first_bad_cell(table, missing_is_fine="missing" in allowed):
        refuse_cell(*which_bad, names)
    noted = note_columns(learner, X, table.shape[1], names, reset=reset)
    return table, {**noted, "columns_": None} if reset and "categories" in allowed else noted


def mixed_table(learner: Any, X: Any, *, reset: bool, learning: bool) -> tuple[Mixed, dict[str, Any]] | None:
    """A table with words in it, by the schema of the fit; None where all the cells are numbers."""
    frame, columns = as_frame(X), None if reset else getattr(learner, "columns_", None)
    if columns is None and not (reset and (learner.declares_levels() or holds_words(X, frame))):
        return None
    table = ReadTable.of(X)
    if columns is None:
        columns = learner.schema(table)
    elif learning:
        columns = columns.extended(table)
    names = None if frame is None else list(frame.columns)
    noted = note_columns(learner, X, len(names) if names is not None else np.shape(X)[1], names, reset=reset)
    mixed = columns.encode(table)
    if 0 in mixed.shape:
        raise ValueError(f"Found array with 0 sample(s) (shape={mixed.shape}) while a minimum of 1 is required.")
    if mixed.unseen:
        listed = "; ".join(map(str, mixed.unseen[:5]))
        warnings.warn(f"{listed}. Such cells count as missing.", UserWarning, stacklevel=4)
    for note in columns.notes if reset else ():
        warnings.warn(f"{note}.", UserWarning, stacklevel=4)
    return mixed, {**noted, "columns_": columns}


def holds_words(X: Any, frame: Any) -> bool:
    """Is any column something else than numbers?"""
    if frame is not None:
        return has_words(frame)
    if sparse.issparse(X):
        return False
    seen = np.asarray(X, dtype=object) if isinstance(X, (list, tuple)) else np.asarray(X)
    if seen.ndim != 2 or seen.dtype.kind not in "OUS":
        return False
    return any(isinstance(value, (str, bytes)) for value in seen.ravel())


def note_columns(learner: Any, X: Any, columns: int, names: Sequence[str] | None, *, reset: bool) -> dict[str, Any]:
    """At fit, number and names of the columns, to be kept if the fit succeeds; later, insist on those of the fit."""
    known = getattr(learner, "feature_names_in_", None)
    if isinstance(X, Rows):
        if not reset and names is not None and known is not None and list(names) != list(known):
            raise ValueError(f"The columns {list(names)} are not those of the fit, {list(known)}, in their order.")
        kept = None if names is None else np.asarray(names, dtype=object)
    elif names is None and (reset or known is None):  # plain arrays: nothing to compare but their number
        kept = None
    else:  # names as scikit-learn keeps and compares them; a first fit is tried on a stand-in
        judge = BaseEstimator() if reset else learner
        validate_data(judge, X, reset=reset, skip_check_array=True)
        kept = getattr(judge, "feature_names_in_", None)
    if not reset:
        insist_on_number(learner, columns)
        return {}
    return {"n_features_in_": columns, "feature_names_in_": kept}


def insist_on_number(learner: Any, columns: int) -> None:
    if columns != getattr(learner, "n_features_in_", columns):  # a subclass may have forgotten it
        raise ValueError(
            f"X has {columns} features, but {type(learner).__name__} is expecting {learner.n_features_in_} features as input."
        )


# ---- sums that say nothing ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Largest(Sums):
    """The largest size of a cell in each column, and its row."""

    size: Array
    row: Array

    @classmethod
    def of(cls, block: Block) -> Self:
        sizes = np.abs(block.X)
        sizes[np.isnan(sizes)] = 0.0  # missing cells
        rows = sizes.argmax(axis=0)
        return cls(sizes[rows, np.arange(sizes.shape[1])], block.start + rows)

    def __add__(self, other: Self) -> Self:
        later = other.size > self.size
        return type(self)(np.where(later, other.size, self.size), np.where(later, other.row, self.row))


def refuse_empty_sums(weight: Any, finite: bool, rows: Rows) -> None:
    """Stop where all weights were zero, or where squares of large cells overflowed."""
    if not np.any(weight) and not (np.ndim(weight) and getattr(rows, "weight", 0) is None):  # else every cell is missing
        raise ValueError("sample_weight: all weights are zero; at least one must be positive.")
    if finite:
        return
    largest = rows.sum(Largest.of)
    column = int(np.nanargmax(largest.size))
    name = repr(rows.names[column]) if rows.names is not None else column
    raise ValueError(
        f"Input X holds values too large to be squared: {largest.size[column]:.3g} in row {largest.row[column]}, "
        f"column {name}. Scale the column, or the target if that is larger still."
    )
