"""What a network says of many rows, each with some cells known and others missing (−1).

    expected counts     Σ_rows w · p(x_v, x_parents(v) | row) for each family: what EM sums                     (1)
    log-likelihoods     ln p(known cells of the row)                                                           (2)
    posteriors          p(target | the other known cells of the row)                                           (3)
    most probable       the levels of the missing cells that make the whole row most probable                  (4)

All of them are messages along one junction tree (messages.py): only cells that agree with a row are visited, so a row with
few missing cells is little work in a large network, too. Equal rows are done once (in (1) by the caller, who has their
weights), blocks of rows side by side on the threads.

Cost: for each row, the cells of the cliques that its missing nodes leave open. In (2) and (3) nodes without known descendants
are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import numpy as np

from aprendiz.core.random import hashes
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.graphical.inference.flat_tables import FlatTables
from aprendiz.graphical.inference.junction_tree import JunctionTree
from aprendiz.graphical.inference.messages import Workspace
from aprendiz.graphical.inference.row_kernels import best_rows, count_rows, known_levels, posterior_rows, target_rows
from aprendiz.graphical.inference.tree_arrays import strides_along
from aprendiz.graphical.inference.workspace import refuse_wide, workspace

ROWS_PER_BLOCK = 512
FEW = 16  # rows that are not compared with each other

Pass = Callable[[Any, Array, Workspace, Array | None], tuple[Array, ...]]  # rows, tables, room and flags → ln p and answers


def expected_counts(
    tree: JunctionTree, tables: Sequence[Array], codes: Array, weights: Array
) -> tuple[tuple[Array, ...], Array]:
    """(1), shaped like the tables, and (2). An impossible row has −∞ and adds nothing to the counts."""
    flat = FlatTables.of(tables)
    known, weights = affordable_levels(tree, codes), np.ascontiguousarray(weights, dtype=np.float64)
    counts, log_p = np.zeros(len(flat.values)), np.empty(len(known))
    found = side_by_side(lambda rows: counts_of_block(tree, flat, known[rows], weights[rows]), len(known))
    for rows, (own, logs) in zip(blocks(len(known)), found, strict=True):
        counts += own
        log_p[rows] = logs
    return flat.shaped(counts), log_p


def counts_of_block(tree: JunctionTree, flat: FlatTables, known: Array, weights: Array) -> tuple[Array, Array]:
    """The expected counts of some rows, one table after the other, and ln p of each row."""
    counts = np.zeros(len(flat.values))

    def add(chosen: Any, values: Array, space: Workspace, logs: Array | None) -> tuple[Array, ...]:
        log_p = np.empty(len(known[chosen]))
        count_rows(tree.arrays, values, known[chosen], weights[chosen], space, logs, counts, log_p)
        return (log_p,)

    return counts, in_two_passes(tree, flat, known, add)[0]


def log_likelihoods(tree: JunctionTree, tables: Sequence[Array], codes: Array) -> Array:
    """(2); −∞ where a row is impossible."""
    flat, nothing = FlatTables.of(tables), np.empty(0)
    known, place = distinct(affordable_levels(tree, codes, skip_barren=True))

    def of_block(rows: slice) -> tuple[Array, ...]:
        def score(chosen: Any, values: Array, space: Workspace, logs: Array | None) -> tuple[Array, ...]:
            log_p = np.empty(len(known[rows][chosen]))
            count_rows(tree.arrays, values, known[rows][chosen], nothing, space, logs, None, log_p)
            return (log_p,)

        return in_two_passes(tree, flat, known[rows], score)

    return joined(side_by_side(of_block, len(known)), np.empty(0))[0][place]


def posteriors_of_rows(tree: JunctionTree, tables: Sequence[Array], codes: Array, target: int) -> Array:
    """(3), a row for each row; NaN where a row is impossible. The target's own cell is ignored."""
    tree, levels = tree.rooted(tree.homes[target]), tree.sizes[target]
    known, place = distinct(affordable_levels(tree, codes, target, skip_barren=True))
    return joint_posteriors(tree, FlatTables.of(tables), known, (target,))[1].reshape(-1, levels)[place]


def joint_posteriors(tree: JunctionTree, flat: FlatTables, known: Array, targets: tuple[int, ...]) -> tuple[Array, Array]:
    """ln p of each row of known levels, and p(targets | row) with all targets in the root, one table after the other."""
    stride = np.array(strides_along(tree.cliques[0], targets, tree.sizes), dtype=np.int64)
    cells = int(np.prod([tree.sizes[v] for v in targets], dtype=np.int64))

    def of_block(rows: slice) -> tuple[Array, ...]:
        def answer(chosen: Any, values: Array, space: Workspace, logs: Array | None) -> tuple[Array, ...]:
            log_p, posterior = np.empty(len(known[rows][chosen])), np.empty((len(known[rows][chosen]), cells))
            target_rows(tree.arrays, values, known[rows][chosen], stride, space, logs, posterior, log_p)
            return log_p, posterior

        return in_two_passes(tree, flat, known[rows], answer)

    log_p, posterior = joined(side_by_side(of_block, len(known)), np.empty(0), np.empty((0, cells)))
    return log_p, posterior


