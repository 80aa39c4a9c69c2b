"""The contributions of the columns to the sum of many trees, for a table of rows.

    f(x) = base + Σ_j φ_j(x)          φ_j: the sum of the contributions in the trees                          (1)

Trees and batches of rows are worked through in all threads, and added up in their order. What is needed at a time does not grow
with the table, but for the answer. Numbers are counted from the mean of their tree, so that an offset of all costs no digits;
of outputs that add to 1, the last follows from the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from aprendiz.compilation.compiled import interruptible
from aprendiz.core.rows import Array, Rows
from aprendiz.core.threads import ordered_map
from aprendiz.tree.contributions import interventional, path_dependent
from aprendiz.tree.contributions.additive_trees import AdditiveTrees, WeightedTree
from aprendiz.tree.contributions.branches import RowsSideBySide, columns_asked, part_of, side_by_side, take
from aprendiz.tree.contributions.edges import edges_of, points
from aprendiz.tree.shared.descent import TableCells, TreeDescent, cells_of

BATCH = 1024  # rows that pass a tree before the next ones, at most
FOUND = 2**23  # numbers that a tree may add to them, unless a few rows need more
FEWEST = 8  # rows of a batch
SIDE_BY_SIDE = 128  # rows
ROOM = 2**21  # numbers that rows side by side may need
NEXT_NODES = 2**23  # numbers that say where rows go from each node


@dataclass(frozen=True)
class Attribution:
    """The contributions of the columns for each row.

    Attributes
    ----------
    values : ndarray of shape (rows, columns, outputs)
    pairs : ndarray of shape (rows, columns, columns, outputs) or None
        The interactions; those of a column with itself are what is left of its contribution.
    base : ndarray of shape (outputs,)
        The mean prediction: over the weight of the leaves, or over the background.
    """

    values: Array
    pairs: Array | None
    base: Array


class OfTree(NamedTuple):
    """What a tree adds for a batch of rows: to contributions, (columns, outputs, rows), and interactions; the mean of its
    values; and its first output."""

    found: Array
    pairs: Array | None
    mean: Array
    output: int


def attribute(
    sum_of_trees: AdditiveTrees, rows: Rows, background: Rows | None = None, *, interactions: bool = False
) -> Attribution:
    """The contributions to the predictions for some rows; those against a table of rows, if one is given."""
    others = None if background is None else gathered(background)

    def work(item: tuple[RowsSideBySide, int]) -> OfTree:
        batch, number = item
        one = sum_of_trees.made(number)
        if others is None:
            return path_dependent_values(batch, one, sum_of_trees.adds_to_one, rows.columns, interactions)
        return values_against(batch, others, one, sum_of_trees.adds_to_one, rows.columns)

    outputs, base = sum_of_trees.outputs, sum_of_trees.constant.astype(np.float64)
    values, pairs = [], []
    each = outputs * rows.columns * (rows.columns if interactions else 1)
    size = int(np.clip(FOUND // each, FEWEST, BATCH))
    items = ((batch, number) for batch in batches_of(rows, size) for number in range(sum_of_trees.count))
    for place, of_tree in enumerate(ordered_map(work, items)):
        if place % sum_of_trees.count == 0:
            values.append(np.zeros((rows.columns, outputs, of_tree.found.shape[2])))
            pairs.append(np.zeros((rows.columns, *values[-1].shape)) if interactions else None)
        here = slice(of_tree.output, of_tree.output + of_tree.found.shape[1])
        values[-1][:, here] += of_tree.found
        if of_tree.pairs is not None:
            pairs[-1][:, :, here] += of_tree.pairs  # type: ignore[index]
        if place < sum_of_trees.count:
            base[of_tree.output : of_tree.output + len(of_tree.mean)] += of_tree.mean
    whole = complete(np.concatenate(values, axis=2), sum_of_trees)
    if not interactions:
        return Attribution(rows_first(whole), None, base)
    both, own = complete(np.concatenate(pairs, axis=3), sum_of_trees), np.arange(rows.columns)  # type: ignore[arg-type]
    both[own, own] = whole - both.sum(axis=1)
    return Attribution(rows_first(whole), rows_first(both), base)


def complete(found: Array, sum_of_trees: AdditiveTrees) -> Array:
    """With the last of outputs that add to 1: what the others gain, it loses."""
    if sum_of_trees.adds_to_one:
        found[..., -1, :] = -found[..., :-1, :].sum(axis=-2)
    return found


def rows_first(found: Array) -> Array:
    return np.ascontiguousarray(np.moveaxis(np.swapaxes(found, -1, -2), -2, 0))


def values_that_count(one: WeightedTree, adds_to_one: bool) -> Array:
    """The values of a tree as contributions need them."""
    value = one.value[:, :-1] if adds_to_one else one.value - one.mean
    return np.ascontiguousarray(value, dtype=np.float64)


# ---- rows ----------------------------------------------------------------------------------------------------------------


def batches_of(rows: Rows, size: int) -> Iterator[RowsSideBySide]:
    """The rows, so many at a time."""
    for block in rows.blocks():
        cells = side_by_side(cells_of(block.X))
        for start in range(0, len(block), size):
            yield part_of(cells, start, start + size)


def gathered(rows: Rows) -> RowsSideBySide:
    """All rows of a background."""
    blocks = [cells_of(block.X) for block in rows.blocks()]
    numbers, codes = (np.concatenate(parts) for parts in ([one.numbers for one in blocks], [one.codes for one in blocks]))
    return side_by_side(TableCells(numbers, codes, blocks[0].where))


def refuse_undecided(sum_of_trees: AdditiveTrees, tables: Mapping[str, Rows], names: Sequence[Any]) -> None:
    """Cells that do not tell where a row goes: a row made of two rows would then have no way of its own."""
    for number in range(sum_of_trees.count):
        descent = TreeDescent(tree := sum_of_trees.made(number).tree)
        if not descent.shared and not len(tree.surrogate_feature):
            continue
        for what, rows in tables.items():
            for block in rows.blocks():
                for asked, chosen in columns_asked(descent, side_by_side(cells_of(block.X))):
                    node = np.flatnonzero(asked != tree.feature)
                    if len(node):
                        raise ValueError(
                            f"{what} has a missing cell in row {block.start + int(chosen[0])}, column "
                            f"{names[tree.feature[node[0]]]!r}, where the tree looks at other columns or takes all branches: "
                            "values against a background need rows without such cells. Impute them, or leave background out."
                        )


# ---- one tree ------------------------------------------------------------------------------------------------------------


def path_dependent_values(
    batch: RowsSideBySide, one: WeightedTree, adds_to_one: bool, columns: int, interactions: bool
) -> OfTree:
    """What a tree adds, where unknown columns are averaged over by the weight of its branches."""
    value, descent, count = values_that_count(one, adds_to_one), TreeDescent(one.tree), batch.columns.shape[1]
    size, depths = value.shape[1], one.tree.max_depth + 1
    found = np.zeros((columns, size, count))
    pairs = np.zeros((columns, *found.shape)) if interactions else None
    for asked, chosen in columns_asked(descent, batch):
        edges, most = edges_of(one.tree, asked)
        x, w = points(most)
        some = batch if asked is None else take(batch, chosen)
        wide = int(np.clip(ROOM // (depths * len(x) * (1 + size)), 1, min(SIDE_BY_SIDE, len(chosen))))
        way, part = path_dependent.way_down(depths, size, len(x), wide), np.zeros((columns, size, len(chosen)))
        both = None if pairs is None else np.zeros((columns, *part.shape))
        interruptible(
            path_dependent.add_contributions,
            *(some, descent.splits, descent.surrogates, edges, x, w, value, way, np.empty(wide), part, both),
        )
        found[..., chosen] = part
        if pairs is not None:
            pairs[..., chosen] = both
    return OfTree(found, pairs, one.mean, one.output)


def values_against(batch: RowsSideBySide, others: RowsSideBySide, one: WeightedTree, adds_to_one: bool, columns: int) -> OfTree:
    """What a tree adds, where unknown columns have the cells of rows of the background."""
    value, descent = values_that_count(one, adds_to_one), TreeDescent(one.tree)
    count, many, size = batch.columns.shape[1], others.columns.shape[1], value.shape[1]
    _edges, most = edges_of(one.tree)
    found, mean, sides = np.zeros((columns, size, count)), np.zeros(one.value.shape[1]), np.zeros(columns, np.int64)
    weights, parts = interventional.coalition_weights(most), interventional.parts_of(one.tree.n_leaves, size)
    step = max(1, NEXT_NODES // one.tree.node_count)
    for start in range(0, many, step):
        theirs = next_nodes(descent, part_of(others, start, start + step))
        mean += one.value[last_nodes(theirs, one)].sum(axis=0)
        for begin in range(0, count, step):
            own = next_nodes(descent, part_of(batch, begin, begin + step))
            part = np.zeros((columns, size, len(own)))
            interruptible(
                interventional.add_contributions, *(own, theirs, one.tree.feature, value, weights, parts, sides, part)
            )
            found[..., begin : begin + step] += part
    return OfTree(found / many, None, mean / many, one.output)


def next_nodes(descent: TreeDescent, rows: RowsSideBySide) -> Array:
    """The child that each row takes at each inner node."""
    count = rows.columns.shape[1]
    following = np.zeros((count, descent.tree.node_count), np.int32)
    interventional.next_nodes(rows, descent.splits, descent.surrogates, np.empty(count, np.int64), following)
    return following


def last_nodes(following: Array, one: WeightedTree) -> Array:
    """The leaf at the end of each row's way."""
    node = np.zeros(len(following), np.int64)
    for _ in range(one.tree.max_depth):
        node = np.where(one.tree.is_leaf[node], node, following[np.arange(len(node)), node])
    return node
