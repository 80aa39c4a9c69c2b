"""Bad tables, targets and weights, by name. Each says what its refusal must name, or which plain table it is in disguise.

Where one cell is spoilt it is row 7, column 1, which frames call 'weight'.
"""

from __future__ import annotations

import array
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

from hostile.attack import NAMES, NOISE, fingerprint

ROW, COLUMN = 7, 1


@dataclass(frozen=True)
class Bad:
    """Something to be refused, with words that the message must have; learners to whom it has a `meaning` may answer."""

    given: Any
    words: tuple[str, ...] = ()
    meaning: str | None = None
    form: bool = False  # only the way in tells it from another case: one learner for each way is enough

    def __post_init__(self):
        object.__setattr__(self, "bytes", fingerprint(self.given))


@dataclass(frozen=True)
class Odd(Bad):
    """Another form of a plain table: refused, or answered as the plain one."""

    plain: Any = None


def spoiled(rows, value, dtype=np.float64):
    X = rows.astype(dtype)
    X[ROW, COLUMN] = value
    return X


def bad_tables(rows):
    """Tables that no learner can learn from, unless they have a meaning to it."""
    here, named = ("row 7", "column 1"), ("row 7", "column 'weight'")
    first, first_named = ("row 0", "column 0"), ("row 0", "'age'")
    frame = pd.DataFrame(rows, columns=NAMES)
    words = frame.assign(age=["tall"] * len(rows))
    return {
        **cells(rows, frame, here, named),
        "nothing": Bad(None),
        "a number": Bad(5.0, ("2D",)),
        "a word": Bad("table.csv"),
        "a set": Bad({1.0, 2.0}),
        "a function": Bad(len),
        "an object": Bad(object()),
        "a generator": Bad(row for row in rows.tolist()),
        "a map": Bad(map(list, rows.tolist())),
        "a vector": Bad(rows[:, 0].copy(), ("2D", "1D")),
        "a list of numbers": Bad(rows[:, 0].tolist(), ("2D", "1D")),
        "a series": Bad(pd.Series(rows[:, 0]), ("DataFrame",)),
        "a cube": Bad(rows[:, :, None].copy(), ("3",)),
        "no rows": Bad(np.empty((0, 3)), ("0 sample",)),
        "no columns": Bad(np.empty((len(rows), 0)), ("0 feature",)),
        "empty lists": Bad([[]] * len(rows), ("0 feature",)),
        "an empty list": Bad([]),
        "a frame without rows": Bad(frame[:0], ("0 sample",)),
        "a frame without columns": Bad(frame[[]], ("0 feature",)),
        "sparse without rows": Bad(sparse.csr_matrix((0, 3)), (), "empty"),
        "sparse without columns": Bad(sparse.csr_matrix((len(rows), 0))),
        "rows of unequal length": Bad([*rows[:8].tolist(), [1.0, 2.0], *rows[9:].tolist()], ("row 8", "2", "3")),
        "complex": Bad(rows + 0j, ("Complex",)),
        "complex64": Bad(rows.astype(np.complex64), ("Complex",)),
        "complex sparse": Bad(sparse.csr_matrix(rows + 1j)),
        "complex in a frame": Bad(frame.astype(complex), ("row 0",)),
        "dates": Bad(np.array(["2020-01-01"] * len(rows), "M8[D]")[:, None], ("2020", *first)),
        "durations": Bad(np.full(rows.shape, np.timedelta64(1, "D")), first),
        "dates in a frame": Bad(frame.assign(age=pd.date_range("2020-01-01", periods=len(rows))), ("2020", *first_named)),
        "columns of words": Bad(rows.astype(str), (repr(str(rows[0, 0])), *first), "words"),
        "bytes": Bad(rows.astype(bytes), first, "words"),
        "words in a frame": Bad(words, ("'tall'", *first_named), "words"),
        "categories": Bad(words.astype({"age": "category"}), ("'tall'", *first_named), "words"),
        "words in polars": Bad(pl.from_pandas(words), ("'tall'", *first_named), "words"),
        "words in arrow": Bad(pa.Table.from_pandas(words), ("'tall'", *first_named), "words"),
        "records": Bad(np.zeros(len(rows), dtype=[("height", float), ("age", float)])),
        "repeated names": Bad(pd.DataFrame(rows, columns=["height", "age", "age"]), ("'age'",)),
        "not collected": Bad(pl.from_pandas(frame).lazy(), ("collect",)),
        "sparse index too large": Bad(broken(rows, "indices", 3)),
        "sparse index below 0": Bad(broken(rows, "indices", -1)),
        "sparse pointers too large": Bad(broken(rows, "indptr", 10**6)),
        "sparse pointers below 0": Bad(broken(rows, "indptr", -5)),
    }