def posteriors_of_all_nodes(tree: JunctionTree, flat: FlatTables, known: Array) -> tuple[Array, Array]:
    """ln p of each row of known levels, and p(v | row) of each node v, one after the other; NaN where a row is impossible."""

    def of_block(rows: slice) -> tuple[Array, ...]:
        def answer(chosen: Any, values: Array, space: Workspace, logs: Array | None) -> tuple[Array, ...]:
            log_p, found = np.empty(len(known[rows][chosen])), np.empty((len(known[rows][chosen]), sum(tree.sizes)))
            posterior_rows(tree.arrays, values, known[rows][chosen], space, logs, found, log_p)
            return log_p, found

        return in_two_passes(tree, flat, known[rows], answer)

    log_p, found = joined(side_by_side(of_block, len(known)), np.empty(0), np.empty((0, sum(tree.sizes))))
    return log_p, found


def most_probable_rows(tree: JunctionTree, tables: Sequence[Array], codes: Array) -> tuple[Array, Array]:
    """(4): the rows with their missing cells filled, and ln p of each; −∞ where a row is impossible."""
    known, place = distinct(affordable_levels(tree, codes))
    log_p, found = best_levels(tree, FlatTables.of(tables), known, np.ones(len(tree.cliques), dtype=bool))
    return found[place], log_p[place]


def best_levels(tree: JunctionTree, flat: FlatTables, known: Array, best: Array) -> tuple[Array, Array]:
    """ln p of each row of known levels with its most probable completion, and the completion. Cliques without a flag in `best`
    are summed."""

    def of_block(rows: slice) -> tuple[Array, Array]:
        own = known[rows]
        found, log_p = np.empty_like(own), np.empty(len(own))
        best_rows(tree.arrays, flat.logs, own, workspace(tree, own), best, found, log_p)
        return log_p, found

    log_p, found = joined(side_by_side(of_block, len(known)), np.empty(0), known[:0])
    return log_p, found


# ---- small parts -------------------------------------------------------------------------------------------------------


def in_two_passes(tree: JunctionTree, flat: FlatTables, known: Array, run: Pass) -> tuple[Array, ...]:
    """What a pass finds, ln p first; the rows whose products are too small have NaN there, and are done in logarithms."""
    found = run(slice(None), flat.values, workspace(tree, known), None)
    again = np.flatnonzero(np.isnan(found[0]))
    if len(again):
        sums = np.zeros(len(tree.cliques), dtype=bool)  # no clique takes the maximum
        for mine, other in zip(found, run(again, flat.logs, workspace(tree, known[again]), sums), strict=True):
            mine[again] = other
    return found


def blocks(rows: int) -> list[slice]:
    """Blocks of rows; how many there are depends on the rows only."""
    return [slice(first, first + ROWS_PER_BLOCK) for first in range(0, rows, ROWS_PER_BLOCK)]


def side_by_side(function: Callable[[slice], Any], rows: int) -> Iterator[Any]:
    """A function of each block, on the threads."""
    with closing(ordered_map(function, blocks(rows))) as found:
        yield from found


def joined(parts: Iterator[tuple[Array, ...]], *empty: Array) -> tuple[Array, ...]:
    """The answers of all blocks together."""
    return tuple(np.concatenate(pieces) for pieces in zip(empty, *parts, strict=True))


def levels_of(tree: JunctionTree, codes: Array, target: int = -1, *, skip_barren: bool = False) -> Array:
    """The rows as kernels read them."""
    codes, arrays = np.ascontiguousarray(codes, dtype=np.int32), tree.arrays
    known, needed = np.empty_like(codes), np.full(len(tree.sizes) + 1, not skip_barren)
    known_levels(arrays.order, arrays.parent_start, arrays.parents, arrays.sizes, codes, target, needed, known)
    return known


def affordable_levels(tree: JunctionTree, codes: Array, target: int = -1, *, skip_barren: bool = False) -> Array:
    """The same, refused where the cliques of some row are too large."""
    known = levels_of(tree, codes, target, skip_barren=skip_barren)
    refuse_wide(tree, known)
    return known


def distinct(known: Array) -> tuple[Array, Any]:
    """Each different row once, and where each row finds itself. Rows are told apart by a sum of products with odd numbers;
    should different ones agree in it, all are kept."""
    if len(known) < FEW:
        return known, slice(None)
    keys = (known + 3).astype(np.uint64) @ (hashes(0, 0, np.arange(known.shape[1])) | np.uint64(1))
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    if (known[first[place]] == known).all():
        return known[first], place
    return known, slice(None)
