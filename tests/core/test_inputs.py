"""The one door: what comes in as X, y and sample_weight, and in what form it arrives."""

from dataclasses import fields

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from laws.subjects import BY_DOOR
from scipy import sparse
from sklearn.base import BaseEstimator

import aprendiz

from aprendiz import KMeans, LinearRegression, LogisticRegression, PCA, StandardScaler  # isort: skip
from aprendiz.core import rows
from aprendiz.core.inputs import open_rows
from aprendiz.core.targets import classes, numbers, weights, weights_of_rows
from aprendiz.ensemble.forest.forest import Forest
from aprendiz.ensemble.members.bags import Bags
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork
from aprendiz.tree.shared.nodes import Tree

NAMES = ["height", "weight", "age"]


def opened(table):
    """The table as blocks hold it."""
    return np.concatenate([block.X for block in PCA().open(table).blocks()])


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(40, 3))


FRAMES = {
    "pandas": lambda X: pd.DataFrame(X, columns=NAMES),
    "polars": lambda X: pl.DataFrame(dict(zip(NAMES, X.T, strict=True))),
    "pyarrow": lambda X: pa.table(dict(zip(NAMES, X.T, strict=True))),
    "pandas nullable": lambda X: pd.DataFrame(X, columns=NAMES, dtype="Float64"),
    "pandas objects": lambda X: pd.DataFrame(X, columns=NAMES).astype(object),
    "pandas with another index": lambda X: pd.DataFrame(X, columns=NAMES, index=np.arange(len(X))[::-1] * 3),
}
ARRAYS = {
    "C": lambda X: X,
    "F": np.asfortranarray,
    "strided": lambda X: np.repeat(X, 2, axis=0)[::2],
    "list": lambda X: X.tolist(),
    "tuples": lambda X: tuple(map(tuple, X.tolist())),
    "objects": lambda X: X.astype(object),
    "long double": lambda X: X.astype(np.longdouble),
    "big-endian": lambda X: X.astype(">f8"),
    "read-only": lambda X: np.frombuffer(X.tobytes()).reshape(X.shape),
}


@pytest.mark.parametrize("form", FRAMES)
def test_frames(X, form):
    """A frame of any library gives the numbers it holds, with their names."""
    table, model = opened(FRAMES[form](X)), PCA().fit(FRAMES[form](X))
    assert np.array_equal(table, X)
    assert table.dtype == np.float64
    assert list(model.feature_names_in_) == NAMES
    assert model.n_features_in_ == 3


@pytest.mark.parametrize("form", ARRAYS)
def test_arrays(X, form):
    """An array or list gives the numbers it holds, without names."""
    table, model = opened(ARRAYS[form](X)), PCA().fit(ARRAYS[form](X))
    assert np.array_equal(table, X)
    assert table.dtype == np.float64
    assert not hasattr(model, "feature_names_in_")


def parts_of(record):
    """The arrays of a record; of an array of records, one for each field."""
    for part in (np.asarray(getattr(record, field.name)) for field in fields(record)):
        yield from (part[name] for name in part.dtype.names) if part.dtype.names else [part]


def fitted_numbers(model):
    """The fitted attributes as flat arrays; of a list, dict or record of arrays, one after the other."""
    left_out = ("sums_", "certificate_", "feature_names_in_", "outliers_")  # the last names columns, where they have names
    found = {name: value for name, value in vars(model).items() if name.endswith("_") and name not in left_out}
    found = {name: [*value.values()] if isinstance(value, dict) else value for name, value in found.items()}
    found = {name: [*parts_of(value)] if isinstance(value, (Bags, Forest, Tree)) else value for name, value in found.items()}
    found = {name: [*value.tables] if isinstance(value, DiscreteNetwork) else value for name, value in found.items()}
    lists = {name: value if isinstance(value, list) and value else [value] for name, value in found.items()}
    lists = {name: value for name, value in lists.items() if not isinstance(value[0], BaseEstimator)}
    known = {name: [np.ravel(dense(part)) for part in value if part is not None] for name, value in lists.items()}
    return {name: np.concatenate(value) for name, value in known.items() if value}


def dense(part):
    return part.toarray() if sparse.issparse(part) else part


