"""The Dask source: one tree of additions, only records on the way, lost workers, and refusals that name the row."""

import logging
import os
import signal
import time
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass
from itertools import product

import cloudpickle
import dask
import dask.array as da
import dask.bag
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask import delayed
from dask.utils import key_split
from distributed import Client, LocalCluster, wait

import aprendiz
from aprendiz import (
    PCA,
    GaussianNB,
    KMeans,
    KNeighborsClassifier,
    LinearRegression,
    QuadraticDiscriminantAnalysis,
    StandardScaler,
)
from aprendiz.core.inputs import is_read_in_blocks, with_own_target
from aprendiz.core.rows import Block, block_rows, fold
from aprendiz.core.sources import partitions
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.sources.dask import FAN_IN, DaskRows, add_records, dask_rows, is_dask
from aprendiz.core.sums import Spread
from aprendiz.summaries.key_histograms import Histogram
from aprendiz.summaries.moments import Moments, Triangle
from aprendiz.summaries.quantiles import divide

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3)) + np.array([0.0, 5.0, -2.0])
Y = X @ [1.0, 2.0, 3.0] + RNG.normal(size=300)
KIND = np.where(np.median(Y) < Y, "up", "down")
SIZE = np.abs(Y)
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])


def cut(values, rows=100):
    """An array as a Dask array, so many rows in a partition."""
    return da.from_array(values, chunks=(rows, -1) if np.ndim(values) == 2 else rows)


def frames(*parts):
    """A Dask frame of these partitions, which says of all of them that they are as the first."""
    return dd.from_map(lambda number: parts[number], range(len(parts)), meta=parts[0][:0], enforce_metadata=False)


def arrays(*parts, columns=3):
    """A Dask array of these partitions, which says that they have so many columns."""
    return da.concatenate([da.from_delayed(delayed(part), (len(part), columns), float) for part in parts])


def with_cell(row, column, value, dtype=float):
    """The table with another value in one cell."""
    table = X.astype(dtype)
    table[row, column] = value
    return table


@pytest.fixture
def graphs(monkeypatch):
    """The graphs of all the passes that follow: task by key."""
    seen, computed = [], DaskRows.compute

    def noting(self, tasks):
        seen.append({key: node for task in tasks for key, node in dict(task.__dask_graph__()).items()})
        return computed(self, tasks)

    monkeypatch.setattr(DaskRows, "compute", noting)
    return seen


# ---- the tree --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tree:
    """A record that remembers how it was added."""

    told: str

    def __add__(self, other):
        return Tree(f"({self.told}+{other.told})")


