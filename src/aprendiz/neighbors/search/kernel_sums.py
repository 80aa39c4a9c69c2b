"""Kernel densities by a tree: how much weight lies near a query, to within a tolerance.

    p(q) = c(h)·Σ_i w_i K(d(q, x_i) / h)                                                                       (1)

    gaussian       exp(−u²/2)        exponential   exp(−u)          epanechnikov   1 − u²     for u < 1
    tophat         1  for u < 1      linear        1 − u  for u < 1  cosine         cos(πu/2)  for u < 1

c(h) makes the integral of c·K over Euclidean space 1 (kernel_volumes.py). All K fall with u, so a node of weight W whose points
are at distances from a to b (node_bounds.py) adds to the sum

    between W·K(b/h) and W·K(a/h)                                                                              (2)

Half of each is taken, with an error of at most half the difference, as soon as the errors so far and this one are within

    (atol + rtol·L)·(weight seen so far, with this node) / (weight of all)                                      (3)

where L is what the sum is known to be at least; else the node is opened, the nearer child first, and leaves are summed. L only
grows, so the error at the end is at most atol + rtol·p. What nodes leave of their share, others may use. With both
tolerances 0 only nodes whose (2) are equal are taken whole: those out of reach, and with "tophat" those inside.

The sums of "gaussian" and "exponential" are divided by K of the nearest point, which keeps their logarithms true far from all
points.

Cost: for compact kernels the points within h; with a tolerance a number of nodes that hardly grows with n.
Reference: Gray & Moore, "Nonparametric density estimation: toward computational tractability", SIAM Data Mining, 2003.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.node_bounds import ball_bound, ball_reach, box_bound, box_reach, leaf_sums

GAUSSIAN, EXPONENTIAL, TOPHAT, EPANECHNIKOV, LINEAR, COSINE = range(6)
KERNELS = {
    "gaussian": GAUSSIAN,
    "exponential": EXPONENTIAL,
    "tophat": TOPHAT,
    "epanechnikov": EPANECHNIKOV,
    "linear": LINEAR,
    "cosine": COSINE,
}


@compiled(exact=True, inner=True)
def height(u: float, kernel: int, shift: float) -> float:
    """K(u), divided by the exponential of a shift for the kernels without an end."""
    if kernel == GAUSSIAN:
        return np.exp(-0.5 * u * u - shift)
    if kernel == EXPONENTIAL:
        return np.exp(-u - shift)
    if not u < 1.0:
        return 0.0
    if kernel == EPANECHNIKOV:
        return 1.0 - u * u
    if kernel == LINEAR:
        return 1.0 - u
    return np.cos(0.5 * np.pi * u) if kernel == COSINE else 1.0


@compiled(exact=True, inner=True)
def of_sum(total: float, scale: float, root: float) -> float:
    """The distance of a sum, `NeighborMetric.distance_of_sum`."""
    if root == 0.5:
        return scale * np.sqrt(total)
    if root == 0.0:
        return scale * 2.0 * np.arcsin(min(0.5 * np.sqrt(total), 1.0))
    return scale * (total if root == 1.0 else total**root)


@compiled(exact=True)
def kernel_sums(
    table: Array, weights: Array, heavy: Array, box: Array | None, centres: Array | None, radii: Array | None, code: int,
    p: float, scale: float, root: float, Q: Array, kernel: int, shifts: Array, atol: Array, rtol: float, out: Array,
) -> None:  # fmt: skip
    """The sums of (1) with their shifts; `scale` divides distances by h, `heavy` has the weight of each node."""
    leaves, _, width = table.shape
    sums, stack, lows, highs = np.empty(width), np.empty(64, np.int64), np.empty(64), np.empty(64)
    for i in range(len(Q)):
        q = Q[i].astype(np.float64)
        found, error, seen, sure, shift = 0.0, 0.0, 0.0, 0.0, shifts[i]
        stack[0], lows[0], highs[0], depth = 0, 0.0, np.inf, 1
        while depth > 0:
            depth -= 1
            node, weight = stack[depth], heavy[stack[depth]]
            most = min(height(of_sum(lows[depth], scale, root), kernel, shift), 1.0)  # no point is above the nearest
            least = height(of_sum(highs[depth], scale, root), kernel, shift)
            half = 0.5 * weight * (most - least)
            if error + half <= (atol[i] + rtol * sure) * ((seen + weight) / heavy[0]):
                found, error, sure, seen = found + weight * least + half, error + half, sure + weight * least, seen + weight
                continue
            if node >= leaves - 1:
                leaf, total = node + 1 - leaves, 0.0
                leaf_sums(table, leaf, q, code, p, sums)
                for j in range(width):
                    if weights[leaf, j] > 0.0:
                        total += weights[leaf, j] * height(of_sum(sums[j], scale, root), kernel, shift)
                found, sure, seen = found + total, sure + total, seen + weight
                continue
            for child in (2 * node + 2, 2 * node + 1):
                if box is not None:
                    low, high = box_bound(box, child, q, code, p), box_reach(box, child, q, code, p)
                if centres is not None and radii is not None:
                    low, high = ball_bound(centres, radii, child, q, code, p), ball_reach(centres, radii, child, q, code, p)
                stack[depth], lows[depth], highs[depth] = child, low, high
                depth += 1
            if lows[depth - 1] > lows[depth - 2]:  # the nearer one is looked at first
                stack[depth - 1], stack[depth - 2] = stack[depth - 2], stack[depth - 1]
                lows[depth - 1], lows[depth - 2] = lows[depth - 2], lows[depth - 1]
                highs[depth - 1], highs[depth - 2] = highs[depth - 2], highs[depth - 1]
        out[i] = found


@compiled(exact=True)
def numbers_within(
    table: Array, sizes: Array, box: Array | None, centres: Array | None, radii: Array | None, code: int, p: float, Q: Array,
    limits: Array, found: Array,
) -> None:  # fmt: skip
    """found[i, r] = how many points have a sum of at most limits[r]; nodes that are wholly inside are counted by their size."""
    leaves, _, width = table.shape
    sums, stack = np.empty(width), np.empty(64, np.int64)
    for i in range(len(Q)):
        q = Q[i].astype(np.float64)
        for r in range(len(limits)):
            limit, count = limits[r], 0
            stack[0], depth = 0, 1
            while depth > 0:
                depth -= 1
                node = stack[depth]
                if box is not None:
                    low, high = box_bound(box, node, q, code, p), box_reach(box, node, q, code, p)
                if centres is not None and radii is not None:
                    low, high = ball_bound(centres, radii, node, q, code, p), ball_reach(centres, radii, node, q, code, p)
                if low > limit:
                    continue
                if high <= limit:
                    count += sizes[node]
                elif node < leaves - 1:
                    stack[depth], stack[depth + 1] = 2 * node + 2, 2 * node + 1
                    depth += 2
                else:
                    leaf = node + 1 - leaves
                    leaf_sums(table, leaf, q, code, p, sums)
                    for j in range(sizes[node]):
                        count += sums[j] <= limit
            found[i, r] = count


def heights(u: Array, kernel: int, shifts: Array) -> Array:
    """`height` of a table of u, with a shift for each row."""
    if kernel in (GAUSSIAN, EXPONENTIAL):
        return np.asarray(np.exp((-0.5 * u * u if kernel == GAUSSIAN else -u) - shifts[:, None]))
    inside = np.minimum(u, 1.0)
    found = {EPANECHNIKOV: 1.0 - inside * inside, LINEAR: 1.0 - inside, COSINE: np.cos(0.5 * np.pi * inside)}
    return np.where(u < 1.0, found.get(kernel, np.ones_like(u)), 0.0)
