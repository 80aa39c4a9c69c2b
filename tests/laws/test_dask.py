"""The promise about Dask collections: they give what the same rows in memory give, with the same bits where each partition
holds 2ᵏ whole blocks, and to rounding otherwise. Local threads; clusters of processes are in tests/core/test_dask.py."""

import pickle
from dataclasses import replace
from functools import cache

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask import delayed
from sklearn.pipeline import make_pipeline
from subjects import (
    BY_DOOR,
    BY_WAY,
    FAMILIES,
    ITERATIVE,
    LEARNERS,
    ONE_PASS,
    OUTPUTS,
    answer,
    assert_close,
    assert_near,
    assert_same_bits,
    digits,
    every,
    everything,
    family,
    fit,
    fitted,
    honour,
    learner,
    of_each_family,
    outputs,
    table,
    takes,
    two_classes_only,
)
from ways import distinct

import aprendiz
from aprendiz.core.rows import block_rows
from aprendiz.core.sources import dask as dask_source

SHORT = 128  # rows of a block
SIZE, LARGE = (300, 4), (20_000, 4)  # three blocks, short ones and the usual ones
ODD = (0, 1, 10, 0, 130, 1, 128, 30, 0)
pytestmark = pytest.mark.usefixtures("short_blocks")
BESIDE = of_each_family(distinct(LEARNERS, "open"))  # ways in which targets and weights come in
SCORED = [cls for cls in LEARNERS if hasattr(cls, "score")]
REGRESSORS = [cls for cls in LEARNERS if cls.target == "numbers"]


@cache
def data_of(cls):
    return table(cls, *SIZE)


@cache
def in_memory(cls, weighted=False):
    return fitted(cls, data_of(cls), weighted=weighted)


def cut(data, lengths):
    """The table as Dask arrays with partitions of the given lengths (one number: of so many rows)."""
    lengths = lengths if isinstance(lengths, int) else within(lengths, data)
    rows = lengths if isinstance(lengths, int) else (lengths,)
    y = None if data.y is None else da.from_array(data.y, chunks=rows)
    return replace(data, X=da.from_array(data.X, chunks=(lengths, -1)), y=y, weight=da.from_array(data.weight, chunks=rows))


def within(lengths, data):
    """Lengths of partitions, as far as there are rows."""
    return tuple(np.diff(np.minimum(np.cumsum((0, *lengths)), len(data))).tolist())


def whole(data, k=0):
    """The table with partitions of 2ᵏ blocks."""
    return cut(data, 2**k * block_rows(data.X.shape[1]))


def named(X, **others):
    """A data frame with the columns x0, x1, … and some others."""
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])]).assign(**others)


def in_frames(data, lengths=None):
    """The table as Dask frames, X with named columns, y and weight as series."""
    y = {} if data.y is None else {"y": data.y}
    frame = named(data.X, **y, weight=data.weight)
    if lengths is None:
        parts = dd.from_pandas(frame, chunksize=block_rows(data.X.shape[1]), sort=False)
    else:
        lengths = within(lengths, data)
        ends = np.cumsum(lengths)
        parts = dd.from_map(lambda n, end: frame[end - n : end], lengths, ends, meta=frame[:0])
    X = parts[[name for name in frame.columns if name.startswith("x")]]
    return replace(data, X=X, y=parts["y"] if y else None, weight=parts["weight"])


def test_what_the_sizes_stand_for(short_blocks):
    """There are three blocks, the last one shorter, and the odd partitions cover the table. (More partitions than one
    addition takes: tests/core/test_dask.py.)"""
    assert block_rows(SIZE[1]) == short_blocks == SHORT
    assert 2 < SIZE[0] / SHORT < 3
    assert sum(ODD) == SIZE[0]
    assert {0, 1} < set(ODD)
    assert any(length % short_blocks for length in ODD)


# ---- bits ------------------------------------------------------------------------------------------------------------


