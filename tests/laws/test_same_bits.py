"""The promise about bits: a result is a function of data, parameters, seed and block boundaries; never of threads, workers,
source, memory layout or timing."""

from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from subjects import (
    LEARNERS,
    TAKES_MISSING,
    arrow_table,
    assert_same_bits,
    every,
    everything,
    fitted,
    holed,
    honour,
    learner,
    opened,
    outputs,
    table,
    written,
)
from threadpoolctl import threadpool_info, threadpool_limits

import aprendiz
from aprendiz.core.engines.threads import num_threads, ordered_map
from aprendiz.core.rows import block_rows

SMALL, TWO_BLOCKS, LARGE, HUGE = (400, 4), (9_000, 6), (30_000, 6), (140_000, 3)
sizes = pytest.mark.parametrize("size", [SMALL, LARGE], ids=["one block", "several blocks"])


@cache
def data_of(cls, size):
    return table(cls, *size)


@cache
def reference(cls, size, weighted=False):
    """The fitted numbers of the plain fit, and what it says of its rows."""
    data = data_of(cls, size)
    model = fitted(cls, data, weighted=weighted)
    return everything(model), outputs(model, data.X)


def test_there_are_several_blocks():
    """One block, two, a few, and so many that a thread folds several by itself."""
    assert LARGE[0] > 2 * block_rows(LARGE[1])
    assert SMALL[0] <= block_rows(SMALL[1])
    assert TWO_BLOCKS[0] > block_rows(TWO_BLOCKS[1])
    assert HUGE[0] > 17 * block_rows(HUGE[1])


@every(LEARNERS)
@sizes
def test_repeated(cls, size):
    """The same fit twice gives the same bits."""
    model = fitted(cls, data_of(cls, size))
    assert_same_bits(everything(model), reference(cls, size)[0])


@every(LEARNERS)
@pytest.mark.parametrize(
    ("size", "weighted"), [(LARGE, False), (LARGE, True), (HUGE, False)], ids=["large", "weighted", "huge"]
)
def test_threads(cls, size, weighted, monkeypatch):
    """1, 2, 3 and 8 threads give the same bits, in the fit and in what is said of the rows."""
    honour(cls, "threads")
    data, expected = data_of(cls, size), reference(cls, size, weighted)
    for threads in {1, 2, 3, 8} - {num_threads()}:  # the reference has as many as the machine
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(threads))
        model = fitted(cls, data, weighted=weighted)
        assert_same_bits(everything(model), expected[0])
        assert_same_bits(outputs(model, data.X), expected[1])


@every(LEARNERS)
@sizes
def test_memory_order(cls, size):
    """Arrays by rows, by columns and with gaps between them give the same bits."""
    honour(cls, "layout")
    data, expected = data_of(cls, size), reference(cls, size)
    wide = np.zeros((2 * len(data), size[1] + 3))
    wide[::2, 1:-2] = data.X
    for X in (np.ascontiguousarray(data.X), np.asfortranarray(data.X), wide[::2, 1:-2]):
        model = learner(cls, data).fit(X, data.y)
        assert_same_bits(everything(model), expected[0])
        assert_same_bits(outputs(model, X), expected[1])


@every(LEARNERS)
@sizes
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames(cls, size, library):
    """pandas, polars and pyarrow tables give the bits of the array."""
    honour(cls, "layout")
    data, expected = data_of(cls, size), reference(cls, size)
    frame = arrow_table(data).select([f"x{j}" for j in range(size[1])])
    frame = {"pandas": frame.to_pandas, "polars": lambda: as_polars(frame), "pyarrow": lambda: frame}[library]()
    model = learner(cls, data).fit(frame, data.y)
    assert list(model.feature_names_in_) == [f"x{j}" for j in range(size[1])]
    assert_same_bits(everything(model), expected[0])
    assert_same_bits(outputs(model, frame), expected[1])


def as_polars(frame):
    return pl.DataFrame({name: column.to_numpy() for name, column in zip(frame.column_names, frame.columns, strict=True)})


@every(LEARNERS)
@pytest.mark.parametrize(("size", "group"), [(SMALL, 400), (SMALL, 7), (LARGE, 30_000), (LARGE, 4999), (LARGE, 600)], ids=str)
def test_row_groups(cls, size, group, tmp_path):
    """A Parquet file gives the bits of the array, whatever its row groups."""
    honour(cls, "files")
    data = data_of(cls, size)
    path = written(data, tmp_path / "table.parquet", row_group_size=group)
    model = learner(cls, data).fit(opened(data, path))
    assert_same_bits(everything(model), reference(cls, size)[0])


@every(LEARNERS)
def test_weighted_files(cls, tmp_path):
    """Weights read from a file give the bits of weights in memory, also when the rows stand in several files."""
    honour(cls, "files")
    data, expected = data_of(cls, LARGE), reference(cls, LARGE, True)[0]
    for number, part in enumerate(np.split(np.arange(len(data)), [5, 11_111, 20_000])):
        written(data.take(part), tmp_path / f"part{number}.parquet", row_group_size=3000)
    model = learner(cls, data).fit(opened(data, tmp_path, weighted=True))
    assert_same_bits(everything(model), expected)


# ---- missing cells -----------------------------------------------------------------------------------------------------


def named(X):
    """The columns of an array by name."""
    return {f"x{j}": column for j, column in enumerate(X.T)}


def with_none(X):
    return np.where(np.isnan(X), None, X.astype(object))


