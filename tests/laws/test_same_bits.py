"""The promise about bits: a result is a function of data, parameters, seed and block boundaries; never of threads, workers,
source, memory layout or timing."""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from functools import cache

import dask.array as da
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from subjects import (
    AT_LARGE,
    BY_DOOR,
    BY_WAY,
    LEARNERS,
    TAKES_MISSING,
    assert_close,
    assert_same_bits,
    every,
    everything,
    fit,
    fitted,
    grows_trees,
    holed,
    honour,
    in_blocks,
    learner,
    of_each_family,
    opened,
    outputs,
    table,
    takes,
    written,
)
from threadpoolctl import threadpool_info, threadpool_limits

import aprendiz
from aprendiz.core.rows import block_rows
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.threads import num_threads, ordered_map
from aprendiz.tree import CART
from aprendiz.tree.shared import decision_tree

SIZE, WIDE, LARGE = (530, 4), (1200, 60), (20_000, 4)


@cache
def data_of(cls, size=SIZE):
    return table(cls, *size)


@cache
def reference(cls, blocks, weighted=False):
    """The fitted numbers of the plain fit in blocks of this kind, and what it says of its rows."""
    data = data_of(cls)
    model = fitted(cls, data, weighted=weighted)
    return everything(model), outputs(model, data.X)


def assert_reference(model, X, expected):
    """The model has the bits of the reference, in the fit and in what it says of the rows."""
    assert_same_bits(everything(model), expected[0])
    assert_same_bits(outputs(model, X), expected[1])


def test_there_are_many_blocks(short_blocks):
    """So many that a thread folds several by itself, and one that is shorter; with the usual blocks, one."""
    n, d = SIZE
    assert block_rows(d) == short_blocks
    assert n / short_blocks > 16
    rows = ArrayRows(np.zeros(SIZE))
    assert sum(len(list(group)) for group in rows.groups()) == -(-n // short_blocks)


def test_there_is_one_block():
    """With the usual blocks a table of the laws is one."""
    assert ArrayRows(np.zeros(SIZE)).only is not None


@every(LEARNERS)
def test_repeated(cls, blocks):
    """The same fit twice gives the same bits."""
    assert_reference(fitted(cls, data_of(cls)), data_of(cls).X, reference(cls, blocks))


@every(LEARNERS)
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_threads(cls, weighted, short_blocks, monkeypatch):
    """1 and 3 threads give the bits of 2, in the fit and in what is said of the rows; with weights, 3."""
    honour(cls, "threads")
    data, expected = data_of(cls), reference(cls, "many blocks", weighted)
    for threads in {3} if weighted else {1, 2, 3} - {num_threads()}:  # the reference has as many as the machine
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(threads))
        assert_reference(fitted(cls, data, weighted=weighted), data.X, expected)


@in_blocks
def test_memory_order(cls, blocks):
    """Arrays by columns and with gaps between the cells give the bits of those by rows."""
    honour(cls, "layout")
    data, expected = data_of(cls), reference(cls, blocks)
    wide = np.zeros((2 * len(data), SIZE[1] + 3))
    wide[::2, 1:-2] = data.X
    for X in (np.asfortranarray(data.X), wide[::2, 1:-2]):
        assert_reference(learner(cls, data).fit(X, data.y), X, expected)


FRAMES = {
    "pandas": lambda X: pd.DataFrame(named(X)),
    "polars": lambda X: pl.DataFrame(named(X)),
    "pyarrow": lambda X: pa.table(named(X)),
}


def named(X):
    """The columns of an array by name."""
    return {f"x{j}": column for j, column in enumerate(X.T)}


@in_blocks
def test_frames(cls, blocks):
    """A table with names gives the bits of the array. Which library it comes from is known to the door alone
    (tests/core/test_inputs.py): all of them for one learner of each way through it, pandas for the others."""
    honour(cls, "layout")
    data, expected = data_of(cls), reference(cls, blocks)
    for library in FRAMES if cls in BY_DOOR else ("pandas",):
        frame = FRAMES[library](data.X)
        model = learner(cls, data).fit(frame, data.y)
        assert list(model.feature_names_in_) == list(named(data.X)), library
        assert_reference(model, frame, expected)


