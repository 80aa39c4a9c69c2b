"""Dividing the rows of a node among its branches; they keep their order."""

from __future__ import annotations

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.tree.growth.records import TIE


@compiled(inner=True)
def divide_in_two(
    codes: Array, at: int, size: int, below: int, side: int, rows: Array, spare: Array, branch: Array | None
) -> int:
    """Put the rows whose code is at most `below` before the others, in one pass without a jump of the program; `side` is the
    branch of the missing. Returns how many come first. The branches are written down where `branch` is not None."""
    first = second = int64(0)
    for i in range(len(rows)):
        r = rows[i]
        code = int64(codes[at, r])
        b = int64(code > below) if code < size else side
        rows[first], spare[second] = r, r
        first, second = first + 1 - b, second + b
        if branch is not None:
            branch[r] = b
    for i in range(second):
        rows[first + i] = spare[i]
    return first


@compiled(inner=True)
def divide_by_numbers(
    flat: Array, start: int, step: int, threshold: float, side: int, rows: Array, spare: Array, branch: Array | None
) -> int:
    """The same by the numbers of a column, which stand at `start + step·row`."""
    first = second = int64(0)
    for i in range(len(rows)):
        r = rows[i]
        v = flat[start + step * r]
        b = int64(v > threshold) if v == v else side
        rows[first], spare[second] = r, r
        first, second = first + 1 - b, second + b
        if branch is not None:
            branch[r] = b
    for i in range(second):
        rows[first + i] = spare[i]
    return first


@compiled(inner=True)
def assign(codes: Array, size: int, below: int, side: int, level_branch: Array | None, rows: Array, branch: Array) -> int:
    """The branch of each row, `side` (−1: none yet) for the missing. Returns how many have none. Branches go by `below`, or by
    level where `level_branch` is not None."""
    nowhere = int64(0)
    for i in range(len(rows)):
        r = rows[i]
        code = int64(codes[r])
        if code == size:
            branch[r] = side
            nowhere += side < 0
        elif level_branch is not None:
            branch[r] = level_branch[code]
        else:
            branch[r] = 0 if code <= below else 1
    return nowhere


@compiled(inner=True)
def heaviest(branches: int, rows: Array, weight: Array, branch: Array, part: Array) -> int:
    """The branch with the most weight, the first of equals; `part` gets the weights, then their sum."""
    best, total = 0, 0.0
    for b in range(branches):
        part[b] = 0.0
    for i in range(len(rows)):
        b, w = branch[rows[i]], weight[rows[i]]
        if b >= 0:
            part[b] += w
            total += w
    for b in range(1, branches):
        if part[b] > part[best] * (1.0 + TIE):
            best = b
    part[branches] = total
    return best


@compiled(inner=True)
def deal_in_two(rows: Array, spare: Array, branch: Array) -> None:
    """Put the rows of the first branch before those of the second."""
    first = second = int64(0)
    for i in range(len(rows)):
        r = rows[i]
        b = branch[r]
        rows[first], spare[second] = r, r
        first, second = first + 1 - b, second + b
    for i in range(second):
        rows[first + i] = spare[i]


@compiled(inner=True)
def deal(branches: int, source: Array, target: Array, starts: Array, at: Array, branch: Array) -> None:
    """Write rows branch by branch, each branch from its start on; a row without a branch goes to all. `at` is a buffer."""
    for b in range(branches):
        at[b] = starts[b]
    for i in range(len(source)):
        r = source[i]
        b = branch[r]
        if b >= 0:
            target[at[b]] = r
            at[b] += 1
        else:
            for every in range(branches):
                target[at[every]] = r
                at[every] += 1


@compiled(inner=True)
def copy_rows(source: Array, target: Array) -> None:
    """Write the first rows of one line over another."""
    for i in range(len(target)):
        target[i] = source[i]
