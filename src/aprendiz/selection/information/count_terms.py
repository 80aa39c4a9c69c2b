"""Counts of columns with the target and with each other, as the sums that every kind of information is made of.

    A_ab = Σ N_ab log N_ab    over the combinations of levels that occur                                       (1)

and the same of one column, of two with the class, and of none: N log N. With weights N is a sum of them. A pair of columns is
counted on the rows that know both. With these sums,

    N·I(a; b)        = A_ab − A_a − A_b + N log N                                                             (2)
    N·I(a, s; y)     = A_asy − A_as − A_y + N log N                                                           (3)
    N·I(a; y | s)    = A_asy − A_as − A_sy + A_s                                                              (4)
    N·H(a, s, y)     = N log N − A_asy                                                                        (5)

A small table of a, s and y is filled as the rows come, with a place for missing cells, and then read once. One with many more
cells than there are rows (columns of many levels) is not: the rows are sorted by s and y, and the table has one row of cells at
a time. Whole counts look N log N up; another function of N in its place gives other estimates (count_information.py).

Cost: O(n) for each pair.
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
        return terms[int64(N)]
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
    sizes: Array,
    start: Array,
    weight: Array,
    levels: int,
    classes: int,
    width: int,
    terms: Array,
    found: Array,
) -> None:
    """The sums of each column a among some with a column s of so many levels and the class. In the table, the cell of a missing
    a
    is the first of `width`, those of a missing s are the last; `start` is where a row's s and class begin."""
    table, margin = np.zeros((levels * classes + 1) * width, weight.dtype), np.zeros(width, weight.dtype)
    of_class, of_run = np.zeros(classes, weight.dtype), np.zeros(classes, weight.dtype)
    for t in range(len(among)):
        j, size = among[t], sizes[among[t]]
        for i in range(len(start)):
            table[start[i] + codes[j, i] + 1] += weight[i]
        triple, joint, second_class, second, total = 0.0, 0.0, 0.0, 0.0, 0.0
        for s in range(levels):
            if classes == 1:
                here = table[s * width] - table[s * width]
                for at in range(s * width + 1, s * width + size + 1):
                    N = table[at]
                    joint += term(N, terms)
                    margin[at - s * width] += N
                    here += N
                    table[at] = 0
                table[s * width] = 0
                second += term(here, terms)
                of_class[0] += here
                total += here
                continue
            for level in range(1, size + 1):
                both = table[s * classes * width + level]
                both -= both
                for c in range(classes):
                    at = (s * classes + c) * width + level
                    N = table[at]
                    triple += term(N, terms)
                    both += N
                    of_run[c] += N
                    table[at] = 0
                joint += term(both, terms)
                margin[level] += both
            here = of_run.sum()
            for c in range(classes):
                table[(s * classes + c) * width] = 0
                second_class += term(of_run[c], terms)
                of_class[c] += of_run[c]
                of_run[c] = 0
            second += term(here, terms)
            total += here
        if classes == 1:
            triple, second_class = joint, second
        table[levels * classes * width :] = 0
        found[t, 0], found[t, 1], found[t, 3], found[t, 4], found[t, 6] = triple, joint, second_class, second, total
        add_margins(margin[: size + 1], of_class, terms, found[t])


@compiled
def large_tables(
    codes: Array,
    among: Array,
    sizes: Array,
    order: Array,
    s_ends: Array,
    run_ends: Array,
    run_class: Array,
    weight: Array,
    classes: int,
    terms: Array,
    found: Array,
) -> None:
    """The same, with the rows that know s in an `order` that sorts them by s and class. `run_ends` says where runs of equal s
    and
    class end, `run_class` their class, and `s_ends` how many runs there are up to the end of each level of s."""
    most = sizes[among].max()
    room, room_of_run, margin = np.zeros(most, weight.dtype), np.zeros(most, weight.dtype), np.zeros(most, weight.dtype)
    of_class, a = np.zeros(classes, weight.dtype), np.empty(len(order), np.int32)
    for t in range(len(among)):
        start, run = int64(0), int64(0)
        triple, joint, second_class, second, total = 0.0, 0.0, 0.0, 0.0, 0.0
        for place in range(len(order)):
            a[place] = codes[among[t], order[place]]
        for last_run in s_ends:
            s_start, here = start, of_class[0] - of_class[0]
            while run < last_run:
                of_run, stop = here - here, run_ends[run]
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
        found[t, 0], found[t, 1], found[t, 3], found[t, 4], found[t, 6] = triple, joint, second_class, second, total
        add_margins(margin, of_class, terms, found[t])


@compiled(inner=True)
def add_margins(margin: Array, of_class: Array, terms: Array, found: Array) -> None:
    """A_a and A_y, from counts that are then used up."""
    found[2] = found[5] = 0.0
    for level in range(len(margin)):
        found[2] += term(margin[level], terms)
        margin[level] = 0
    for c in range(len(of_class)):
        found[5] += term(of_class[c], terms)
        of_class[c] = 0
