"""The schema of a mixed table: the same from every library, there and back, and what is refused by name."""

import datetime
import pickle
from dataclasses import dataclass, fields
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aprendiz import CategoricalNB
from aprendiz.core import frames
from aprendiz.core.cells import MISSING, Column, ManyWords, Unseen, cells_of
from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.inputs import open_rows
from aprendiz.core.rows import Block, block_rows
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.sums import Sums

quick = settings(max_examples=60, deadline=None, database=None, derandomize=True)

TABLE = {
    "age": [41.0, None, 58.5, 33.0],
    "visits": [3, 1, None, 7],
    "smokes": [True, False, None, True],
    "sex": ["f", "m", "m", None],
    "blood": ["A", "0", None, "AB"],
    "done": [0, 1, 1, 0],
}
KINDS = ["numeric", "numeric", "binary", "binary", "categorical", "binary"]
SCHEMA = Columns.of(TABLE)


def as_objects(table):
    """Rows of Python objects."""
    return np.array(list(zip(*table.values(), strict=True)), dtype=object)


FORMS = {
    "dict of lists": lambda table: table,
    "dict of arrays": lambda table: {name: np.array(values, dtype=object) for name, values in table.items()},
    "pandas": lambda table: pd.DataFrame(table),
    "pandas objects": lambda table: pd.DataFrame(table, dtype=object),
    "pandas nullable": lambda table: pd.DataFrame({n: pd.array(v) for n, v in table.items()}),
    "polars": lambda table: pl.DataFrame(table),
    "pyarrow": lambda table: pa.table(table),
}
ARRAYS = {"objects": as_objects, "lists": lambda table: as_objects(table).tolist()}


# ---- kinds -------------------------------------------------------------------------------------------------------------


def test_kinds():
    """Measurements, two levels, words: each column is what it looks like; levels are sorted, missing cells counted."""
    assert [column.kind for column in SCHEMA] == KINDS
    assert SCHEMA.names == tuple(TABLE)
    assert SCHEMA["smokes"].levels == (False, True)
    assert SCHEMA["sex"].levels == ("f", "m")
    assert SCHEMA["blood"].levels == ("0", "A", "AB")
    assert SCHEMA["done"].levels == (0, 1)
    assert [column.missing for column in SCHEMA] == [1, 1, 1, 1, 1, 0]
    assert SCHEMA.numeric == (0, 1)
    assert SCHEMA.coded == (2, 3, 4, 5)
    assert len(SCHEMA) == 6
    with pytest.raises(KeyError):
        SCHEMA["weight"]


@pytest.mark.parametrize("form", FORMS)
def test_same_schema_from_every_library(form):
    """The same cells give the same schema, to the type of the levels, whatever holds them."""
    found = Columns.of(FORMS[form](TABLE))
    assert found == SCHEMA
    assert [list(map(type, column.levels)) for column in found] == [list(map(type, column.levels)) for column in SCHEMA]


@pytest.mark.parametrize("form", ARRAYS)
def test_arrays_have_numbers_for_names(form):
    """Columns of arrays are named by their numbers; the rest is the same."""
    found = Columns.of(ARRAYS[form](TABLE))
    assert found.names == (0, 1, 2, 3, 4, 5)
    assert [(c.kind, c.levels, c.missing) for c in found] == [(c.kind, c.levels, c.missing) for c in SCHEMA]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1.5, 2.5], "numeric"),
        ([1, 2], "numeric"),
        ([0, 0], "numeric"),
        ([0, 1], "binary"),
        ([0.0, 1.0, None], "binary"),
        ([True, False], "binary"),
        ([True, None], "categorical"),
        (["x", "x"], "categorical"),
        (["x", "y"], "binary"),
        (["x", "y", "z"], "categorical"),
        (["1", "2", "3"], "categorical"),
        ([Decimal("1.5"), Decimal(2)], "numeric"),
        (np.array([1, 2], np.int8), "numeric"),
        (np.array([1.5, np.nan], np.float32), "numeric"),
        (np.array([True, False]), "binary"),
        (np.array(["x", "y"]), "binary"),
        ([np.float64(1.5), np.int64(2)], "numeric"),
        ([np.str_("x"), "y", "z"], "categorical"),
    ],
    ids=str,
)
def test_kind_of_a_column(values, kind):
    """One column at a time."""
    assert Columns.of({"a": values})["a"].kind == kind


