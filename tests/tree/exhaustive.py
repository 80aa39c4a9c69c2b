"""Trees from their definitions: impurities, all questions of a column, and the way of a row, in plain NumPy.

A column is an array of floats, NaN where a cell is missing: numbers, or the numbers of levels. `ordered` says whether its
values have an order. A question is the branch that each row takes, −1 for rows that it does not concern.
"""

from dataclasses import dataclass, field
from itertools import product

import numpy as np


@dataclass(frozen=True)
class Case:
    """Columns (with whether they are ordered), targets, weights, and the rules of the growth under scikit-learn's names."""

    columns: list
    ordered: list
    y: np.ndarray
    w: np.ndarray
    criterion: str
    classes: int = 0
    rules: dict = field(default_factory=dict)

    def rule(self, name, otherwise):
        return self.rules.get(name, otherwise)


# ---- impurity --------------------------------------------------------------------------------------------------------


def centre(criterion, z, w):
    """The mean of some numbers, or, of absolute errors, the median (the middle of the two if there are two)."""
    if criterion != "absolute_error":
        return (w @ z) / w.sum()
    order = np.argsort(z)
    share = np.cumsum(w[order]) / w.sum()
    low = z[order][np.argmax(share >= 0.5 - 1e-12)]
    high = z[order][np.argmax(share > 0.5 + 1e-12)]
    return (low + high) / 2


def value(case, rows, w):
    """Class shares, or the centre of each output."""
    if case.classes:
        return np.bincount(case.y[rows], w, case.classes) / w.sum()
    return np.array([centre(case.criterion, z, w) for z in case.y[rows].T])


def impurity(case, rows, w):
    """i(t) of some rows."""
    found = value(case, rows, w)
    if case.criterion == "gini":
        return 1 - (found**2).sum()
    if case.criterion == "error":
        return 1 - found.max()
    if case.classes:
        return -sum(p * np.log2(p) for p in found if p > 0)
    losses = []
    for z, c in zip(case.y[rows].T, found, strict=True):
        if case.criterion == "absolute_error":
            losses.append(w @ abs(z - c))
        elif case.criterion == "poisson":
            losses.append(sum(v * x * np.log(x / c) for v, x in zip(w, z, strict=True) if x > 0))
        else:
            losses.append(w @ (z - c) ** 2)
    return np.mean(losses) / w.sum()


def decrease(case, rows, w, branch):
    """w(t)·i(t) − Σ_b w(b)·i(b) over the rows that the question concerns; −∞ where a Poisson mean would be 0."""
    known = branch >= 0
    left = w[known].sum() * impurity(case, rows[known], w[known])
    for b in np.unique(branch[known]):
        part = branch == b
        if case.criterion == "poisson" and (case.y[rows[part]].sum(axis=0) <= 0).any():
            return -np.inf
        left -= w[part].sum() * impurity(case, rows[part], w[part])
    return left


# ---- questions -------------------------------------------------------------------------------------------------------


def questions(case, j, rows):
    """All questions about column j that some rows may be asked."""
    cells = case.columns[j][rows]
    gap, own = np.isnan(cells), case.rule("missing", "own") == "own"
    values = np.unique(cells[~gap])
    if case.ordered[j]:
        for low in values[:-1]:
            for side in (1, 0) if own and gap.any() else (-1,):
                yield np.where(gap, side, (cells > low).astype(int))
        if own and gap.any() and len(values):
            yield gap.astype(int)
        return
    groups = [cells == value for value in values] + ([gap] if own and gap.any() and len(values) else [])
    if len(groups) < 2:
        return
    if case.rule("categories", "subsets") == "multiway":
        yield np.sum([b * group for b, group in enumerate(groups)], axis=0) - (gap & (not own))
        return
    for sides in product((0, 1), repeat=len(groups) - 1):
        if any(sides):
            yield np.sum([b * group for b, group in zip((0, *sides), groups, strict=True)], axis=0) - (gap & (not own))


def allowed(case, w, branch):
    """Are the branches large enough: all of two, two of many?"""
    least, weight = case.rule("min_samples_leaf", 1), case.rule("min_weight_fraction_leaf", 0.0) * case.w.sum()
    parts = [branch == b for b in range(branch.max() + 1)]
    return sum(part.sum() >= least and w[part].sum() >= weight - 1e-12 for part in parts) >= 2


def candidates(case, rows, w):
    """For each column that can be asked: the allowed questions with their decreases."""
    found = {}
    for j in range(len(case.columns)):
        known = [(decrease(case, rows, w, b), b) for b in questions(case, j, rows) if allowed(case, w, b)]
        if any(gain > -np.inf for gain, _ in known):
            found[j] = known
    return found


def branch_entropy(w, branch):
    """Entropy in bits of the branches; rows that the question does not concern are a branch of their own."""
    shares = np.array([w[branch == b].sum() for b in np.unique(branch)]) / w.sum()
    return -(shares * np.log2(shares)).sum()


# ---- the way of a row ------------------------------------------------------------------------------------------------


def answer(cell, threshold, levels, first=0):
    """The branch that a cell takes; None where the question does not know it."""
    if np.isnan(cell):
        return None
    if np.isnan(threshold):
        return None if levels[int(cell)] < 0 else int(levels[int(cell)])
    return first if cell <= threshold else 1 - first


def branches(tree, t, row):
    """The branches that a row takes at node t: one, or all of them."""
    found = answer(row[tree.feature[t]], tree.threshold[t], tree.levels_of(t))
    for s in range(tree.surrogate_start[t], tree.surrogate_start[t + 1]):
        if found is None:
            levels = tree.surrogate_level_branch[tree.surrogate_level_start[s] : tree.surrogate_level_start[s + 1]]
            found = answer(row[tree.surrogate_feature[s]], tree.surrogate_threshold[s], levels, tree.surrogate_first[s])
    if found is None:
        found = int(tree.missing_branch[t])
    return list(range(len(tree.children_of(t)))) if found < 0 else [found]


def own_answers(tree, t, columns, rows):
    """The branch that the question of node t itself gives to each row, −1 where it does not know the cell."""
    found = [answer(columns[tree.feature[t]][i], tree.threshold[t], tree.levels_of(t)) for i in rows]
    return np.array([-1 if b is None else b for b in found])


def arrivals(tree, columns, w):
    """The rows that reach each node, and their weights there; shares go by the weight of the rows that know the answer."""
    there = {0: (np.arange(len(w)), w.astype(float))}
    for t in range(tree.node_count):
        if tree.feature[t] < 0:
            continue
        rows, weight = there[t]
        family = tree.children_of(t)
        ways = [branches(tree, t, [column[i] for column in columns]) for i in rows]
        known = np.array([sum(v for v, way in zip(weight, ways, strict=True) if way == [b]) for b in range(len(family))])
        for b, child in enumerate(family):
            inside = [k for k, way in enumerate(ways) if b in way]
            part = np.array([1.0 if len(ways[k]) == 1 else known[b] / known.sum() for k in inside])
            there[int(child)] = rows[inside], weight[inside] * part
    return there


def leaf_shares(tree, row):
    """The leaves that a row reaches, with its share in each: shares go by the weight of the children."""
    found, waiting = {}, [(0, 1.0)]
    while waiting:
        t, share = waiting.pop()
        if tree.feature[t] < 0:
            found[t] = share
            continue
        family, ways = tree.children_of(t), branches(tree, t, row)
        weight = tree.weighted_n_node_samples[family]
        for b in ways:
            waiting.append((int(family[b]), share if len(ways) == 1 else share * weight[b] / weight.sum()))
    return found
