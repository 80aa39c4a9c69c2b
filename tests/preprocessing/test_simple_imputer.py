"""SimpleImputer: what a missing cell is filled with, for numbers, words and both side by side."""

import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.impute import SimpleImputer as TheirImputer
from sklearn.pipeline import make_pipeline

import aprendiz
from aprendiz import LinearRegression, SimpleImputer

RNG = np.random.default_rng(7)
FULL = np.round(RNG.normal(size=(80, 4)), 1) * [1, 10, 0.1, 3] + [0.03, 5.3, -2.003, 100.03]  # ties, and never −1, 0 or 99.5
HOLES = np.where(RNG.uniform(size=FULL.shape) < 0.25, np.nan, FULL)
NEW = np.where(RNG.uniform(size=FULL.shape) < 0.5, np.nan, FULL)
STRATEGIES = ["mean", "median", "most_frequent", "constant"]
MIXED = pd.DataFrame(
    {
        "colour": ["red", "blue", None, "red", "blue", "green"],
        "size": [3.0, np.nan, 1.0, 2.0, 2.0, np.nan],
        "grade": ["b", "a", "b", "a", None, None],
    }
)


# ---- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("indicator", [False, True])
def test_same_as_scikit_learn(strategy, indicator):
    """Statistics, filled rows, new rows, indicators and names, for every strategy."""
    ours, theirs = (
        cls(strategy=strategy, add_indicator=indicator, fill_value=-7.5 if strategy == "constant" else None).fit(HOLES)
        for cls in (SimpleImputer, TheirImputer)
    )
    np.testing.assert_allclose(ours.statistics_, theirs.statistics_.astype(float), rtol=1e-14)
    for table in (HOLES, NEW, FULL):
        np.testing.assert_allclose(ours.transform(table), theirs.transform(table), rtol=1e-14)
    assert list(ours.get_feature_names_out()) == list(theirs.get_feature_names_out())


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_known_cells_keep_their_bits(strategy):
    """Only missing cells are filled, each with the statistic of its column."""
    imputer = SimpleImputer(strategy=strategy)
    filled, known = imputer.fit_transform(HOLES), ~np.isnan(HOLES)
    np.testing.assert_array_equal(filled[known], HOLES[known])
    np.testing.assert_array_equal(filled[~known], np.broadcast_to(imputer.statistics_, HOLES.shape)[~known])


def test_statistics_by_their_definitions():
    """Mean in rational numbers, the middle of the sorted cells, the first of the values that occur most."""
    column = HOLES[:, 0]
    known = column[~np.isnan(column)]
    mean = SimpleImputer().fit(column[:, None]).statistics_[0]
    assert mean == pytest.approx(float(sum(map(Fraction, known)) / len(known)), rel=1e-15)
    middle = SimpleImputer(strategy="median").fit(column[:, None]).statistics_[0]
    assert middle == np.median(known)
    tally = pd.Series(known).value_counts()
    mode = SimpleImputer(strategy="most_frequent").fit(column[:, None]).statistics_[0]
    assert mode == min(tally.index[tally == tally.max()])


def test_the_smallest_of_several_modes():
    """Values that occur equally often: the smallest, whatever comes first."""
    table = np.array([[3.0], [2.0], [3.0], [2.0], [9.0], [np.nan]])
    assert SimpleImputer(strategy="most_frequent").fit(table).statistics_[0] == 2


def test_constant_is_zero_unless_told():
    """Numbers are filled with 0 if no value is given."""
    np.testing.assert_array_equal(SimpleImputer(strategy="constant").fit_transform(HOLES), np.nan_to_num(HOLES))


def test_auto_is_the_mean_of_numbers():
    """Where every column holds numbers, "auto" is "mean"."""
    auto, mean = (SimpleImputer(strategy=strategy).fit(HOLES) for strategy in ("auto", "mean"))
    np.testing.assert_array_equal(auto.statistics_, mean.statistics_)


def test_a_function_as_strategy():
    """A function gets the known cells of each column, and nothing else."""
    seen = []

    def largest(cells):
        seen.append(cells)
        return cells.max()

    imputer = SimpleImputer(strategy=largest).fit(HOLES)
    np.testing.assert_array_equal(imputer.statistics_, np.nanmax(HOLES, axis=0))
    for cells, column in zip(seen, HOLES.T, strict=True):
        np.testing.assert_array_equal(cells, column[~np.isnan(column)])
    np.testing.assert_array_equal(imputer.transform(NEW), TheirImputer(strategy=largest).fit(HOLES).transform(NEW))


