"""Surrogate splits: for rows whose cell is missing, the split of another column that agrees best with the node's own.

A split of column j agrees with the weight of the rows that it sends to the same branch, counted over the rows that are known
in both columns. It counts only if it agrees with more than the larger branch holds (Breiman et al., CART, section 5.3).
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.tree.growth.cuts import midpoint
from aprendiz.tree.growth.records import HIGH, LOW, PLACE, SIZE, START, TIE, UNORDERED, ColumnTable, LongColumns, Surrogates


@compiled(inner=True)
def direction_histogram(
    short: Array, at: int, size: int, rows: Array, weight: Array, branch: Array, H: Array, table: ColumnTable
) -> int:
    """A table of a short column with the branches of the node's split for classes; rows that are missing in either are left
    out. `H` is an empty histogram. Returns the number of groups."""
    sums, groups = table.sums, int64(0)
    for i in range(len(rows)):
        b = branch[rows[i]]
        if b >= 0:
            H[short[at, rows[i]], b] += weight[rows[i]]
    for b in range(size + 1):
        if b < size and H[b, 0] + H[b, 1] > 0.0:
            table.code[groups] = b
            sums[groups, 0], sums[groups, 1] = H[b, 0], H[b, 1]
            groups += 1
        H[b, 0] = H[b, 1] = 0.0
    return groups


@compiled(inner=True)
def direction_runs(codes: Array, size: int, line: Array, weight: Array, branch: Array, table: ColumnTable) -> int:
    """The same of a long column, from its line."""
    sums, groups, last = table.sums, 0, int64(-1)
    for i in range(len(line)):
        r = line[i]
        if branch[r] < 0 or codes[r] == size:
            continue
        if codes[r] != last:
            last = int64(codes[r])
            table.code[groups] = last
            sums[groups, 0] = sums[groups, 1] = 0.0
            groups += 1
        sums[groups - 1, branch[r]] += weight[r]
    return groups


@compiled(inner=True)
def best_agreement(
    groups: int, unordered: int, table: ColumnTable, levels: object | None
) -> tuple[float, float, float, int, int]:
    """The split that agrees most with the node's own: weight that agrees, weight of the larger branch, of both branches, last
    group below, branch below. Among levels, each takes the branch of most of its rows."""
    sums, zero, one = table.sums, 0.0, 0.0
    for g in range(groups):
        zero, one = zero + sums[g, 0], one + sums[g, 1]
    best, below, first = 0.0, int64(-1), int64(0)
    if levels is not None and unordered:
        for g in range(groups):
            table.side[g] = 0 if sums[g, 0] >= sums[g, 1] else 1
            best += max(sums[g, 0], sums[g, 1])
        return best, max(zero, one), zero + one, below, first
    left_zero = left_one = 0.0
    for g in range(groups - 1):
        left_zero, left_one = left_zero + sums[g, 0], left_one + sums[g, 1]
        same, flipped = left_zero + (one - left_one), left_one + (zero - left_zero)
        if max(same, flipped) > best:
            best, below, first = max(same, flipped), g, 0 if same >= flipped else 1
    return best, max(zero, one), zero + one, below, first


@compiled(inner=True)
def find_surrogates(
    own: int, layout: Array, bounds: Array, weight: Array, rows: Array, begin: int, branch: Array, most: int, short: Array,
    lines: LongColumns | None, levels: object | None, surrogates: Surrogates,
) -> int:  # fmt: skip
    """The columns whose splits agree best with the node's own, at most so many: into `surrogates.order`, best first, and for
    each column last code below and branch below, threshold and share that agrees, and the branches of levels (`levels` is None
    where no column has any). Returns how many."""
    directions, kind, real, sides = surrogates.directions, surrogates.kind, surrogates.shares, surrogates.sides
    agreed, kept = surrogates.agreed, int64(0)
    for j in range(layout.shape[1]):
        agreed[j] = 0.0
        if j == own:
            continue
        at, size, start, groups = layout[PLACE, j], layout[SIZE, j], layout[START, j], 0
        if at >= 0:
            groups = direction_histogram(short, at, size, rows, weight, branch, surrogates.histogram, directions)
        elif lines is not None:
            line = lines.rows[-1 - at, begin : begin + len(rows)]
            groups = direction_runs(lines.codes[-1 - at], size, line, weight, branch, directions)
        best, larger, both, below, first = best_agreement(groups, layout[UNORDERED, j], directions, levels)
        if groups < 2 or best <= larger * (1.0 + TIE):
            continue
        agreed[j], real[j, 1] = best, best / both
        if levels is not None and layout[UNORDERED, j]:
            kind[j, 0], kind[j, 1], real[j, 0] = 0, 0, np.nan
            for code in range(size):
                sides[j, code] = -1
            for g in range(groups):
                sides[j, directions.code[g]] = directions.side[g]
        else:
            code = directions.code[below]
            threshold = midpoint(bounds[HIGH, start + code], bounds[LOW, start + directions.code[below + 1]])
            while bounds[LOW, start + code + 1] <= threshold:  # values that only rows without a branch have
                code += 1
            kind[j, 0], kind[j, 1], real[j, 0] = code, first, max(threshold, bounds[HIGH, start + code])
    while kept < most:
        best_column = int64(-1)
        for j in range(len(agreed)):
            if agreed[j] > 0.0 and (best_column < 0 or agreed[j] > agreed[best_column]):
                best_column = j
        if best_column < 0:
            break
        surrogates.order[kept], agreed[best_column] = best_column, 0.0
        kept += 1
    return kept


@compiled(inner=True)
def send_missing(
    rows: Array, branch: Array, largest: int, kept: int, layout: Array, short: Array, lines: LongColumns | None,
    surrogates: Surrogates,
) -> None:  # fmt: skip
    """Rows without a branch follow the first surrogate whose cell is known, else the larger branch."""
    kind, sides = surrogates.kind, surrogates.sides
    for i in range(len(rows)):
        r = rows[i]
        if branch[r] >= 0:
            continue
        branch[r] = largest
        for s in range(kept):
            j = surrogates.order[s]
            at = layout[PLACE, j]
            code = int64(0)
            if at >= 0:
                code = int64(short[at, r])
            elif lines is not None:
                code = int64(lines.codes[-1 - at, r])
            if code == layout[SIZE, j] or (layout[UNORDERED, j] and sides[j, code] < 0):
                continue
            below = kind[j, 1] if code <= kind[j, 0] else 1 - kind[j, 1]
            branch[r] = sides[j, code] if layout[UNORDERED, j] else below
            break
