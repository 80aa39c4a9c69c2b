"""CategoricalNB: counts, by hand and by scikit-learn; words, missing cells, categories that come late or never."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.naive_bayes import CategoricalNB as TheirCategoricalNB
from sklearn.preprocessing import OrdinalEncoder

import aprendiz
from aprendiz import CategoricalNB
from aprendiz.datasets import load

RNG = np.random.default_rng(11)
N = 200
LABELS = np.array(["ash", "birch", "cedar"])
KIND = RNG.permutation(np.repeat([0, 1, 2], [100, 60, 40]))
Y = LABELS[KIND]
CODES = np.column_stack([  # two, three and five categories, each leaning towards a class
    (RNG.uniform(size=N) < 0.3 + 0.2 * KIND).astype(float),
    (KIND + RNG.integers(0, 2, size=N)) % 3.0,
    np.minimum(RNG.poisson(1 + KIND), 4).astype(float),
])  # fmt: skip
HOLES = np.where(RNG.uniform(size=CODES.shape) < 0.2, np.nan, CODES)
EVERY = np.array([[a, b, c] for a in range(2) for b in range(3) for c in range(5)], float)  # all rows that there can be
WEIGHT = RNG.uniform(0.1, 3, size=N)
WORDS = pd.DataFrame(
    {
        "size": np.array(["large", "small"])[CODES[:, 0].astype(int)],
        "colour": np.array(["blue", "green", "red"])[CODES[:, 1].astype(int)],
        "rings": CODES[:, 2].astype(int),
    }
)

pytestmark = pytest.mark.filterwarnings("ignore:.*never occurs in class")  # what zeros do is asked for here


def by_hand(table, y, row, alpha, sizes, weight=None):
    """P(k | row) with α added to each count, in rational numbers, over the known cells."""
    weight = np.ones(len(table)) if weight is None else weight
    joint = []
    for k in np.unique(y):
        product = Fraction(float(weight[y == k].sum())) / Fraction(float(weight.sum()))
        for j, cell in enumerate(row):
            if cell != cell:
                continue
            known = (y == k) & ~np.isnan(table[:, j])
            count = Fraction(float(weight[known & (table[:, j] == cell)].sum()))
            product *= (count + Fraction(alpha)) / (Fraction(float(weight[known].sum())) + Fraction(alpha) * sizes[j])
        joint.append(product)
    return [float(p / sum(joint)) for p in joint]


def assert_same(ours, theirs, rtol=1e-12):
    assert list(ours.classes_) == list(theirs.classes_)
    for name in ("class_count_", "class_log_prior_", "n_categories_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=rtol, err_msg=name)
    for name in ("category_count_", "feature_log_prob_"):
        for a, b in zip(getattr(ours, name), getattr(theirs, name), strict=True):
            np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-13, err_msg=name)


# ---- counts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [1.0, 0.1, 5.0])
@pytest.mark.parametrize("weight", [None, WEIGHT, np.arange(N) % 3 + 0.0], ids=["plain", "weighted", "some zero"])
@pytest.mark.parametrize("prior", [{}, {"fit_prior": False}, {"class_prior": [0.2, 0.3, 0.5]}], ids=str)
def test_same_as_scikit_learn(alpha, weight, prior):
    """Counts, logarithms, classes and probabilities, on the rows and on every row that there can be."""
    ours, theirs = (cls(alpha=alpha, **prior).fit(CODES, Y, weight) for cls in (CategoricalNB, TheirCategoricalNB))
    assert_same(ours, theirs)
    for rows in (CODES, EVERY):
        np.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows.astype(int)))
        for method in ("predict_proba", "predict_log_proba", "predict_joint_log_proba"):
            np.testing.assert_allclose(getattr(ours, method)(rows), getattr(theirs, method)(rows.astype(int)), rtol=1e-11)
    assert ours.score(CODES, Y) == theirs.score(CODES.astype(int), Y)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("table", [CODES, HOLES], ids=["full", "missing cells"])
@pytest.mark.parametrize("weight", [None, np.round(WEIGHT * 8) / 8], ids=["plain", "weighted"])
def test_counts_by_hand(alpha, table, weight):
    """The posterior of every row that there can be, in rational numbers."""
    model = CategoricalNB(alpha=alpha).fit(table, Y, weight)
    P = model.predict_proba(EVERY)
    for row, p in zip(EVERY, P, strict=True):
        np.testing.assert_allclose(p, by_hand(table, Y, row, alpha, (2, 3, 5), weight), rtol=1e-11, atol=1e-15)


def test_probabilities_of_the_categories():
    """In each class and column they sum to 1, and so do the joint probabilities of all rows that there can be."""
    model = CategoricalNB().fit(CODES, Y)
    for table in model.feature_log_prob_:
        np.testing.assert_allclose(np.exp(table).sum(axis=1), 1, rtol=1e-14)
    assert np.exp(model.predict_joint_log_proba(EVERY)).sum() == pytest.approx(1, rel=1e-13)


def test_whole_weights_count_rows():
    """A weight of 3 is the row three times; a weight of 0 leaves it out."""
    rng = np.random.default_rng(0)
    times = rng.integers(0, 4, size=N)
    weighted = CategoricalNB(min_categories=5).fit(CODES, Y, times)
    repeated = CategoricalNB(min_categories=5).fit(np.repeat(CODES, times, axis=0), np.repeat(Y, times))
    assert_same(weighted, repeated)


def test_rows_of_weight_zero_bring_no_categories():
    """A category that only rows of weight 0 have is not there; its code may be as large as a code can be."""
    table, weight = CODES.copy(), np.ones(N)
    table[7], weight[7] = [2.0**20 - 1, 5.0, 9.0], 0.0
    others = np.arange(N) != 7
    assert_same(CategoricalNB().fit(table, Y, weight), CategoricalNB().fit(CODES[others], Y[others]))


# ---- zeros -----------------------------------------------------------------------------------------------------------


def test_a_zero_count_decides():
    """With α = 0 a category that a class never had excludes it, whatever the other columns say; α > 0 excludes nothing."""
    table = np.array([[0, 0], [0, 1], [0, 0], [1, 1], [1, 1], [0, 1.0]])
    y = np.array(["a", "a", "a", "b", "b", "b"])
    zero = CategoricalNB(alpha=0).fit(table, y)
    np.testing.assert_array_equal(zero.predict_proba([[1.0, 1.0]]), [[0, 1]])
    assert zero.certificate_.zeros == 2
    assert not zero.certificate_.holds
    smooth = CategoricalNB().fit(table, y)
    assert 0 < smooth.predict_proba([[1.0, 0.0]])[0, 0] < 1
    assert smooth.certificate_.holds
    assert smooth.certificate_.zeros == 0


IMPOSSIBLE = np.array([[0, 0], [0, 0], [1, 1], [1, 1], [1, 1.0]])


def test_all_classes_impossible():
    """No class could have made the row: it gets the prior, with a warning that counts such rows and names the first."""
    model = CategoricalNB(alpha=0).fit(IMPOSSIBLE, ["a", "a", "b", "b", "b"])
    with pytest.warns(UserWarning, match=r"2 rows have probability 0.*row 1.*alpha > 0"):
        P = model.predict_proba([[0, 0], [0, 1], [1, 0.0]])
    np.testing.assert_allclose(P, [[1, 0], [0.4, 0.6], [0.4, 0.6]], rtol=1e-14)


@pytest.mark.filterwarnings("ignore:.*probability 0")
def test_the_class_of_an_impossible_row():
    """The class predicted is the one with the largest probability, here as elsewhere."""
    model = CategoricalNB(alpha=0).fit(IMPOSSIBLE, ["a", "a", "b", "b", "b"])
    assert model.predict([[0, 1.0]])[0] == model.classes_[model.predict_proba([[0, 1.0]])[0].argmax()] == "b"


def test_a_tiny_alpha():
    """Without force_alpha an α below 1e-10 becomes 1e-10, with scikit-learn's warning."""
    with pytest.warns(UserWarning, match=r"1\.0e-10"):
        raised = CategoricalNB(alpha=0.0, force_alpha=False).fit(IMPOSSIBLE, [0, 0, 1, 1, 1])
    assert_same(raised, CategoricalNB(alpha=1e-10).fit(IMPOSSIBLE, [0, 0, 1, 1, 1]))
    with pytest.warns(UserWarning, match=r"1\.0e-10"):
        theirs = TheirCategoricalNB(alpha=0.0, force_alpha=False).fit(IMPOSSIBLE.astype(int), [0, 0, 1, 1, 1])
    assert_same(raised, theirs)


