"""Counts of columns with the target and with each other, as the sums that every kind of information is made of.

    A_ab = Σ N_ab log N_ab    over the combinations of levels that occur                                       (1)

and the same of one column, of two with the class, and of none: N log N. With weights N is a sum of them. A pair of columns is
counted on the rows that know both. With these sums,

    N·I(a; b)        = A_ab − A_a − A_b + N log N                                                             (2)
    N·I(a, s; y)     = A_asy − A_as − A_y + N log N                                                           (3)
    N·I(a; y | s)    = A_asy − A_as − A_sy + A_s                                                              (4)
    N·H(a, s, y)     = N log N − A_asy                                                                        (5)

A small table of a, s and y is filled as the rows come, and then read once. One with many more cells than there are rows
(columns of many levels) is not: the rows are sorted by s and y, and the table has one row of cells at a time. Few cells are
counted without a table (level_masks.py). Whole counts look N log N up; another function of N in its place gives other estimates
(count_information.py).

Cost: O(n) for each pair, and a look-up for each cell of its table.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array

SUMS = 7  # in the order A_asy, A_as, A_a, A_sy, A_s, A_y, N


@compiled(inner=True)
def term(N: float, terms: Array) -> float:
    """N log N, looked up where counts are whole."""
    if len(terms) > 0:
        return terms[np.uint64(N)]  # unsigned: a place that cannot be counted from the end
    return N * np.log(N) if N > 0.0 else 0.0


@compiled
def class_terms(codes: Array, y: Array, weight: Array, levels: int, classes: int, terms: Array, found: Array) -> None:
    """A_ay, A_a, A_y and N of each column a; none has more than `levels` levels."""
    table, margin, of_class = np.zeros((levels, classes)), np.zeros(levels), np.zeros(classes)
    for j in range(codes.shape[0]):
        last = int64(-1)
        for i in range(codes.shape[1]):
            a = codes[j, i]
            if a >= 0:
                table[a, y[i]] += weight[i]
                last = max(last, a)
        of_class[:] = 0.0
        found[j, :] = 0.0
        for a in range(last + 1):
            for c in range(classes):
                N = table[a, c]
                found[j, 0] += term(N, terms)
                margin[a] += N
                of_class[c] += N
                table[a, c] = 0.0
            found[j, 1] += term(margin[a], terms)
            found[j, 3] += margin[a]
            margin[a] = 0.0
        for c in range(classes):
            found[j, 2] += term(of_class[c], terms)


@compiled
def small_tables(
    codes: Array,
    among: Array,
    which: Array,
    start: Array,
    weight: Array | None,
    levels: int,
    classes: int,
    width: int,
    missing: bool,
    terms: Array,
    table: Array,
    found: Array,
) -> None:
    """A_asy and A_as of each column a among some with a column s of so many levels and the class; the other sums too where
    cells are missing.

    which : places in `among`, and of the sums in `found`;  start : where the cells of a row's s and class begin;  table : room
    for `width` cells for each class and level of s, in this order, and for those of the rows that do not know s; if cells of a
    are missing, theirs is the first of `width`
    """
    plane = levels * width
    margin, of_class = np.empty(width), np.empty(classes)
    for t in which:
        a = codes[among[t]]
        for i in range(len(start)):
            table[np.uint64(start[i] + a[i])] += np.int32(1) if weight is None else weight[i]
        if missing:
            for run in range(levels * classes):
                table[run * width] = 0
            read_margins(table, levels, width, margin, of_class, terms, found, t)
        triple = joint = sum_of_terms(table, plane * classes, terms)
        if classes > 1:
            for c in range(1, classes):
                for cell in range(plane):
                    table[cell] += table[c * plane + cell]
            joint = sum_of_terms(table, plane, terms)
        for cell in range(len(table)):
            table[cell] = 0
        found[0, t], found[1, t] = triple, joint


@compiled(inner=True)
def read_margins(
    table: Array, levels: int, width: int, margin: Array, of_class: Array, terms: Array, found: Array, t: int
) -> None:
    """A_a, A_sy, A_s, A_y and N of a small table."""
    second_class, second, total = 0.0, 0.0, 0.0
    margin[:], of_class[:] = 0.0, 0.0
    for s in range(levels):
        here = 0.0
        for c in range(len(of_class)):
            first, of_run = (c * levels + s) * width, 0.0
            for a in range(width):
                margin[a] += table[first + a]
                of_run += table[first + a]
            second_class += term(of_run, terms)
            of_class[c] += of_run
            here += of_run
        second += term(here, terms)
        total += here
    found[2, t], found[3, t], found[4, t] = sum_of_terms(margin, width, terms), second_class, second
    found[5, t], found[6, t] = sum_of_terms(of_class, len(of_class), terms), total


@compiled(inner=True)
def sum_of_terms(counts: Array, many: int, terms: Array) -> float:
    """Σ N log N of the first counts."""
    total = 0.0
    for cell in range(many):
        total += term(counts[cell], terms)
    return total


@compiled
def large_tables(
    codes: Array,
    among: Array,
    which: Array,
    order: Array,
    s_ends: Array,
    run_ends: Array,
    run_class: Array,
    weight: Array,
    most: int,
    classes: int,
    terms: Array,
    found: Array,
) -> None:
    """All sums of some columns a of at most `most` levels, with the rows that know s in an `order` that sorts them by s and
    class. `run_ends` says where runs of equal s and class end, `run_class` their class, and `s_ends` how many runs there are up
    to the end of each level of s."""
    room, room_of_run, margin = np.zeros(most, weight.dtype), np.zeros(most, weight.dtype), np.zeros(most)
    of_class, a = np.zeros(classes), np.empty(len(order), codes.dtype)
    for t in which:
        start, run = int64(0), int64(0)
        triple, joint, second_class, second, total = 0.0, 0.0, 0.0, 0.0, 0.0
        margin[:], of_class[:] = 0.0, 0.0
        for place in range(len(order)):
            a[place] = codes[among[t], order[place]]
        for last_run in s_ends:
            s_start, here = start, 0.0
            while run < last_run:
                of_run, stop = 0.0, run_ends[run]
                for place in range(start, stop):
                    if a[place] >= 0:
                        room_of_run[a[place]] += weight[place]
                        of_run += weight[place]
                for place in range(start, stop):
                    if a[place] >= 0:
                        N = room_of_run[a[place]]  # 0 where the cell was met before
                        triple += term(N, terms)
                        room[a[place]] += N
                        room_of_run[a[place]] = 0
                second_class += term(of_run, terms)
                of_class[run_class[run]] += of_run
                here += of_run
                start = stop
                run += 1
            for place in range(s_start, start):
                if a[place] >= 0:
                    N = room[a[place]]
                    joint += term(N, terms)
                    margin[a[place]] += N
                    room[a[place]] = 0
            second += term(here, terms)
            total += here
        found[0, t], found[1, t], found[3, t], found[4, t], found[6, t] = triple, joint, second_class, second, total
        found[2, t], found[5, t] = sum_of_terms(margin, most, terms), sum_of_terms(of_class, classes, terms)
