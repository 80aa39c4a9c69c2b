"""What a network says of many rows, each with some cells known and others missing (−1).

    expected counts     Σ_rows w · p(x_v, x_parents(v) | row) for each family: what EM sums                     (1)
    log-likelihoods     ln p(known cells of the row)                                                           (2)
    posteriors          p(target | the other known cells of the row)                                           (3)
    most probable       the levels of the missing cells that make the whole row most probable                  (4)

All of them are messages along one junction tree (messages.py): only cells that agree with a row are visited, so a row with
few missing cells is little work in a large network, too. Equal rows are done once, blocks of rows side by side on the threads.

Cost: for each row, the cells of the cliques that its missing nodes leave open. In (2) and (3) nodes without known descendants
are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.graphical.inference.junction_tree import JunctionTree
from aprendiz.graphical.inference.messages import Workspace
from aprendiz.graphical.inference.row_kernels import best_rows, count_rows, known_levels, largest_cells, target_rows

ROWS_PER_BLOCK = 512
LARGEST = 2**31  # cells that a thread may hold


def expected_counts(
    tree: JunctionTree, tables: Sequence[Array], codes: Array, weights: Array
) -> tuple[tuple[Array, ...], Array]:
    """(1), shaped like the tables, and (2). An impossible row has −∞ and adds nothing to the counts."""
    flat, log_flat = flat_tables(tables), None
    known = levels_of(tree, codes)

    def block(rows: slice) -> tuple[Array, Array]:
        nonlocal log_flat
        own, weight = known[rows], np.ascontiguousarray(weights[rows], dtype=np.float64)
        counts, log_p = np.zeros(len(flat)), np.empty(len(own))
        count_rows(tree.arrays, flat, own, weight, workspace(tree, own), None, counts, log_p)
        again = np.flatnonzero(np.isnan(log_p))
        if len(again):
            log_flat = logarithms(flat) if log_flat is None else log_flat
            second, found = own[again], np.empty(len(again))
            count_rows(tree.arrays, log_flat, second, weight[again], workspace(tree, second), sums(tree), counts, found)
            log_p[again] = found
        return counts, log_p

    counts, log_p = np.zeros(len(flat)), np.empty(len(known))
    for rows, (own, found) in zip(blocks(len(known)), side_by_side(block, len(known)), strict=True):
        counts += own
        log_p[rows] = found
    return shaped(tables, counts), log_p


def log_likelihoods(tree: JunctionTree, tables: Sequence[Array], codes: Array) -> Array:
    """(2); −∞ where a row is impossible."""
    flat = flat_tables(tables)
    known = levels_of(tree, codes, skip_barren=True)

    def block(rows: slice) -> Array:
        own = known[rows]
        log_p, nothing = np.empty(len(own)), np.empty(0)
        count_rows(tree.arrays, flat, own, nothing, workspace(tree, own), None, None, log_p)
        again = np.flatnonzero(np.isnan(log_p))
        if len(again):
            second, found = own[again], np.empty(len(again))
            count_rows(tree.arrays, logarithms(flat), second, nothing, workspace(tree, second), sums(tree), None, found)
            log_p[again] = found
        return log_p

    return np.concatenate([np.empty(0), *side_by_side(block, len(known))])


def posteriors_of_rows(tree: JunctionTree, tables: Sequence[Array], codes: Array, target: int) -> Array:
    """(3), a row for each row; NaN where a row is impossible. The target's own cell is ignored."""
    flat, tree = flat_tables(tables), tree.rooted(tree.homes[target])
    known = levels_of(tree, codes, target, skip_barren=True)

    def block(rows: slice) -> Array:
        own = known[rows]
        posterior, log_p = np.empty((len(own), tree.sizes[target])), np.empty(len(own))
        target_rows(tree.arrays, flat, own, target, workspace(tree, own), None, posterior, log_p)
        again = np.flatnonzero(np.isnan(log_p))
        if len(again):
            second, found = own[again], np.empty((len(again), tree.sizes[target]))
            space, logs = workspace(tree, second), sums(tree)
            target_rows(tree.arrays, logarithms(flat), second, target, space, logs, found, np.empty(len(again)))
            posterior[again] = found
        return posterior

    return np.concatenate([np.empty((0, tree.sizes[target])), *side_by_side(block, len(known))])


