"""Rows in blocks: boundaries, layout, order of the fold."""

import math
import operator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from aprendiz.core.rows import Block, Rows, block_rows, fold, read_only, reblock
from aprendiz.core.sources.arrays import ArrayRows

WIDE = 512  # columns with blocks of 1024 rows


@pytest.fixture(params=[1, 2, 4])
def threads(request, monkeypatch):
    monkeypatch.setenv("APRENDIZ_NUM_THREADS", str(request.param))


def table(rows, columns=WIDE, dtype=np.float64):
    return np.arange(rows * columns, dtype=dtype).reshape(rows, columns)


# ---- sizes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [0, 1, 2, 7, 63, 64, 65, 90, 91, 100, 512, 700, 1000, 5000, 10**6])
def test_block_size(columns):
    """Rows in a block: a power of two of at most 8192, about 4 MiB of float64 as long as that is at least 1024 rows."""
    size = block_rows(columns)
    assert size & (size - 1) == 0
    assert 1024 <= size <= 8192
    if 64 <= columns <= 512:
        assert 2**18 * math.sqrt(2) <= size * columns <= 2**19 * math.sqrt(2)  # 2¹⁹ numbers, rounded to a power of two of rows


def test_block_size_falls():
    """More columns never mean more rows in a block."""
    sizes = [block_rows(columns) for columns in range(1, 3000)]
    assert sizes == sorted(sizes, reverse=True)


# ---- blocks ----------------------------------------------------------------------------------------------------------


