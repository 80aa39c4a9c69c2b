"""Words as numbers: what scikit-learn's encoders say, from the codes that pandas keeps."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

import aprendiz
from aprendiz import Columns
from aprendiz.lab import LevelColumns, LevelNumbers, LevelWords

WORDS = [f"w{number:02d}" for number in range(70)]


def some_words(seed, n=400, levels=12, missing=0.1, kind="category"):
    """A frame of two columns of words, some of them missing, uneven in their frequencies."""
    rng = np.random.default_rng(seed)
    columns = {}
    for name in ("tree", "leaf"):
        share = rng.dirichlet(np.ones(levels))
        cells = np.array(WORDS[:levels], object)[rng.choice(levels, n, p=share)]
        cells[rng.random(n) < missing] = None
        columns[name] = pd.Categorical(cells, categories=WORDS[:levels]) if kind == "category" else cells
    return pd.DataFrame(columns)


def expected(train, test, most):
    """The most frequent level for missing cells, then scikit-learn's zeros and ones."""
    onehot = OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=most, sparse_output=False)
    model = make_pipeline(SimpleImputer(strategy="most_frequent"), onehot)
    as_objects = [frame.astype(object).where(frame.notna(), np.nan) for frame in (train, test)]
    return model.fit(as_objects[0]).transform(as_objects[1])


@pytest.mark.parametrize("kind", ["category", "object"])
@pytest.mark.parametrize(("levels", "most"), [(2, 50), (12, 50), (60, 50), (60, 5)])
def test_columns_are_those_of_scikit_learn(levels, most, kind):
    """For rows of the fit and for others, with levels that only the others have."""
    train, test = (some_words(seed, levels=levels, kind=kind) for seed in (1, 2))
    schema = Columns.of(some_words(0, n=5000, levels=levels, missing=0))
    train = train[train["tree"] != WORDS[0]]  # a level that the fit does not see
    ours = LevelColumns(schema, most=most).fit(train)
    for rows in (train, test):
        found, wanted = ours.transform(rows), expected(train, rows, most)
        assert found.shape == wanted.shape
        # the shared column may stand for other ones of equally rare levels: compare what does not depend on that choice
        np.testing.assert_array_equal(found.sum(axis=0).sum(), wanted.sum())
        if levels <= most:
            np.testing.assert_array_equal(found, wanted)
    assert len(ours.get_feature_names_out()) == found.shape[1]


def test_the_rarest_share_a_column():
    """As many columns as allowed; the own ones are those of the most frequent levels."""
    frame = pd.DataFrame({"tree": list("aaaaabbbbcccdde")})
    found = LevelColumns(Columns.of(frame), most=3).fit(frame)
    assert list(found.get_feature_names_out()) == ["tree_a", "tree_b", "tree_…"]
    np.testing.assert_array_equal(found.transform(frame).sum(axis=0), [5, 4, 6])
    new = pd.DataFrame({"tree": ["e", "z", None]})  # rare, never seen, missing
    np.testing.assert_array_equal(found.transform(new), [[0, 0, 1], [0, 0, 1], [1, 0, 0]])


def test_unseen_levels_are_zero_everywhere():
    schema = Columns.of({"tree": ["ash", "elm", "oak", "oak"]})
    found = LevelColumns(schema).fit(pd.DataFrame({"tree": ["oak", "oak", "ash"]}))
    assert list(found.get_feature_names_out()) == ["tree_ash", "tree_oak"]
    np.testing.assert_array_equal(found.transform(pd.DataFrame({"tree": ["elm", "yew", None]})), [[0, 0], [0, 0], [0, 1]])


def test_a_column_without_known_cells():
    """Nothing is known of it: it becomes no column, and its cells are nowhere."""
    schema = Columns.of({"tree": ["ash", "elm"], "leaf": ["a", "b"]})
    found = LevelColumns(schema).fit(pd.DataFrame({"tree": [None, None], "leaf": ["a", "b"]}))
    np.testing.assert_array_equal(found.transform(pd.DataFrame({"tree": ["ash", None], "leaf": ["b", "a"]})), [[0, 1], [1, 0]])


@pytest.mark.parametrize("kind", ["category", "object"])
def test_numbers_are_those_of_scikit_learn(kind):
    train = some_words(3, kind=kind)
    schema = Columns.of(some_words(0, n=5000, missing=0))
    ours = LevelNumbers(schema).fit_transform(train)
    levels = [np.array(column.levels, object) for column in schema]
    encoder = OrdinalEncoder(categories=levels, handle_unknown="use_encoded_value", unknown_value=np.nan)
    np.testing.assert_array_equal(ours, encoder.fit_transform(train.astype(object).where(train.notna(), None)))


