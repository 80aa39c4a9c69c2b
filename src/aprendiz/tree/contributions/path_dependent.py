"""Shapley values of the columns in a tree, where an unknown column is averaged over by the weight of the branches.

Of a row only the columns in S are known. It comes to leaf l with the share Π_(j∈S) z_j Π_(j∉S) u_j over the columns on the way:
z_j is 1 if the row takes all edges of column j there and 0 if not, u_j is the product (1) of edges.py. The value of the columns
together is v(S) = Σ_l value_l · share_l(S), and column j adds, on average over the orders in which columns become known,

    φ_j = Σ_l value_l (z_j − u_j) ∫₀¹ Π_(k≠j) f_k(t) dt          f_k(t) = u_k (1 − t) + z_k t                  (1)

Owen's form: t is the chance that a column is known before j. The integrand is a polynomial of t of a degree below the number D
of columns on the way, so Gauss's sum over ⌈D/2⌉ points is exact, and f_k > 0 there: nothing is lost in quotients. With
G_l = Π_k f_k, its sum H_c = Σ value_l G_l over the leaves below edge c, and g_k = (z_k − u_k)/f_k,

    φ_j = Σ_(edges c of j) Σ_q w_q H_c(t_q) (g_c(t_q) − g_before(t_q))                                        (2)

where g_before belongs to the last edge of j above c (0 if there is none): on the way to a leaf all but the last g cancel. The
nodes are passed once, G on the way down and H on the way up, for many rows side by side. Of an edge there are three kinds of
rows, which take all edges of its column so far, all but this one, or lost their way earlier: G and g are the same for each
kind. For pairs of columns, (1) becomes the interaction, half of it for either order,

    Φ_ij = ½ Σ_l value_l ∫₀¹ G_l g_i g_j dt        (i ≠ j),        Φ_ii = φ_i − Σ_(j≠i) Φ_ij                  (3)

Cost: O(nodes · D) a row, for (3) times the depth; with R rows side by side, (1 + outputs) · depth · D/2 · R numbers.
References: Owen, "Multilinear extensions of games", Management Science 18, 1972; Lundberg, Erion & Lee, "Consistent
individualized feature attribution for tree ensembles", 2018; Yu, Xu, Bifet & Read, "Linear TreeShap", NeurIPS 2022, who have
(2) with other polynomials.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.tree.contributions.branches import RowsSideBySide, find_branches
from aprendiz.tree.contributions.edges import Edges
from aprendiz.tree.shared.descent import Splits, SurrogateSplits


class WayDown(NamedTuple):
    """What is known at each depth of the way from the root to the node that is being looked at.

    product   G, of shape (depths, points, rows)
    below     H of the leaves so far, (depths, outputs, points, rows)
    takes     whether each row takes all edges of the column so far, (depths, rows)
    taken     the branch of each row at the node, (depths, rows)
    stays, strays     w_q times the difference in (2) of rows that take this edge and of rows that do not, (depths, points)
    known, other      g of rows that take all edges of the column, and of all others, (depths, points)
    unknown, node     u of the column so far, and the node, (depths,)
    """

    product: Array
    below: Array
    takes: Array
    taken: Array
    stays: Array
    strays: Array
    known: Array
    other: Array
    unknown: Array
    node: Array


def way_down(depths: int, outputs: int, points: int, rows: int) -> WayDown:
    """Room for a way, before its first node."""
    stays, strays, known, other = (np.zeros((depths, points)) for _ in range(4))
    return WayDown(
        product=np.ones((depths, points, rows)),
        below=np.zeros((depths, outputs, points, rows)),
        takes=np.ones((depths, rows), bool),
        taken=np.empty((depths, rows), np.int64),
        stays=stays,
        strays=strays,
        known=known,
        other=other,
        unknown=np.ones(depths),
        node=np.zeros(depths, np.int64),
    )


@compiled
def add_contributions(
    rows: RowsSideBySide, splits: Splits, surrogates: SurrogateSplits, edges: Edges, points: Array, weights: Array,
    value: Array, way: WayDown, sums: Array, found: Array, pairs: Array | None,
) -> None:  # fmt: skip
    """Add (2) to `found`, of shape (columns, outputs, rows), and (3) of i ≠ j to `pairs`, (columns, columns, outputs, rows), if
    it is wanted. `sums` has room for a number for each of the rows that go side by side."""
    for first in range(0, found.shape[2], len(sums)):
        count = min(len(sums), found.shape[2] - first)
        pass_tree(first, rows, splits, surrogates, edges, points, weights, value, way, sums[:count], found, pairs)


@compiled(inner=True)
def pass_tree(
    first: int, rows: RowsSideBySide, splits: Splits, surrogates: SurrogateSplits, edges: Edges, points: Array, weights: Array,
    value: Array, way: WayDown, sums: Array, found: Array, pairs: Array | None,
) -> None:  # fmt: skip
    """The same for the rows from `first` on, one for each of `sums`."""
    level = int64(0)
    find_branches(0, first, rows, splits, surrogates, way.taken[0, : len(sums)])
    for c in range(1, len(edges.parent)):
        depth = edges.depth[c]
        while level >= depth:
            come_up(level, first, edges, way, sums, found, pairs)
            level -= 1
        b, way.node[depth], way.unknown[depth] = edges.before[c], c, edges.unknown[c]
        takes, taken, branch = way.takes[depth], way.taken[depth - 1], edges.branch[c]
        for i in range(len(sums)):
            takes[i] = way.takes[b, i] and taken[i] == branch
        go_down(c, depth, len(sums), edges, points, weights, way)
        if splits.feature[c] < 0:
            if pairs is not None:
                add_pairs_of_leaf(value[c], depth, first, edges, way, sums, pairs)
            add_leaf(value[c], depth, first, edges, way, sums, found)
            level = depth - 1
        else:
            find_branches(c, first, rows, splits, surrogates, way.taken[depth, : len(sums)])
            way.below[depth] = 0.0
            level = depth
    while level >= 1:
        come_up(level, first, edges, way, sums, found, pairs)
        level -= 1


@compiled(inner=True)
def go_down(c: int, depth: int, count: int, edges: Edges, points: Array, weights: Array, way: WayDown) -> None:
    """G below an edge, and what (2) and (3) need of it."""
    b, u, ratio = edges.before[c], edges.unknown[c], edges.ratio[c]
    u_before, takes, took = way.unknown[b], way.takes[depth], way.takes[b]
    for q in range(len(points)):
        t, w = points[q], weights[q]
        f_before, f, f_lost = u_before * (1.0 - t) + t, u * (1.0 - t) + t, u * (1.0 - t)
        g_before = (1.0 - u_before) / f_before
        way.known[depth, q], way.other[depth, q] = (1.0 - u) / f, -1.0 / (1.0 - t)
        way.stays[depth, q], way.strays[depth, q] = w * (way.known[depth, q] - g_before), w * (way.other[depth, q] - g_before)
        above, here, stays, strays = way.product[depth - 1, q], way.product[depth, q], f / f_before, f_lost / f_before
        if edges.column[c] < 0:
            for i in range(count):
                here[i] = above[i] * ratio
        elif b == 0:
            for i in range(count):
                here[i] = above[i] * (stays if takes[i] else strays)
        else:
            for i in range(count):
                here[i] = above[i] * (stays if takes[i] else strays if took[i] else ratio)


@compiled(inner=True)
def add_leaf(value: Array, depth: int, first: int, edges: Edges, way: WayDown, sums: Array, found: Array) -> None:
    """(2) for the edge of a leaf, where H is value · G; and H of the node above."""
    c = way.node[depth]
    j, b = edges.column[c], edges.before[c]
    takes, took = way.takes[depth], way.takes[b]
    sums[:] = 0.0
    for q in range(way.product.shape[1]):
        here, stays, strays = way.product[depth, q], way.stays[depth, q], way.strays[depth, q]
        if j >= 0:
            for i in range(len(sums)):
                sums[i] += here[i] * (stays if takes[i] else strays if took[i] else 0.0)
        for k in range(len(value)):
            if value[k] != 0.0:
                above, v = way.below[depth - 1, k, q], value[k]
                for i in range(len(sums)):
                    above[i] += v * here[i]
    if j >= 0:
        for k in range(len(value)):
            if value[k] != 0.0:
                total, v = found[j, k, first : first + len(sums)], value[k]
                for i in range(len(sums)):
                    total[i] += v * sums[i]


@compiled(inner=True)
def come_up(depth: int, first: int, edges: Edges, way: WayDown, sums: Array, found: Array, pairs: Array | None) -> None:
    """(2) for the edge of an inner node, and H of the node above."""
    c = way.node[depth]
    j, b = edges.column[c], edges.before[c]
    takes, took = way.takes[depth], way.takes[b]
    if pairs is not None:
        add_pairs(depth, first, edges, way, sums, pairs)
    for k in range(way.below.shape[1]):
        for q in range(way.below.shape[2]):
            here, above = way.below[depth, k, q], way.below[depth - 1, k, q]
            stays, strays = way.stays[depth, q], way.strays[depth, q]
            if j < 0:
                for i in range(len(sums)):
                    above[i] += here[i]
            else:
                total = found[j, k, first : first + len(sums)]
                for i in range(len(sums)):
                    above[i] += here[i]
                    total[i] += here[i] * (stays if takes[i] else strays if took[i] else 0.0)


@compiled(inner=True)
def add_pairs_of_leaf(value: Array, depth: int, first: int, edges: Edges, way: WayDown, sums: Array, pairs: Array) -> None:
    """(3) for the edge of a leaf, where H is value · G."""
    for k in range(len(value)):
        for q in range(way.product.shape[1]):
            for i in range(len(sums)):
                way.below[depth, k, q, i] = value[k] * way.product[depth, q, i]
    add_pairs(depth, first, edges, way, sums, pairs)


@compiled(inner=True)
def add_pairs(depth: int, first: int, edges: Edges, way: WayDown, sums: Array, pairs: Array) -> None:
    """(3) for the edge at a depth with each other column above it, by what changes at the edge, as in (2)."""
    c = way.node[depth]
    j, b = edges.column[c], edges.before[c]
    if j < 0:
        return
    takes, took = way.takes[depth], way.takes[b]
    for other in range(1, depth):
        column = edges.column[way.node[other]]
        is_last = column >= 0 and column != j
        for deeper in range(other + 1, depth):
            is_last = is_last and edges.column[way.node[deeper]] != column
        if not is_last:
            continue
        for k in range(way.below.shape[1]):
            sums[:] = 0.0
            for q in range(way.below.shape[2]):
                here, stays, strays = way.below[depth, k, q], way.stays[depth, q], way.strays[depth, q]
                known, lost = way.known[other, q], way.other[other, q]
                for i in range(len(sums)):
                    g = known if way.takes[other, i] else lost
                    sums[i] += here[i] * g * (stays if takes[i] else strays if took[i] else 0.0)
            one, two = pairs[j, column, k, first : first + len(sums)], pairs[column, j, k, first : first + len(sums)]
            for i in range(len(sums)):
                one[i] += 0.5 * sums[i]
                two[i] += 0.5 * sums[i]