def test_mean_keeps_its_digits_far_from_zero():
    """An offset of 2⁴⁰ costs the mean nothing but its own rounding."""
    rng = np.random.default_rng(0)
    column = rng.integers(-9, 10, size=101).astype(float)
    near, far = (SimpleImputer().fit((column + offset)[:, None]).statistics_[0] for offset in (0.0, 2.0**40))
    assert far == 2.0**40 + near


def test_single_precision():
    """float32 rows are filled in float32."""
    filled = SimpleImputer().fit(HOLES.astype(np.float32)).transform(HOLES.astype(np.float32))
    assert filled.dtype == np.float32
    np.testing.assert_allclose(filled, SimpleImputer().fit_transform(HOLES), rtol=1e-6)


# ---- what stands for a missing cell ----------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [-1, -1.0, 0, 99.5])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_numbers_that_stand_for_missing(mark, strategy):
    """A number that marks missing cells is treated as NaN is elsewhere, as in scikit-learn; NaN itself is then refused."""
    table, new = np.where(np.isnan(HOLES), mark, HOLES), np.where(np.isnan(NEW), mark, NEW)
    ours = SimpleImputer(missing_values=mark, strategy=strategy, add_indicator=True).fit(table)
    theirs = TheirImputer(missing_values=mark, strategy=strategy, add_indicator=True).fit(table)
    np.testing.assert_allclose(ours.statistics_, theirs.statistics_.astype(float), rtol=1e-14)
    np.testing.assert_allclose(ours.transform(new), theirs.transform(new), rtol=1e-14)
    np.testing.assert_array_equal(ours.inverse_transform(ours.transform(table)), table)
    for refused in (lambda: ours.transform(HOLES), lambda: SimpleImputer(missing_values=mark).fit(HOLES)):
        with pytest.raises(ValueError, match="NaN"):
            refused()


@pytest.mark.parametrize("mark", [np.nan, None, pd.NA], ids=repr)
def test_three_names_of_nothing(mark):
    """NaN, None and pandas.NA mean the same, there and back again."""
    imputer = SimpleImputer(missing_values=mark, add_indicator=True)
    np.testing.assert_array_equal(imputer.fit_transform(HOLES), SimpleImputer(add_indicator=True).fit_transform(HOLES))
    np.testing.assert_array_equal(imputer.inverse_transform(imputer.transform(HOLES)), HOLES)
    frame = pd.DataFrame(HOLES, columns=list("abcd"))
    for table in (frame, frame.astype("Float64"), pl.from_pandas(frame)):
        np.testing.assert_array_equal(SimpleImputer(missing_values=mark).fit(table).statistics_, imputer.statistics_)


def test_numbers_in_columns_of_objects():
    """Columns of objects that hold nothing but numbers and None are columns of numbers, in frames as in arrays."""
    frame = pd.DataFrame(HOLES, columns=list("abcd")).astype(object)
    table = frame.where(frame.notna(), None)
    expected = SimpleImputer().fit_transform(HOLES)
    for form in (table, table.to_numpy(), table.to_numpy().tolist()):
        filled = SimpleImputer().fit_transform(form)
        assert filled.dtype == np.float64
        np.testing.assert_array_equal(filled, expected)


@pytest.mark.parametrize("mark", ["?", ""])
def test_words_that_stand_for_missing(mark):
    """A word that marks missing cells; numbers beside it are not touched."""
    table = MIXED.assign(size=MIXED["size"].fillna(5)).fillna({"colour": mark, "grade": mark})
    imputer = SimpleImputer(missing_values=mark, strategy="most_frequent")
    filled = imputer.fit_transform(table)
    assert filled[:, 0].tolist() == ["red", "blue", "blue", "red", "blue", "green"]  # blue and red twice each
    assert filled[:, 1].tolist() == [3, 5, 1, 2, 2, 5]
    assert filled[:, 2].tolist() == ["b", "a", "b", "a", "a", "a"]
    theirs = TheirImputer(missing_values=mark, strategy="most_frequent").fit_transform(table)
    np.testing.assert_array_equal(filled, theirs)


def test_two_ways_of_marking_are_one_too_many():
    """NaN beside another mark is refused with row and column."""
    with pytest.raises(ValueError, match=r"row 2, column 'colour'.*'\?'"):
        SimpleImputer(missing_values="?", strategy="most_frequent").fit(MIXED)
    with pytest.raises(ValueError, match=r"missing_values='\?' is a word"):
        SimpleImputer(missing_values="?").fit(FULL)


