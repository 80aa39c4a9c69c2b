"""`load`: the same data as their sources, in arrays and frames that nobody can damage; wrong names are refused with help."""

import copy
import doctest
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn import datasets as theirs

from aprendiz.core.columns import Columns
from aprendiz.datasets import Dataset, HypothesisSets, Matrix, Network, catalogue, load, names

BUNDLED = ["breast_cancer", "diabetes", "digits", "iris", "linnerud", "wine"]
TABLES = [name for name in names() if isinstance(load(name), Dataset)]
OTHERS = {
    "alarm": Network,
    "asia": Network,
    "dsep_five": Network,
    "dsep_seven": Network,
    "eyes_hair": Matrix,
    "number_game": HypothesisSets,
    "ratings": Matrix,
    "student": Network,
}


def bundle(name, **options):
    return getattr(theirs, f"load_{name}")(**options)


def test_names():
    """All tables of scikit-learn and of the texts, sorted, and each can be loaded under its name."""
    texts = ["boston_nine", "five_points", "iris_nine", "nine_points", "traffic", "tumour", *OTHERS]
    assert names() == sorted([*BUNDLED, *texts])
    for name in names():
        record = load(name)
        assert record.name == record.card.name == name
        assert isinstance(record, OTHERS.get(name, Dataset))


# ---- agreement with the sources --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUNDLED)
def test_same_as_scikit_learn(name):
    """X, y and names are those of scikit-learn's loader, for the record and for the pair."""
    ours, reference = load(name), bundle(name)
    np.testing.assert_array_equal(ours.X, reference.data)
    np.testing.assert_array_equal(ours.y, reference.target)
    assert ours.X.dtype == reference.data.dtype
    assert ours.y.dtype == reference.target.dtype
    assert ours.feature_names == [str(feature) for feature in reference.feature_names]
    for own, other in zip(load(name, return_X_y=True), bundle(name, return_X_y=True), strict=True):
        np.testing.assert_array_equal(own, other)


@pytest.mark.parametrize("name", ["breast_cancer", "digits", "iris", "wine"])
def test_classes_of_scikit_learn(name):
    """The words of the classes stand in the order of scikit-learn's codes."""
    ours, reference = load(name), bundle(name)
    assert ours.classes.tolist() == [str(word) for word in reference.target_names]
    np.testing.assert_array_equal(ours.columns[ours.target], reference.target_names[reference.target].astype(str))


def test_several_targets():
    """The three targets of linnerud are a tuple of names and a matrix."""
    ours = load("linnerud")
    assert ours.target == tuple(bundle("linnerud").target_names)
    assert ours.y.shape == (20, 3)
    assert ours.classes is None


@pytest.mark.parametrize("name", BUNDLED)
def test_frames_as_scikit_learn(name):
    """The same frame of features; classes are categories whose codes are scikit-learn's target."""
    X, y = load(name, return_X_y=True, as_frame=True)
    their_X, their_y = bundle(name, return_X_y=True, as_frame=True)
    pd.testing.assert_frame_equal(X, their_X)
    if name == "linnerud":
        pd.testing.assert_frame_equal(y, their_y)
    else:
        assert isinstance(y, pd.Series)
        np.testing.assert_array_equal(y.cat.codes if y.dtype == "category" else y, their_y)


def test_iris_nine_is_part_of_iris():
    """The nine printed flowers are the first three of each species."""
    nine, iris = load("iris_nine"), load("iris")
    rows = [0, 1, 2, 50, 51, 52, 100, 101, 102]
    assert nine.features == iris.features
    for name, values in nine.columns.items():
        np.testing.assert_array_equal(values, iris.columns[name][rows])


# ---- the record ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_record_is_consistent(name):
    """X and y are the columns: floats, or words; the codes in y name the words of the target."""
    table = load(name)
    assert table.X.shape == (len(table), len(table.features))
    assert list(table.features) == table.feature_names == [c for c in table.columns if c not in table.card.targets]
    for j, feature in enumerate(table.features):
        assert table.X[:, j].tolist() == table.columns[feature].tolist()
    for column, values in table.columns.items():
        assert values.shape == (len(table),)
        assert values.dtype.kind == ("U" if column in table.levels else "f")
    if table.classes is not None:
        np.testing.assert_array_equal(table.classes[table.y], table.columns[table.target])


