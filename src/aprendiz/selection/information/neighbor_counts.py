"""Neighbours of each row that the estimates of mutual information count, for many columns at once.

Of two measured variables, x and y, the distance to the k-th neighbour of a row in the plane, by max(|Δx|, |Δy|), says how far
to look along x alone and along y alone (Kraskov's estimate). Of a measured x and a class, the k-th neighbour in the class of
the row says how far to look among all rows (Ross's). Rows exactly at that distance are not counted.

The plane is cut into slabs of consecutive x, whose rows lie in the order of y. A search goes outward from the slab of its row,
in each slab outward from the place of its y, and ends where the next slab, or the next row of one, is farther than the k-th
neighbour so far. Equal cells, up to the noise that tells them apart, stay in one slab, however many they are: there y decides.

Cost: O(n·log n) to sort a column; a search takes about √(nk)-wide slabs and O(k) steps in them.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array

TIED = 1e-3  # cells are equal if their distance is below this part of 1/n deviations; noise among many equal ones is finer


@compiled(exact=True)
def plane_sums(X: Array, orders: Array, y: Array, y_order: Array, k: int, width: int, digamma: Array, sums: Array) -> None:
    """For each column, Σ_i ψ(n_x(i)) + ψ(n_y(i)), the row itself counted.

    X : (columns, n), `orders` sorts each of them;  y : sorted, `y_order` has its rows;  digamma : ψ(0 … n);  slabs have at
    least `width` rows
    """
    n = X.shape[1]
    xs, rank = np.empty(n), np.empty(n, np.int64)
    slab_of, starts, fill = np.empty(n, np.int64), np.empty(n // width + 2, np.int64), np.empty(n // width + 2, np.int64)
    in_slab_x, in_slab_y = np.empty(n), np.empty(n)
    x_place, y_place, best = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(k)
    for column in range(X.shape[0]):
        for place in range(n):
            xs[place] = X[column, orders[column, place]]
            rank[orders[column, place]] = place
        slabs = cut_into_slabs(xs, width, TIED / n, starts, slab_of)
        fill[:slabs] = starts[:slabs]
        for q in range(n):
            i = y_order[q]
            s = slab_of[rank[i]]
            at = fill[s]
            fill[s] += 1
            in_slab_x[at], in_slab_y[at], x_place[at], y_place[at] = X[column, i], y[q], rank[i], q
        total = 0.0
        for s in range(slabs):
            for at in range(starts[s], starts[s + 1]):
                distance = kth_in_plane(in_slab_x, in_slab_y, xs, at, s, starts, slabs, best)
                radius = np.nextafter(distance, 0.0)
                total += digamma[number_within(xs, x_place[at], radius)] + digamma[number_within(y, y_place[at], radius)]
        sums[column] = total


@compiled(exact=True, inner=True)
def cut_into_slabs(xs: Array, width: int, tied: float, starts: Array, slab_of: Array) -> int:
    """Cut sorted cells into slabs of so many, more where equal ones would be parted. The number of slabs is returned."""
    n, slabs, start = len(xs), int64(0), int64(0)
    while start < n:
        stop = min(start + width, n)
        while stop < n and xs[stop] - xs[stop - 1] < tied:
            stop += 1
        starts[slabs] = start
        slab_of[start:stop] = slabs
        slabs, start = slabs + 1, stop
    starts[slabs] = n
    return slabs


@compiled(exact=True, inner=True)
def kth_in_plane(X: Array, Y: Array, xs: Array, at: int, own: int, starts: Array, slabs: int, best: Array) -> float:
    """The distance of the row at a place of its own slab to its k-th neighbour; `best` is room for k distances."""
    best[:] = np.inf
    look_along(X, Y, at - 1, starts[own], -1, X[at], Y[at], best)
    look_along(X, Y, at + 1, starts[own + 1] - 1, 1, X[at], Y[at], best)
    for side in range(2):
        s = own + 1 if side == 0 else own - 1
        while 0 <= s < slabs:
            first, stop = starts[s], starts[s + 1]
            apart = xs[first] - X[at] if side == 0 else X[at] - xs[stop - 1]
            if apart >= best[-1]:
                break
            low, high = first, stop
            while low < high:
                middle = (low + high) // 2
                if Y[middle] < Y[at]:
                    low = middle + 1
                else:
                    high = middle
            look_along(X, Y, low - 1, first, -1, X[at], Y[at], best)
            look_along(X, Y, low, stop - 1, 1, X[at], Y[at], best)
            s += 1 if side == 0 else -1
    return best[-1]


@compiled(exact=True, inner=True)
def look_along(X: Array, Y: Array, start: int, end: int, step: int, x: float, y: float, best: Array) -> None:
    """Put the rows of a slab from `start` to `end` among the nearest, as long as their y is near enough."""
    place = start
    while (end - place) * step >= 0:
        up = abs(Y[place] - y)
        if up >= best[-1]:
            break
        distance = max(abs(X[place] - x), up)
        if distance < best[-1]:
            j = len(best) - 1
            while j > 0 and best[j - 1] > distance:
                best[j] = best[j - 1]
                j -= 1
            best[j] = distance
        place += step


@compiled(exact=True)
def class_sums(X: Array, orders: Array, y: Array, sizes: Array, k: int, digamma: Array, sums: Array) -> None:
    """For each column, Σ_i ψ(m(i)), the row itself counted: m rows of any class are nearer than the k-th of its own class (or
    than the last, if the class is smaller).

    X : (columns, n), `orders` sorts each of them;  y : class of each row;  sizes : of the classes, all larger than 1
    """
    n, classes = X.shape[1], len(sizes)
    xs, of_class, place, fill = np.empty(n), np.empty(n), np.empty(n, np.int64), np.empty(classes, np.int64)
    for column in range(X.shape[0]):
        start = int64(0)
        for c in range(classes):
            fill[c] = start
            start += sizes[c]
        for t in range(n):
            i = orders[column, t]
            xs[t] = X[column, i]
            c = y[i]
            of_class[fill[c]], place[fill[c]] = xs[t], t
            fill[c] += 1
        total, start = 0.0, int64(0)
        for c in range(classes):
            stop = start + sizes[c]
            for at in range(start, stop):
                radius = np.nextafter(kth_on_line(of_class, start, stop, at, min(k, stop - start - 1)), 0.0)
                total += digamma[number_within(xs, place[at], radius)]
            start = stop
        sums[column] = total


@compiled(exact=True, inner=True)
def kth_on_line(x: Array, start: int, stop: int, at: int, k: int) -> float:
    """The distance of a cell to its k-th neighbour in a sorted part of a column."""
    left, right, distance = at - 1, at + 1, 0.0
    for _ in range(k):
        below = x[at] - x[left] if left >= start else np.inf
        above = x[right] - x[at] if right < stop else np.inf
        if below <= above:
            distance = below
            left -= 1
        else:
            distance = above
            right += 1
    return distance


@compiled(exact=True, inner=True)
def number_within(xs: Array, at: int, radius: float) -> int:
    """How many sorted cells lie within a radius of one of them, itself counted."""
    n, x = len(xs), xs[at]
    step, low, high = int64(1), int64(at), int64(at)
    while low >= 0 and x - xs[low] <= radius:  # the first one within lies in (low, high]
        high = low
        low -= step
        step *= 2
    low = max(low, -1)
    while high - low > 1:
        middle = (low + high) // 2
        if x - xs[middle] <= radius:
            high = middle
        else:
            low = middle
    first = high
    step, low, high = int64(1), int64(at), int64(at)
    while high < n and xs[high] - x <= radius:  # the last one within lies in [low, high)
        low = high
        high += step
        step *= 2
    high = min(high, n)
    while high - low > 1:
        middle = (low + high) // 2
        if xs[middle] - x <= radius:
            low = middle
        else:
            high = middle
    return low - first + 1