# ---- words -----------------------------------------------------------------------------------------------------------

FORMS = {
    "pandas": lambda frame: frame,
    "categories": lambda frame: frame.astype({"colour": "category", "grade": "category"}),
    "string": lambda frame: frame.astype({"colour": "string", "grade": "string"}),
    "polars": pl.from_pandas,
    "objects": lambda frame: frame.astype(object).to_numpy(),
    "list": lambda frame: frame.astype(object).to_numpy().tolist(),
}


@pytest.mark.parametrize("form", FORMS)
def test_auto_on_a_mixed_table(form):
    """Numbers get their mean, words the most frequent one, the first in the alphabet of several."""
    table = FORMS[form](MIXED)
    imputer = SimpleImputer(strategy="auto").fit(table)
    assert list(imputer.statistics_) == ["blue", 2.0, "a"]
    filled = imputer.transform(table)
    assert filled[:, 0].tolist() == ["red", "blue", "blue", "red", "blue", "green"]
    assert filled[:, 1].tolist() == [3, 2, 1, 2, 2, 2]
    assert filled[:, 2].tolist() == ["b", "a", "b", "a", "a", "a"]


@pytest.mark.parametrize("form", FORMS)
def test_most_frequent_on_a_mixed_table(form):
    """The most frequent value of any column; 2.0 occurs twice."""
    assert list(SimpleImputer(strategy="most_frequent").fit(FORMS[form](MIXED)).statistics_) == ["blue", 2.0, "a"]


def test_constant_on_a_mixed_table():
    """A given value, or the word that scikit-learn uses."""
    words = MIXED[["colour", "grade"]]
    for value in ("unknown", None):
        ours, theirs = (
            cls(strategy="constant", fill_value=value).fit_transform(words.astype(object).fillna(np.nan))
            for cls in (SimpleImputer, TheirImputer)
        )
        np.testing.assert_array_equal(ours, theirs)
    assert SimpleImputer(strategy="constant").fit_transform(words)[2].tolist() == ["missing_value", "b"]


@pytest.mark.parametrize("strategy", ["mean", "median"])
def test_words_have_no_mean(strategy):
    """A mean or median of words is refused with column, word and remedy."""
    with pytest.raises(ValueError, match=rf"{strategy}.*'colour'.*'red'.*most_frequent"):
        SimpleImputer(strategy=strategy).fit(MIXED)


def test_a_function_of_words():
    """A function gets the known words of a column."""
    imputer = SimpleImputer(strategy=lambda cells: max(cells)).fit(MIXED)
    assert list(imputer.statistics_) == ["red", 3.0, "b"]


def test_true_and_false():
    """A column of True and False is one of words where there are words: its more frequent value fills it."""
    table = MIXED.assign(tall=[True, False, True, None, True, False])
    assert list(SimpleImputer(strategy="auto").fit(table).statistics_) == ["blue", 2.0, "a", True]


def test_words_of_a_column_of_numbers():
    """A column that held numbers at the fit and holds words later is refused, whatever table it stands in."""
    imputer = SimpleImputer(strategy="auto").fit(MIXED)
    with pytest.raises(ValueError, match=r"'size'.*'tall'|'tall'.*'size'"):
        imputer.transform(MIXED.assign(size=["tall"] * 6))
    numbers = SimpleImputer().fit(MIXED[["size"]])
    with pytest.raises(ValueError, match=r"'size'.*'tall'|'tall'.*'size'"):
        numbers.transform(MIXED[["size"]].assign(size=["tall"] * 6))


def test_infinity_beside_words():
    """Infinity is no number to fill with, in a mixed table as elsewhere."""
    for table in (MIXED.assign(size=[1, np.inf, 2, 3, 4, 5]), MIXED[["size"]].assign(size=[1, np.inf, 2, 3, 4, 5])):
        with pytest.raises(ValueError, match=r"row 1.*'size'|'size'.*row 1"):
            SimpleImputer(strategy="auto").fit(table)


# ---- weights ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["mean", "median", "most_frequent", "auto"])
def test_whole_weights_count_rows(strategy):
    """A weight of 3 is the row three times; a weight of 0 leaves it out."""
    rng = np.random.default_rng(0)
    times = rng.integers(0, 4, size=80)
    weighted = SimpleImputer(strategy=strategy).fit(HOLES, sample_weight=times)
    repeated = SimpleImputer(strategy=strategy).fit(np.repeat(HOLES, times, axis=0))
    np.testing.assert_allclose(weighted.statistics_, repeated.statistics_, rtol=1e-14)