# ---- categories that there are not -----------------------------------------------------------------------------------


def test_unseen_codes():
    """A category that the fit did not see is left out of the product, with a warning that names column and category."""
    model = CategoricalNB().fit(CODES, Y)
    with pytest.warns(UserWarning, match=r"Column 1 holds category 7, not seen in the fit .0 to 2"):
        P = model.predict_proba([[1, 7, 2.0]])
    np.testing.assert_allclose(P, model.predict_proba([[1, np.nan, 2.0]]), rtol=1e-14)
    frame = pd.DataFrame(CODES, columns=["size", "colour", "rings"])
    named = CategoricalNB().fit(frame, Y)
    with pytest.warns(UserWarning, match="'rings' holds category 5"):
        named.predict(frame.assign(rings=5.0))


@pytest.mark.parametrize("least", [5, [2, 4, 6], [1, 1, 1], np.array([9, 9, 9])], ids=str)
def test_min_categories(least):
    """Categories that do not occur have room, and α of probability: as in scikit-learn."""
    ours, theirs = (cls(min_categories=least).fit(CODES, Y) for cls in (CategoricalNB, TheirCategoricalNB))
    assert_same(ours, theirs)
    np.testing.assert_array_equal(ours.n_categories_, np.maximum([2, 3, 5], least))
    if np.ndim(least) == 0:
        rows = np.array([[4, 4, 4.0]])
        np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows.astype(int)), rtol=1e-12)