def most_probable_rows(tree: JunctionTree, tables: Sequence[Array], codes: Array) -> tuple[Array, Array]:
    """(4): the rows with their missing cells filled, and ln p of each; −∞ where a row is impossible."""
    flat, known = logarithms(flat_tables(tables)), levels_of(tree, codes)
    every = np.ones(len(tree.cliques), dtype=bool)

    def block(rows: slice) -> tuple[Array, Array]:
        own = known[rows]
        found, log_p = np.empty_like(own), np.empty(len(own))
        best_rows(tree.arrays, flat, own, workspace(tree, own), every, found, log_p)
        return found, log_p

    done = list(side_by_side(block, len(known)))
    if not done:
        return known, np.empty(0)
    return np.concatenate([found for found, _ in done]), np.concatenate([log_p for _, log_p in done])


# ---- small parts -------------------------------------------------------------------------------------------------------


def blocks(rows: int) -> list[slice]:
    """Blocks of rows; how many there are depends on the rows only."""
    return [slice(first, first + ROWS_PER_BLOCK) for first in range(0, rows, ROWS_PER_BLOCK)]


def side_by_side(function: Callable[[slice], Any], rows: int) -> Iterator[Any]:
    """A function of each block, on the threads."""
    with closing(ordered_map(function, blocks(rows))) as found:
        yield from found


def levels_of(tree: JunctionTree, codes: Array, target: int = -1, skip_barren: bool = False) -> Array:
    """The rows as kernels read them."""
    codes, arrays = np.ascontiguousarray(codes, dtype=np.int32), tree.arrays
    known, needed = np.empty_like(codes), np.full(len(tree.sizes), not skip_barren)
    known_levels(arrays.order, arrays.parent_start, arrays.parents, arrays.sizes, codes, target, needed, known)
    return known


def workspace(tree: JunctionTree, known: Array) -> Workspace:
    """Room for the largest of some rows."""
    arrays, cliques = tree.arrays, len(tree.cliques)
    cells, sent = np.ones(cliques), np.ones(cliques)
    largest_cells(arrays.above, arrays.axis_start, arrays.axes, arrays.shared, arrays.sizes, known, cells, sent)
    if cells.sum() > LARGEST:
        raise ValueError(
            f"The cliques of this network have {cells.sum():.3g} cells, even with what the rows know; at most {LARGEST} are "
            "held. Use a network of smaller width, or rows with fewer missing cells."
        )
    product = np.concatenate([[0], np.cumsum(cells)]).astype(np.int64)
    message = np.concatenate([[0], np.cumsum(sent)]).astype(np.int64)
    axes = (np.empty(len(arrays.axes), dtype=np.int64) for _ in range(3))
    return Workspace(
        np.empty(len(tree.sizes), dtype=np.int32),
        np.empty(cliques, dtype=np.int64),
        *axes,
        np.empty(int(cells.max(initial=1)), dtype=np.int64),
        np.empty(len(tree.sizes), dtype=np.int64),
        product,
        np.empty(product[-1]),
        np.empty(product[-1]),
        message,
        np.empty(cliques, dtype=np.int64),
        np.empty(message[-1]),
        np.empty(message[-1]),
        np.empty(cliques),
    )


def sums(tree: JunctionTree) -> Array:
    """In logarithms, no clique takes the maximum."""
    return np.zeros(len(tree.cliques), dtype=bool)


def flat_tables(tables: Sequence[Array]) -> Array:
    """The tables laid end to end."""
    return np.concatenate([np.ravel(table) for table in tables]).astype(np.float64, copy=False)


def logarithms(flat: Array) -> Array:
    with np.errstate(divide="ignore"):
        return np.log(flat)


def shaped(tables: Sequence[Array], flat: Array) -> tuple[Array, ...]:
    """Pieces of a flat array, shaped like the tables."""
    ends = np.cumsum([table.size for table in tables])
    return tuple(piece.reshape(np.shape(table)) for piece, table in zip(np.split(flat, ends[:-1]), tables, strict=True))