CATEGORIES = {
    "pandas": lambda ordered: pd.DataFrame({"a": pd.Categorical(["mid", "low"], ["low", "mid", "high"], ordered=ordered)}),
    "polars": lambda ordered: pl.DataFrame(
        {"a": pl.Series(["mid", "low"], dtype=pl.Enum(["low", "mid", "high"]) if ordered else pl.Categorical)}
    ),
    "pyarrow": lambda ordered: pa.table(
        {"a": pa.DictionaryArray.from_arrays(pa.array([1, 0]), pa.array(["low", "mid", "high"]), ordered=ordered)}
    ),
}


@pytest.mark.parametrize("library", CATEGORIES)
def test_declared_order(library):
    """An order that the frame declares is kept: the column is ordinal, with the levels that do not occur."""
    assert Columns.of(CATEGORIES[library](True))["a"] == Column("a", "ordinal", ("low", "mid", "high"))


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_declared_categories_without_order(library):
    """Categories without an order are sorted, so that the schema does not depend on who wrote them down first."""
    assert Columns.of(CATEGORIES[library](False))["a"] == Column("a", "categorical", ("high", "low", "mid"))


def test_polars_categories_of_one_column():
    """The levels of a column are its own, not those of its neighbours."""
    frame = pl.DataFrame({"a": ["x", "y"], "b": ["u", None]}).with_columns(pl.all().cast(pl.Categorical))
    assert [column.levels for column in Columns.of(frame)] == [("x", "y"), ("u",)]


# ---- overrides ---------------------------------------------------------------------------------------------------------


def test_levels_overrule():
    """Given levels keep their order: ordinal if there are more than two, else binary; `kinds` has the last word."""
    sizes = ["small", "medium", "large"]
    table = {"size": ["small", "large", None], "sex": ["m", "f", "m"]}
    found = Columns.of(table, levels={"size": sizes, "sex": ["m", "f"]})
    assert found["size"] == Column("size", "ordinal", tuple(sizes), 1)
    assert found["sex"] == Column("sex", "binary", ("m", "f"))
    assert found.encode(table).codes.tolist() == [[0, 0], [2, 1], [MISSING, 0]]
    assert Columns.of(table, levels={"size": sizes}, kinds={"size": "categorical"})["size"].kind == "categorical"


@pytest.mark.parametrize(
    ("kind", "levels"), [("numeric", ()), ("binary", (0, 1)), ("categorical", (0, 1)), ("ordinal", (0, 1))], ids=str
)
def test_kinds_overrule(kind, levels):
    """Zeros and ones may be anything; as levels they keep their order."""
    table = {"a": [1, 0, None]}
    found = Columns.of(table, kinds={"a": kind})
    assert found["a"] == Column("a", kind, levels, 1)
    mixed = found.encode(table)
    if kind == "numeric":
        np.testing.assert_array_equal(mixed.numbers[:, 0], [1.0, 0.0, np.nan])
    else:
        assert mixed.codes[:, 0].tolist() == [1, 0, MISSING]


def test_numbers_as_levels_in_any_order():
    """Levels that are numbers may stand in another order than that of their size."""
    table = {"grade": [1, 3, 2.5, 3]}
    found = Columns.of(table, levels={"grade": [3, 2.5, 1]})
    assert found["grade"].kind == "ordinal"
    assert found.encode(table).codes[:, 0].tolist() == [2, 0, 1, 0]


def test_truth_as_numbers():
    """True and False may be asked for as numbers, and 0 and 1 are the levels of a column of truth values."""
    table = {"a": [True, None, False]}
    numbers = Columns.of(table, kinds={"a": "numeric"}).encode(table).numbers[:, 0]
    np.testing.assert_array_equal(numbers, [1.0, np.nan, 0.0])
    assert Columns.of(table).encode({"a": [1, 0, None]}).codes[:, 0].tolist() == [1, 0, MISSING]
    assert Columns.of({"a": [0, 1]}).encode(table).codes[:, 0].tolist() == [1, MISSING, 0]