@every(BY_WAY)
def test_whole_blocks(cls):
    """Partitions of one block, and of two, give the bits of the array, in the fit and in what is said of the rows. How
    partitions become blocks is known to the source alone: two for one learner of each way through the door."""
    honour(cls, "dask")
    expected, data = in_memory(cls), data_of(cls)
    for k in (1, 0) if cls in BY_DOOR else (0,):
        model = fit(learner(cls, data), whole(data, k))
        assert_same_bits(everything(model), everything(expected))
    X = whole(data).X.partitions[-2:]
    assert_same_bits(outputs(model, X), outputs(expected, data.X[-len(X) :]))


@every(of_each_family([cls for cls in BY_WAY if takes(cls.fit, "sample_weight")]))
def test_weighted_blocks(cls):
    """The same with weights."""
    honour(cls, "dask")
    data = data_of(cls)
    model = fit(learner(cls, data), whole(data), weighted=True)
    assert_same_bits(everything(model), everything(in_memory(cls, True)))


@every(FAMILIES)
def test_many_rows(cls, monkeypatch):
    """The same with the usual blocks, for one learner of each family."""
    monkeypatch.undo()  # of the short blocks
    assert LARGE[0] > 2 * block_rows(LARGE[1]) > 2000
    data = table(cls, *LARGE)
    model, expected = fit(learner(cls, data), whole(data)), fitted(cls, data)
    assert_same_bits(everything(model), everything(expected))
    assert_same_bits(outputs(model, whole(data).X), outputs(expected, data.X))


@every(BESIDE)
def test_frames(cls):
    """Dask frames give the bits of the array, and the names of their columns are kept (so they are in the pipelines below)."""
    honour(cls, "dask")
    data, expected = data_of(cls), in_memory(cls)
    frames = in_frames(data)
    assert frames.X.npartitions == 3
    model = fit(learner(cls, data), frames)
    assert list(model.feature_names_in_) == [f"x{j}" for j in range(SIZE[1])]
    assert_same_bits(everything(model), everything(expected))
    assert_same_bits(outputs(model, frames.X.partitions[0]), outputs(expected, data.X[:SHORT]))


@every(of_each_family(BY_DOOR))
def test_names_are_those_of_the_fit(cls):
    """New rows with other names, or the same in another order, are refused by a learner fitted to a Dask frame."""
    honour(cls, "dask")
    data = data_of(cls)
    X = named(data.X)
    said = [name for name in ("predict", "transform", "score_samples", "kneighbors") if hasattr(cls, name)]
    if not said:
        pytest.skip(f"{cls.__name__} has no say on new rows")
    say = getattr(learner(cls, data).fit(dd.from_pandas(X, npartitions=2), data.y), said[0])
    for strange in (X[X.columns[::-1]], X.rename(columns={"x0": "z"})):
        with pytest.raises(ValueError, match="are not those of the fit"):
            say(dd.from_pandas(strange, npartitions=2))


def forms(values, lengths):
    """A target or weights in all the forms in which they may stand beside a Dask collection."""
    array = da.from_array(values, chunks=(lengths,))
    return [
        array,
        da.from_array(values, chunks=37),
        array[array == array],  # of unknown lengths
        dd.from_pandas(pd.Series(values), chunksize=max(lengths), sort=False),
        values,
    ]


@every([cls for cls in BESIDE if cls.target != "none"])
def test_forms_of_a_target(cls):
    """A target may be a Dask array, cut as X or otherwise, a Dask series, or in memory: the same bits."""
    honour(cls, "dask")
    data = data_of(cls)
    X = cut(data, 100).X
    first, *others = (everything(learner(cls, data).fit(X, y)) for y in forms(data.y, X.chunks[0]))
    for found in others:
        assert_same_bits(found, first)
    assert_close(first, everything(in_memory(cls)), digits(cls))


@every([cls for cls in BESIDE if takes(cls.fit, "sample_weight")])
def test_forms_of_weights(cls):
    """So may weights."""
    honour(cls, "dask")
    data = data_of(cls)
    X, weights = cut(data, 100).X, forms(data.weight, (100, 100, 100))
    first, *others = (everything(learner(cls, data).fit(X, data.y, sample_weight=weight)) for weight in weights)
    for found in others:
        assert_same_bits(found, first)
    assert_close(first, everything(in_memory(cls, True)), digits(cls))


