"""Plain twins of boosted trees, in rational arithmetic: every split by trying all of them."""

import itertools
from fractions import Fraction

import numpy as np


def words_of(g, h, units):
    """Gradients and curvatures as whole numbers, one row after another."""
    whole = [round(Fraction(float(x)) * Fraction(units.gradient)) for x in g]
    curved = [round(Fraction(float(x)) * Fraction(units.curvature)) for x in h]
    if units.words == 1:
        return [[a * 2**units.shift + 1] for a in whole]
    if units.words == 2:
        return [[a, (0 if units.constant else b) * 2**units.shift + 1] for a, b in zip(whole, curved, strict=True)]
    return [[a, b, 1] for a, b in zip(whole, curved, strict=True)]


def histogram(codes, rows, words):
    """Sums of the words of some rows, by column and code."""
    cells = np.zeros((codes.shape[1], 256, len(words[0])), object)
    for r in rows:
        for j, code in enumerate(codes[r]):
            for k, word in enumerate(words[r]):
                cells[j, code, k] += int(word)
    return cells


def half_score(rows, g, h, l2):
    """How much the best step for some rows lowers twice the objective."""
    total = sum((g[r] for r in rows), Fraction(0))
    curved = sum((h[r] for r in rows), Fraction(0)) + l2
    return total * total / curved


def divisions(column, levels):
    """Every way to divide rows by a column (None where a cell is missing): which values go first, and whether the missing."""
    known = sorted({x for x in column if x is not None})
    missing = any(x is None for x in column)
    if levels:
        some = [set(part) for size in range(1, len(known)) for part in itertools.combinations(known, size)]
    else:
        some = [set(known[: i + 1]) for i in range(len(known) - 1)]
    sides = (True, False) if missing else (False,)
    yield from ((part, first) for part in some for first in sides)
    if missing and known:
        yield set(known), False


def best_gain(table, levels, rows, g, h, l2, least):
    """The largest gain of any split of some rows (None: there is none)."""
    own, best = half_score(rows, g, h, l2), None
    for j, holds_levels in enumerate(levels):
        column = [table[r][j] for r in rows]
        for part, first in divisions(column, holds_levels):
            one = [r for r in rows if (table[r][j] in part or (table[r][j] is None and first))]
            two = [r for r in rows if r not in one]
            if len(one) < least or len(two) < least:
                continue
            gain = half_score(one, g, h, l2) + half_score(two, g, h, l2) - own
            if best is None or gain > best:
                best = gain
    return best
