"""The one door: whatever a user passes as X, y or sample_weight becomes checked rows here, or a clear error.

    features(learner, X)          NumPy, pandas, polars, pyarrow, lists, SciPy sparse (if the learner declares it) → array
    numbers(y), classes(y)        targets: float64, or whole numbers 0 … K−1 with the labels they stand for
    weights(sample_weight)        float64 of at least 0, not all 0; None stays None
    open_rows(learner, X, …)      all of them together as `Rows`; rows of files pass through

Every refusal names the column, the row, the value and the remedy. Nothing is dropped, imputed, clipped or reordered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, validate_data

from aprendiz.core.engines.threads import ordered_map
from aprendiz.core.rows import Array, ArrayRows, Rows, block_rows, solid
from aprendiz.core.sums import Levels

Target = Literal["none", "numbers", "classes"]


def open_rows(
    learner: Any, X: Any, y: Any = None, sample_weight: Any = None, *, target: Target = "none", reset: bool = True
) -> Rows:
    """Checked rows, with what the learner should note of their columns and of the classes."""
    if isinstance(X, Rows):
        return opened_elsewhere(learner, X, y, sample_weight, target=target, reset=reset)
    if target != "none" and y is None:
        raise ValueError(f"{type(learner).__name__} requires y to be passed, but the target y is None.")
    table, noted = features(learner, X, reset=reset)
    count, labels, codes = table.shape[0], None, None
    if target == "numbers":
        codes = numbers(y, count)
    elif target == "classes":
        labels, codes = classes(y, count)
    rows = ArrayRows(table, codes, weights(sample_weight, count), noted.get("feature_names_in_"))
    rows.labels, rows.noted = labels, noted
    return rows


def opened_elsewhere(learner: Any, rows: Rows, y: Any, sample_weight: Any, *, target: Target, reset: bool) -> Rows:
    """Rows that are opened already: from files, or mapped by an earlier step of a pipeline."""
    if y is not None or sample_weight is not None:
        raise TypeError(
            "y and sample_weight cannot be given beside opened rows: name their columns when you open them, "
            'as in aprendiz.rows("table.parquet", target="y", weight="w").'
        )
    if "missing" in learner.allows:
        rows = rows.with_missing()
    if rows.count == 0 or (first := next(rows.blocks(), None)) is None:
        raise ValueError(f"{rows!r} has 0 rows; at least 1 is needed.")
    if target != "none" and first.y is None:
        raise ValueError(
            f"{type(learner).__name__} requires y to be passed, but the target y is None: "
            'open the rows with their target, as in aprendiz.rows("table.parquet", target="y").'
        )
    noted = note_columns(learner, rows, rows.columns, rows.names, reset=reset)
    if target == "numbers" and not np.issubdtype(first.y.dtype, np.number):
        raise ValueError(f"The target holds words such as {first.y[0]!r}, not numbers; a regressor needs numbers.")
    labels = None
    if target == "classes":
        labels = rows.sum(Levels.of).values
        refuse_measurements(labels)
        refuse_one_class(labels)
    rows = rows.changed(lambda block: block if labels is None else replace(block, y=solid(np.searchsorted(labels, block.y))))
    rows.labels, rows.noted = labels, noted
    return rows


# ---- X ---------------------------------------------------------------------------------------------------------------


def features(learner: Any, X: Any, *, reset: bool) -> tuple[Any, dict[str, Any]]:
    """A float array (or CSR matrix) of shape (rows, columns), float32 or float64; and what to note of its columns."""
    allowed = learner.allows
    names = None
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype in (np.float64, np.float32):
        table = X
    elif sparse.issparse(X):
        table = sparse_table(X, type(learner).__name__, "sparse" in allowed)
    elif (frame := as_frame(X)) is not None:
        names, table = frame_table(frame)
    else:
        table = array_table(X)
    if 0 in table.shape:
        what = "sample(s)" if table.shape[0] == 0 else "feature(s)"
        raise ValueError(f"Found array with 0 {what} (shape={table.shape}) while a minimum of 1 is required.")
    if which_bad := first_bad_cell(table, missing_is_fine="missing" in allowed):
        refuse_cell(*which_bad, names)
    return table, note_columns(learner, X, table.shape[1], names, reset=reset)


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
    if columns != learner.n_features_in_:
        raise ValueError(
            f"X has {columns} features, but {type(learner).__name__} is expecting {learner.n_features_in_} features as input."
        )


def first_bad_cell(table: Any, *, missing_is_fine: bool) -> tuple[int, int, float] | None:
    """The first cell that is infinite, or missing where that is not fine: (row, column, value)."""
    stored = table.data if sparse.issparse(table) else table

    def suspicious(part: Array) -> bool:
        with np.errstate(over="ignore", invalid="ignore"):
            return not np.isfinite(part.sum())  # a sum of finite numbers may overflow: that is settled below

    length = len(stored)
    size = length if stored.size < 2**17 else block_rows(stored.size // length)
    parts = (stored[start : start + size] for start in range(0, length, size))
    if not any(ordered_map(suspicious, parts)):
        return None
    bad = np.isinf(stored) if missing_is_fine else ~np.isfinite(stored)
    if not bad.any():
        return None
    if stored is table:
        row, column = (int(i) for i in np.argwhere(bad)[0])
    else:
        entry = int(np.flatnonzero(bad)[0])
        row, column = int(np.searchsorted(table.indptr, entry, side="right")) - 1, int(table.indices[entry])
    return row, column, float(table[row, column])


def refuse_cell(row: int, column: int, value: float, names: Sequence[str] | None) -> None:
    where = f"row {row}, column {column if names is None else repr(names[column])}"
    if np.isnan(value):
        raise ValueError(f"Input X contains NaN: {where}. Impute it (SimpleImputer) or leave the row out.")
    raise ValueError(f"Input X contains infinity ({value}): {where}. Replace it or leave the row out.")


def array_table(X: Any) -> Array:
    """Lists, arrays of other types, anything that NumPy can read."""
    seen = np.asarray(X, dtype=object) if isinstance(X, (list, tuple)) else np.asarray(X)
    if seen.ndim == 2 and seen.dtype.kind in "OUS":
        refuse_words(seen)
    checked: Array = check_array(
        X, dtype=[np.float64, np.float32], ensure_all_finite=False, ensure_min_samples=0, ensure_min_features=0
    )
    return checked


def refuse_words(table: Array) -> None:
    for (row, column), value in np.ndenumerate(table):
        if isinstance(value, (str, bytes)):
            raise ValueError(
                f"Input X holds the text {str(value)!r} in row {row}, column {column}: numbers are needed. "
                "Encode the column (OneHotEncoder) or leave it out."
            )


def sparse_table(X: Any, name: str, allowed: bool) -> Any:
    if not allowed:
        raise TypeError(f"Sparse data was passed to {name}, which needs dense data: use X.toarray().")
    if np.issubdtype(X.dtype, np.complexfloating):
        raise ValueError("Complex data not supported.")
    return X.tocsr() if X.dtype in (np.float64, np.float32) else X.tocsr().astype(np.float64)


def as_frame(X: Any) -> Any:
    """A narwhals view of a pandas, polars or pyarrow table, else None."""
    if isinstance(X, (np.ndarray, list, tuple)):
        return None
    import narwhals.stable.v2 as nw

    names = getattr(X, "columns", None)
    if names is not None and hasattr(names, "duplicated") and names.duplicated().any():
        name = names[names.duplicated()][0]
        raise ValueError(f"The column name {name!r} stands more than once in X: rename one of them.")
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame) else None


def frame_table(frame: Any) -> tuple[list[str], Array]:
    """Column by column, so that a column that cannot be read is named."""
    names, series = list(frame.columns), list(frame.iter_columns())
    dtype = np.float32 if series and all(str(s.dtype) == "Float32" for s in series) else np.float64
    table = np.empty((len(frame), len(names)), dtype=dtype)
    for j, (name, column) in enumerate(zip(names, series, strict=True)):
        if column.dtype.is_numeric() or str(column.dtype) == "Boolean":
            table[:, j] = as_floats(column)
        else:
            table[:, j] = words_refused(name, column)
    return names, table


def as_floats(column: Any) -> Array:
    import narwhals.stable.v2 as nw

    if column.null_count():
        column = column.cast(nw.Float64)
    return np.asarray(column.to_numpy(), dtype=np.float64)


def words_refused(name: str, column: Any) -> Array:
    """A column of Python objects may hold numbers; anything else is refused by name."""
    cells = column.to_list()
    for row, value in enumerate(cells):
        if isinstance(value, (bool, int, float, np.number)) or value is None:
            continue
        kind = "text" if isinstance(value, (str, bytes)) else "value"
        raise ValueError(
            f"Input X holds the {kind} {value!r} in row {row}, column {name!r} ({column.dtype}): numbers are needed. "
            "Encode the column (OneHotEncoder) or leave it out."
        )
    return np.array([np.nan if value is None else float(value) for value in cells])


# ---- y and weights ---------------------------------------------------------------------------------------------------


def same_length(name: str, length: int, count: int) -> None:
    if length != count:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {count} rows, {name} has {length}."
        )


def numbers(y: Any, count: int) -> Array:
    """A target of numbers: float64 of shape (rows,) or (rows, targets)."""
    target = as_target(y)
    if target.dtype.kind == "c":
        raise ValueError("Complex data not supported: y holds complex numbers.")
    if target.dtype.kind in "OUS":
        for row, value in enumerate(target.ravel()):
            if not isinstance(value, (bool, int, float, np.number)):
                raise ValueError(f"Unknown label type: y holds {value!r} in row {row}; a regressor needs numbers.")
    target = np.asarray(target, dtype=np.float64)
    if target.ndim not in (1, 2):
        raise ValueError(f"y should be a 1d array, got an array of shape {target.shape} instead.")
    same_length("y", len(target), count)
    refuse_bad_number("y", target)
    return target


def classes(y: Any, count: int) -> tuple[Array, Array]:
    """A target of classes: the sorted labels, and for each row the number of its label."""
    target = column_or_1d(as_target(y), warn=True)
    if target.dtype.kind == "c":
        raise ValueError("Complex data not supported: y holds complex numbers.")
    same_length("y", len(target), count)
    if target.dtype.kind == "f":
        refuse_bad_number("y", target)
        refuse_measurements(target)
    elif target.dtype.kind not in "biuUS":
        check_classification_targets(target)
    try:
        labels = np.unique(target)
    except TypeError as error:
        kinds = sorted({type(value).__name__ for value in target})
        raise TypeError(f"y mixes labels of types {', '.join(kinds)}, which have no order: make them one type.") from error
    refuse_one_class(labels)
    return labels, np.searchsorted(labels, target)


def refuse_one_class(labels: Array) -> None:
    if len(labels) == 1:
        raise ValueError(f"y holds only one class, {labels[0]!r}: a classifier needs at least two.")


def refuse_measurements(target: Array) -> None:
    if target.dtype.kind == "f" and (uneven := target != np.floor(target)).any():
        row = int(np.flatnonzero(uneven)[0])
        raise ValueError(
            f"Unknown label type: continuous. y holds {target[row]!r} in row {row}; a classifier needs classes, "
            "a regressor takes such numbers."
        )


def as_target(y: Any) -> Array:
    """A target as an array, from a series, a frame of one column, a list or an array."""
    import narwhals.stable.v2 as nw

    if isinstance(y, (np.ndarray, list, tuple)):
        return np.asarray(y)
    native = nw.from_native(y, allow_series=True, eager_only=True, pass_through=True)
    return np.asarray(native.to_numpy() if isinstance(native, (nw.Series, nw.DataFrame)) else y)


def weights(sample_weight: Any, count: int) -> Array | None:
    """Weights as float64: one for each row, none below 0, not all 0. One number stands for all rows."""
    if sample_weight is None:
        return None
    weight = np.asarray(as_target(sample_weight), dtype=np.float64)
    if weight.ndim == 0:
        weight = np.full(count, float(weight))
    if weight.ndim != 1:
        raise ValueError(f"sample_weight must be a 1d array, got an array of shape {weight.shape}.")
    same_length("sample_weight", len(weight), count)
    refuse_bad_number("sample_weight", weight)
    if (negative := weight < 0).any():
        row = int(np.flatnonzero(negative)[0])
        raise ValueError(
            f"Negative weight {weight[row]} in row {row} of sample_weight: weights count rows; use 0 to leave one out."
        )
    if not weight.any():
        raise ValueError("sample_weight: all weights are zero; at least one row must count.")
    return weight


def refuse_bad_number(name: str, values: Array) -> None:
    if np.isfinite(values.sum()):
        return
    bad = ~np.isfinite(values)
    if bad.any():
        row = int(np.argwhere(bad)[0][0])
        what = "NaN" if np.isnan(values[row]).any() else "infinity or a value too large for dtype('float64')"
        raise ValueError(f"Input {name} contains {what}: row {row}. Leave the row out or replace the value.")