REFUSED_OVERRIDES = {
    "unknown column in kinds": ({"kinds": {"b": "numeric"}}, r"no column 'b'; it has 'a'"),
    "unknown column in levels": ({"levels": {"b": ["x"]}}, r"no column 'b'"),
    "unknown kind": ({"kinds": {"a": "nominal"}}, r"'a'.*one of numeric, binary, categorical, ordinal, got 'nominal'"),
    "order of words": ({"kinds": {"a": "ordinal"}}, r"'a'.*needs its levels"),
    "words as numbers": ({"kinds": {"a": "numeric"}}, r"'a' holds 'x' in row 1"),
    "three levels": ({"kinds": {"a": "binary"}}, r"'a' is to be binary but has 3 levels"),
    "level left out": ({"levels": {"a": ["x", "y"]}}, r"'a' holds 'z', which is not among its levels"),
    "level twice": ({"levels": {"a": ["x", "y", "z", "x"]}}, r"'a'.*appears twice"),
}


@pytest.mark.parametrize("name", REFUSED_OVERRIDES)
def test_refused_overrides(name):
    """An override that cannot be is refused with the column and the reason."""
    options, message = REFUSED_OVERRIDES[name]
    with pytest.raises(ValueError, match=message):
        Columns.of({"a": [None, "x", "y", "z"]}, **options)


# ---- there and back ----------------------------------------------------------------------------------------------------

words = st.text("abé ", max_size=3)
COLUMNS = [
    st.none() | st.floats(-1e6, 1e6).map(lambda x: x + 0.0),
    st.none() | st.integers(-5, 5),
    st.none() | st.booleans(),
    st.none() | st.sampled_from([0, 1]),
    st.none() | words,
]


@st.composite
def tables(draw):
    """A few rows of every kind of column."""
    n = draw(st.integers(1, 12))
    return {f"c{j}": draw(st.lists(cells, min_size=n, max_size=n)) for j, cells in enumerate(COLUMNS)}


def assert_same_cells(found, wanted):
    """Cell by cell, None and NaN both missing."""
    for cell, other in zip(found, wanted, strict=True):
        missing = cell is None or cell != cell
        assert missing == (other is None)
        assert missing or cell == other


@quick
@given(tables())
def test_there_and_back(table):
    """decode(encode(table)) is the table, through any library."""
    schema = Columns.of(table)
    mixed = schema.encode(table)
    for name, cells in schema.decode(mixed).items():
        assert_same_cells(cells.tolist(), table[name])
    missing = np.array([[cell is None for cell in cells] for cells in table.values()]).T
    assert np.array_equal(mixed.missing, missing)
    assert [column.missing for column in schema] == missing.sum(axis=0).tolist()
    assert mixed.unseen == ()
    for form in (pd.DataFrame, pl.DataFrame, pa.table):
        assert_same_mixed(schema.encode(form(table)), mixed)


def assert_same_mixed(a, b):
    for name in ("numbers", "codes", "missing"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), strict=True)


@pytest.mark.parametrize("form", FORMS)
def test_same_codes_from_every_library(form):
    """The compact form is the same, whatever held the cells."""
    mixed = SCHEMA.encode(FORMS[form](TABLE))
    np.testing.assert_array_equal(mixed.numbers, [[41.0, 3.0], [np.nan, 1.0], [58.5, np.nan], [33.0, 7.0]])
    assert mixed.codes.tolist() == [[1, 0, 1, 0], [0, 1, 0, 1], [MISSING, 1, MISSING, 1], [1, MISSING, 2, 0]]
    assert mixed.shape == (4, 6)
    assert len(mixed) == 4
    assert mixed.columns is SCHEMA