@every(REGRESSORS)
@pytest.mark.parametrize("columns", [1, 2])
def test_targets_in_columns(cls, columns):
    """A target with columns, be it a single one, gives attributes and predictions of the shape they have in memory."""
    honour(cls, "dask")
    if not cls().__sklearn_tags__().target_tags.multi_output:
        pytest.skip(f"{cls.__name__} has one target")
    data = data_of(cls)
    y = np.column_stack([data.y, data.X[:, 0] - data.y])[:, :columns]
    X, expected = whole(data).X, learner(cls, data).fit(data.X, y)
    frame = dd.from_pandas(pd.DataFrame(y).add_prefix("y"), chunksize=X.chunks[0][0], sort=False)
    for target in (da.from_array(y, chunks=(X.chunks[0], 1)), frame, y):
        model = learner(cls, data).fit(X, target)
        assert_same_bits(everything(model), everything(expected))
        assert_same_bits(outputs(model, X), outputs(expected, data.X))


@every([cls for cls in REGRESSORS if cls in BY_DOOR])
def test_targets_of_whole_numbers(cls):
    """Whole numbers as a target give the bits of the same numbers as floats."""
    honour(cls, "dask")
    data = data_of(cls)
    X, y = whole(data).X, np.round(data.y).astype(np.int32)
    expected = everything(learner(cls, data).fit(data.X, y.astype(float)))
    assert_same_bits(everything(learner(cls, data).fit(X, da.from_array(y, chunks=77))), expected)


@every(of_each_family(ITERATIVE))
def test_states(cls):
    """The states of a fit are those of the fit in memory, one by one."""
    honour(cls, "dask")
    data = data_of(cls)
    Dask = whole(data)
    expected = [state.objective for state in learner(cls, data).steps(data.X, data.y)]
    assert [state.objective for state in learner(cls, data).steps(Dask.X, Dask.y)] == expected
    assert len(expected) > 2


# ---- to rounding -----------------------------------------------------------------------------------------------------


@every(of_each_family(BY_WAY))
def test_odd_partitions(cls):
    """Partitions of any lengths, some empty and some of one row, give the same answer to rounding, with weights too."""
    honour(cls, "dask")
    weighted = takes(cls.fit, "sample_weight")
    data, expected = data_of(cls), in_memory(cls, weighted)
    odd = cut(data, ODD)
    model = fit(learner(cls, data), odd, weighted=weighted)
    assert_close(answer(model), answer(expected), digits(cls))
    assert_close(outputs(model, odd.X), outputs(expected, data.X), digits(cls))


@every(FAMILIES)
def test_odd_frames(cls):
    """So do the partitions of a frame, without weights."""
    honour(cls, "dask")
    data = data_of(cls)
    model = fit(learner(cls, data), in_frames(data, ODD))
    assert_close(answer(model), answer(in_memory(cls)), digits(cls))


@every(of_each_family(SCORED))
def test_score(cls):
    """`score` of Dask collections is that of the rows in memory, with weights too where it takes them."""
    honour(cls, "dask")
    data, model = data_of(cls), in_memory(cls)
    odd = cut(data, ODD)
    given = [(odd.X, odd), (odd.X, data)]
    if cls in FAMILIES:  # frames are read by the source
        given.append(((frames := in_frames(data)).X, frames))

    def score(X, beside, weighted):
        return model.score(X, beside.y, **({"sample_weight": beside.weight} if weighted else {}))

    for weighted in (False, True) if takes(cls.score, "sample_weight") else (False,):
        expected = score(data.X, data, weighted)
        for X, beside in given:
            assert_near(score(X, beside, weighted), expected, 1e-12)


@every(of_each_family(ONE_PASS))
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_partial_fit(cls, weighted):
    """Batches that are Dask collections, mixed with batches in memory, give what all rows at once give."""
    honour(cls, "dask")
    data, expected = data_of(cls), in_memory(cls, weighted)
    model, Dask = learner(cls, data), cut(data, ODD)
    for source, rows in ((Dask, slice(90)), (data, slice(90, 135)), (Dask, slice(135, None))):
        part = source.take(rows)
        model.partial_fit(part.X, part.y, **({"sample_weight": part.weight} if weighted else {}))
    assert_close(answer(model), answer(expected), digits(cls))