@pytest.mark.parametrize(
    ("least", "words"), [([2, 3], r"shape \(3,\)"), ([[2, 3, 5]], "shape"), ([2.5, 3.0, 5.0], "integral"), (0, "1")]
)
def test_min_categories_that_are_none(least, words):
    """Numbers that are too few, not whole or below 1 are refused."""
    with pytest.raises((ValueError, TypeError), match=words):
        CategoricalNB(min_categories=least).fit(CODES, Y)


@pytest.mark.filterwarnings("ignore:.*not seen in the fit")  # an identifier is also a category that the fit did not see
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-1.0, r"Negative values.*-1 in row 17, column"),
        (0.5, r"0\.5 in row 17, column.*whole numbers"),
        (4711e6, r"4\.711e\+09 in row 17, column.*Encode"),
        (2.0**20, r"row 17, column.*Encode"),
    ],
)
def test_cells_that_are_no_categories(value, words):
    """Negative numbers, fractions and identifiers are refused with row, column and remedy, at the fit and later."""
    spoiled = CODES.copy()
    spoiled[17, 1] = value
    frame = pd.DataFrame(spoiled, columns=["size", "colour", "rings"])
    with pytest.raises(ValueError, match=words.replace("column", "column 1")):
        CategoricalNB().fit(spoiled, Y)
    with pytest.raises(ValueError, match=words.replace("column", "column 'colour'")):
        CategoricalNB().fit(frame, Y)
    model = CategoricalNB().fit(frame.assign(colour=CODES[:, 1]), Y)
    with pytest.raises(ValueError, match=words.replace("column", "column 'colour'")):
        model.predict(frame)


# ---- missing cells ---------------------------------------------------------------------------------------------------


def test_missing_cells_are_left_out_of_the_product():
    """The log joint of a row with missing cells is that of a model which never had those columns."""
    model = CategoricalNB().fit(CODES, Y)
    for known in ([0], [0, 2], [1]):
        rows = np.full_like(EVERY, np.nan)
        rows[:, known] = EVERY[:, known]
        less = CategoricalNB().fit(CODES[:, known], Y)
        np.testing.assert_allclose(
            model.predict_joint_log_proba(rows), less.predict_joint_log_proba(EVERY[:, known]), rtol=1e-13
        )
    np.testing.assert_allclose(model.predict_proba(np.full((1, 3), np.nan)), [[0.5, 0.3, 0.2]], rtol=1e-13)