@pytest.mark.parametrize("strategy", ["most_frequent", "auto", max])
@pytest.mark.parametrize("table", [MIXED, MIXED[["size"]]], ids=["mixed", "numbers"])
def test_weights_count_or_are_refused(strategy, table):
    """So in a mixed table, and for a function: weights count there too or are refused by name, never left aside."""
    times = np.array([0, 1, 1, 5, 1, 1])
    repeated = SimpleImputer(strategy=strategy).fit(table.loc[table.index.repeat(times)])
    try:
        weighted = SimpleImputer(strategy=strategy).fit(table, sample_weight=times)
    except (ValueError, TypeError) as error:
        assert "weight" in str(error)  # noqa: PT017  a refusal is as good
    else:
        assert list(weighted.statistics_) == list(repeated.statistics_)


# ---- columns without cells -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("indicator", [False, True])
def test_column_without_any_cell(strategy, keep, indicator):
    """It is left out with a warning that names it, or kept and filled with 0 (the constant): as in scikit-learn."""
    frame = pd.DataFrame(HOLES, columns=list("abcd")).assign(c=np.nan)
    parameters = {"strategy": strategy, "keep_empty_features": keep, "add_indicator": indicator}
    if strategy == "constant":
        parameters["fill_value"] = 3.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = TheirImputer(**parameters).fit(frame)
        expected = theirs.transform(frame)
    ours = SimpleImputer(**parameters).fit(frame)
    if keep:
        found = ours.transform(frame)
    else:
        with pytest.warns(UserWarning, match=r"Skipping features without any observed values: \['c'\].*keep_empty_features"):
            found = ours.transform(frame)
    np.testing.assert_allclose(ours.statistics_, theirs.statistics_.astype(float), rtol=1e-14)
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert list(ours.get_feature_names_out()) == list(theirs.get_feature_names_out())
    assert not ours.certificate_.holds
    assert ours.certificate_.column == 2


def test_a_function_never_sees_an_empty_column():
    """A column without known cells is left out before a function could fail on it."""
    table = np.column_stack([HOLES[:, 0], np.full(80, np.nan)])
    imputer = SimpleImputer(strategy=np.max).fit(table)
    with pytest.warns(UserWarning, match=r"features without any observed values: \[1\]"):
        imputer.transform(table)
    assert imputer.statistics_[0] == np.nanmax(HOLES[:, 0])


@pytest.mark.parametrize("keep", [False, True])
def test_column_of_words_without_any_cell(keep):
    """So in a mixed table."""
    table = MIXED.assign(grade=pd.Series([None] * 6, dtype=object))
    imputer = SimpleImputer(strategy="auto", keep_empty_features=keep)
    if keep:
        assert imputer.fit_transform(table).shape == (6, 3)
    else:
        with pytest.warns(UserWarning, match="'grade'"):
            assert imputer.fit_transform(table).shape == (6, 2)
        assert list(imputer.get_feature_names_out()) == ["colour", "size"]


def test_certificate():
    """The number of missing cells, and the column with the largest share of them."""
    certificate = SimpleImputer().fit(HOLES).certificate_
    gaps = np.isnan(HOLES)
    assert certificate.missing == gaps.sum()
    assert certificate.column == gaps.sum(axis=0).argmax()
    assert certificate.share == pytest.approx(gaps.mean(axis=0).max())
    assert certificate.holds
    of_words = SimpleImputer(strategy="auto").fit(MIXED).certificate_
    assert (of_words.missing, of_words.share) == (5, pytest.approx(1 / 3))


# ---- indicators and the way back -------------------------------------------------------------------------------------


def test_indicators_of_columns_that_had_gaps():
    """One column of zeros and ones for each column with missing cells at the fit, also where new rows have none."""
    table = HOLES.copy()
    table[:, 1] = FULL[:, 1]
    imputer = SimpleImputer(add_indicator=True).fit(table)
    assert imputer.indicator_.features_.tolist() == [0, 2, 3]
    np.testing.assert_array_equal(imputer.transform(NEW)[:, 4:], np.isnan(NEW)[:, [0, 2, 3]])
    np.testing.assert_array_equal(imputer.transform(FULL)[:, 4:], 0)
    assert SimpleImputer().fit(table).indicator_ is None