# ---- pipelines -------------------------------------------------------------------------------------------------------


def pipeline(cls, data):
    """A scaler, then the learner; codes are no measurements, so before a learner of codes an imputer."""
    codes = cls().__sklearn_tags__().input_tags.positive_only
    first = aprendiz.SimpleImputer() if codes else aprendiz.StandardScaler()
    start = data.start if codes else aprendiz.StandardScaler().fit(data.X).transform(data.start)
    return make_pipeline(first, learner(cls, replace(data, start=start)))


@every(of_each_family(BY_DOOR))
def test_pipeline(cls):
    """A pipeline on Dask collections has the bits of the pipeline in memory, and its rows stay where they are: arrays, and for
    one learner of each family frames too."""
    honour(cls, "dask")
    data = data_of(cls)
    expected = pipeline(cls, data).fit(data.X, data.y)
    for Dask in (whole(data), in_frames(data)) if cls in FAMILIES else (whole(data),):
        model = pipeline(cls, data).fit(Dask.X, Dask.y)
        assert isinstance(model[0].transform(Dask.X), da.Array)
        assert_same_bits(everything(model[1]), everything(expected[1]))
        if any(hasattr(cls, name) for name in OUTPUTS):  # which a pipeline has a method to ask
            assert_same_bits(outputs(model, Dask.X.partitions[0]), outputs(expected, data.X[:SHORT]))
        if hasattr(cls, "score"):
            assert_near(model.score(Dask.X, Dask.y), expected.score(data.X, data.y), 1e-12)


@every([cls for cls in BESIDE if cls.target != "none"])
def test_pipeline_after_a_filter(cls):
    """Frames that lost all rows of a partition to a filter go through a pipeline together with their target."""
    honour(cls, "dask")
    data = data_of(cls)
    kept = np.r_[0:100, 205:300]
    frame = dd.from_pandas(named(data.X, y=data.y, number=np.arange(SIZE[0])), chunksize=100)
    some = frame[(frame.number < 100) | (frame.number >= 205)]
    model = pipeline(cls, data).fit(some[[f"x{j}" for j in range(SIZE[1])]], some.y)
    expected = pipeline(cls, data).fit(data.X[kept], data.y[kept])
    here, there = ({k: v for k, v in answer(one[1]).items() if k != "xbar_"} for one in (model, expected))
    assert_close(here, there, digits(cls))  # xbar_ of scaled columns is nothing but rounding


# ---- what is exact, or crosses partitions ------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_folds_of_ridge(weighted):
    """Folds are counted over all rows: `cv=5` on odd partitions chooses and scores as in memory."""
    data = data_of(aprendiz.RidgeCV)
    alphas = np.logspace(-2, 5, 8)
    expected = fit(aprendiz.RidgeCV(alphas, cv=5), data, weighted=weighted)
    model = fit(aprendiz.RidgeCV(alphas, cv=5), cut(data, ODD), weighted=weighted)
    assert model.alpha_ == expected.alpha_
    assert_close(answer(model), answer(expected), digits(aprendiz.RidgeCV))


@pytest.mark.parametrize("lengths", [SHORT, 15, ODD], ids=["whole blocks", "many", "odd"])
def test_medians_are_exact(lengths):
    """Median imputation finds the median of all known cells, to the last bit, and fills as in memory."""
    data = data_of(aprendiz.SimpleImputer)
    X = np.where(np.random.default_rng(0).random(SIZE) < 0.2, np.nan, np.round(data.X, 1))
    X[:, 3] = np.where(np.arange(len(X)) == 121, 7.5, np.nan)  # known in one partition only
    Dask = da.from_array(X, chunks=(lengths, -1))
    model = aprendiz.SimpleImputer(strategy="median").fit(Dask)
    assert np.array_equal(model.statistics_, np.nanmedian(X, axis=0))
    assert np.array_equal(model.transform(Dask).compute(), np.where(np.isnan(X), np.nanmedian(X, axis=0), X))


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent", "constant"])
def test_imputation_with_marks(strategy):
    """Every strategy, with a number that stands for missing cells and with the columns of the indicator, as in memory."""
    X = np.round(data_of(aprendiz.SimpleImputer).X)
    imputer = aprendiz.SimpleImputer(strategy=strategy, missing_values=3.0, add_indicator=True)
    expected = imputer.fit_transform(X)
    assert not (expected[:, : SIZE[1]] == X).all()
    assert_near(imputer.fit_transform(da.from_array(X, chunks=(ODD, -1))), expected, 1e-13)