def with_nulls(X):
    return pa.table({name: pa.array(column, from_pandas=True) for name, column in named(X).items()})


MISSING = {
    "by rows": lambda X: X,
    "by columns": np.asfortranarray,
    "None in lists": lambda X: with_none(X).tolist(),
    "None in objects": with_none,
    "NaN in pandas": lambda X: pd.DataFrame(named(X)),
    "NA in pandas": lambda X: pd.DataFrame(named(X)).astype("Float64"),
    "None in pandas": lambda X: pd.DataFrame(with_none(X), columns=list(named(X)), dtype=object),
    "NaN in polars": lambda X: pl.DataFrame(named(X)),
    "null in polars": lambda X: pl.DataFrame(named(X), nan_to_null=True),
    "NaN in pyarrow": lambda X: pa.table(named(X)),
    "null in pyarrow": with_nulls,
}


few_blocks = pytest.mark.parametrize("size", [SMALL, TWO_BLOCKS], ids=["one block", "two blocks"])


@cache
def with_holes(cls, size):
    """A table with missing cells, the fitted numbers of the plain fit, and what it says of the rows."""
    data = holed(table(cls, *size))
    model = fitted(cls, data)
    return data, everything(model), outputs(model, data.X)


def test_forms_of_missing_cells():
    """The forms really differ: a NaN here, a null there."""
    X = np.array([[1.5, np.nan], [2.5, 0.5]])
    assert MISSING["NA in pandas"](X).iloc[0, 1] is pd.NA
    assert MISSING["NaN in polars"](X)["x1"].null_count() == 0
    assert MISSING["null in polars"](X)["x1"].null_count() == 1
    assert MISSING["NaN in pyarrow"](X)["x1"].null_count == 0
    assert MISSING["null in pyarrow"](X)["x1"].null_count == 1


@every(TAKES_MISSING)
@few_blocks
@pytest.mark.parametrize("form", MISSING)
def test_missing_cells(cls, size, form):
    """A missing cell is one in an array, a list and a frame of any library, in the fit and in what is said of the rows."""
    honour(cls, "missing")
    data, *expected = with_holes(cls, size)
    X = MISSING[form](data.X)
    model = learner(cls, data).fit(X, data.y)
    assert_same_bits(everything(model), expected[0])
    assert_same_bits(outputs(model, X), expected[1])


@every(TAKES_MISSING)
@few_blocks
@pytest.mark.parametrize("ending", ["nan.parquet", "null.parquet", "csv"])
def test_missing_cells_of_files(cls, size, ending, tmp_path):
    """A missing cell is one in a file too: NaN or null in Parquet, an empty cell in CSV."""
    honour(cls, "missing")
    data, *expected = with_holes(cls, size)
    path = written(data, tmp_path / f"t.{ending}", row_group_size=4999, null=ending != "nan.parquet")
    rows = opened(data, path)
    model = learner(cls, data).fit(rows)
    assert_same_bits(everything(model), expected[0])
    assert_same_bits(outputs(model, rows), expected[1])


@every(TAKES_MISSING)
def test_missing_cells_in_any_threads(cls, monkeypatch):
    """With missing cells, too, 1 and 3 threads give the same bits."""
    honour(cls, "missing")
    data, *expected = with_holes(cls, LARGE)
    for threads in (1, 3):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(threads))
        assert_same_bits(everything(fitted(cls, data)), expected[0])


# ---- beside each other -------------------------------------------------------------------------------------------------


@every(LEARNERS)
def test_nested(cls, monkeypatch):
    """Fits inside workers, several at once, give the bits of a fit alone."""
    honour(cls, "nested")
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "3")
    data, expected = data_of(cls, LARGE), reference(cls, LARGE)[0]
    for found in ordered_map(lambda _: everything(fitted(cls, data)), range(4)):
        assert_same_bits(found, expected)


@every(LEARNERS)
def test_side_by_side(cls):
    """Fits in threads of the user's own, beside each other, give the bits of a fit alone."""
    from concurrent.futures import ThreadPoolExecutor

    honour(cls, "threads")
    data, expected = data_of(cls, LARGE), reference(cls, LARGE)[0]
    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(lambda _: everything(fitted(cls, data)), range(3)):
            assert_same_bits(found, expected)


@every(LEARNERS)
@pytest.mark.parametrize("size", [LARGE, (1200, 130)], ids=["long", "wide"])
def test_blas_threads(cls, size):
    """How many threads the user gives to BLAS changes no bits, and the user's choice is there again after the fit."""
    honour(cls, "blas")
    assert size[0] * size[1] ** 2 >= 2**18  # below that BLAS uses one thread by itself
    data, expected = data_of(cls, size), reference(cls, size)
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            model = fitted(cls, data)
            left = {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}
            said = outputs(model, data.X)
        assert left == {threads}
        assert_same_bits(everything(model), expected[0])
        assert_same_bits(said, expected[1])


@pytest.mark.parametrize("n", [27_594, 40_329])
def test_files_take_the_same_path(n, tmp_path):
    """Just above and below the size at which least squares changes its method, files and memory have the same bits."""
    rng = np.random.default_rng(n)
    frame = pd.DataFrame(rng.normal(size=(n, 5)), columns=list("abcde")).assign(y=rng.normal(size=n))
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=5_000)
    memory = aprendiz.LinearRegression().fit(frame[list("abcde")], frame.y)
    files = aprendiz.LinearRegression().fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))
    assert files.method_ == memory.method_
    assert np.array_equal(files.coef_, memory.coef_)