def cells(rows, frame, here, named):
    """One bad cell."""
    found = {}
    for value, shown, meaning in ((np.nan, "NaN", "missing"), (np.inf, "inf", None), (-np.inf, "-inf", None)):
        X = spoiled(rows, value)
        table = pd.DataFrame(X, columns=NAMES)
        found |= {
            f"{shown}": Bad(X, (shown, *here), meaning),
            f"{shown}, by columns": Bad(np.asfortranarray(X), (shown, *here), meaning, form=True),
            f"{shown}, float32": Bad(X.astype(np.float32), (shown, *here), meaning, form=True),
            f"{shown}, lists": Bad(X.tolist(), (shown, *here), meaning, form=True),
            f"{shown}, pandas": Bad(table, (shown, *named), meaning, form=True),
            f"{shown}, polars": Bad(pl.from_pandas(table, nan_to_null=False), (shown, *named), meaning, form=True),
            f"{shown}, arrow": Bad(pa.table(dict(zip(NAMES, X.T, strict=True))), (shown, *named), meaning, form=True),
            f"{shown}, sparse": Bad(sparse.csr_matrix(X), (), meaning),
        }
    gap = frame.astype(object)
    gap.iloc[ROW, COLUMN] = None
    found |= {
        "None": Bad(spoiled(rows, None, object), here, "missing"),
        "None, lists": Bad(spoiled(rows, None, object).tolist(), here, "missing", form=True),
        "None, pandas": Bad(gap, named, "missing", form=True),
        "NA, pandas": Bad(gap.astype("Float64"), named, "missing", form=True),
        "null, polars": Bad(pl.from_pandas(gap.astype(float)), named, "missing", form=True),
        "masked": Bad(np.ma.masked_greater(spoiled(rows, 1e6), 1e5), (), "missing"),
        "a word in a cell": Bad(spoiled(rows, "tall", object), ("'tall'", *here), "words"),
        "a word in a cell of lists": Bad(spoiled(rows, "tall", object).tolist(), ("'tall'", *here), "words", form=True),
        "a word in a cell of a frame": Bad(
            pd.DataFrame(spoiled(rows, "tall", object), columns=NAMES), ("'tall'", "row 7", "'weight'"), "words"
        ),
        "too large a whole number": Bad(spoiled(rows, 10**400, object).tolist(), here),
    }
    for name, value in (("a dict", {"a": 1}), ("a list", [1, 2]), ("a class", object), ("complex", 1j)):
        X = rows.astype(object)
        X[ROW, COLUMN] = value
        found[f"{name} in a cell"] = Bad(X, here, "words")
        found[f"{name} in a cell of a frame"] = Bad(pd.DataFrame(X, columns=NAMES), ("row 7", "'weight'"), "words", form=True)
    return found


def broken(rows, part, value):
    """A sparse matrix that leads out of its arrays."""
    X = sparse.csr_matrix(rows)
    getattr(X, part)[5] = value
    return X


def odd_tables(rows):
    """Other forms of the same table."""
    flipped, wide = rows[::-1, ::-1].copy()[::-1, ::-1], np.repeat(rows, 2, axis=1)[:, ::2]
    fixed = rows.copy()
    fixed.flags.writeable = False
    thin = np.where(np.abs(rows) > 0.5, rows, 0.0)
    yes = rows > rows.mean()
    whole = np.round(4 * rows)
    objects = {
        "Decimal": np.array([[Decimal(x) for x in row] for row in rows.tolist()]),
        "Fraction": [[Fraction(x) for x in row] for row in rows.tolist()],
    }
    return {
        **{name: Odd(table, plain=rows, form=True) for name, table in objects.items()},
        "by columns": Odd(np.asfortranarray(rows), plain=rows, form=True),
        "backwards": Odd(flipped, plain=rows, form=True),
        "every other column": Odd(wide, plain=rows, form=True),
        "read-only": Odd(fixed, plain=rows, form=True),
        "other byte order": Odd(rows.astype(">f8"), plain=rows, form=True),
        "long doubles": Odd(rows.astype(np.longdouble), plain=rows, form=True),
        "tuples of arrays": Odd(tuple(rows), plain=rows, form=True),
        "arrays of bytes": Odd([array.array("d", row) for row in rows], plain=rows, form=True),
        "nothing masked": Odd(np.ma.MaskedArray(rows.copy(), False), plain=rows),
        "whole numbers": Odd(whole.astype(np.int64), plain=whole),
        "small whole numbers": Odd(whole.astype(np.int8), plain=whole, form=True),
        "yes or no": Odd(yes, plain=yes.astype(float)),
        "yes or no in a frame": Odd(pd.DataFrame(yes, columns=NAMES), (), "words", plain=yes.astype(float)),
        "sparse": Odd(sparse.csr_matrix(thin), plain=thin),
        "sparse by columns": Odd(sparse.csc_matrix(thin), plain=thin),
        "sparse with entries twice": Odd(twice(thin), plain=thin),
        "sparse in disorder": Odd(disorder(thin), plain=thin),
        "sparse with zeros stored": Odd(zeros_stored(thin), plain=thin),
        "sparse with wide indices": Odd(wide_indices(thin), plain=thin),
        "coordinates with entries twice": Odd(twice(thin).tocoo(), plain=thin),
    }


