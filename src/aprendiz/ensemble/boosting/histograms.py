"""Histograms of gradients: the sums of the rows of a node by the codes of each column, and the rows of its branches.

    H[column, code] = Σ words(row)     over the rows of the node with that code                                     (1)

The words of a row are whole numbers (fixed_point.py), so (1) is exact: it does not matter in which order rows are added or who
adds them, and the histogram of a node is that of its parent less that of its sibling, to the last bit. Only the smaller of two
branches is added up.

The codes of a row stand side by side: each row is read once, and its columns go to different places, so that an addition does
not wait for the one before it. Wide tables are taken a few columns at a time, whose histograms stay in the cache.

Cost: O(rows of the smaller branch · columns).
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.ensemble.boosting.records import CODES, COLUMN, FIRST, ROWS, Space, Table

TILE = 64  # columns that are added up together


@compiled(inner=True)
def add_rows(codes: Array, columns: int, rows: Array, words: Array, cells: Array) -> None:
    """(1). `codes` and `cells` are flat; unsigned numbers keep the compiler from looking for negative places."""
    width, one = words.shape[1], np.uint64(1)
    all_columns, step = np.uint64(columns), np.uint64(CODES * width)
    for tile in range(0, columns, TILE):
        here, first = min(TILE, columns - tile), np.uint64(tile)
        for i in range(len(rows)):
            r = np.uint64(rows[i])
            at, base = r * all_columns + first, first * step
            a = words[r, 0]
            if width == 1:
                for _ in range(here):
                    cells[base + np.uint64(codes[at])] += a
                    at, base = at + one, base + step
            elif width == 2:
                b = words[r, 1]
                for _ in range(here):
                    to = base + (np.uint64(codes[at]) << one)
                    cells[to] += a
                    cells[to + one] += b
                    at, base = at + one, base + step
            else:
                b, c = words[r, 1], words[r, 2]
                for _ in range(here):
                    to = base + np.uint64(3) * np.uint64(codes[at])
                    cells[to] += a
                    cells[to + one] += b
                    cells[to + one + one] += c
                    at, base = at + one, base + step


@compiled
def add_part(table: Table, part: int, node: int, space: Space, words: Array, cells: Array) -> None:
    """The histogram of the rows of a node in one part of the rows."""
    cells[:] = 0
    rows = space.order[space.begin[node, part] : space.end[node, part]]
    add_rows(table.rows, table.columns.shape[0], rows, words, cells)


@compiled(inner=True)
def divide_rows(codes: Array, side: Array, rows: Array, spare: Array) -> int:
    """The rows of the first branch before those of the second, in the order they had, without a jump of the program. Returns
    how many come first."""
    first = second = int64(0)
    for i in range(len(rows)):
        r = rows[i]
        b = int64(side[codes[np.uint64(r)]])
        rows[first], spare[second] = r, r
        first, second = first + 1 - b, second + b
    for i in range(second):
        rows[first + i] = spare[i]
    return first


@compiled(inner=True)
def spread_sides(bits: Array, side: Array) -> None:
    """The branch of each code, a byte each."""
    for b in range(CODES):
        side[b] = (bits[b >> 6] >> np.uint64(b & 63)) & np.uint64(1)


@compiled
def divide_part(
    table: Table, part: int, node: int, space: Space, side: Array, words: Array | None, cells: Array | None
) -> None:
    """Divide the rows of a node in one part of the rows, and add up those of the smaller branch where `cells` is not None."""
    begin, end, first = space.begin[node, part], space.end[node, part], space.whole[node, FIRST]
    spread_sides(space.sides[node], side)
    rows = space.order[begin:end]
    count = divide_rows(table.columns[space.whole[node, COLUMN]], side, rows, space.spare[begin:end])
    space.begin[first, part], space.end[first, part] = begin, begin + count
    space.begin[first + 1, part], space.end[first + 1, part] = begin + count, end
    if cells is not None and words is not None:
        smaller = smaller_branch(space, first)
        cells[:] = 0
        few = space.order[space.begin[smaller, part] : space.end[smaller, part]]
        add_rows(table.rows, table.columns.shape[0], few, words, cells)


@compiled(inner=True)
def smaller_branch(space: Space, first: int) -> int:
    """The child with fewer rows, the second of equals."""
    return first + int64(space.whole[first, ROWS] >= space.whole[first + 1, ROWS])


@compiled(inner=True)
def take_away(above: Array, below: Array) -> None:
    """The histogram of a node becomes that of one of its branches: less that of the other."""
    for i in range(len(above)):
        above[i] -= below[i]