LAYOUTS = {
    "C": lambda X: X,
    "F": np.asfortranarray,
    "every second row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "every second column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda X: X[::-1].copy()[::-1],
    "float32": lambda X: X.astype(np.float32),
    "read-only": read_only,
    "sparse": sparse.csr_matrix,
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("count", [1, 1023, 1024, 1025, 2600])
def test_blocks(layout, count):
    """Blocks cover the rows once and in order, C-contiguous and read-only, whatever the layout of the table."""
    X = LAYOUTS[layout](table(count) % 97)
    y, weight = np.arange(count)[::-1], np.linspace(1, 2, count)
    blocks = list(ArrayRows(X, y, weight).blocks())
    size = block_rows(WIDE)
    assert [block.start for block in blocks] == list(range(0, count, size))
    assert [len(block) for block in blocks[:-1]] == [size] * (len(blocks) - 1)
    for block in blocks:
        for part in (block.X, block.y, block.weight):
            assert part.flags.c_contiguous
            assert not part.flags.writeable
        assert block.X.dtype == X.dtype
    dense = X.toarray() if sparse.issparse(X) else X
    assert np.array_equal(np.concatenate([block.X for block in blocks]), dense)
    assert np.array_equal(np.concatenate([block.y for block in blocks]), y)
    assert np.array_equal(np.concatenate([block.weight for block in blocks]), weight)


def test_table_stays_writable():
    """Blocks cannot be written to; the table of the user can, as before."""
    X = table(1400)
    block = next(ArrayRows(X).blocks())
    with pytest.raises(ValueError, match="read-only"):
        block.X[0, 0] = 1.0
    X[0, 0] = 5.0
    assert X.flags.writeable


def test_block_parts():
    """Numbers count from the first row of the table; weights are ones where there are none; head and take choose rows."""
    X, y = table(1400), np.arange(1400)
    second = list(ArrayRows(X, y).blocks())[1]
    assert np.array_equal(second.numbers, np.arange(1024, 1400))
    assert np.array_equal(second.weights, np.ones(376))
    assert np.array_equal(second.head(3).X, X[1024:1027])
    assert second.head(3).start == 1024
    taken, targets, weight = second.take(np.array([5, 1]))
    assert np.array_equal(taken, X[[1029, 1025]])
    assert np.array_equal(targets, [1029, 1025])
    assert weight is None


def test_weights_of_a_long_block():
    """A block longer than any of ours still has a weight for each row."""
    assert np.array_equal(Block(np.zeros((9000, 1)), None, None, 0).weights, np.ones(9000))


def test_groups_are_runs_of_powers_of_two(threads):
    """Groups are runs of 2ᵏ consecutive blocks, the last one perhaps shorter: subtrees of the fold."""
    rows = ArrayRows(np.zeros((1024 * 37 + 5, WIDE), np.float32))
    lengths = [len(list(group)) for group in rows.groups()]
    assert sum(lengths) == 38
    assert lengths[0] & (lengths[0] - 1) == 0
    assert set(lengths[:-1]) <= {lengths[0]}
    assert lengths[-1] <= lengths[0]


def test_rows_can_be_read_again():
    """Every pass gives the same blocks."""
    rows = ArrayRows(np.asfortranarray(table(2600)))
    for _ in range(2):
        assert np.array_equal(np.concatenate([b.X for b in rows.blocks()]), rows.X)


# ---- the fold --------------------------------------------------------------------------------------------------------


class Term:
    """A sum that remembers how it was made."""

    def __init__(self, text):
        self.text = text

    def __add__(self, other):
        return Term(f"({self.text}+{other.text})")


def folded(number):
    return fold(Term(str(i)) for i in range(number)).text


def test_fold_is_the_binary_tree():
    """The order of additions is the tree in the header of rows.py."""
    assert folded(1) == "0"
    assert folded(2) == "(0+1)"
    assert folded(7) == "(((0+1)+(2+3))+((4+5)+6))"


def test_fold_without_using_up():
    """With `operator.add` the records that are folded stay as they were."""
    records = [np.full(3, float(i)) for i in range(5)]
    assert fold(records, operator.add).tolist() == [10.0] * 3
    assert [record[0] for record in records] == [0.0, 1.0, 2.0, 3.0, 4.0]


@given(st.integers(1, 200), st.integers(0, 5))
def test_fold_in_groups(number, level):
    """Folding runs of 2ᵏ neighbours first changes nothing: the same additions in the same order."""
    size = 2**level
    groups = [[Term(str(i)) for i in range(s, min(s + size, number))] for s in range(0, number, size)]
    assert fold(fold(group) for group in groups).text == folded(number)


# ---- sum, each, map --------------------------------------------------------------------------------------------------


class Additions(float):
    """A number that adds."""

    def __add__(self, other):
        return Additions(float(self) + float(other))


@pytest.mark.parametrize("count", [3, 512, 5000])
def test_sum(threads, count):
    """A sum over blocks is the sum over rows; parameters come before the block."""
    X = table(count) % 13
    total = ArrayRows(X).sum(lambda a, b, block: Additions(a * block.X.sum() + b * len(block)), 2.0, 3.0)
    assert total == 2.0 * X.sum() + 3.0 * count  # whole numbers: exact in any order


def test_sum_has_the_same_bits(monkeypatch):
    """The same bits for any number of threads."""
    X = np.random.default_rng(0).normal(size=(5000, WIDE)).astype(np.float32)
    answers = set()
    for number in ("1", "2", "3", "8"):
        monkeypatch.setenv("APRENDIZ_NUM_THREADS", number)
        answers.add(float(ArrayRows(X).sum(lambda block: Additions(block.X.sum(dtype=np.float64)))))
    assert len(answers) == 1


@pytest.mark.parametrize("count", [1, 512, 5000])
def test_each(threads, count):
    """Per-row results are in the order of the rows, of any shape and type."""
    X = table(count)
    rows = ArrayRows(X)
    assert np.array_equal(rows.each(lambda block: block.X[:, 0]), X[:, 0])
    assert np.array_equal(rows.each(lambda k, block: block.X[:, :k], 2), X[:, :2])
    assert rows.each(lambda block: (block.X[:, 0] > 5).astype(np.int32)).dtype == np.int32


class Uncounted(Rows):
    """Rows whose number only a pass tells."""

    count, names, columns = None, None, WIDE

    def __init__(self, source):
        self.source = source

    def groups(self):
        return self.source.groups()


def test_each_of_uncounted_rows(threads):
    """Per-row results do not need the number of rows beforehand."""
    X = table(1500)
    assert np.array_equal(Uncounted(ArrayRows(X)).each(lambda block: block.X[:, 3]), X[:, 3])


@pytest.mark.parametrize("count", [5, 1024, 1500])
def test_first(count):
    """`first` is a function of the first block alone: no other block is made."""
    seen = []

    def change(block):
        seen.append(block.start)
        return block

    rows = ArrayRows(table(count)).changed(change)
    seen.clear()
    length, scaled = rows.first(lambda factor, block: (len(block), factor * block.X[0, 1]), 3.0)
    assert (length, scaled) == (min(count, 1024), 3.0)
    assert set(seen) <= {0}


def test_empty():
    """Rows are empty where there are none, whether their number is known or not."""
    assert ArrayRows(table(0)).empty()
    assert not ArrayRows(table(1)).empty()
    assert not Uncounted(ArrayRows(table(1500))).empty()

    class Nothing(Uncounted):
        def groups(self):
            return iter(())

    assert Nothing(None).empty()


@pytest.mark.parametrize("count", [5, 1500])
def test_map(threads, count):
    """Mapped rows have the features changed, everything else kept, in blocks of the usual layout."""
    X, y, weight = table(count), np.arange(count), np.arange(count) + 1.0
    mapped = ArrayRows(X, y, weight).map(lambda part: np.asfortranarray(part[:, :3] * 2), ["a", "b", "c"])
    assert mapped.columns == 3
    assert mapped.count == count
    assert list(mapped.names) == ["a", "b", "c"]
    for block in mapped.blocks():
        assert block.X.flags.c_contiguous
        assert not block.X.flags.writeable
        assert np.array_equal(block.X, X[block.numbers, :3] * 2)
        assert np.array_equal(block.y, y[block.numbers])
        assert np.array_equal(block.weight, weight[block.numbers])
    assert np.array_equal(mapped.map(lambda part: part + 1).each(lambda block: block.X), X[:, :3] * 2 + 1)


def test_error_inside_a_statistic(threads):
    """An error inside a statistic reaches whoever asked for the sum."""

    def picky(block):
        if block.start >= 1024:
            raise ZeroDivisionError("block at 1024")
        return Additions(1)

    with pytest.raises(ZeroDivisionError, match="block at 1024"):
        ArrayRows(table(5000)).sum(picky)


# ---- pieces into blocks ----------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.lists(st.integers(0, 40), max_size=12), st.integers(1, 32), st.booleans(), st.booleans())
def test_reblocked(lengths, size, with_y, with_weight):
    """Pieces of any length, empty ones too, become blocks of exactly `size` rows; only the last may be shorter."""
    count = sum(lengths)
    X, y, w = np.arange(2.0 * count).reshape(count, 2), np.arange(count), np.arange(count) / 2
    ends = np.cumsum([0, *lengths])
    pieces = [(X[a:b], y[a:b] if with_y else None, w[a:b] if with_weight else None) for a, b in pairwise(ends)]
    blocks = list(reblock(iter(pieces), size))
    assert [len(block) for block in blocks] == [size] * (count // size) + [count % size] * (count % size > 0)
    assert [block.start for block in blocks] == list(range(0, count, size))
    for block in blocks:
        here = slice(block.start, block.start + size)
        assert np.array_equal(block.X, X[here])
        assert (block.y is not None) == with_y
        assert (block.weight is not None) == with_weight
        assert not with_y or np.array_equal(block.y, y[here])
        assert not with_weight or np.array_equal(block.weight, w[here])
        for part in (block.X, block.y, block.weight):
            assert part is None or (part.flags.c_contiguous and not part.flags.writeable)