def twice(X):
    """Every entry as two halves."""
    m = sparse.csr_matrix(X)
    parts = np.repeat(m.data / 2, 2), np.repeat(m.indices, 2), 2 * m.indptr
    return sparse.csr_matrix(parts, m.shape)


def disorder(X):
    """Entries of a row from the last to the first."""
    m = sparse.csr_matrix(X)
    order = np.concatenate([np.arange(end - 1, begin - 1, -1) for begin, end in zip(m.indptr, m.indptr[1:], strict=False)])
    return sparse.csr_matrix((m.data[order], m.indices[order], m.indptr), m.shape)


def zeros_stored(X):
    columns = np.indices(X.shape)[1].ravel()
    return sparse.csr_matrix((X.ravel(), columns, np.arange(0, X.size + 1, X.shape[1])), X.shape)


def wide_indices(X):
    m = sparse.csr_matrix(X)
    m.indices, m.indptr = m.indices.astype(np.int64), m.indptr.astype(np.int64)
    return m


def later_tables(rows):
    """New rows for a learner that was fitted to an array of three columns."""
    return {
        "one column less": Bad(np.ones((5, 2)), ("2", "3")),
        "one column more": Bad(np.ones((5, 4)), ("4", "3")),
        "none at all": Bad(np.empty((5, 0)), ("0",)),
        "no new rows": Bad(np.empty((0, 3)), ("0 sample",)),
        "one row as a vector": Bad(rows[0].copy(), ("2D", "1D")),
        "new inf": Bad(spoiled(rows, np.inf), ("inf", "row 7", "column 1")),
        "new NaN": Bad(spoiled(rows, np.nan), ("NaN", "row 7", "column 1"), "missing"),
        "new masked": Bad(np.ma.masked_greater(spoiled(rows, 1e6), 1e5), (), "missing"),
        "new words": Bad(spoiled(rows, "tall", object), ("'tall'", "row 7", "column 1"), "words"),
        "new complex": Bad(rows + 1j, ("Complex",)),
        "nothing new": Bad(None, (), "own rows"),
        "new generator": Bad(row for row in rows.tolist()),
        "new unequal rows": Bad([[1.0, 2.0, 3.0], [1.0]], ("row 1",)),
        "new sparse index too large": Bad(broken(rows, "indices", 3)),
        "new sparse entries twice": Odd(twice(rows), plain=rows),
    }


def later_frames(frame):
    """New rows for a learner that was fitted to a frame."""
    return {
        "another name": Bad(frame.rename(columns={"age": "shoe size"}), ("shoe size", "age")),
        "another name, polars": Bad(pl.from_pandas(frame.rename(columns={"age": "shoe size"})), ("shoe size", "age")),
        "another order": Bad(frame[["age", "height", "weight"]], ("order",)),
        "one name more": Bad(frame.assign(extra=1.0), ("extra",)),
        "one name less": Bad(frame[["height", "weight"]], ("age",)),
        "inf in a new frame": Bad(frame.assign(weight=np.inf), ("row 0", "'weight'", "inf")),
    }