@pytest.mark.parametrize("form", ["pandas", "pandas objects", "pandas nullable", "polars", "pyarrow"])
def test_long_columns_of_words(form, monkeypatch):
    """Words that arrow turns into codes give the schema, the codes and the unseen levels of words looked at one by one."""
    table = {"sex": ["f", "m", "m", None, "f", ""], "odd": ["\ud800" if "objects" in form else "é", None, None, "b", "b", "a"]}
    frame, other = FORMS[form](table), FORMS[form]({**table, "sex": ["x", "f", None, "x", "m", "m"]})
    expected, codes, strange = Columns.of(frame), Columns.of(frame).encode(frame), Columns.of(frame).encode(other)
    monkeypatch.setattr(frames, "MANY_CELLS", 1)
    assert any(isinstance(one, ManyWords) for one in cells_of(frame))
    found = Columns.of(frame)
    assert found == expected
    for got, want in ((found.encode(frame), codes), (found.encode(other), strange)):
        assert np.array_equal(got.codes, want.codes)
        assert got.unseen == want.unseen
        assert np.array_equal(got.missing, want.missing)
    for one, words in zip(cells_of(frame), table.values(), strict=True):
        assert one.values.tolist() == words
    assert strange.unseen == (Unseen("sex", "x", 0, 2),)


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_long_columns_of_categories(library, ordered, monkeypatch):
    """Categories by code give the levels, the order and the codes of those looked at one by one, declared or not."""
    column = pd.Series(pd.Categorical(["m", "z", None, "m"], categories=["z", "k", "m"], ordered=ordered))
    other = pd.Series(pd.Categorical(["k", None, "new", "m"]))
    frame, strange = pd.DataFrame({"size": column}), pd.DataFrame({"size": other})
    if library == "pyarrow":
        frame, strange = pa.Table.from_pandas(frame), pa.Table.from_pandas(strange)
    expected = Columns.of(frame)
    codes, unseen = expected.encode(frame).codes, expected.encode(strange).unseen
    monkeypatch.setattr(frames, "MANY_CELLS", 1)
    assert isinstance(next(cells_of(frame)), ManyWords)
    assert Columns.of(frame) == expected
    assert np.array_equal(expected.encode(frame).codes, codes)
    assert expected.encode(strange).unseen == unseen == (Unseen("size", "new", 2, 1),)
    assert next(cells_of(frame)).distinct() == ("m", "z")


def test_layout():
    """float64, int32 and bool, C-contiguous and read-only; slices, masks and lists of rows are again such rows."""
    many = {name: cells * 5 for name, cells in TABLE.items()}
    whole = SCHEMA.encode(many)
    for mixed in (whole, whole[3:11], whole[::2], whole[np.arange(20) % 3 == 0], whole[np.array([7, 2])]):
        assert isinstance(mixed, Mixed)
        assert (mixed.numbers.dtype, mixed.codes.dtype, mixed.missing.dtype) == (np.float64, np.int32, bool)
        for part in (mixed.numbers, mixed.codes, mixed.missing):
            assert part.flags.c_contiguous
            assert not part.flags.writeable
            assert len(part) == len(mixed)
    assert_same_mixed(whole[4:8], SCHEMA.encode(TABLE))
    assert_same_mixed(whole[np.array([5, 0])], SCHEMA.encode({name: [cells[1], cells[0]] for name, cells in TABLE.items()}))


def test_pickled():
    """A schema survives pickling."""
    assert pickle.loads(pickle.dumps(SCHEMA)) == SCHEMA


def test_in_words():
    """One line for each column: name, kind, levels, missing cells; long lists of levels are cut."""
    shown = str(SCHEMA).splitlines()
    assert shown[0] == "age: numeric, 1 missing"
    assert shown[4] == "blood: categorical (0, A, AB), 1 missing"
    assert str(Columns.of({"a": list("abcdefghijk")})) == "a: categorical (a, b, c, d, e, f, g, h, … (11))"


# ---- levels that the schema does not know ------------------------------------------------------------------------------