def test_labels_of_different_partitions(monkeypatch):
    """Classes that occur in a single partition, and words of different lengths, are all found."""
    monkeypatch.undo()  # of the short blocks, within which some learners shuffle
    X = np.random.default_rng(0).normal(size=(200, 2))
    y = np.repeat(["a", "bcd", "ef", "a"], 50)
    parts = [da.from_delayed(delayed(part), (50,), object) for part in np.split(y, 4)]
    in_memory = [cls for cls in LEARNERS if family(cls) == "selection" and "dask" in cls.exceptions]  # which refuse them
    for cls in (c for c in LEARNERS if c.target == "classes" and not two_classes_only(c) and c not in in_memory):
        codes = np.abs(np.round(X)) if cls().__sklearn_tags__().input_tags.positive_only else X
        brief = {"random_state": 0, "n_estimators": 4, "cv": 3, "Cs": 3, "hidden_layer_sizes": (4,), "learning_rate_init": 0.05}
        brief |= {"alpha": 1.0, "k": 1, "percentile": 50} if takes(cls, "score_func") else {}  # of noise, too
        settings = {name: value for name, value in brief.items() if takes(cls, name)}
        model = cls(**settings).fit(da.from_array(codes, chunks=(50, 2)), da.concatenate(parts))
        if not takes(cls, "score_func") and not takes(cls, "importance_getter"):  # which have none, as in scikit-learn
            assert model.classes_.tolist() == ["a", "bcd", "ef"], cls.__name__
        assert_close(answer(model), answer(cls(**settings).fit(codes, y)), digits(cls))


# ---- records -----------------------------------------------------------------------------------------------------------


@every(BY_WAY)
def test_records_are_not_changed(cls, monkeypatch):
    """Records belong to the scheduler: adding them leaves them as they are, so doing it again gives the same."""
    honour(cls, "dask")
    honour(cls, "memory")
    honour(cls, "small records")
    if takes(cls, "exact"):
        pytest.skip("few rows are gathered; tests/tree/test_levelwise.py has those that are counted by levels")
    add, calls = dask_source.add_records, []

    def twice(records):
        before = pickle.dumps(records)
        first = pickle.dumps(add(records))
        assert pickle.dumps(records) == before
        again = add(pickle.loads(before))
        calls.append(len(records))
        assert pickle.dumps(add(records)) == first
        return again

    monkeypatch.setattr(dask_source, "add_records", twice)
    data = data_of(cls)
    weighted = takes(cls.fit, "sample_weight")
    model = fit(learner(cls, data), whole(data), weighted=weighted)
    assert calls
    assert max(calls) == 3
    assert_same_bits(everything(model), everything(in_memory(cls, weighted)))


@every(ONE_PASS)
def test_only_records_come_back(cls, monkeypatch):
    """What a fit brings back from the partitions is a small part of one of them, and no more for ten times the rows."""
    honour(cls, "dask")
    honour(cls, "small records")
    monkeypatch.undo()  # of the short blocks
    sizes, computed = [], dask_source.DaskRows.compute

    def weighed(self, tasks):
        results = computed(self, tasks)
        sizes[-1] += len(pickle.dumps(results))
        return results

    monkeypatch.setattr(dask_source.DaskRows, "compute", weighed)
    for rows in (2_000, 20_000):
        sizes.append(0)
        data = table(cls, rows, 6)
        fit(learner(cls, data), cut(data, rows))
    assert 0 < sizes[1] < data.X.nbytes / 20
    assert sizes[1] < 1.5 * sizes[0]