def bad_targets(y, kind):
    """Targets of another form, and cells of a target that are none. `kind`: classes or numbers."""
    n = len(y)
    cell = {name: spoiled_target(y, value) for name, value in (("None", None), ("NaN", np.nan))}
    marked = pd.Series(y, dtype="Float64" if kind == "numbers" else "string")
    marked[9] = pd.NA
    found = {
        "y: nothing": Bad(None, ("y",)),
        "y: one row less": Bad(y[:-1].copy(), (f"{n}", f"{n - 1}", "y")),
        "y: no rows": Bad(y[:0].copy(), ("y",)),
        "y: one number": Bad(1.0, ("y",)),
        "y: a word": Bad("y", ("y",)),
        "y: a generator": Bad(iter(y.tolist()), ("y",)),
        "y: a dict": Bad({"y": y.tolist()}, ("y",)),
        "y: complex": Bad(NOISE + 1j, ("Complex", "y")),
        "y: a cube": Bad(np.zeros((n, 2, 2)), (f"({n}, 2, 2)", "y")),
        "y: lists of unequal length": Bad([[1.0]] * (n - 1) + [[1.0, 2.0]], ("y",)),
        "y: dates": Bad(np.array(["2020-01-01", "2021-01-01"] * (n // 2), "M8[D]"), ("y",), "dates"),
        "y: marked missing": Bad(marked, ("row 9", "y")),
        "y: masked": Bad(np.ma.MaskedArray(y.copy(), np.arange(n) == 9), ("y", "row 9")),
        **{f"y: {name}": Bad(spoiled, ("row 9", "y")) for name, spoiled in cell.items()},
    }
    if kind == "numbers":
        return found | {
            "y: inf": Bad(spoiled_target(y, np.inf), ("row 9", "y")),
            "y: -inf": Bad(np.where(np.arange(n) == 9, -np.inf, y), ("row 9", "y")),
            "y: a word in a row": Bad(spoiled_target(y, "tall"), ("row 9", "'tall'", "y")),
            "y: words": Bad(np.full(n, "tall"), ("row 0", "'tall'", "y")),
            "y: a dict in a row": Bad(spoiled_target(y, {"a": 1}), ("row 9", "y")),
            "y: too large a whole number": Bad(spoiled_target(y, 10**400), ("row 9", "y")),
        }
    return found | {
        "y: one class": Bad(np.full(n, "no"), ("'no'", "class")),
        "y: measurements": Bad(NOISE.copy(), ("row 0", str(NOISE[0])[:6])),
        "y: words and numbers": Bad(spoiled_target(y, 3), ("y",)),
        "y: lists": Bad(spoiled_target(y, [1, 2]), ("y",)),
        "y: two columns": Bad(np.column_stack([y, y]), ("y", f"({n}, 2)")),
        "y: a class for each row": Bad(np.arange(n), ("class",), "many classes"),
    }


def spoiled_target(y, value):
    y = y.astype(object)
    y[9] = value
    return y


def bad_weights(n):
    """Weights that count nothing."""
    one = np.ones(n)

    def spoiled_weight(row, value):
        return np.where(np.arange(n) == row, value, 1.0)

    return {
        "w: negative": Bad(spoiled_weight(4, -1.0), ("row 4", "-1", "sample_weight")),
        "w: hardly negative": Bad(spoiled_weight(7, -1e-300), ("row 7", "-1e-300", "sample_weight")),
        "w: NaN": Bad(spoiled_weight(5, np.nan), ("row 5", "NaN", "sample_weight")),
        "w: inf": Bad(spoiled_weight(6, np.inf), ("row 6", "inf", "sample_weight")),
        "w: negative, lists": Bad(spoiled_weight(4, -1.0).tolist(), ("row 4", "-1", "sample_weight")),
        "w: NaN, pandas": Bad(pd.Series(spoiled_weight(5, np.nan)), ("row 5", "NaN", "sample_weight")),
        "w: zeros": Bad(np.zeros(n), ("sample_weight", "zero")),
        "w: one row less": Bad(one[:-1].copy(), ("sample_weight", f"{n}", f"{n - 1}")),
        "w: a table": Bad(np.ones((n, 2)), ("sample_weight", f"({n}, 2)")),
        "w: a word": Bad([1, 1, "heavy", *[1] * (n - 3)], ("sample_weight", "'heavy'", "row 2")),
        "w: words": Bad(np.full(n, "heavy"), ("sample_weight",)),
        "w: complex": Bad(one + 0j, ("sample_weight",)),
        "w: a generator": Bad(iter(one.tolist()), ("sample_weight",)),
        "w: a dict": Bad({0: 1.0}, ("sample_weight",)),
        "w: masked": Bad(np.ma.MaskedArray(one, np.arange(n) == 3), ("sample_weight",)),
        "w: nothing in a row": Bad([1, 1, None, *[1] * (n - 3)], ("sample_weight", "row 2")),
        "w: too large a whole number": Bad([1, 1, 10**400, *[1] * (n - 3)], ("sample_weight", "row 2")),
    }