def test_inverse_transform():
    """With indicators the missing cells come back, numbers and words; without them the way back is refused."""
    imputer = SimpleImputer(strategy="median", add_indicator=True).fit(HOLES)
    np.testing.assert_array_equal(imputer.inverse_transform(imputer.transform(HOLES)), HOLES)
    with pytest.raises(ValueError, match="add_indicator=True"):
        SimpleImputer().fit(HOLES).inverse_transform(FULL)
    of_words = SimpleImputer(strategy="auto", add_indicator=True).fit(MIXED)
    back = of_words.inverse_transform(of_words.transform(MIXED))
    pd.testing.assert_frame_equal(pd.DataFrame(back).isna(), pd.DataFrame(MIXED.to_numpy()).isna())
    known = MIXED.notna().to_numpy()
    np.testing.assert_array_equal(back[known], MIXED.to_numpy()[known])


def test_inverse_transform_wants_its_own_columns():
    """Another number of columns than `transform` gives is refused with both numbers."""
    imputer = SimpleImputer(add_indicator=True).fit(HOLES)
    with pytest.raises(ValueError, match=r"7.*8|8.*7"):
        imputer.inverse_transform(np.ones((5, 7)))


# ---- sparse ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array])
def test_sparse(strategy, form):
    """Stored missing cells are filled, zeros count as zeros, and the table stays sparse."""
    rng = np.random.default_rng(0)
    dense = sparse.random(100, 5, density=0.6, random_state=0).toarray()
    dense[rng.uniform(size=dense.shape) < 0.1] = np.nan
    parameters = {"strategy": strategy, "add_indicator": True}
    if strategy == "constant":
        parameters["fill_value"] = 2.5
    ours = SimpleImputer(**parameters).fit(form(dense))
    np.testing.assert_allclose(ours.statistics_, SimpleImputer(**parameters).fit(dense).statistics_, rtol=1e-14)
    filled = ours.transform(form(dense))
    assert sparse.issparse(filled)
    np.testing.assert_allclose(filled.toarray(), ours.transform(dense), rtol=1e-14)
    theirs = TheirImputer(**parameters).fit_transform(sparse.csc_matrix(dense))
    np.testing.assert_allclose(filled.toarray(), np.asarray(theirs.todense()), rtol=1e-14)


def test_sparse_marks():
    """Zeros cannot be the mark of a sparse table: they are not stored."""
    table = sparse.csr_matrix(np.where(np.isnan(HOLES), -1, HOLES))
    marked = SimpleImputer(missing_values=-1).fit(table)
    np.testing.assert_allclose(marked.transform(table).toarray(), SimpleImputer().fit_transform(HOLES), rtol=1e-14)
    with pytest.raises(ValueError, match="toarray"):
        SimpleImputer(missing_values=0).fit(table)


# ---- frames and files ------------------------------------------------------------------------------------------------


def test_frames_out():
    """`set_output` gives frames with the names of the columns, of numbers and of words."""
    frame = pd.DataFrame(HOLES, columns=list("abcd"), index=range(100, 180))
    imputer = SimpleImputer(add_indicator=True).set_output(transform="pandas")
    filled = imputer.fit_transform(frame)
    assert list(filled.columns) == [*"abcd", *(f"missingindicator_{c}" for c in "abcd")]
    assert list(filled.index) == list(frame.index)
    np.testing.assert_array_equal(filled[list("abcd")], SimpleImputer().fit_transform(HOLES))
    words = SimpleImputer(strategy="auto").set_output(transform="pandas").fit_transform(MIXED)
    assert list(words.columns) == list(MIXED.columns)
    assert not words.isna().any().any()
    of_polars = SimpleImputer().set_output(transform="polars").fit_transform(pl.from_pandas(frame))
    assert isinstance(of_polars, pl.DataFrame)
    assert of_polars.columns == list("abcd")


def test_other_columns_of_a_mixed_table():
    """Names and number of the columns are those of the fit."""
    imputer = SimpleImputer(strategy="auto").fit(MIXED)
    with pytest.raises(ValueError, match="shape"):
        imputer.transform(MIXED.rename(columns={"grade": "shape"}))
    with pytest.raises(ValueError, match="grade"):
        imputer.transform(MIXED[["colour", "size"]])
    with pytest.raises(ValueError, match="input_features"):
        imputer.get_feature_names_out(["a", "b", "c"])


LARGE = np.where(RNG.uniform(size=(20_000, 3)) < 0.2, np.nan, np.round(RNG.standard_cauchy((20_000, 3)), 2))