@pytest.mark.parametrize("cls", BY_DOOR, ids=lambda cls: cls.__name__)
def test_same_fit_from_any_form(X, cls, suited):
    """The form of the table does not change a bit of the fit, for one learner of each way through the door."""
    y = {"none": None, "numbers": X[:, 0] ** 2, "classes": (X[:, 0] > 0).astype(int)}[cls.target]
    table, known = suited(cls, X), cls().get_params()
    settings = {name: value for name, value in {"random_state": 0, "n_estimators": 4}.items() if name in known}
    settings |= {"n_clusters": 3} if cls is KMeans else {}
    settings |= {"n_components": 2} if "retry" in known else {}
    if "nesterovs_momentum" in known:  # a few epochs, and steps large enough to learn something in them
        settings |= {"hidden_layer_sizes": (3,), "tol": 0.1, "n_iter_no_change": 1, "learning_rate_init": 0.1}
    plain = fitted_numbers(cls(**settings).fit(table, y))
    for form, make in {**FRAMES, **ARRAYS}.items():
        other = fitted_numbers(cls(**settings).fit(make(table), y))
        assert plain.keys() == other.keys()
        for name, value in plain.items():
            assert value.dtype == other[name].dtype, (form, name)
            floats = value.dtype.kind == "f"  # a column that the first of two stages left out has no score
            assert np.array_equal(value, other[name], equal_nan=floats), (form, name)


@pytest.mark.parametrize("form", [*FRAMES, *ARRAYS])
@pytest.mark.parametrize("cls", [PCA, StandardScaler, LinearRegression, LogisticRegression, aprendiz.DecisionTreeClassifier])
def test_same_blocks_from_any_form(X, form, cls, monkeypatch):
    """Whatever the form, the door makes the same blocks, which is all that a learner sees: the same cells, targets, weights
    and numbers of rows, by rows and read-only. Learners that allow nothing, holes, sparse tables and categories."""
    monkeypatch.setattr(rows, "FEWEST_ROWS", 16)
    monkeypatch.setattr(rows, "MOST_ROWS", 16)
    y = {"none": None, "numbers": X[:, 0] ** 2, "classes": np.where(X[:, 0] > 0, "up", "down")}[cls.target]
    weight = np.arange(40) / 2
    found = list(cls().open({**FRAMES, **ARRAYS}[form](X), y, weight).blocks())
    assert [block.start for block in found] == [0, 16, 32]
    for block in found:
        here = slice(block.start, block.start + 16)
        assert block.X.flags.c_contiguous
        assert not block.X.flags.writeable
        assert block.X.dtype == np.float64
        assert np.array_equal(block.X, X[here])
        assert np.array_equal(block.weight, weight[here])
        if cls.target == "none":
            assert block.y is None
        else:
            assert np.array_equal(block.y, y[here] if cls.target == "numbers" else (X[here, 0] > 0).astype(int))


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint16, np.float16, bool])
def test_other_numbers_become_float64(kind):
    """Whole numbers, half floats and truth values are numbers."""
    table = np.array([[0, 1], [1, 0], [1, 1]]).astype(kind)
    for X in (table, pd.DataFrame(table, columns=["a", "b"])):
        result = opened(X)
        assert result.dtype == np.float64
        assert np.array_equal(result, table.astype(float))


def test_float32_stays():
    """Short floats stay short, in arrays and in frames whose columns all are; one long column makes the frame long."""
    X = np.ones((3, 2), np.float32)
    assert opened(X).dtype == np.float32
    for frame in (pd.DataFrame(X, columns=["a", "b"]), pl.DataFrame({"a": X[:, 0], "b": X[:, 1]})):
        assert opened(frame).dtype == np.float32
    mixed = pd.DataFrame({"a": X[:, 0], "b": np.ones(3)})
    assert opened(mixed).dtype == np.float64


def test_no_copy(X):
    """A float array passes as it is; nothing is copied."""
    assert np.shares_memory(next(PCA().open(X).blocks()).X, X)


def test_missing_cells_where_allowed():
    """None, NaN, NA and null are all missing cells, which the scaler leaves out."""
    for X in (
        pd.DataFrame({"a": [1.0, None, 3.0]}),
        pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64")}),
        pd.DataFrame({"a": [1, None, 3]}, dtype=object),
        pl.DataFrame({"a": [1, None, 3]}),
        pl.DataFrame({"a": [1.0, float("nan"), 3.0]}),
        pa.table({"a": [1, None, 3]}),
        np.array([[1], [None], [3]], dtype=object),
        [[1], [None], [3]],
        [[1], [float("nan")], [3]],
    ):
        model = StandardScaler().fit(X)
        assert model.mean_.tolist() == [2.0]
        assert model.n_samples_seen_ == 2