def test_unseen_levels():
    """An unknown level counts as missing, and is reported once, with its first row and the number of its cells."""
    schema = Columns.of({"a": ["x", "y", "z"], "n": [1.0, 2.0, 3.0]})
    mixed = schema.encode({"a": ["q", "x", None, "q", "r"], "n": [0.0, 9.0, 1.0, 1.0, 1.0]})
    assert mixed.codes[:, 0].tolist() == [MISSING, 0, MISSING, MISSING, MISSING]
    assert mixed.missing[:, 0].tolist() == [True, False, True, True, True]
    assert mixed.unseen == (Unseen("a", "q", 0, 2), Unseen("a", "r", 4, 1))
    assert str(mixed.unseen[0]) == "column 'a': 2 cells hold 'q' (first in row 0), a level not seen in the fit"
    assert str(mixed.unseen[1]).startswith("column 'a': 1 cell holds 'r'")
    with pytest.raises(ValueError, match=r"column 'a'.*'q'.*row 0.*add it to the levels"):
        schema.encode({"a": ["q"], "n": [0.0]}, unseen="error")


@pytest.mark.parametrize("known", [["x", "y"], [True, False], [0, 1], [None, None]], ids=str)
@pytest.mark.parametrize("strange", ["words", 2.5, 7], ids=str)
def test_unseen_levels_of_another_type(known, strange):
    """A number among words, or a word among numbers, is a level that the schema does not know."""
    mixed = Columns.of({"a": known}).encode({"a": [strange, None]})
    assert mixed.codes[:, 0].tolist() == [MISSING, MISSING]
    assert mixed.unseen == (Unseen("a", strange, 0, 1),)


def test_extended():
    """New levels stand behind the old ones, so that codes keep their meaning; a third level ends a binary column."""
    schema = Columns.of({"a": ["b", "c"], "n": [1.5, 2.5]})
    wider = schema.extended({"a": ["a", None, "c", "d", "a"], "n": [None, 7.0, 0.0, 0.0, 0.0]})
    assert schema["a"].kind == "binary"
    assert wider["a"].kind == "categorical"
    assert wider["a"].levels == ("b", "c", "a", "d")
    assert wider.encode({"a": ["d", "b"], "n": [0.0, 0.0]}).codes[:, 0].tolist() == [3, 0]
    assert schema.extended({"a": ["c"], "n": [3.0]}) == schema


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"b": ["x"], "a": [1.0]}, r"\['b', 'a'\] are not those of the schema, \['a', 'b'\], in their order"),
        ({"a": [1.0]}, r"\['a'\] are not those"),
        ({"a": [1.0], "b": ["x"], "c": [1]}, r"'c'\] are not those"),
        ({"a": ["x"], "b": ["x"]}, r"'a' holds 'x' in row 0: numbers are needed"),
        ({"a": [1.0], "b": ["x", "y"]}, r"different lengths: \{'a': 1, 'b': 2\}"),
        ({"a": [np.inf], "b": ["x"]}, r"'a' holds infinity in row 0"),
    ],
    ids=["order", "too few", "too many", "words", "lengths", "infinity"],
)
def test_tables_that_are_not_of_the_schema(given, message):
    """Names and order must be those of the schema, numbers must be numbers."""
    with pytest.raises(ValueError, match=message):
        Columns.of({"a": [1.0, 2.0], "b": ["x", "y"]}).encode(given)


# ---- missing cells -----------------------------------------------------------------------------------------------------

GAPS = {
    "None": lambda cells: {"a": cells},
    "NaN": lambda cells: {"a": [np.nan if cell is None else cell for cell in cells]},
    "float32 NaN": lambda cells: {"a": [np.float32("nan") if cell is None else cell for cell in cells]},
    "NA": lambda cells: {"a": [pd.NA if cell is None else cell for cell in cells]},
    "pandas": lambda cells: pd.DataFrame({"a": cells}),
    "pandas objects": lambda cells: pd.DataFrame({"a": cells}, dtype=object),
    "pandas nullable": lambda cells: pd.DataFrame({"a": pd.array(cells)}),
    "polars": lambda cells: pl.DataFrame({"a": cells}),
    "pyarrow": lambda cells: pa.table({"a": cells}),
}


@pytest.mark.parametrize("form", GAPS)
@pytest.mark.parametrize("cells", [[1.5, None, 2.5], ["x", None, "y"], [True, None, False]], ids=["numbers", "words", "truth"])
def test_missing_cells(form, cells):
    """Each library's missing cell is one, among numbers, words and truth values."""
    table = GAPS[form](cells)
    schema = Columns.of(table)
    assert schema["a"].missing == 1
    mixed = schema.encode(table)
    assert mixed.missing[:, 0].tolist() == [False, True, False]
    assert mixed.unseen == ()
    assert_same_cells(schema.decode(mixed)["a"].tolist(), cells)