def test_categories_in_another_order():
    """A file read later may list its levels otherwise, and have others."""
    schema = Columns.of({"tree": ["ash", "elm", "oak"]})
    later = pd.DataFrame({"tree": pd.Categorical(["oak", "yew", None, "ash"], categories=["yew", "oak", "ash"])})
    np.testing.assert_array_equal(LevelNumbers(schema).fit_transform(later)[:, 0], [2, np.nan, np.nan, 0])


@pytest.mark.parametrize(
    ("cells", "numbers"), [([True, False, None], [1, 0, np.nan]), ([1.0, 0.0, np.nan], [1, 0, np.nan]), ([1, 0, 1], [1, 0, 1])]
)
def test_two_values(cells, numbers):
    schema = Columns.of({"yes": [value for value in cells if value is not None and value == value]})
    np.testing.assert_array_equal(LevelNumbers(schema).fit_transform(pd.DataFrame({"yes": cells}))[:, 0], numbers)


def test_other_frames(tmp_path):
    """Polars, and a model from its file."""
    polars = pytest.importorskip("polars")
    frame = some_words(5, kind="object")
    model = LevelColumns(Columns.of(frame)).fit(frame)
    wanted = model.transform(frame)
    np.testing.assert_array_equal(clone(model).fit(polars.from_pandas(frame)).transform(polars.from_pandas(frame)), wanted)
    aprendiz.save(model, tmp_path / "levels.apz")
    np.testing.assert_array_equal(aprendiz.load(tmp_path / "levels.apz").transform(frame), wanted)


# ---- words as they are -------------------------------------------------------------------------------------------------


def mixed():
    """All kinds of columns, with missing cells."""
    return pd.DataFrame(
        {
            "size": pd.Categorical(["small", "large", None, "medium"], ["small", "medium", "large"], ordered=True),
            "tree": ["oak", None, "ash", "elm"],
            "ripe": [True, False, None, True],
            "old": [0.0, 1.0, 1.0, np.nan],
            "age": pd.array([1, 2, None, 4], dtype="Int64"),
        }
    )


def test_a_mixed_table_stays_as_it_is():
    """The frame has the schema of the table it is made from, and the same cells."""
    frame = mixed()
    schema = Columns.of(frame)
    assert [column.kind for column in schema] == ["ordinal", "categorical", "binary", "binary", "numeric"]
    found = LevelWords(schema).fit(frame).transform(frame)
    assert Columns.of(found) == schema
    for name in frame:
        assert list(found[name].isna()) == list(frame[name].isna())
        assert list(found[name].dropna()) == list(frame[name].dropna())


def test_levels_that_the_fit_did_not_see_are_missing():
    """Those that the schema knows, those it does not, and numbers other than 0 and 1; the order of the others stays."""
    frame = mixed()
    model = LevelWords(Columns.of(frame)).fit(frame[:2])
    new = pd.DataFrame(
        {"size": ["medium", "large"], "tree": ["yew", "oak"], "ripe": [True, None], "old": [2, 1], "age": [7, 8]}
    )
    found = model.transform(new)
    assert [list(found[name].isna()) for name in found] == [
        [True, False],
        [True, False],
        [False, True],
        [True, False],
        [False] * 2,
    ]
    assert list(found["size"].cat.categories) == ["small", "large"]
    assert found["size"].cat.ordered
    assert list(found["tree"].cat.categories) == ["oak"]


def test_columns_by_their_names():
    """Others beside them, and another order, change nothing."""
    frame = mixed()
    model = LevelWords(Columns.of(frame)).fit(frame)
    assert list(model.get_feature_names_out()) == list(frame)
    pd.testing.assert_frame_equal(model.transform(frame[list(frame)[::-1]].assign(other=1)), model.transform(frame))


def test_words_of_other_frames(tmp_path):
    """Polars, and a model from its file."""
    polars = pytest.importorskip("polars")
    frame = some_words(6, kind="object").assign(age=np.arange(400.0))
    model = LevelWords(Columns.of(frame)).fit(frame)
    wanted = model.transform(frame)
    pd.testing.assert_frame_equal(clone(model).fit(polars.from_pandas(frame)).transform(polars.from_pandas(frame)), wanted)
    aprendiz.save(model, tmp_path / "words.apz")
    pd.testing.assert_frame_equal(aprendiz.load(tmp_path / "words.apz").transform(frame), wanted)