def test_missing_cells_sum_out():
    """Leaving a cell out is summing over all the categories it might have."""
    model = CategoricalNB(alpha=0.3).fit(HOLES, Y)
    rows = EVERY[(EVERY[:, 0] == 1) & (EVERY[:, 1] == 2)]
    total = np.exp(model.predict_joint_log_proba(rows)).sum(axis=0)
    np.testing.assert_allclose(total, np.exp(model.predict_joint_log_proba([[1, 2, np.nan]]))[0], rtol=1e-13)


def test_columns_and_classes_without_known_cells():
    """A column that is missing throughout, or in a class, says nothing there."""
    table = HOLES.copy()
    table[:, 1] = np.nan
    model, less = CategoricalNB().fit(table, Y), CategoricalNB().fit(table[:, [0, 2]], Y)
    np.testing.assert_allclose(model.predict_proba(table), less.predict_proba(table[:, [0, 2]]), rtol=1e-12)
    for alpha in (0.0, 1.0):
        table = CODES.copy()
        table[KIND == 1, 2] = np.nan
        P = CategoricalNB(alpha=alpha).fit(table, Y).predict_proba(CODES)
        assert np.isfinite(P).all()
        np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-13)


# ---- words -----------------------------------------------------------------------------------------------------------

FORMS = {
    "pandas": lambda frame: frame,
    "categories": lambda frame: frame.astype({"size": "category", "colour": "category"}),
    "string": lambda frame: frame.astype({"size": "string", "colour": "string"}),
    "polars": pl.from_pandas,
    "polars categories": lambda frame: pl.from_pandas(frame).with_columns(pl.col("colour").cast(pl.Categorical)),
    "objects": lambda frame: frame.astype(object).to_numpy(),
    "list": lambda frame: frame.astype(object).to_numpy().tolist(),
}


@pytest.mark.parametrize("form", FORMS)
def test_words(form):
    """Words straight from a table, whole numbers beside them: what scikit-learn gives on their codes."""
    table = FORMS[form](WORDS)
    model = CategoricalNB().fit(table, Y)
    codes = OrdinalEncoder().fit_transform(WORDS).astype(int)
    theirs = TheirCategoricalNB().fit(codes, Y)
    assert_same(model, theirs)
    np.testing.assert_array_equal(model.predict(table), theirs.predict(codes))
    np.testing.assert_allclose(model.predict_proba(table), theirs.predict_proba(codes), rtol=1e-12)
    assert model.columns_[model.columns_.names[1]].levels == ("blue", "green", "red")


@pytest.mark.parametrize("form", ["pandas", "categories", "polars", "objects"])
def test_words_that_are_missing(form):
    """None among words is left out, as NaN is among codes."""
    holes = WORDS.astype(object).where(~np.isnan(HOLES), None)
    holes["rings"] = pd.Series(HOLES[:, 2], dtype="Float64") if form != "objects" else holes["rings"]
    table = FORMS[form](holes)
    model, codes = CategoricalNB().fit(table, Y), CategoricalNB().fit(HOLES, Y)
    assert_same(model, codes)
    np.testing.assert_allclose(model.predict_proba(table), codes.predict_proba(HOLES), rtol=1e-12)


def test_words_in_another_order():
    """New rows that hold only some of the words, in any order, are coded by the schema of the fit."""
    model = CategoricalNB().fit(WORDS, Y)
    some = WORDS[WORDS["colour"] == "red"].iloc[:5]
    np.testing.assert_array_equal(model.predict_proba(some), model.predict_proba(WORDS)[some.index])
    as_category = some.astype({"colour": pd.CategoricalDtype(["red"])})
    np.testing.assert_array_equal(model.predict_proba(as_category), model.predict_proba(some))


def test_declared_levels_that_do_not_occur():
    """A column of categories that declares more levels than occur has room for them, as with min_categories."""
    declared = pd.CategoricalDtype(["blue", "green", "red", "yellow"])
    model = CategoricalNB().fit(WORDS.astype({"colour": declared}), Y)
    assert_same(model, CategoricalNB(min_categories=[2, 4, 5]).fit(CODES, Y))