@pytest.mark.parametrize("strategy", [*STRATEGIES, "auto"])
def test_files(strategy, tmp_path):
    """From a Parquet file: the bits of the same rows in memory; the median is the exact one."""
    frame = pd.DataFrame(LARGE, columns=list("abc"))
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=6000)
    of_file = SimpleImputer(strategy=strategy).fit(aprendiz.rows(tmp_path / "t.parquet"))
    np.testing.assert_array_equal(of_file.statistics_, SimpleImputer(strategy=strategy).fit(LARGE).statistics_)
    if strategy == "median":
        np.testing.assert_array_equal(of_file.statistics_, np.nanmedian(LARGE, axis=0))
    filled = of_file.transform(aprendiz.rows(tmp_path / "t.parquet"))
    np.testing.assert_array_equal(filled.each(lambda block: block.X), of_file.transform(frame))


def test_files_with_marks(tmp_path):
    """A number that marks missing cells works in files too; a function does not, and says so."""
    frame = pd.DataFrame(np.where(np.isnan(HOLES), -1, HOLES), columns=list("abcd"))
    frame.to_parquet(tmp_path / "t.parquet")
    rows = aprendiz.rows(tmp_path / "t.parquet")
    np.testing.assert_array_equal(
        SimpleImputer(missing_values=-1).fit(rows).statistics_, SimpleImputer().fit(HOLES).statistics_
    )
    with pytest.raises(TypeError, match="memory"):
        SimpleImputer(strategy=np.max).fit(rows)


def test_in_a_pipeline(tmp_path):
    """In front of a learner, from memory and from a file: the statistics of the training rows fill the new ones."""
    frame = pd.DataFrame(HOLES, columns=list("abcd")).assign(y=FULL @ [1.0, 2.0, -1.0, 0.5])
    frame.to_parquet(tmp_path / "t.parquet")
    in_memory = make_pipeline(SimpleImputer(), LinearRegression()).fit(frame[list("abcd")], frame["y"])
    of_file = make_pipeline(SimpleImputer(), LinearRegression()).fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))
    np.testing.assert_allclose(of_file[-1].coef_, in_memory[-1].coef_, rtol=1e-12)
    new = pd.DataFrame(NEW, columns=list("abcd"))
    by_hand = np.where(np.isnan(NEW), np.nanmean(HOLES, axis=0), NEW) @ in_memory[-1].coef_ + in_memory[-1].intercept_
    np.testing.assert_allclose(in_memory.predict(new), by_hand, rtol=1e-12)


def test_cells_without_weight_do_not_count():
    """A column known in rows of weight 0 alone has nothing to fill from; missing cells of such rows are not counted."""
    table = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, 7.0]])
    model = SimpleImputer().fit(table, sample_weight=[1.0, 1.0, 0.0])
    with pytest.warns(UserWarning, match=r"without any observed values: \[1\]"):
        model.transform(table)
    assert model.statistics_[0] == 2.0
    assert np.isnan(model.statistics_[1])
    assert model.certificate_.missing == 2


def test_a_number_that_is_missing_among_words():
    """0 stands for a missing cell in columns of words, as in scikit-learn; NaN beside it is refused."""
    table = np.array([[0, "c"], ["b", 0], ["b", "d"], ["a", "d"]], dtype=object)
    ours = SimpleImputer(missing_values=0, strategy="most_frequent").fit_transform(table)
    np.testing.assert_array_equal(ours, TheirImputer(missing_values=0, strategy="most_frequent").fit_transform(table))
    table[3, 1] = np.nan
    with pytest.raises(ValueError, match="row 3, column 1, but missing_values is 0"):
        SimpleImputer(missing_values=0, strategy="most_frequent").fit(table)


@pytest.mark.parametrize("dtype", ["U3", "S3"])
def test_arrays_of_words_hold_no_missing_cells(dtype):
    """NaN in them is a word of three letters: they are refused, as in scikit-learn."""
    with pytest.raises(ValueError, match=r"does not support data with dtype.*dtype=object"):
        SimpleImputer(strategy="most_frequent").fit(np.array([["a", np.nan], ["b", "c"]]).astype(dtype))


def test_sparse_indicator_stores_ones_only():
    table = sparse.csr_matrix([[np.nan, 1.0], [2.0, np.nan], [3.0, 4.0]])
    found = SimpleImputer(add_indicator=True).fit_transform(table)
    assert found[:, 2:].nnz == 2