@pytest.mark.parametrize("k", [0, 1, 2])
def test_tree(k, monkeypatch):
    """Up to nineteen blocks in partitions of 2ᵏ are added along the tree of the array in memory."""
    monkeypatch.setattr(partitions, "block_rows", lambda columns: 2)
    with dask.config.set(scheduler="synchronous"):
        for blocks in range(1, 20):
            rows = dask_rows(cut(np.zeros((2 * blocks - 1, 1)), 2 * 2**k))
            found = rows.sum(lambda block: Tree(str(block.start // 2)))
            assert found == fold([Tree(str(number)) for number in range(blocks)])


@pytest.mark.parametrize(("partitions", "additions"), [(1, 0), (2, 1), (8, 1), (9, 2 + 1), (64, 8 + 1), (65, 9 + 2 + 1)])
def test_number_of_tasks(partitions, additions, graphs):
    """One task for each partition, ⌈n/8⌉ + ⌈n/64⌉ + … additions of at most eight records, and nothing else."""
    rows = dask_rows(cut(np.ones((2 * partitions, 1)), 2))
    graphs.clear()
    assert rows.sum(lambda block: float(block.X.sum())) == 2 * partitions
    (graph,) = graphs
    names = Counter(key_split(key) for key in graph)
    assert names.pop("part_sum") == partitions
    assert names.pop("add_records", 0) == additions
    assert names.pop("array") == partitions
    assert list(names.values()) == [1]  # what all of them are told
    joined = [len(node.dependencies) for key, node in graph.items() if key_split(key) == "add_records"]
    assert all(1 <= records <= FAN_IN == 8 for records in joined)


def test_parameters_are_one_node(graphs):
    """Large parameters stand once in the graph of a pass, not once for each partition."""
    rows = dask_rows(cut(X, 10), Y, np.ones(300))
    large = np.zeros(100_000)
    graphs.clear()
    rows.sum(lambda told, block: float(told.sum() + block.X.sum()), large)
    rows.each(lambda told, block: block.X[:, 0] + told[0], large)
    for graph in graphs:
        sizes = sorted(len(cloudpickle.dumps(node)) for node in graph.values())
        assert len(sizes) > 2 * 30
        assert sizes[-1] > large.nbytes
        assert sum(sizes[:-1]) < large.nbytes / 4


@pytest.mark.parametrize("first", [0, 1, 3])
def test_rows_in_order(first, monkeypatch):
    """Every way to cut rows in three, some partitions empty: rows keep order, numbers, targets and weights."""
    monkeypatch.setattr(partitions, "block_rows", lambda columns: 2)
    for lengths in product([first], (0, 1, 3), (0, 1, 3)):
        number = np.arange(sum(lengths))
        if len(number):
            table = np.column_stack([number, -number]).astype(float)
            rows = dask_rows(da.from_array(table, chunks=(lengths, 1)), 2 * number, 1.0 + number)
            with dask.config.set(scheduler="synchronous"):
                assert_rows_in_order(rows, number)


def assert_rows_in_order(rows, number):
    """Row i holds i and −i, its target is 2i, its weight 1 + i."""
    assert rows.count == len(number)
    assert rows.columns == 2
    told = rows.sum(lambda block: tuple(zip(block.numbers, block.X[:, 0], block.y, block.weight, strict=True)))
    assert np.array_equal(told, np.column_stack([number, number, 2 * number, 1 + number]))
    assert np.array_equal(rows.each(lambda block: block.X[:, 1]), -number)
    assert rows.first(lambda block: block.start) == 0
    assert np.array_equal(np.concatenate([block.X for block in rows.blocks()])[:, 0], number)
    assert np.array_equal(rows.map(lambda X: X[:, ::-1]).array().compute(), np.column_stack([-number, number]))


def cuts(rows, parts):
    """All ways to cut rows in so many parts."""
    return [lengths for lengths in product(range(rows + 1), repeat=parts) if sum(lengths) == rows]


@pytest.mark.parametrize(("own", "others"), [(3, 2), (2, 3)])
def test_targets_cut_otherwise(own, others):
    """A target of unknown partitions is cut as the rows are: every cut of three rows against every other."""
    number = np.arange(3)
    with dask.config.set(scheduler="synchronous"):
        for lengths, target in product(cuts(3, own), cuts(3, others)):
            y = da.from_array(number, chunks=(target,))
            rows = dask_rows(da.from_array(np.ones((3, 1)), chunks=(lengths, 1)), y[y >= 0], (1 + y)[y >= 0])
            found = rows.each(lambda block: np.column_stack([block.y, block.weight]))
            assert np.array_equal(found, np.column_stack([number, 1 + number]))


def test_schedulers():
    """Threads, one thread and the array in memory give the same bits."""
    table = np.random.default_rng(1).normal(size=(3 * block_rows(4), 4))
    found = []
    for scheduler in ("threads", "synchronous"):
        with dask.config.set(scheduler=scheduler):
            found.append(PCA().fit(cut(table, block_rows(4))).components_)
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], PCA().fit(table).components_)


def test_transform_waits():
    """`transform` computes no row but those of the first partition until it is asked, and says what it will give."""
    read = Counter()

    def part(number):
        read[number] += 1
        return FRAME[100 * number : 100 * number + 100].astype(np.float32)

    lazy = dd.from_map(part, range(3), meta=FRAME[:0].astype(np.float32)).to_dask_array(lengths=[100, 100, 100])
    scaler = StandardScaler().fit(X)
    read.clear()
    Z = scaler.transform(lazy)
    assert set(read) == {0}
    assert (Z.shape, Z.dtype, Z.chunks[0]) == ((300, 3), np.float32, (100, 100, 100))
    np.testing.assert_allclose(Z.compute(), scaler.transform(X), rtol=1e-5, atol=1e-6)


def test_what_is_dask():
    """Arrays and frames of Dask are; what is in memory is not."""
    assert all(map(is_dask, (cut(X), frames(FRAME), frames(FRAME).a)))
    assert not any(map(is_dask, (X, FRAME, FRAME.a, X.tolist(), None, ArrayRows(X))))


def test_what_is_read_in_blocks():
    """Collections and opened rows; tables in memory are not."""
    assert all(map(is_read_in_blocks, (cut(X), frames(FRAME), dask_rows(cut(X)), ArrayRows(X))))
    assert not any(map(is_read_in_blocks, (X, FRAME, X.tolist(), None)))


def test_opened_rows_stay_rows():
    """A transformer gives a lazy array for a collection, and rows with their targets for opened rows."""
    scaler, opened = StandardScaler().fit(X), dask_rows(cut(X), cut(Y))
    Z = scaler.transform(opened)
    assert isinstance(Z, DaskRows)
    assert isinstance(scaler.transform(cut(X)), da.Array)
    assert np.array_equal(Z.each(lambda block: block.y), Y)
    assert np.array_equal(Z.each(lambda block: block.X), scaler.transform(X))


def test_targets_of_rows():
    """Opened rows bring their target and weights; those of Dask collections are brought into memory."""
    weight, opened = np.arange(300.0), dask_rows(cut(X), cut(Y), cut(np.arange(300.0)))
    for given in ((opened, None, None), (cut(X), cut(Y), cut(weight)), (X, Y, weight)):
        _, y, w = with_own_target(LinearRegression(), *given)
        assert isinstance(y, np.ndarray)
        assert np.array_equal(y, Y)
        assert np.array_equal(w, weight)
    with pytest.raises(ValueError, match="The rows have no target"):
        with_own_target(LinearRegression(), dask_rows(cut(X)), None, None)


# ---- records ---------------------------------------------------------------------------------------------------------


def bits(record):
    """The fields of a record, byte by byte."""
    return [np.asarray(value).tobytes() for value in vars(record).values()]


def records_of(statistic, *parameters):
    """Five records of one kind."""
    return [statistic(*parameters, Block(part, None, None, 0)) for part in np.split(X, 5)]


@pytest.mark.parametrize("statistic", [Moments.of, Triangle.of, Spread.of], ids=["Moments", "Triangle", "Spread"])
def test_addition_changes_nothing(statistic):
    """Records belong to the scheduler, which may give them out again: added twice, they give the same."""
    assert_addition_changes_nothing(records_of(statistic, X[0]))


def test_addition_of_histograms_changes_nothing():
    """So do histograms."""
    assert_addition_changes_nothing(records_of(Histogram.of, divide([(0, 2**62, 2**63)])))


def assert_addition_changes_nothing(records):
    before, copies = list(map(bits, records)), deepcopy(records)
    first, second = add_records(records), add_records(records)
    assert list(map(bits, records)) == before
    assert bits(first) == bits(second) == bits(fold(copies))


def test_addition_of_nothing():
    """Empty partitions have no record; nothing but empty ones have none together."""
    assert add_records([None, 3.0, None, 4.0]) == 7.0
    assert add_records([None, None]) is None


# ---- two workers -----------------------------------------------------------------------------------------------------

ROWS = block_rows(6)


@pytest.fixture(scope="module")
def cluster():
    """Two processes, with a net that seems so slow that no partition is worth moving: what travels is what the source sends."""
    steady = dask.config.set({"distributed.scheduler.work-stealing": False, "distributed.scheduler.bandwidth": 1000})
    processes = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with (
        steady,
        LocalCluster(**processes, silence_logs=logging.CRITICAL) as started,
        Client(started, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def client(cluster):
    """The client of both workers, in charge during one test."""
    cluster.wait_for_workers(2, timeout=60)
    with cluster.as_current():
        yield cluster


def made(parts=12):
    """Rows that the workers make themselves: three groups, one block in each partition."""

    def part(number):
        table = np.random.default_rng(number).normal(size=(ROWS, 6))
        table[:, 0] += 10.0 * (np.arange(ROWS) % 3)
        return table

    return da.concatenate([da.from_delayed(delayed(part)(number), (ROWS, 6), float) for number in range(parts)])


def here(learner, *given):
    """A fit by threads of this process."""
    with dask.config.set(scheduler="threads"):
        return learner.fit(*given)


START = np.array([[5.0, 0, 0, 0, 0, 0]]) * [[0], [1], [2]]


@pytest.mark.parametrize(
    ("learner", "attribute"),
    [(LinearRegression(), "coef_"), (GaussianNB(), "var_"), (KMeans(3, init=START, n_init=1), "cluster_centers_")],
    ids=["LinearRegression", "GaussianNB", "KMeans"],
)
def test_processes(client, learner, attribute):
    """Processes give the bits of threads."""
    D = made()
    y = D[:, 1] if learner.target == "numbers" else D[:, 0] > 5
    found = getattr(learner.fit(D, y), attribute)
    assert np.array_equal(found, getattr(here(learner, D, y), attribute))


def sent_by_workers(client):
    return sum(client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total).values())


@pytest.mark.parametrize("persisted", [False, True], ids=["computed", "persisted"])
def test_only_records_travel(client, persisted):
    """What the workers send, to each other and to the client, is less than a hundredth of the data."""
    D = made()
    if persisted:
        D = D.persist()
        wait(D)
    before = sent_by_workers(client)
    record = PCA().fit(D).sums_
    assert record.gram.nbytes < sent_by_workers(client) - before < D.nbytes / 100


def test_persisted(client):
    """Persisted collections are known by their results, and taken."""
    D = made().persist()
    assert np.array_equal(StandardScaler().fit(D).mean_, here(StandardScaler(), made()).mean_)
    F = dd.from_pandas(FRAME, npartitions=3).persist()
    np.testing.assert_allclose(StandardScaler().fit(F[["a", "b"]]).mean_, X[:, :2].mean(axis=0), rtol=1e-12)


def scattered_array(client):
    """One partition, scattered."""
    (future,) = client.scatter([X])
    return da.from_delayed(delayed(future), X.shape, float)


def scattered_frame(client):
    """Two partitions of a frame, scattered."""
    return dd.from_delayed(client.scatter([FRAME[:100], FRAME[100:]]))


def scattered_list(client):
    """One partition made from two scattered pieces."""
    futures = client.scatter([X[:100], X[100:]])
    return da.from_delayed(delayed(np.vstack)(futures), X.shape, float)


@pytest.mark.parametrize("scattered", [scattered_array, scattered_frame, scattered_list])
def test_scattered(client, scattered):
    """Data that are nowhere but in the memory of a worker are refused, also if something is computed from them."""
    for collection in (scattered(client), scattered(client) + 1.0):
        with pytest.raises(ValueError, match=r"was scattered and cannot be computed again.*: build the collection from files"):
            StandardScaler().fit(collection)


def test_scattered_target(client):
    """So are targets."""
    (future,) = client.scatter([Y])
    with pytest.raises(ValueError, match="was scattered and cannot be computed again"):
        LinearRegression().fit(cut(X, 300), da.from_delayed(delayed(future), Y.shape, float))


@pytest.mark.parametrize("held", [True, False], ids=["held", "let go"])
def test_persisted_from_scattered(client, held):
    """What was computed from scattered data cannot be computed again, be they still there or forgotten already."""
    futures = client.scatter([X + held], hash=False)
    D = (da.from_delayed(delayed(futures[0]), X.shape, float) * 2.0).persist()
    wait(D)
    if not held:
        key, patience = futures.pop().key, 200
        while patience and client.run_on_scheduler(lambda dask_scheduler, key: key in dask_scheduler.tasks, key=key):
            patience -= 1
            time.sleep(0.02)
        assert patience, "the scheduler did not forget"
    with pytest.raises(ValueError, match="cannot be computed again"):
        StandardScaler().fit(D)


def test_errors_of_workers(client):
    """A bad cell, found by a worker, arrives as the error that it is, with the row counted over all partitions."""
    with pytest.raises(ValueError, match=r"contains NaN: row 207, column 1\. Impute"):
        LinearRegression().fit(cut(with_cell(207, 1, np.nan)), Y)
    with pytest.raises(ValueError, match=r"contains NaN: row 207, column 'c'\. Impute"):
        LinearRegression().fit(dd.from_pandas(FRAME.assign(c=FRAME.c.where(FRAME.index != 207)), npartitions=3), Y)


def test_killed_worker(client, tmp_path):
    """A worker killed in the middle of a pass takes partitions and records with it: all are made again, no bit is different.

    It is killed in its third partition; no record of the others can have been added, since eight are added at once."""
    diary, dead = tmp_path / "diary", tmp_path / "dead"
    diary.touch()

    def statistic(pivot, block):
        time.sleep(0.02)
        mine = [line for line in diary.read_text().splitlines() if line.startswith(f"{os.getpid()} ")]
        with open(diary, "a") as lines:
            lines.write(f"{os.getpid()} {block.start // ROWS}\n")
        if len(mine) == 2 and not dead.exists():
            dead.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return Spread.of(pivot, block)

    D = made(FAN_IN).persist()
    found = dask_rows(D).sum(statistic, np.zeros(6))
    done = [line.split()[1] for line in diary.read_text().splitlines()]
    assert dead.exists()
    assert set(done) == set(map(str, range(FAN_IN)))
    assert len(done) >= FAN_IN + 3
    with dask.config.set(scheduler="threads"):
        expected = dask_rows(made(FAN_IN)).sum(Spread.of, np.zeros(6))
    assert bits(found) == bits(expected)


# ---- what is taken ---------------------------------------------------------------------------------------------------


def test_unknown_lengths():
    """After a choice of rows nobody knows how many there are in a partition: they are counted."""
    D, chosen = da.from_array(X, chunks=(77, 2)), X[:, 0] > 0.5
    mask = D[:, 0] > 0.5
    expected = LinearRegression().fit(X[chosen], Y[chosen]).coef_
    for y in (cut(Y, 77)[mask], Y[chosen]):
        np.testing.assert_allclose(LinearRegression().fit(D[mask], y).coef_, expected, rtol=1e-12)
    assert LinearRegression().fit(D, Y).predict(D[mask]).shape == (chosen.sum(),)
    assert StandardScaler().fit(D).transform(D[mask]).shape == (chosen.sum(), 3)


def test_parquet(tmp_path):
    """Features and target of one Parquet collection go together, whatever Dask makes of columns that are read alone."""
    wide = pd.DataFrame(np.random.default_rng(2).normal(size=(400, 20))).add_prefix("x").assign(y=np.arange(400.0))
    for number in range(10):
        wide[40 * number : 40 * number + 40].to_parquet(tmp_path / f"{number}.parquet")
    table = dd.read_parquet(tmp_path)
    for names in (["x0", "x1"], [f"x{j}" for j in range(20)]):
        model = LinearRegression().fit(table[names], table["y"])
        np.testing.assert_allclose(model.coef_, LinearRegression().fit(wide[names], wide["y"]).coef_, rtol=1e-9)


def test_kinds_of_numbers():
    """Whole numbers, truth values and float32 are read as in memory."""
    for table in ((10 * X).astype(np.int16), X > 0, X.astype(np.float32)):
        found, expected = StandardScaler().fit(cut(table)), StandardScaler().fit(table)
        np.testing.assert_allclose(found.mean_, expected.mean_, rtol=1e-12, atol=1e-15)
        assert found.transform(cut(table)).dtype == expected.transform(table).dtype


def test_names_that_are_no_words():
    """Numbers as column names are no names, and a mixture is refused: as in memory."""
    assert not hasattr(StandardScaler().fit(pd.DataFrame(X)), "feature_names_in_")
    assert not hasattr(StandardScaler().fit(frames(pd.DataFrame(X))), "feature_names_in_")
    with pytest.raises(TypeError, match="names"):
        StandardScaler().fit(frames(pd.DataFrame(X, columns=["a", 1, 2])))


def test_kinds_of_labels():
    """Words, truth values, whole numbers, nullable ones and categories are the classes they are in memory."""
    up = pd.Series(KIND == "up")
    for labels in (up.astype(int), up, up.astype("Int64"), up.map({True: "up", False: "down"}).astype("category")):
        model = GaussianNB().fit(cut(X), dd.from_pandas(labels, npartitions=3))
        assert model.classes_.tolist() == GaussianNB().fit(X, labels).classes_.tolist()
        assert np.array_equal(model.predict(X), GaussianNB().fit(X, labels).predict(X))


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("collection", "said"),
    [
        (cut(X)[:, 0], "Expected 2D array, got a Dask array of 1 dimensions"),
        (da.ones((4, 4, 4)), "Expected 2D array, got a Dask array of 3 dimensions"),
        (frames(FRAME).a, "Expected 2D array, got a Dask series"),
        (da.ones((0, 3)), "0 rows; at least 1 is needed"),
        (dd.from_pandas(FRAME[:0], npartitions=1), "0 rows; at least 1 is needed"),
        (frames(FRAME, FRAME).query("a > 100"), "0 rows; at least 1 is needed"),
        (da.ones((3, 0)), r"0 feature\(s\)"),
        (frames(FRAME)[[]], r"0 feature\(s\)"),
        (cut(X + 1j), "Complex data not supported"),
        (dd.from_pandas(FRAME.rename(columns={"b": "a"}), npartitions=2), "The column name 'a' appears more than once"),
    ],
    ids=["1-d", "3-d", "series", "empty array", "empty frame", "no row left", "no column", "no name", "complex", "twice"],
)
def test_no_table(collection, said):
    """A collection that is no table of numbers is refused in a sentence."""
    with pytest.raises(ValueError, match=said):
        StandardScaler().fit(collection)


@pytest.mark.parametrize("other", [dask.bag.from_sequence([1.0, 2.0]), delayed(X)], ids=["bag", "delayed"])
def test_other_collections(other):
    """Collections of Dask that are neither arrays nor frames are refused, and those that are taken are named."""
    with pytest.raises((TypeError, ValueError), match=r"(?i)(array|frame)"):
        StandardScaler().fit(other)


@pytest.mark.parametrize(
    ("collection", "said"),
    [
        (frames(FRAME, FRAME[["b", "a", "c"]]), r"Partition 1 has the columns \['b', 'a', 'c'\], .* \['a', 'b', 'c'\]"),
        (frames(FRAME, FRAME, FRAME[["a", "c"]]), r"Partition 2 has the columns \['a', 'c'\]"),
        (frames(FRAME, FRAME.assign(d=0.0)), r"Partition 1 has the columns \['a', 'b', 'c', 'd'\]"),
        (frames(FRAME, FRAME.rename(columns={"c": "z"})), r"Partition 1 has the columns \['a', 'b', 'z'\]"),
        (arrays(X, X[:, :2]), "Partition 1 has 2 columns, the collection 3"),
        (arrays(X, X, np.hstack([X, X])), "Partition 2 has 6 columns, the collection 3"),
        (arrays(X, X[:, 0]), "(?i)partition 1"),
    ],
    ids=["order", "fewer", "more", "other", "narrower array", "wider array", "vector"],
)
def test_partitions_that_differ(collection, said):
    """Partitions whose columns are not those that the collection announces are named."""
    with pytest.raises(ValueError, match=said):
        StandardScaler().fit(collection)


@pytest.mark.parametrize(
    ("value", "said"),
    [(np.nan, "NaN"), (np.inf, r"infinity \(inf\)"), (-np.inf, r"infinity \(-inf\)")],
    ids=["NaN", "inf", "-inf"],
)
@pytest.mark.parametrize("learner", [LinearRegression(), KMeans(2)], ids=lambda learner: type(learner).__name__)
def test_bad_cells(learner, value, said):
    """A bad cell is named by its row in the whole collection and its column; at fit and later."""
    bad = with_cell(207, 1, value)
    with pytest.raises(ValueError, match=rf"contains {said}: row 207, column 1\."):
        learner.fit(cut(bad), Y)
    with pytest.raises(ValueError, match=rf"contains {said}: row 207, column 'b'\."):
        learner.fit(dd.from_pandas(pd.DataFrame(bad, columns=["a", "b", "c"]), npartitions=3), Y)
    with pytest.raises(ValueError, match=rf"contains {said}: row 207, column 1\."):
        learner.fit(X, Y).predict(cut(bad))


def test_infinity_where_cells_may_be_missing():
    """A learner that takes missing cells still refuses infinite ones."""
    assert np.isfinite(StandardScaler().fit(cut(with_cell(207, 1, np.nan))).mean_).all()
    with pytest.raises(ValueError, match=r"infinity \(inf\): row 207, column 1"):
        StandardScaler().fit(cut(with_cell(207, 1, np.inf)))


def test_cells_too_large():
    """A square that overflows is found in the sum, and its cell named."""
    with pytest.raises(ValueError, match=r"too large to be squared: 1e\+200 in row 207, column 1"):
        StandardScaler().fit(cut(with_cell(207, 1, 1e200)))


def test_words_in_arrays():
    """A word in an array of objects is named by its row in the whole collection."""
    with pytest.raises(ValueError, match="the text 'many' in row 207, column 1"):
        StandardScaler().fit(cut(with_cell(207, 1, "many", object)))


def test_words_in_frames():
    """So is a word in a frame, whatever the frame says of its columns."""
    with pytest.raises(ValueError, match="the text 'many' in row 200, column 'b'"):
        StandardScaler().fit(frames(FRAME[:100], FRAME[100:200], FRAME[200:].assign(b="many")))


def labels_with(row, value):
    """Words, with something else in one row."""
    labels = KIND.astype(object)
    labels[row] = value
    return labels


@pytest.mark.parametrize(
    "form", [cut, np.asarray, lambda y: dd.from_pandas(pd.Series(y), npartitions=3)], ids=["array", "NumPy", "series"]
)
@pytest.mark.parametrize(
    ("learner", "y", "said"),
    [
        (LinearRegression(), np.where(np.arange(300) == 207, np.nan, Y), "y contains NaN: row 207"),
        (LinearRegression(), np.where(np.arange(300) == 207, np.inf, Y), "y contains infinity.*: row 207"),
        (LinearRegression(), KIND, "y holds '(up|down)' in row 0; a regressor needs numbers"),
        (GaussianNB(), labels_with(207, None), "the label of row 207 is missing"),
        (GaussianNB(), labels_with(207, np.nan), "the label of row 207 is missing"),
        (GaussianNB(), np.where(np.arange(300) == 207, np.nan, KIND == "up"), "y contains NaN: row 207"),
        (GaussianNB(), Y, "a classifier needs classes"),
        (QuadraticDiscriminantAnalysis(), np.zeros(300, int), "only one class, 0"),
    ],
    ids=["NaN", "infinity", "words", "None", "NaN among words", "NaN among numbers", "measurements", "one class"],
)
def test_bad_targets(learner, y, said, form):
    """Targets are refused as in memory, the row counted over all partitions."""
    with pytest.raises(ValueError, match=said):
        learner.fit(cut(X), form(y))


@pytest.mark.parametrize(
    "parts",
    [np.split(np.array([1, "a"] * 150, dtype=object), 3), [KIND[:100], (Y[100:200] > 0).astype(int), KIND[200:]]],
    ids=["one partition", "two partitions"],
)
def test_labels_of_two_types(parts):
    """Words and numbers have no common order: refused, in one partition or in two, and never turned into words."""
    y = da.concatenate([da.from_delayed(delayed(part), (100,), object) for part in parts])
    with pytest.raises(TypeError, match="y mixes labels of types"):
        GaussianNB().fit(cut(X), y)


def test_words_in_a_later_target():
    """A regressor's target that holds words in a later partition only is refused, and the first of them named."""
    parts = [Y[:100], KIND[100:200].astype(object), Y[200:]]
    y = da.concatenate([da.from_delayed(delayed(part), (100,), float) for part in parts])
    with pytest.raises(ValueError, match="in row 100; a regressor needs numbers"):
        LinearRegression().fit(cut(X), y)


def test_missing_numbers_among_objects():
    """NaN in a target of objects is named as in a target of floats."""
    y = Y.astype(object)
    y[207] = np.nan
    with pytest.raises(ValueError, match=r"y contains NaN.*row 207"):
        LinearRegression().fit(cut(X), cut(y))


@pytest.mark.parametrize(
    ("learner", "real"), [(LinearRegression(), Y), (GaussianNB(), KIND == "up")], ids=["numbers", "labels"]
)
def test_complex_targets(learner, real):
    """Complex numbers are refused as in memory; no imaginary part is dropped."""
    with pytest.raises(ValueError, match="Complex data not supported"):
        learner.fit(cut(X), cut(real + 0j))


@pytest.mark.parametrize("learner", [LinearRegression(), GaussianNB()], ids=["numbers", "labels"])
def test_targets_of_three_dimensions(learner):
    """A target is a vector, or a table with a column for each target."""
    with pytest.raises(ValueError, match="y should be a 1d array"):
        learner.fit(cut(X), np.round(Y)[:, None, None])


@pytest.mark.parametrize("name", ["y", "sample_weight"])
def test_delayed_beside_rows(name):
    """A single delayed object says nothing of its length: refused with the name of the argument."""
    with pytest.raises((TypeError, ValueError), match=rf"\b{name}\b"):
        LinearRegression().fit(cut(X), **{"y": Y, name: delayed(SIZE)})


def test_labels_that_were_not_announced():
    """A label beside the announced classes is named by its row in the whole collection."""
    model = GaussianNB().partial_fit(cut(X), KIND, classes=["up", "down"])
    with pytest.raises(ValueError, match="y holds 'aside' in row 207, which is none of the classes"):
        model.partial_fit(cut(X), cut(labels_with(207, "aside")))


def test_two_columns_of_labels():
    """A classifier has one target."""
    with pytest.raises(ValueError, match="1d array"):
        GaussianNB().fit(cut(X), cut(np.column_stack([KIND, KIND])))


def test_no_target():
    """A learner that needs a target says so."""
    with pytest.raises(ValueError, match="LinearRegression requires y to be passed"):
        LinearRegression().fit(cut(X))


@pytest.mark.parametrize(
    "y",
    [SIZE[:-1], cut(SIZE[:-1]), dd.from_pandas(pd.Series(SIZE[:-1]), npartitions=3), cut(SIZE)[cut(SIZE) != SIZE[7]]],
    ids=["NumPy", "array", "series", "unknown lengths"],
)
def test_lengths_that_differ(y):
    """A target, or weights, of another length are refused, and both lengths are named."""
    with pytest.raises(ValueError, match="X has 300 rows, y has 299"):
        LinearRegression().fit(cut(X), y)
    with pytest.raises(ValueError, match="X has 300 rows, sample_weight has 299"):
        LinearRegression().fit(cut(X), Y, sample_weight=y)


@pytest.mark.parametrize("form", [cut, np.asarray], ids=["Dask", "NumPy"])
@pytest.mark.parametrize(
    ("weight", "said"),
    [
        (np.where(np.arange(300) == 207, -1.0, 1.0), "-1.0 in row 207"),
        (np.where(np.arange(300) == 207, np.nan, 1.0), "sample_weight contains NaN: row 207"),
        (np.where(np.arange(300) == 207, np.inf, 1.0), "sample_weight contains infinity.*: row 207"),
        (np.zeros(300), "all weights are zero"),
        (np.ones((300, 1)), "sample_weight must be a 1d array"),
        (np.where(np.arange(300) == 207, "many", "1"), "sample_weight holds '(1|many)' in row (0|207)"),
    ],
    ids=["negative", "NaN", "infinity", "zero", "column", "words"],
)
def test_bad_weights(weight, said, form):
    """Weights are refused as in memory, the row counted over all partitions."""
    with pytest.raises(ValueError, match=said):
        LinearRegression().fit(cut(X), Y, sample_weight=form(weight))


# ---- data that change ------------------------------------------------------------------------------------------------


def unseeded():
    """Other random numbers at each computation."""
    return da.map_blocks(lambda: np.random.default_rng().random((100, 3)), chunks=((100,) * 3, (3,)), meta=np.empty((0, 0)))


def test_random_numbers_without_a_seed():
    """A partition that holds other numbers at each pass is refused, by fits and by what follows them; persisted it is not."""
    fitted = StandardScaler().fit(X), LinearRegression().fit(X, Y)
    for use in (StandardScaler().fit, KMeans(2).fit, fitted[0].transform, fitted[1].predict):
        with pytest.raises(ValueError, match=r"Partition 0 holds other numbers each time it is computed: persist\(\)"):
            use(unseeded())
    assert StandardScaler().fit(unseeded().persist()).n_samples_seen_ == 300


@pytest.mark.parametrize("changing", [0, 1, 2])
@pytest.mark.parametrize(
    "use", [KMeans(2, n_init=1, init="random", random_state=0).fit, KNeighborsClassifier().fit], ids=["sums", "rows"]
)
def test_any_partition_that_changes(changing, use):
    """Whichever it is: the second pass finds that it is not the one of the first."""
    turn = iter(range(1, 100))

    def part(number):
        return FRAME + (next(turn) if number == changing else 0)

    D = dd.from_map(part, range(3), meta=FRAME[:0])
    with pytest.raises(ValueError, match=rf"Partition {changing} holds other numbers each time it is computed"):
        use(D, np.arange(3 * len(FRAME)) % 2)


@pytest.mark.parametrize("what", ["X", "y", "w", "words", "order"])
def test_one_row_that_changes(what):
    """A cell in the middle of a partition (of X, of the target, of the weights), and rows in another order: all are noticed."""
    turn = iter(range(1, 100))

    def part(number):
        frame, now = FRAME.assign(y=np.where(Y > 0, "1", "0"), w=1.0), next(turn)
        frame = frame if what == "words" else frame.astype({"y": float})
        if what == "order":
            return frame.iloc[np.r_[0, np.random.default_rng(now).permutation(298) + 1, 299]]
        if number == 0:
            column, value = {"X": ("b", now), "y": ("y", now), "w": ("w", now), "words": ("y", str(now))}[what]
            frame.loc[150, column] = value
        return frame

    D = dd.from_map(part, range(2), meta=FRAME[:0].assign(y="1" if what == "words" else 1.0, w=1.0))
    learner = GaussianNB() if what == "words" else LinearRegression()
    with pytest.raises(ValueError, match="Partition 0 holds other numbers each time it is computed"):
        learner.fit(D[["a", "b", "c"]], D["y"], sample_weight=D["w"])


def test_seals_do_not_depend_on_memory():
    """The same cells have the same seal by rows, by columns, and as a part of a wider table."""
    wide = np.random.default_rng(0).normal(size=(1000, 6))
    for dtype in (np.float64, np.float32):
        table = np.ascontiguousarray(wide[:, ::2].astype(dtype))
        usual = partitions.bits_of_runs(table)
        assert len(usual) == 16  # runs of 64 rows
        assert np.array_equal(partitions.bits_of_runs(np.asfortranarray(table)), usual)
        assert np.array_equal(partitions.bits_of_runs(wide.astype(dtype)[:, ::2]), usual)
    table[777, 1] = np.nextafter(table[777, 1], 0)
    assert np.flatnonzero(partitions.bits_of_runs(table) != usual).tolist() == [777 // 64]


def test_random_numbers_with_a_seed():
    """Dask's own random numbers are the same at each pass, and taken."""
    D = da.random.default_rng(0).random((300, 3), chunks=(100, 3))
    assert np.array_equal(StandardScaler().fit(D).mean_, StandardScaler().fit(D).mean_)


def test_partitions_that_shrink():
    """A stream that is used up has other rows at each pass: the partition is named, with both numbers."""
    left = iter((40, 30))

    def stream(number):
        return FRAME[: next(left)] if number == 1 else FRAME

    with pytest.raises(ValueError, match=r"Partition 1 had 40 rows before and has 30 now: persist\(\)"):
        StandardScaler().fit(dd.from_map(stream, range(2), meta=FRAME[:0]))


def test_failed_fits_leave_the_last_one():
    """A fit that fails in a partition leaves the attributes of the fit before."""
    model = aprendiz.Ridge().fit(cut(X), Y)
    before = model.coef_.copy()
    with pytest.raises(ValueError, match="row 207"):
        model.fit(cut(with_cell(207, 1, np.nan)), Y)
    assert np.array_equal(model.coef_, before)