def test_unseen_words():
    """A word that the fit did not see is left out, with a warning that names column, word, first row and how often."""
    model = CategoricalNB().fit(WORDS, Y)
    new = WORDS.iloc[:6].assign(colour=["red", "pink", "red", "pink", "blue", "red"])
    with pytest.warns(UserWarning, match=r"'colour': 2 cells hold 'pink' \(first in row 1\)"):
        P = model.predict_proba(new)
    left_out = new.assign(colour=new["colour"].where(new["colour"] != "pink", None))
    np.testing.assert_array_equal(P, model.predict_proba(left_out))


def test_words_that_differ_by_spaces_or_case():
    """Levels that look alike are reported: they are counted as they are, and may be one."""
    table = WORDS.assign(colour=WORDS["colour"].where(np.arange(N) % 7 > 0, " Red"))
    with pytest.warns(UserWarning, match=r"'colour'.*' Red', 'red'.*spaces or case"):
        model = CategoricalNB().fit(table, Y)
    assert model.n_categories_[1] == 4


def test_measurements_among_words():
    """A column of fractions beside words is refused with its name and a value."""
    with pytest.raises(ValueError, match=r"'rings'.*0\.5.*bin"):
        CategoricalNB().fit(WORDS.assign(rings=WORDS["rings"] + 0.5), Y)


def test_words_then_codes():
    """A refit forgets the schema: codes after words, words after codes."""
    model = CategoricalNB().fit(WORDS, Y).fit(CODES, Y)
    assert model.columns_ is None
    np.testing.assert_array_equal(model.predict(CODES), CategoricalNB().fit(CODES, Y).predict(CODES))
    model.fit(WORDS, Y)
    np.testing.assert_array_equal(model.predict(WORDS), CategoricalNB().fit(WORDS, Y).predict(WORDS))


def test_the_tumour_table():
    """The table of the course, as its loader gives it: a frame of words."""
    X, y = load("tumour", return_X_y=True, as_frame=True)
    model = CategoricalNB(alpha=0).fit(X, y)
    row = pd.DataFrame([["large", "medium", "yes"]], columns=list(X.columns))
    P = dict(zip(model.classes_, model.predict_proba(row)[0], strict=True))
    assert P["malignant"] == pytest.approx(324 / 949, rel=1e-13)


# ---- batches ---------------------------------------------------------------------------------------------------------

ORDERS = {
    "in order": np.array_split(np.arange(N), 4),
    "shuffled": np.array_split(RNG.permutation(N), 7),
    "row by row": [[i] for i in range(N)],
    "one class at a time": [np.flatnonzero(k == KIND) for k in (2, 0, 1)],
    "categories come late": np.array_split(np.argsort(CODES[:, 2], kind="stable"), 5),
}


@pytest.mark.parametrize("name", ORDERS)
@pytest.mark.parametrize("announced", [False, True])
@pytest.mark.parametrize("table", [CODES, HOLES], ids=["full", "missing cells"])
def test_any_batches_give_one_fit(name, announced, table):
    """Batches of any size and order, classes and categories that come late: the counts of one fit."""
    model = CategoricalNB()
    for number, part in enumerate(ORDERS[name]):
        model.partial_fit(table[part], Y[part], classes=LABELS if announced and number == 0 else None)
    assert_same(model, CategoricalNB().fit(table, Y), rtol=1e-14)


def test_batches_with_weights():
    """So with weights."""
    model = CategoricalNB()
    for part in ORDERS["categories come late"]:
        model.partial_fit(CODES[part], Y[part], sample_weight=WEIGHT[part])
    assert_same(model, CategoricalNB().fit(CODES, Y, WEIGHT))


def test_batches_of_words():
    """Batches of words, all of which the first batch has, give one fit of words."""
    model = CategoricalNB()
    for part in np.array_split(np.arange(N), 4):
        model.partial_fit(WORDS.iloc[part], Y[part])
    assert_same(model, CategoricalNB().fit(WORDS, Y))
    np.testing.assert_array_equal(model.predict(WORDS), CategoricalNB().fit(WORDS, Y).predict(WORDS))