def test_words_and_numbers():
    """Words give an object array, numbers a float one; without a target y is None."""
    assert load("tumour").X.dtype == object
    assert load("tumour").X[0].tolist() == ["large", "high", "no"]
    assert load("traffic").X.dtype == load("traffic").y.dtype == float
    points = load("nine_points")
    assert points.target is None
    assert points.y is None
    assert points.classes is None
    X, y = load("nine_points", return_X_y=True)
    assert X.shape == (9, 1)
    assert y is None


def test_order_of_levels():
    """Size and smoothness are ordinal; the schema of the table says so from the record and from the frame."""
    tumour = load("tumour")
    assert tumour.ordered == ("size", "smoothness")
    assert tumour.levels == {
        "size": ("small", "medium", "large"),
        "smoothness": ("low", "medium", "high"),
        "symmetry": ("no", "yes"),
        "diagnosis": ("benign", "malignant"),
    }
    from_record = Columns.of(tumour.columns, levels={name: tumour.levels[name] for name in tumour.ordered})
    for schema in (from_record, Columns.of(tumour.frame)):
        assert [column.kind for column in schema] == ["ordinal", "ordinal", "binary", "binary"]
        assert schema["size"].levels == ("small", "medium", "large")


def test_repr():
    """One line with what one needs to know; long lists are cut."""
    assert repr(load("traffic")) == "<Dataset 'traffic': 24 rows; features density; target speed>"
    assert "target diagnosis (0 malignant, 1 benign)" in repr(load("breast_cancer"))
    assert repr(load("nine_points")) == "<Dataset 'nine_points': 9 rows; features x>"
    assert repr(load("ratings")) == "<Matrix 'ratings': 4 × 6, 9 known cells>"
    assert repr(load("dsep_five")) == "<Network 'dsep_five': a → e, f → e, f → b, e → c; without tables>"
    assert "two with 37 (7)" in repr(load("number_game"))
    assert max(len(repr(load(name))) for name in names()) < 170


def test_example_in_the_header():
    """The example of the header of catalogue.py gives what it prints."""
    result = doctest.testmod(catalogue)
    assert result.attempted >= 3
    assert result.failed == 0


# ---- frames ----------------------------------------------------------------------------------------------------------


def test_pandas():
    """Categories with the levels of the card, ordered where the card says so; numbers are floats."""
    frame = load("tumour").frame
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["size", "smoothness", "symmetry", "diagnosis"]
    assert frame["size"].dtype == pd.CategoricalDtype(["small", "medium", "large"], ordered=True)
    assert frame["symmetry"].dtype == pd.CategoricalDtype(["no", "yes"], ordered=False)
    assert frame["size"].tolist() == load("tumour").columns["size"].tolist()
    assert [kind.kind for kind in load("traffic").frame.dtypes] == ["f", "f"]


def without(monkeypatch, *libraries):
    for library in libraries:
        monkeypatch.setitem(sys.modules, library, None)


def test_polars(monkeypatch):
    """Where pandas is missing, the frame is one of polars."""
    without(monkeypatch, "pandas")
    table = load("tumour", as_frame=True)
    assert isinstance(table.frame, pl.DataFrame)
    assert table.frame.schema["size"] == pl.Enum(["small", "medium", "large"])
    assert table.frame.schema["symmetry"] == pl.Categorical()
    assert isinstance(table.X, pl.DataFrame)
    assert table.X.columns == ["size", "smoothness", "symmetry"]
    assert isinstance(table.y, pl.Series)
    assert table.y.to_list() == load("tumour").columns["diagnosis"].tolist()
    X, y = load("linnerud", return_X_y=True, as_frame=True)
    np.testing.assert_array_equal(X.to_numpy(), load("linnerud").X)
    np.testing.assert_array_equal(y.to_numpy(), load("linnerud").y)


def test_pyarrow(monkeypatch):
    """Where pandas and polars are missing, the frame is a table of pyarrow."""
    without(monkeypatch, "pandas", "polars")
    table = load("tumour", as_frame=True)
    assert isinstance(table.frame, pa.Table)
    assert table.frame.schema.field("size").type.ordered
    assert not table.frame.schema.field("symmetry").type.ordered
    assert table.X.column_names == ["size", "smoothness", "symmetry"]
    assert table.y.to_pylist() == load("tumour").columns["diagnosis"].tolist()
    assert load("traffic").frame["speed"].to_pylist() == load("traffic").y.tolist()


