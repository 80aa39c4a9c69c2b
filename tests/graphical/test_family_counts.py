"""Counts of families: by the definition, in parts, with holes, weights and words."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aprendiz import BayesianNetwork
from aprendiz.core.rows import Block
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.graphical.counts.family_counts import ROWS, FamilyCounts, count_families
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.learning.different_rows import different_rows

EDGES = [("a", "c"), ("b", "c"), ("c", "d")]
NAMES = list("abcd")
GRAPH = DirectedGraph.of(EDGES, NAMES)
FEW, MANY = np.ones(4, int), np.full(4, 2**20)


def by_definition(codes, weights, family, sizes):
    """One row after the other."""
    table = np.zeros([sizes[v] for v in family])
    for row, weight in zip(codes, weights, strict=True):
        if weight and all(row[v] >= 0 for v in family):
            table[tuple(int(row[v]) for v in family)] += weight
    return table


@st.composite
def coded_rows(draw):
    """Codes with holes (−1), and weights, some of them 0."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n = draw(st.integers(1, 30))
    codes = rng.integers(0, [2, 3, 1, 4], size=(n, 4))
    codes[rng.random(codes.shape) < draw(st.sampled_from([0.0, 0.3]))] = -1
    return codes, rng.integers(0, 4, n) / 2.0


def counted(codes, weights):
    """The counts of rows of numbers."""
    X = np.where(codes < 0, np.nan, codes).astype(float)
    return FamilyCounts.of(GRAPH, FEW, MANY, None, "BayesianNetwork", Block(X, None, weights, 0))


@given(coded_rows(), st.integers(0, 30))
def test_counts_of_parts_add(drawn, cut):
    """Each family is counted as the definition says, and two parts, which may know fewer levels, add to the whole."""
    codes, weights = drawn
    whole = counted(codes, weights)
    sizes = whole.sizes
    for v, table in enumerate(whole.tables):
        assert np.array_equal(table, by_definition(codes, weights, (*GRAPH.parents[v], v), sizes))
    parts = counted(codes[:cut], weights[:cut]) + counted(codes[cut:], weights[cut:])
    assert parts.sizes == sizes
    assert all(np.array_equal(a, b) for a, b in zip(parts.tables, whole.tables, strict=True))
    assert parts.weight == whole.weight == weights.sum()
    assert parts.incomplete == whole.incomplete == weights[(codes < 0).any(axis=1)].sum()
    assert np.array_equal(parts.known, ((codes >= 0) & (weights > 0)[:, None]).any(axis=0))


@given(coded_rows())
def test_any_families(drawn):
    """Families need not be those of a graph; one with a node that has no column counts nothing."""
    codes, weights = drawn
    found = count_families(codes, weights, [(3, 0, 1), (2,), (1, 4)], [2, 3, 1, 4, 2])
    assert np.array_equal(found[0], by_definition(codes, weights, (3, 0, 1), [2, 3, 1, 4]))
    assert np.array_equal(found[1], by_definition(codes, weights, (2,), [2, 3, 1, 4]))
    assert found[2].shape == (3, 2)
    assert not found[2].any()


def test_more_rows_than_are_turned_at_a_time():
    """The last rows are counted as the first ones are, with holes among them and rows that do not count."""
    rng = np.random.default_rng(0)
    codes, weights = rng.integers(-1, [2, 3, 1, 4], size=(2 * ROWS + 7, 4)), rng.integers(0, 3, 2 * ROWS + 7) / 2.0
    codes[weights == 0] = 2**20 - 1  # of which no table has room
    for cut in (ROWS - 1, ROWS, ROWS + 1, len(codes)):
        found = count_families(codes[:cut], weights[:cut], [(3, 0, 1)], [2, 3, 1, 4])[0]
        assert np.array_equal(found, by_definition(codes[:cut], weights[:cut], (3, 0, 1), [2, 3, 1, 4]))


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.int8, float])
def test_codes_of_a_frame(kind):
    """Whole numbers of a frame, which lie column by column, are counted as those of an array are; none is changed."""
    codes = np.random.default_rng(0).integers(0, [2, 3, 1, 4], size=(20_000, 4))
    frame = pd.DataFrame(codes, columns=NAMES).astype(kind)
    of_frame, of_array = BayesianNetwork(EDGES).fit(frame), BayesianNetwork([(0, 2), (1, 2), (2, 3)]).fit(codes)
    for a, b in zip(of_frame.network_.tables, of_array.network_.tables, strict=True):
        assert np.array_equal(a, b)
    assert np.array_equal(frame, codes)
    with pytest.raises(ValueError, match="-1 in row 0, column 'a'"):
        BayesianNetwork(EDGES).fit(frame.replace({"a": {int(codes[0, 0]): -1}}))


def test_words_of_two_tables():
    """Levels that a second table brings come after those of the first, wherever they stand among its own."""
    first = pd.DataFrame({"x": ["m", "z", "z"], "y": ["no", "no", "no"]})
    second = pd.DataFrame({"x": ["a", "m"], "y": ["yes", "no"]})
    search = BayesianNetwork([("x", "y")])
    total = search.summarise(search.open(first)) + search.summarise(search.open(second))
    assert [column.levels for column in total.schema] == [("m", "z", "a"), ("no", "yes")]
    assert total.tables[1].tolist() == [[2, 0], [2, 0], [0, 1]]


def test_other_graphs_do_not_add():
    codes, weights = np.zeros((1, 4), int), np.ones(1)
    other = FamilyCounts.of(DirectedGraph.of([], NAMES), FEW, MANY, None, "BayesianNetwork", Block(codes, None, weights, 0))
    with pytest.raises(ValueError, match="different graphs"):
        counted(codes, weights) + other


def test_a_table_that_no_memory_holds():
    """The node, its parents and the number of cells are named before it is made."""
    X = np.full((1, 4), 2.0**16)
    with pytest.raises(ValueError, match=r"The table of 3 with the parents 0, 1, 2 would have 184\d{17} cells"):
        BayesianNetwork([(0, 3), (1, 3), (2, 3)]).fit(X)
    with pytest.raises(ValueError, match="would have 1 cells along 71 axes; at most"):
        BayesianNetwork([(v, 70) for v in range(70)]).fit(np.zeros((2, 71)))


def test_different_rows():
    """Each row once, with the weight of its copies, −1 for holes and hidden nodes; rows of weight 0 are left out."""
    X = np.array([[1, np.nan], [0, 2], [1, np.nan], [0, 2], [3, 3]])
    rows = ArrayRows(X, weight=np.array([1.0, 2.0, 0.5, 4.0, 0.0]))
    codes, weights = different_rows(rows, 3, "BayesianNetwork")
    assert codes.tolist() == [[1, -1, -1], [0, 2, -1]]
    assert weights.tolist() == [1.5, 6.0]