@pytest.mark.parametrize("announced", [False, True])
def test_words_that_come_late(announced):
    """A word that comes in a later batch is learned as in one fit, and gets its place after those that were there."""
    order = np.argsort(WORDS["colour"].to_numpy(), kind="stable")[::-1]  # red first, blue last
    model = CategoricalNB()
    for number, part in enumerate(np.array_split(order, 5)):
        model.partial_fit(WORDS.iloc[part], Y[part], classes=LABELS if announced and number == 0 else None)
    assert model.columns_["colour"].levels == ("red", "green", "blue")
    whole = CategoricalNB().fit(WORDS, Y)
    np.testing.assert_allclose(model.predict_proba(WORDS), whole.predict_proba(WORDS), rtol=1e-12)
    np.testing.assert_array_equal(model.category_count_[1], whole.category_count_[1][:, ::-1])


def test_a_refused_batch_teaches_no_words():
    """A batch that is refused leaves schema and counts as they were."""
    first = WORDS[WORDS["colour"] != "red"]
    model = CategoricalNB().partial_fit(first, Y[first.index], classes=LABELS)
    before = model.predict_proba(first)
    with pytest.raises(ValueError, match="'dogwood'"):
        model.partial_fit(WORDS, np.where(np.arange(N) == 3, "dogwood", Y))
    assert model.columns_["colour"].levels == ("blue", "green")
    np.testing.assert_array_equal(model.predict_proba(first), before)


def test_labels_that_were_not_announced():
    """An unknown label is refused with its row, and nothing of the batch is learned."""
    model = CategoricalNB().partial_fit(CODES[:50], Y[:50], classes=LABELS)
    before = model.predict_proba(EVERY)
    wrong = Y[50:80].copy().astype("<U8")
    wrong[4] = "dogwood"
    with pytest.raises(ValueError, match=r"'dogwood' in row 4"):
        model.partial_fit(CODES[50:80], wrong)
    np.testing.assert_array_equal(model.predict_proba(EVERY), before)


@pytest.mark.parametrize(("alpha", "prior"), [(0.0, True), (1.0, True), (0.0, False)])
def test_a_class_that_has_not_come(alpha, prior):
    """A class that was announced and has no rows yet wins nowhere, if its prior is learned or nothing is known of it at all."""
    early = KIND != 2
    model = CategoricalNB(alpha=alpha, fit_prior=prior).partial_fit(CODES[early], Y[early], classes=LABELS)
    assert model.class_count_[2] == 0
    assert "cedar" not in model.predict(CODES[early])


def test_folds_from_sums():
    """The sums of the other folds give the fit to the other folds."""
    folds = np.array_split(np.argsort(CODES[:, 2], kind="stable"), 4)
    records = [CategoricalNB().partial_fit(CODES[fold], Y[fold]).sums_ for fold in folds]
    for left_out, fold in enumerate(folds):
        first, *others = (record for k, record in enumerate(records) if k != left_out)
        rest = np.setdiff1d(np.arange(N), fold)
        assert_same(CategoricalNB().fit_sums(sum(others, first)), CategoricalNB().fit(CODES[rest], Y[rest]), rtol=1e-14)


# ---- priors and files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prior", "words"), [([0.5, 0.5], "2 for 3"), ([0.5, 0.4, 0.2], "sum to 1"), ([1.2, -0.1, -0.1], "at least 0")]
)
def test_priors_that_are_none(prior, words):
    """Priors that are too few, do not sum to 1 or are negative are refused with what is wrong."""
    with pytest.raises(ValueError, match=words):
        CategoricalNB(class_prior=prior).fit(CODES, Y)


def test_files(tmp_path):
    """From a Parquet file of codes with missing cells: the fit of the same rows in memory, and its predictions."""
    frame = pd.DataFrame(HOLES, columns=list("abc")).assign(y=Y, w=WEIGHT)
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=31)
    for weight, values in ((None, None), ("w", WEIGHT)):
        rows = aprendiz.rows(tmp_path / "t.parquet", target="y", weight=weight, columns=list("abc"))
        of_file, in_memory = CategoricalNB().fit(rows), CategoricalNB().fit(HOLES, Y, values)
        assert_same(of_file, in_memory)
        np.testing.assert_array_equal(of_file.predict(rows), in_memory.predict(HOLES))