def test_missing_cells_stay_missing():
    """Nothing is imputed: a missing cell stays missing in the answer."""
    X = np.array([[1.0, np.nan], [3.0, 4.0], [5.0, 6.0]])
    Z = StandardScaler().fit_transform(X)
    assert np.array_equal(np.isnan(Z), np.isnan(X))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(("row", "column"), [(0, 0), (8191, 4), (8192, 0), (29_999, 9)])
def test_bad_cell_in_a_long_table(value, row, column):
    """In a table of many blocks too, the first bad cell is found and named, whatever the layout."""
    X = np.zeros((30_000, 10))
    X[row, column] = value
    for table in (X, np.asfortranarray(X)):
        with pytest.raises(ValueError, match=f"row {row}, column {column}") as error:
            PCA().fit(table)
        assert ("NaN" if np.isnan(value) else str(value)) in str(error.value)


def test_first_bad_cell_is_named():
    """Of several bad cells the first one, by rows, is named."""
    X = np.zeros((10, 3))
    X[7, 0], X[3, 2], X[3, 1] = np.nan, np.inf, np.nan
    with pytest.raises(ValueError, match="row 3, column 1"):
        PCA().fit(X)


def test_bad_cell_of_a_sparse_table():
    """Rows and columns of a sparse table are named as in the full table."""
    X = sparse.random(50, 20, density=0.1, format="lil", random_state=0)
    X[31, 17] = np.nan
    for table in (X.tocsr(), X.tocsc(), X.tocoo(), sparse.csr_array(X)):
        with pytest.raises(ValueError, match="row 31, column 17"):
            PCA().fit(table)


def test_large_but_finite():
    """A sum that overflows does not make its finite cells infinite."""
    X = np.full((50, 2), 1e308)
    assert np.array_equal(opened(X), X)


def test_sparse_without_entries():
    """A sparse table of nothing but zeros is a table."""
    assert PCA().fit(sparse.csr_matrix((5, 3))).explained_variance_.tolist() == [0.0, 0.0, 0.0]


def test_names_are_forgotten_by_a_new_fit(X):
    """A fit to an array after a fit to a frame leaves no names behind, and the other way round."""
    model = PCA().fit(FRAMES["pandas"](X))
    model.fit(X)
    assert not hasattr(model, "feature_names_in_")
    assert list(model.fit(FRAMES["polars"](X)).feature_names_in_) == NAMES


def test_names_that_are_no_words(X):
    """Columns numbered by pandas are columns without names."""
    model = PCA().fit(pd.DataFrame(X))
    assert not hasattr(model, "feature_names_in_")
    assert model.transform(X).shape == (40, 3)


# ---- y ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form", [np.asarray, list, tuple, pd.Series, pl.Series, pa.array, lambda y: pd.Series(y, index=y[::-1])]
)
def test_target_of_numbers(form):
    """A target of numbers may be an array, a list or a column of any library."""
    y = np.array([3.0, 1.0, 2.0])
    assert np.array_equal(numbers(form(y), 3), y)


def test_target_of_numbers_of_other_types():
    """Whole numbers and truth values are numbers; a frame of several columns is several targets."""
    assert numbers(np.array([True, False]), 2).tolist() == [1.0, 0.0]
    assert numbers([1, 2], 2).dtype == np.float64
    assert numbers(pd.DataFrame({"a": [1, 2], "b": [3, 4]}), 2).tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert numbers(np.array([1, 2.5], dtype=object), 2).tolist() == [1.0, 2.5]


LABELS = {
    "words": (["b", "a", "b"], ["a", "b"]),
    "numbers": ([3, 1, 3], [1, 3]),
    "whole floats": ([3.0, 1.0, 3.0], [1.0, 3.0]),
    "truth": ([True, False, True], [False, True]),
    "objects": (np.array(["b", "a", "b"], dtype=object), ["a", "b"]),
    "pandas words": (pd.Series(["b", "a", "b"]), ["a", "b"]),
    "pandas categories": (pd.Series(["b", "a", "b"], dtype="category"), ["a", "b"]),
    "pandas nullable": (pd.Series([3, 1, 3], dtype="Int64"), [1, 3]),
    "polars": (pl.Series(["b", "a", "b"]), ["a", "b"]),
    "polars categories": (pl.Series(["b", "a", "b"], dtype=pl.Categorical), ["a", "b"]),
    "pyarrow": (pa.array(["b", "a", "b"]), ["a", "b"]),
}