ALL_MISSING = {
    "None": {"a": [None, None]},
    "NaN": {"a": [np.nan, np.nan]},
    "pandas": pd.DataFrame({"a": [np.nan, np.nan]}),
    "pandas words": pd.DataFrame({"a": pd.array([None, None], dtype="string")}),
    "polars": pl.DataFrame({"a": [None, None]}),
    "pyarrow": pa.table({"a": pa.array([None, None], pa.float64())}),
}


@pytest.mark.parametrize("form", ALL_MISSING)
def test_columns_without_any_cell(form):
    """A column that is missing throughout is noted, has no levels, and stays missing."""
    schema = Columns.of(ALL_MISSING[form])
    assert schema["a"].missing == 2
    assert schema["a"].levels == ()
    assert schema.notes == ("column 'a': every cell is missing",)
    assert schema.encode(ALL_MISSING[form]).missing.all()


# ---- what may be a mistake, and what is one ----------------------------------------------------------------------------


@pytest.mark.parametrize("levels", [["yes", "Yes"], ["yes", " yes"], ["yes ", "YES"], ["a b", "a  B"]], ids=str)
def test_levels_that_look_alike(levels):
    """Levels that differ by spaces or case only are noted, and stay apart."""
    schema = Columns.of({"a": [*levels, "no"], "b": ["u", "v", "w"]})
    assert len(schema["a"].levels) == 3
    (note,) = schema.notes
    assert note.startswith("column 'a'")
    assert all(repr(level) in note for level in levels)
    assert note in str(schema)


def test_clean_tables_have_no_notes():
    """Nothing is said where there is nothing to say."""
    assert SCHEMA.notes == ()


MIXTURES = {
    "a word among numbers": ([None, 1, 2.5, "x", 3], "'x' in row 3"),
    "a number among words": (["x", None, 7], "7 in row 2"),
    "a number among truth values": ([True, False, 2], "2 in row 2"),
    "truth among numbers": ([0.5, True], "True in row 1"),
    "bytes": ([None, b"x"], "b'x' in row 1"),
    "lists": (["x", [1, 2]], r"\[1, 2\] in row 1"),
    "objects": ([{"a": 1}, "x"], r"\{'a': 1\} in row 0"),
}


@pytest.mark.parametrize("name", MIXTURES)
def test_mixtures(name):
    """A column of several types is refused with its name, the first strange cell, and its row."""
    values, message = MIXTURES[name]
    for table in ({"col": values}, pd.DataFrame({"col": values}, dtype=object)):
        with pytest.raises(ValueError, match=rf"Column 'col' holds {message}"):
            Columns.of(table)


DAY, STEP = datetime.datetime(2024, 2, 29), datetime.timedelta(days=1)
DATES = {
    "array": {"day": np.array(["2024-02-29", "NaT"], "M8[D]")},
    "durations": {"day": np.array([1, 2], "m8[D]")},
    "list": {"day": [None, DAY]},
    "pandas": pd.DataFrame({"day": [DAY, pd.NaT]}),
    "pandas durations": pd.DataFrame({"day": [STEP, pd.NaT]}),
    "pandas NaT only": pd.DataFrame({"day": pd.to_datetime([None, None])}),
    "polars": pl.DataFrame({"day": [DAY.date(), None]}),
    "polars durations": pl.DataFrame({"day": [STEP, None]}),
    "polars null only": pl.DataFrame({"day": pl.Series([None, None], dtype=pl.Date)}),
    "pyarrow": pa.table({"day": [DAY, None]}),
}


@pytest.mark.parametrize("form", DATES)
def test_dates(form):
    """Dates and durations are neither numbers nor words: refused by name, also where all of them are missing."""
    with pytest.raises(ValueError, match="Column 'day' holds"):
        Columns.of(DATES[form])


@pytest.mark.parametrize(
    "table",
    [pd.DataFrame([[1, 2]], columns=["a", "a"]), pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])],
    ids=["pandas", "pyarrow"],
)
def test_names_that_stand_twice(table):
    """A name that stands twice is refused by name."""
    with pytest.raises(ValueError, match="'a'"):
        Columns.of(table)