@in_blocks
def test_row_groups(cls, blocks, tmp_path):
    """A Parquet file gives the bits of the array, whatever its row groups: those of any size for one learner of each way
    through the door, groups of 7 rows for the others."""
    honour(cls, "files")
    data, expected = data_of(cls), reference(cls, blocks)
    for group in (530, 150, 7) if cls in BY_DOOR else (7,):
        path = written(data, tmp_path / "table.parquet", row_group_size=group)
        assert_same_bits(everything(learner(cls, data).fit(opened(data, path))), expected[0])


@every(BY_WAY)
def test_weighted_files(cls, short_blocks, tmp_path):
    """Weights read from a file give the bits of weights in memory, also when the rows stand in several files."""
    honour(cls, "files")
    data = data_of(cls)
    if not takes(cls.fit, "sample_weight"):
        pytest.skip(f"{cls.__name__} takes no weights")
    for number, part in enumerate(np.split(np.arange(len(data)), [5, 111, 200])):
        written(data.take(part), tmp_path / f"part{number}.parquet", row_group_size=30)
    model = learner(cls, data).fit(opened(data, tmp_path, weighted=True))
    assert_same_bits(everything(model), reference(cls, "many blocks", True)[0])


# ---- missing cells -----------------------------------------------------------------------------------------------------


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


rows_without_cells = pytest.mark.filterwarnings("ignore:.*have no known cell")  # of which completion warns


@cache
def with_holes(cls, blocks):
    """A table with missing cells, the fitted numbers of the plain fit, and what it says of the rows."""
    data = holed(table(cls, *SIZE))
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


@rows_without_cells
@every(TAKES_MISSING)
def test_missing_cells(cls, blocks):
    """A missing cell is one in an array, a list and a frame of any library, in the fit and in what is said of the rows: all
    the forms for one learner of each way through the door, one of each kind for the others and for many blocks."""
    honour(cls, "missing")
    data, *expected = with_holes(cls, blocks)
    for form in MISSING if cls in BY_DOOR and blocks == "one block" else ("by columns", "None in lists", "null in polars"):
        X = MISSING[form](data.X)
        assert_reference(learner(cls, data).fit(X, data.y), X, expected)


@rows_without_cells
@every([cls for cls in TAKES_MISSING if cls in BY_WAY])
def test_missing_cells_of_files(cls, blocks, tmp_path):
    """A missing cell is one in a file too: NaN or null in Parquet, an empty cell in CSV."""
    honour(cls, "missing")
    data, *expected = with_holes(cls, blocks)
    for ending in ("nan.parquet", "null.parquet", "csv"):
        path = written(data, tmp_path / f"t.{ending}", row_group_size=49, null=ending != "nan.parquet")
        rows = opened(data, path)
        assert_reference(learner(cls, data).fit(rows), rows, expected)


@rows_without_cells
@every(TAKES_MISSING)
def test_missing_cells_in_any_threads(cls, short_blocks, monkeypatch):
    """With missing cells, too, 1 and 3 threads give the same bits."""
    honour(cls, "missing")
    data, *expected = with_holes(cls, "many blocks")
    for threads in (1, 3):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(threads))
        assert_same_bits(everything(fitted(cls, data)), expected[0])


# ---- beside each other -------------------------------------------------------------------------------------------------


@pytest.fixture
def eager():
    """Threads take turns fifty times as often as usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 50)
    yield
    sys.setswitchinterval(usual)


@every(LEARNERS)
def test_nested(cls, short_blocks, eager, monkeypatch):
    """Fits inside workers, several at once, give the bits of a fit alone."""
    honour(cls, "nested")
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "3")
    data, expected = data_of(cls), reference(cls, "many blocks")[0]
    for found in ordered_map(lambda _: everything(fitted(cls, data)), range(3)):
        assert_same_bits(found, expected)


@every(BY_WAY)
def test_side_by_side(cls, short_blocks, eager):
    """Fits in threads of the user's own, beside each other, give the bits of a fit alone."""
    honour(cls, "threads")
    data, expected = data_of(cls), reference(cls, "many blocks")[0]
    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(lambda _: everything(fitted(cls, data)), range(3)):
            assert_same_bits(found, expected)


@every(BY_WAY)
def test_blas_threads(cls):
    """How many threads the user gives to BLAS changes no bits, and the user's choice is there again after the fit."""
    honour(cls, "blas")
    assert WIDE[0] * WIDE[1] ** 2 >= 2**18  # below that BLAS uses one thread by itself
    data, found = data_of(cls, WIDE), []
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            model = fitted(cls, data)
            left = {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}
            found.append((everything(model), outputs(model, data.X)))
        assert left == {threads}
    assert_same_bits(found[0][0], found[1][0])
    assert_same_bits(found[0][1], found[1][1])