@pytest.mark.parametrize("form", LABELS)
def test_target_of_classes(form):
    """Classes are the sorted distinct values; each row gets the number of its class."""
    y, expected = LABELS[form]
    labels, codes = classes(y, 3)
    assert labels.tolist() == expected
    assert codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize("form", LABELS)
def test_classes_come_back(form):
    """Predictions are labels as they were given."""
    y, expected = LABELS[form]
    model = LogisticRegression().fit([[1.0], [-1.0], [2.0]], y)
    assert model.classes_.tolist() == expected
    assert model.predict([[2.0], [-2.0]]).tolist() == expected[::-1]


def test_classes_among_others():
    """Announced labels are counted as they were announced; with none announced, a single class will do."""
    labels, codes = classes(["b", "d", "b"], 3, np.array(["a", "b", "c", "d"]))
    assert labels.tolist() == ["a", "b", "c", "d"]
    assert codes.tolist() == [1, 3, 1]
    labels, codes = classes(["b", "b"], 2, np.array([]))
    assert labels.tolist() == ["b"]
    assert codes.tolist() == [0, 0]
    with pytest.raises(ValueError, match="only one class, 'b'"):
        classes(["b", "b"], 2)
    with pytest.raises(ValueError, match=r"y holds 'x' in row 1, which is none of the classes: 'a', 'b'"):
        classes(["a", "x"], 2, np.array(["a", "b"]))


def test_classes_among_others_in_files(tmp_path):
    """The same for rows of a file, whose labels are found by a pass."""
    pd.DataFrame({"a": [0.0, 1.0, 2.0], "y": ["b", "d", "b"]}).to_parquet(tmp_path / "t.parquet")
    rows = aprendiz.rows(tmp_path / "t.parquet", target="y")

    def opened(among):
        found = open_rows(LogisticRegression(), rows, target="classes", among=np.array(among))
        return found.labels.tolist(), next(found.blocks()).y.tolist()

    assert opened(["a", "b", "c", "d"]) == (["a", "b", "c", "d"], [1, 3, 1])
    assert opened([]) == (["b", "d"], [0, 1, 0])
    with pytest.raises(ValueError, match=r"y holds 'd'.*none of the classes: 'a', 'b'"):
        opened(["a", "b"])


def test_mixed_labels():
    """Labels that have no order are refused with their types."""
    with pytest.raises(TypeError, match=r"int.*str"):
        classes(np.array([1, "a", 1], dtype=object), 3)


def test_measurements_are_no_classes():
    """Numbers with fractions are refused by a classifier, with row and value."""
    with pytest.raises(ValueError, match=r"1\.5.*row 1"):
        classes([1.0, 1.5, 2.0], 3)


def test_column_vector_warns():
    """A target of one column is taken, with scikit-learn's warning."""
    from sklearn.exceptions import DataConversionWarning

    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert classes(np.array([[0], [1]]), 2)[1].tolist() == [0, 1]


def test_row_of_a_bad_target():
    """A bad value of y is named with its row, for one target and for several."""
    for y in (np.array([1.0, 2.0, np.nan]), np.array([[1.0, 1], [2, 2], [3, np.inf]])):
        with pytest.raises(ValueError, match="row 2"):
            LinearRegression().fit(np.eye(3), y)


# ---- weights ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [np.asarray, list, tuple, pd.Series, pl.Series, pa.array])
def test_weights(form):
    """Weights may come in any form; they arrive as float64."""
    result = weights(form([1, 0, 2]), 3)
    assert result.tolist() == [1.0, 0.0, 2.0]
    assert result.dtype == np.float64


def test_one_weight_for_all():
    """One number stands for all rows; None stays None."""
    assert weights(2, 3).tolist() == [2.0, 2.0, 2.0]
    assert weights(None, 3) is None


def test_large_weights():
    """Weights whose sum overflows are finite all the same: none of them is called infinite. The largest has a range in which
    weighted squares are numbers; the others may be as small as they like."""
    assert weights_of_rows([1e308, 1e308], 2).tolist() == [1e308, 1e308]
    for size in (1e300, 1e-300):
        with pytest.raises(ValueError, match=f"weight, {size:.3g} in row 1, .* Scale the weights".replace("+", r"\+")):
            weights([size / 2, size], 2)
    assert weights([1e-300, 1.0], 2).tolist() == [1e-300, 1.0]