@pytest.mark.parametrize("table", [np.arange(3), [1, 2], np.zeros((2, 2, 2))], ids=["vector", "list", "cube"])
def test_tables_have_rows_and_columns(table):
    """A vector is no table."""
    with pytest.raises(ValueError, match="Expected 2D array"):
        Columns.of(table)


def test_infinite_numbers():
    """Infinity is refused with column and row."""
    with pytest.raises(ValueError, match=r"'a' holds infinity in row 1"):
        Columns.of({"a": [1.5, -np.inf]})


# ---- mixed rows in blocks ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen(Sums):
    """How often each code stands in a column, the sum of a column of whole numbers, and how many cells are missing."""

    codes: np.ndarray
    total: float
    missing: np.ndarray

    @classmethod
    def of(cls, block):
        assert isinstance(block.X, Mixed)
        counts = np.bincount(block.X.codes[:, 0] + 1, block.weight, minlength=4)
        return cls(counts, float(np.nansum(block.X.numbers[:, 0])), block.X.missing.sum(axis=0))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_over_mixed_rows(threads, weighted, monkeypatch):
    """A statistic of a mixed table, summed over several blocks, is that of the table at once."""
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(threads))
    rng = np.random.default_rng(0)
    n = 3 * block_rows(2) + 77
    table = {
        "word": rng.choice(np.array(["x", "y", "z", None], dtype=object), n),
        "number": np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 9, n)),
    }
    weight = rng.integers(0, 4, n).astype(float) if weighted else None
    mixed = Columns.of(table).encode(table)
    rows = ArrayRows(mixed, weight=weight)
    assert [len(block) for block in rows.blocks()] == [block_rows(2)] * 3 + [77]
    assert [block.start for block in rows.blocks()] == [i * block_rows(2) for i in range(4)]
    found = rows.sum(Seen.of)
    at_once = Seen.of(Block(mixed, None, weight, 0))
    for f in fields(Seen):
        assert np.array_equal(getattr(found, f.name), getattr(at_once, f.name)), f.name
    expected = [np.sum(np.ones(n)[w] if weight is None else weight[w]) for w in (table["word"] == level for level in "xyz")]
    assert found.codes[1:].tolist() == expected
    assert found.missing.tolist() == [sum(cell is None for cell in table["word"]), np.isnan(table["number"]).sum()]


# ---- the door ----------------------------------------------------------------------------------------------------------

RNG = np.random.default_rng(3)
N = 60
WORDS = {
    "colour": ["red", *RNG.choice(np.array(["red", "blue", "green", None], dtype=object), N - 1)],
    "size": RNG.choice(["S", "M", "L"], N).tolist(),
    "works": RNG.choice([True, False], N).tolist(),
}
Y = RNG.choice(["no", "yes"], N)
DOORS = {
    "pandas": pd.DataFrame(WORDS),
    "pandas objects": pd.DataFrame(WORDS, dtype=object),
    "pandas categories": pd.DataFrame(WORDS).astype({"colour": "category", "size": "category"}),
    "polars": pl.DataFrame(WORDS),
    "polars categories": pl.DataFrame(WORDS).with_columns(pl.col("colour", "size").cast(pl.Categorical)),
    "pyarrow": pa.table(WORDS),
    "pyarrow categories": pa.table({**WORDS, "colour": pa.array(WORDS["colour"]).dictionary_encode()}),
    "objects": as_objects(WORDS),
    "lists": as_objects(WORDS).tolist(),
}


SCHEMA_OF_WORDS = Columns.of(WORDS)


def words_fit(table=DOORS["pandas"]):
    return CategoricalNB().fit(table, Y)