def test_no_library_of_frames(monkeypatch):
    """Without any of the three, arrays still load and a frame is refused with the remedy."""
    without(monkeypatch, "pandas", "polars", "pyarrow")
    assert len(load("tumour")) == 14
    with pytest.raises(ModuleNotFoundError, match="pandas, polars or pyarrow: install one"):
        load("tumour", as_frame=True)


def test_as_frame_keeps_the_record():
    """`as_frame` gives the same record with frames for X and y."""
    table = load("iris", as_frame=True)
    assert isinstance(table, Dataset)
    assert len(table) == 150
    assert list(table.X.columns) == table.feature_names
    assert table.y.name == "species"
    pd.testing.assert_frame_equal(table.frame, pd.concat([table.X, table.y], axis=1))
    assert load("nine_points", as_frame=True).y is None


# ---- nobody can damage the data --------------------------------------------------------------------------------------


def arrays(record):
    """All arrays that a record holds."""
    held = {
        Dataset: lambda: [*record.columns.values(), record.X, record.y],
        Matrix: lambda: [record.values],
        Network: lambda: list(record.tables.values()),
        HypothesisSets: list,
    }
    return [array for array in held[type(record)]() if array is not None]


@pytest.mark.parametrize("name", names())
def test_read_only(name):
    """Arrays of a record are closed for writing, and its fields cannot be set."""
    record = load(name)
    for array in arrays(record):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = array[:1]
    with pytest.raises(AttributeError):
        record.card = None


@pytest.mark.parametrize("name", TABLES)
def test_own_copies(name):
    """The pair (X, y) and frames may be changed; the record and the next call do not notice."""
    X, y = load(name, return_X_y=True)
    before = X.copy()
    X[:] = X[::-1].copy()
    X[0, 0] = 0
    if y is not None:
        y[:] = 0
    record = load(name)
    np.testing.assert_array_equal(record.X, before)
    frame = record.frame
    frame.iloc[0] = frame.iloc[len(frame) - 1]
    np.testing.assert_array_equal(record.X, before)
    np.testing.assert_array_equal(load(name).X, before)


def test_mappings_are_fresh():
    """Emptying the mappings of one record leaves the next one whole."""
    for name, mapping in [("tumour", "columns"), ("number_game", "sets"), ("student", "tables")]:
        getattr(load(name), mapping).clear()
        assert len(getattr(load(name), mapping)) > 0


@pytest.mark.parametrize("name", ["tumour", "ratings", "number_game", "student"])
def test_records_travel(name):
    """Records can be pickled and copied."""
    for twin in (pickle.loads(pickle.dumps(load(name))), copy.deepcopy(load(name))):
        assert repr(twin) == repr(load(name))
        assert twin.card == load(name).card


# ---- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "close"),
    [("tumor", "'tumour'"), ("Iris", "'iris'"), ("dsep_six", "'dsep_five'"), ("breast cancer", "'breast_cancer'")],
)
def test_wrong_name(wrong, close):
    """A wrong name is answered with the nearest right ones and how to list all."""
    with pytest.raises(ValueError, match=f"no dataset {wrong!r}: did you mean .*{close}.*names\\(\\)"):
        load(wrong)


@pytest.mark.parametrize("wrong", ["", "zzzz", "../datasets/tables/iris", "tumour.toml2/"])
def test_name_unlike_any(wrong):
    """Names are looked up in the list, never used as paths."""
    with pytest.raises(ValueError, match="There is no dataset"):
        load(wrong)


@pytest.mark.parametrize("wrong", [None, 3, ["iris"]])
def test_name_of_another_type(wrong):
    with pytest.raises(TypeError, match="The name of a dataset is a string"):
        load(wrong)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("options", [{"return_X_y": True}, {"as_frame": True}], ids=["pair", "frame"])
def test_not_a_table(name, options):
    """What is no table has no X and y, and says so."""
    with pytest.raises(ValueError, match=f"'{name}' is not a table"):
        load(name, **options)


# ---- a light import --------------------------------------------------------------------------------------------------


def test_light_import():
    """Listing and loading the tables of the texts needs neither scikit-learn nor a library of frames."""
    program = (
        "import sys, aprendiz.datasets as d; assert 'numpy' not in sys.modules; "
        "assert d.names(); d.load('tumour'); d.load('student'); "
        "print(sorted({'sklearn', 'scipy', 'pandas', 'polars', 'pyarrow'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
