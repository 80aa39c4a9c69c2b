"""Plain twins of the kernels of information: neighbours by all distances, counts by dictionaries."""

from collections import Counter

import numpy as np


def neighbors_in_plane(x, y, k):
    """For each row, how many cells of x and of y (its own included) are nearer than its k-th neighbour in the plane."""
    n_x, n_y = [], []
    for i in range(len(x)):
        along = np.abs(x - x[i]), np.abs(y - y[i])
        radius = np.nextafter(np.sort(np.delete(np.maximum(*along), i))[k - 1], 0.0)
        n_x.append(int((along[0] <= radius).sum()))
        n_y.append(int((along[1] <= radius).sum()))
    return n_x, n_y


def neighbors_of_classes(x, y, k):
    """For each row, how many cells are nearer than its k-th neighbour in its class, or than the last there is."""
    found = []
    for i in range(len(x)):
        apart = np.abs(x - x[i])
        own = np.sort(np.delete(apart, i)[np.delete(y, i) == y[i]])
        found.append(int((apart <= np.nextafter(own[min(k, len(own)) - 1], 0.0)).sum()))
    return found


def n_log_n(*keys, weight):
    """Σ N log N over the combinations of keys, N their weight."""
    total = Counter()
    for *key, w in zip(*keys, weight, strict=True):
        total[tuple(key)] += w
    return sum(N * np.log(N) for N in total.values() if N > 0)


def sums_of_pair(a, s, y, weight):
    """A_asy, A_as, A_a, A_sy, A_s, A_y and N over the rows that know a and s."""
    known = (a >= 0) & (s >= 0)
    a, s, y, w = a[known], s[known], y[known], weight[known]
    keys = [(a, s, y), (a, s), (a,), (s, y), (s,), (y,)]
    return [*(n_log_n(*key, weight=w) for key in keys), w.sum()]


def codes_of_cells(x, weight, few, bins, way):
    """The codes of a column, by their definition: −1 where a cell is missing, levels without gaps among the rows that count."""
    known, counts = ~np.isnan(x), ~np.isnan(x) & (weight > 0)
    values = np.unique(x[counts])
    if (values == np.floor(values)).all() and len(values) <= few:
        raw = {v: place for place, v in enumerate(values)}
    elif way == "quantile":
        total = weight[counts].sum()
        raw = {v: min(bins - 1, int(bins * weight[counts & (x < v)].sum() / total)) for v in values}
    else:
        step = (values[-1] - values[0]) / bins
        raw = {v: sum(v > values[0] + step * (j + 1) for j in range(bins - 1)) for v in values}
    dense = {code: place for place, code in enumerate(sorted(set(raw.values())))}
    return np.array([dense[raw[v]] if c else -1 for v, c in zip(x, known, strict=True)])


def relief(cells, codes, y, k):
    """W of each column: cells between 0 and 1 with NaN where one is missing, codes with −1."""
    n, d = len(y), cells.shape[1] + codes.shape[1]
    hit, near, miss, far = np.zeros((4, d))
    for i in range(n):
        of_codes = np.where((codes < 0) | (codes[i] < 0), np.nan, codes != codes[i])
        delta = np.hstack([np.abs(cells - cells[i]), of_codes])
        known = ~np.isnan(delta)
        apart = [np.nansum(row) / m if m else 1.0 for row, m in zip(delta, known.sum(axis=1), strict=True)]
        for c in np.unique(y):
            rows = [j for j in range(n) if y[j] == c and j != i]
            nearest = sorted(rows, key=lambda j: (apart[j], j))[:k]
            if nearest:
                share = 1.0 if c == y[i] else (y == c).sum() / (y != y[i]).sum()
                sums, weights = (hit, near) if c == y[i] else (miss, far)
                sums += share * np.nansum(delta[nearest], axis=0) / len(nearest)
                weights += share * known[nearest].sum(axis=0) / len(nearest)
    return miss / far - hit / near