@pytest.mark.parametrize("form", DOORS)
def test_same_fit_from_frames_of_words(form):
    """All forms of a table of words give the same fit and the same answers, which are those of its codes."""
    model, frame = words_fit(DOORS[form]), words_fit()
    codes = SCHEMA_OF_WORDS.encode(WORDS).codes
    plain = CategoricalNB().fit(np.where(codes == MISSING, np.nan, codes), Y)
    for other in (frame, plain):
        assert all(map(np.array_equal, model.feature_log_prob_, other.feature_log_prob_))
        assert all(map(np.array_equal, model.category_count_, other.category_count_))
    assert np.array_equal(model.predict_proba(DOORS[form]), frame.predict_proba(DOORS["pandas"]))
    assert np.array_equal(model.predict(DOORS[form]), frame.predict(DOORS["pandas"]))


def test_schema_is_kept():
    """The fit keeps its schema and the names of the columns; a fit to codes has none."""
    model = words_fit()
    assert model.columns_ == SCHEMA_OF_WORDS
    assert list(model.feature_names_in_) == list(WORDS)
    assert model.fit(np.array([[0, 1], [1, 0]]), [0, 1]).columns_ is None


def test_unseen_levels_at_the_door():
    """Words that the fit did not see are warned of, and say nothing: as if the cells were missing."""
    model = words_fit()
    new = pd.DataFrame({"colour": ["pink", "red", "pink"], "size": ["S", "M", "L"], "works": [True, False, True]})
    message = r"column 'colour': 2 cells hold 'pink' \(first in row 0\).*count as missing"
    with pytest.warns(UserWarning, match=message) as caught:
        found = model.predict_proba(new)
    assert len(caught) == 1
    assert np.array_equal(found, model.predict_proba(new.assign(colour=[None, "red", None])))


def test_levels_that_look_alike_at_the_door():
    """Levels that differ by case or spaces are warned of at the fit, and only there."""
    table = pd.DataFrame({"colour": ["red", "Red", "blue", "blue"]})
    with pytest.warns(UserWarning, match="'Red', 'red' differ only in spaces or case") as caught:
        model = CategoricalNB().fit(table, [0, 1, 0, 1])
    assert len(caught) == 1
    assert model.n_categories_.tolist() == [3]
    model.predict(table)


@pytest.mark.parametrize(
    ("columns", "message"),
    [(["size", "colour", "works"], "same order"), (["colour", "size"], "missing|works"), (["colour", "size", "x"], "x")],
    ids=["order", "too few", "other names"],
)
def test_wrong_columns_at_the_door(columns, message):
    """Columns in another order, too few of them, or others are refused."""
    with pytest.raises(ValueError, match=message):
        words_fit().predict(DOORS["pandas"].assign(x="S")[columns])


def test_measurements_among_words():
    """A column of measurements beside words is refused with a value and the remedy; whole numbers are levels."""
    with pytest.raises(ValueError, match=r"'n' holds measurements such as 1\.5: bin them"):
        CategoricalNB().fit(pd.DataFrame({"c": ["x", "y", "x"], "n": [1.5, 2.0, 3.0]}), [0, 1, 0])
    model = CategoricalNB().fit(pd.DataFrame({"c": ["x", "y", "x"], "n": [30, 50, 30]}), [0, 1, 0])
    assert model.columns_["n"].levels == (30, 50)


PARTS = np.split(np.arange(N), [1, 3, 7, 30])  # that do not know all words, the first of them a single row


def test_words_that_come_late():
    """Words, like classes, may come late: in the end the answers are those of one fit."""
    model = CategoricalNB()
    for part in PARTS:
        model.partial_fit(DOORS["pandas"].iloc[part], Y[part])
    whole = words_fit()
    assert {c.name: set(c.levels) for c in model.columns_} == {c.name: set(c.levels) for c in whole.columns_}
    np.testing.assert_allclose(model.predict_proba(DOORS["pandas"]), whole.predict_proba(DOORS["pandas"]), rtol=1e-13)


def test_records_of_words_add():
    """Records of parts that know other words add by their words, as the sum that a fit is made from."""

    X = DOORS["objects"]

    def record(part):
        model = CategoricalNB()
        return model.summarise(open_rows(model, X[part], Y[part], target="classes", among=np.array([])))

    first, *others = map(record, PARTS)
    model = CategoricalNB().fit_sums(sum(others, start=first))
    np.testing.assert_allclose(model.predict_proba(X), words_fit(X).predict_proba(X), rtol=1e-13)