# ---- many rows ---------------------------------------------------------------------------------------------------------


@every(of_each_family(AT_LARGE))
def test_many_rows(cls, tmp_path, monkeypatch):
    """With the usual blocks and many of them, a file read by 3 threads gives the bits of the array read by one, which the
    user lends by columns; BLAS has two threads. One learner of each family and target."""
    data = table(cls, *LARGE)
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "1")
    model = learner(cls, data).fit(np.asfortranarray(data.X), data.y)
    expected = everything(model), outputs(model, data.X)
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", "3")
    with threadpool_limits(2, user_api="blas"):
        if "files" in cls.exceptions:
            assert_reference(learner(cls, data).fit(data.X, data.y), data.X, expected)
        else:
            rows = opened(data, written(data, tmp_path / "t.parquet", row_group_size=4999))
            assert_reference(learner(cls, data).fit(rows), rows, expected)


# ---- large tables ------------------------------------------------------------------------------------------------------

SIZED = [cls for cls in BY_WAY if grows_trees(cls) and not {"files", "dask"} & set(cls.exceptions)]
BY_LEVELS = {"DecisionTreeClassifier", "DecisionTreeRegressor", "ID3"}  # what else needs rows or codes in memory


@every([*SIZED, aprendiz.KMeans, aprendiz.GaussianMixture])
def test_the_way_does_not_depend_on_the_place(cls, large_tables, short_blocks, tmp_path):
    """Beyond the sizes at which a learner goes another way, rows in memory and in a file have the same bits, and with Dask the
    same numbers, also where some rows do not count."""
    if large_tables == "levels" and cls.__name__ not in BY_LEVELS:
        pytest.skip(f"{cls.__name__} does not grow by levels")
    if cls is CART:
        pytest.skip("its folds need the rows in memory")
    starts = {"n_components": 3, "tol": 0.1} if takes(cls, "n_components") else {"n_clusters": 3}
    several = {"n_estimators": 3} if takes(cls, "n_estimators") else {}
    parameters = {"random_state": 0, **(several if grows_trees(cls) else starts)}
    data = data_of(cls)
    if grows_trees(cls):  # more values than bins: fewer would be codes of their own, whatever rows they are made from
        data = replace(data, X=data.X + np.arange(len(data))[:, None] / 4096)
    weighted = takes(cls.fit, "sample_weight")
    if large_tables == "codes":  # levels are summed block by block, and rows in memory that do not count are in no block
        data = replace(data, weight=np.where(np.arange(len(data)) % 5, data.weight, 0.0))
    expected = everything(fit(cls(**parameters), data, weighted=weighted))
    path = written(data, tmp_path / "t.parquet", row_group_size=49)
    assert_same_bits(everything(cls(**parameters).fit(opened(data, path, weighted=weighted))), expected)
    blocks = da.from_array(data.X, chunks=(77, data.X.shape[1]))
    y = None if data.y is None else da.from_array(data.y, chunks=77)
    weight = {"sample_weight": da.from_array(data.weight, chunks=77)} if weighted else {}
    partitions = everything(cls(**parameters).fit(blocks, y, **weight))
    assert_close(partitions, expected, 1e-9)  # sums are added partition by partition


def test_a_table_that_is_large_indeed(tmp_path):
    """A tree beyond 2²¹ cells, from memory and from a file."""
    data = table(aprendiz.DecisionTreeClassifier, 262_200, 8)
    assert data.X.size > decision_tree.GATHERED
    memory = aprendiz.DecisionTreeClassifier(max_depth=8).fit(data.X, data.y)
    file = aprendiz.DecisionTreeClassifier(max_depth=8).fit(opened(data, written(data, tmp_path / "t.parquet")))
    assert memory.search_ == "binned"
    assert_same_bits(spread_tree(file.tree_), spread_tree(memory.tree_))


def spread_tree(tree):
    return {field.name: np.asarray(getattr(tree, field.name)) for field in fields(tree)}


def test_there_are_several_usual_blocks():
    """The large table has several of the usual blocks, the last of them shorter."""
    assert LARGE[0] > 2 * block_rows(LARGE[1])
    assert LARGE[0] % block_rows(LARGE[1])


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
