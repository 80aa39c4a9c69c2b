"""JointTable: the rules of probability by counting, against plain loops, pandas and SciPy."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from aprendiz.bayes import JointTable

LEVELS = {"a": ["u", "v"], "b": [0, 1, 2], "c": [True, False]}
RNG = np.random.default_rng(8)
TABLE = JointTable(RNG.integers(1, 30, size=(2, 3, 2)), LEVELS)
ROWS = {"a": RNG.choice(["u", "v"], 200), "b": RNG.integers(0, 3, 200), "c": RNG.choice([True, False], 200)}


def share(values, within=()):
    """P(values | within) by visiting every cell, in rational numbers."""
    cells = [dict(zip(LEVELS, cell, strict=True)) for cell in product(*LEVELS.values())]
    counts = TABLE.counts.ravel().tolist()
    met = [(n, cell) for n, cell in zip(counts, cells, strict=True) if all(cell[k] == v for k, v in dict(within).items())]
    both = sum(n for n, cell in met if all(cell[k] == v for k, v in values.items()))
    return float(Fraction(both, sum(n for n, _ in met)))


def questions(most=3):
    """Every choice of values for every set of at most so many variables."""
    options = [[(name, None), *((name, value) for value in values)] for name, values in LEVELS.items()]
    for chosen in product(*options):
        values = {name: value for name, value in chosen if value is not None}
        if len(values) <= most:
            yield values


# ---- the rules -------------------------------------------------------------------------------------------------------


def test_joint_of_every_question():
    """Sum rule: every choice of values, the other variables summed out."""
    for values in questions():
        assert TABLE.joint(values) == pytest.approx(share(values), rel=1e-14)


def test_conditional_of_every_question():
    """P(of | given) for every pair of questions about different variables, by values, by names and by tables."""
    for of, given in product(questions(2), questions(2)):
        if of and given and not set(of) & set(given):
            wanted = share(of, given)
            assert TABLE.conditional(of, given) == pytest.approx(wanted, rel=1e-14)
            assert TABLE.given(given).joint(of) == pytest.approx(wanted, rel=1e-14)
            index = tuple(LEVELS[name].index(value) for name, value in (*of.items(), *given.items()))
            assert TABLE.conditional(list(of), list(given))[index] == pytest.approx(wanted, rel=1e-14)


def test_axes_of_a_conditional():
    """One axis for each variable without a value, those of `of` first; sums to one over these."""
    found = TABLE.conditional(["c", "a"], "b")
    assert found.shape == (2, 2, 3)
    np.testing.assert_allclose(found.sum(axis=(0, 1)), 1, rtol=1e-14)
    np.testing.assert_array_equal(TABLE.conditional({"a": "v"}, ["c", "b"]), TABLE.conditional("a", ["c", "b"])[1])
    np.testing.assert_array_equal(TABLE.conditional("a", {"b": 2, "c": True}), TABLE.conditional("a", ["b", "c"])[:, 2, 0])
    assert isinstance(TABLE.conditional({"a": "v"}, {"b": 0}), float)


def test_product_rule_and_bayes_rule():
    """P(a | b)·P(b) = P(b | a)·P(a) = P(a, b), in every cell."""
    joint = TABLE.marginal("a", "b").probabilities
    a, b = TABLE.marginal("a").probabilities, TABLE.marginal("b").probabilities
    np.testing.assert_allclose(TABLE.conditional("a", "b") * b, joint, rtol=1e-14)
    np.testing.assert_allclose((TABLE.conditional("b", "a") * a).T, joint, rtol=1e-14)


def test_marginals():
    """In the order in which the variables are named, with their values; whole counts stay whole."""
    found = TABLE.marginal("c", "a")
    assert found.levels == {"c": (True, False), "a": ("u", "v")}
    np.testing.assert_array_equal(found.counts, TABLE.counts.sum(axis=1).T)
    assert found.counts.dtype == np.int64
    assert found.total == TABLE.total == TABLE.counts.sum()
    np.testing.assert_array_equal(TABLE.marginal("b", "c", "a").counts, TABLE.counts.transpose(1, 2, 0))


# ---- from data -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame, dict], ids=["pandas", "polars", "dict"])
def test_counts_of_data(form):
    """The counts are those of pandas."""
    table = JointTable.from_data(form(ROWS), ["b", "a"])
    wanted = pd.crosstab(ROWS["b"], ROWS["a"])
    np.testing.assert_array_equal(table.counts, wanted.to_numpy())
    assert table.levels == {"b": (0, 1, 2), "a": ("u", "v")}
    assert JointTable.from_data(form(ROWS)).marginal("b", "a").counts.tolist() == table.counts.tolist()


def test_arrays_and_weights():
    """Columns of an array have numbers for names; weights are summed."""
    codes = np.column_stack([ROWS["b"], ROWS["c"]]).astype(int)
    weight = RNG.uniform(size=200)
    table = JointTable.from_data(codes, sample_weight=weight)
    assert table.levels == {0: (0, 1, 2), 1: (0, 1)}
    for b, c in product(range(3), range(2)):
        assert table.counts[b, c] == pytest.approx(weight[(codes == [b, c]).all(axis=1)].sum(), rel=1e-13)
    assert JointTable.from_data(codes, [1]).levels == {1: (0, 1)}
    assert table.joint({0: 2}) == pytest.approx(weight[codes[:, 0] == 2].sum() / weight.sum(), rel=1e-13)


def test_missing_cells():
    """A row with a missing cell in a variable of the table is left out, and said so."""
    frame = pd.DataFrame({"a": ["u", None, "v", "u"], "b": [1.5, 2.0, np.nan, 1.5], "d": [1, 2, 3, 4]})
    table = JointTable.from_data(frame, ["a", "b"])
    assert (table.total, table.missing) == (2, 2)
    assert repr(table).endswith("(2 rows with missing cells left out)")
    assert JointTable.from_data(frame, ["a"]).missing == 1
    assert JointTable.from_data(frame, ["a"], sample_weight=[1, 0.25, 1, 1]).missing == 0.25
    assert (table + table).missing == 4


def test_declared_categories_keep_their_order():
    """Also those without a row."""
    sizes = pd.Categorical(["large", "small"], categories=["small", "medium", "large"], ordered=True)
    table = JointTable.from_data(pd.DataFrame({"size": sizes}))
    assert table.levels == {"size": ("small", "medium", "large")}
    assert table.counts.tolist() == [1, 0, 1]


def test_tables_add():
    """Two halves give the whole, whatever values each of them has seen, and in whole numbers."""
    frame = pd.DataFrame(ROWS)
    halves = [frame[frame["b"] < 2].head(90), frame.drop(frame[frame["b"] < 2].head(90).index)]
    added = JointTable.from_data(halves[0]) + JointTable.from_data(halves[1])
    np.testing.assert_array_equal(added.counts, JointTable.from_data(frame).counts)
    assert added.counts.dtype == np.int64
    turned = JointTable([[1, 2], [3, 4]], {"x": [1, 2], "y": ["p", "q"]})
    other = JointTable([[10, 20]], {"x": [3], "y": ["q", "p"]})
    assert (turned + other).counts.tolist() == [[1, 2], [3, 4], [20, 10]]
    with pytest.raises(ValueError, match=r"The variables \['x', 'y'\] and \['a', 'b', 'c'\] differ"):
        turned + TABLE


# ---- independence ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("correction", [True, False])
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (4, 5)])
def test_same_test_as_scipy(shape, correction):
    """χ², degrees of freedom and p-value, with and without the correction of Yates."""
    for _ in range(5):
        counts = RNG.integers(1, 40, size=shape)
        ours = JointTable(counts).independent("x0", "x1", correction=correction)
        theirs = stats.chi2_contingency(counts, correction=correction)
        assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12)
        assert ours.degrees == theirs.dof
        assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-10)
        assert ours.least_expected == pytest.approx(theirs.expected_freq.min(), rel=1e-13)


def test_exact_independence():
    """An outer product is independent, whole or not; one row more ends it, even among 10¹⁷ rows."""
    counts = np.outer([3, 5, 9], [10**7, 2 * 10**7])
    found = JointTable(counts * 10**8).independent("x0", "x1")
    assert found
    assert (found.exact, found.statistic, found.p_value) == (True, 0, 1)
    counts = counts * 10**8
    counts[0, 0] += 1
    assert not JointTable(counts).independent("x0", "x1")
    assert JointTable(np.outer([0.1, 0.7, 0.2], [0.3, 0.7])).independent("x0", "x1")
    assert not JointTable([[0.25, 0.25], [0.25, 0.2500001]]).independent("x0", "x1")


def test_pairwise_independence_is_not_all():
    """x, y and x ≠ y: each pair is independent, but not given the third."""
    counts = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
    table = JointTable(counts)
    assert all(table.independent(*pair) for pair in (("x0", "x1"), ("x0", "x2"), ("x1", "x2")))
    assert not table.given({"x2": 0}).independent("x0", "x1")


def test_values_without_rows():
    """They take no part in the test; a single value is independent of everything."""
    with_zeros = JointTable([[5, 0, 9], [0, 0, 0], [8, 0, 3]]).independent("x0", "x1")
    assert with_zeros == JointTable([[5, 9], [8, 3]]).independent("x0", "x1")
    assert JointTable([[5, 9]]).independent("x0", "x1") == (True, 0.0, 0, 1.0, 5.0)


# ---- sampling and showing --------------------------------------------------------------------------------------------


def test_samples_follow_the_table():
    """20 000 rows against the probabilities (χ² over the cells); zero cells are never drawn; a seed repeats them."""
    counts = TABLE.counts.copy()
    counts[0, 1, 0] = counts[1, 2, 1] = 0
    table = JointTable(counts, LEVELS)
    rows = table.sample(20_000, random_state=1)
    seen = JointTable.from_data(rows, list(LEVELS))
    drawn = np.array([[[seen.joint({"a": a, "b": b, "c": c}) for c in LEVELS["c"]] for b in LEVELS["b"]] for a in LEVELS["a"]])
    assert (drawn[counts == 0] == 0).all()
    p = table.probabilities[counts > 0]
    assert stats.chisquare(20_000 * drawn[counts > 0], 20_000 * p).pvalue > 1e-3
    again = table.sample(20_000, random_state=1)
    assert all((rows[name] == again[name]).all() for name in LEVELS)
    assert [len(values) for values in table.sample(0).values()] == [0, 0, 0]


def test_shown_as_a_table():
    """The last variable runs across, the others down."""
    assert repr(JointTable([[5, 10], [10, 20]], {"eyes": ["brown", "blue"], "hair": ["red", "blond"]})).split("\n") == [
        r"eyes \ hair  red  blond",
        "brown          5     10",
        "blue          10     20",
    ]
    assert repr(JointTable([0.25, 0.75], {"coin": ["heads", "tails"]})) == "coin   heads  tails\ncount   0.25   0.75"
    assert repr(TABLE).split("\n")[2].startswith("u, 1")
    large = repr(JointTable(np.ones((30, 40), int))).split("\n")
    assert large[-1] == "… (10 more lines)"
    assert large[0].endswith("11  …")


def test_frame():
    """One row for each cell."""
    frame = TABLE.frame()
    assert list(frame.columns) == ["a", "b", "c", "count", "probability"]
    assert frame["probability"].sum() == pytest.approx(1, rel=1e-14)
    for _, row in frame.iterrows():
        assert row["probability"] == pytest.approx(TABLE.joint({name: row[name] for name in LEVELS}), rel=1e-14)


# ---- bad input -------------------------------------------------------------------------------------------------------

EMPTY = JointTable([[1, 0], [2, 0]], {"a": ["u", "v"], "b": ["p", "q"]})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: JointTable([[1, -1]]), r"counts holds -1 in cell \(0, 1\)"),
        (lambda: JointTable([1, np.nan]), r"counts holds nan in cell \(1,\)"),
        (lambda: JointTable([[0, 0]]), "Every count is 0"),
        (lambda: JointTable(3), r"counts has shape \(\)"),
        (lambda: JointTable([[1, 2]], {"a": [1]}), "counts has 2 axes, levels has 1 variables"),
        (lambda: JointTable([1, 2], {"a": ["u"]}), "Variable 'a' has 1 values, its axis 2 cells"),
        (lambda: JointTable([1, 2], {"a": ["u", "u"]}), "Variable 'a' has the value 'u' twice"),
        (lambda: TABLE.marginal(), "marginal needs one or more different variables"),
        (lambda: TABLE.marginal("a", "a"), r"got \['a', 'a'\]: name each of them once"),
        (lambda: TABLE.marginal("z"), "There is no variable 'z': the table has 'a', 'b', 'c'"),
        (lambda: TABLE.joint({"b": 7}), "Variable 'b' has no value 7: it has 0, 1, 2"),
        (lambda: TABLE.conditional("a", {"a": "u"}), "Variable 'a' appears on both sides"),
        (lambda: TABLE.given({"a": "u", "b": 0, "c": True}), "given fixes every variable"),
        (lambda: EMPTY.given({"b": "q"}), "No row has b = 'q'"),
        (lambda: EMPTY.conditional("a", "b"), "No row has b = 'q'"),
        (lambda: EMPTY.conditional({"a": "u"}, {"b": "q"}), "No row has b = 'q'"),
        (lambda: TABLE.sample(-1), "n = -1 rows cannot be drawn"),
        (lambda: TABLE.sample(2.5), r"n = 2\.5 rows cannot be drawn"),
        (lambda: JointTable.from_data(ROWS, ["a", "z"]), "The data have no column 'z'; they have 'a', 'b', 'c'"),
        (lambda: JointTable.from_data([1, 2]), r"data has shape \(2,\)"),
        (lambda: JointTable.from_data({"a": ["u", None], "b": [None, 1]}), r"No row has a value in all of the columns"),
        (lambda: JointTable.from_data(RNG.normal(size=(300, 3))), "column 0 alone has 300 values. Bin it"),
    ],
)
def test_bad_input(call, words):
    """The refusal names variable, value or cell, and the remedy."""
    with pytest.raises(ValueError, match=words):
        call()


def test_words_are_no_counts():
    with pytest.raises(TypeError, match="counts is an array of type <U1: give numbers"):
        JointTable(["a", "b"])
