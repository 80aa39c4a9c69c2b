"""Columns of few levels as masks: the rows that have a level are bits of 64-bit words.

    N_asy = Σ |a ∧ s ∧ y|    over the words, |·| the bits that are set                                        (1)

counts 64 rows with a few instructions. A row whose cell is missing is in no mask, so (1) counts the rows that know both
columns. Rows count once or not at all.

Cost: n/64 words for each combination of levels, which pays if these are few.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.compilation.words import ones
from aprendiz.core.rows import Array
from aprendiz.selection.information.count_terms import sum_of_terms, term

MOST_LEVELS = 8  # the masks take as much room as the codes in bytes
WORD = 64
WORDS_OF_A_CELL = 8  # that could be counted while the cell of a table is looked up


@dataclass(frozen=True)
class LevelMasks:
    """The masks of columns of at most 8 levels, (columns, levels, words), and the place of each column among them."""

    masks: Array
    place: Array

    @classmethod
    def of(cls, codes: Array, levels: Array) -> LevelMasks:
        few = np.flatnonzero(levels <= MOST_LEVELS)
        masks = np.zeros((len(few), int(levels[few].max(initial=1)), words(codes.shape[1])), np.uint64)
        place = np.full(len(codes), -1)
        place[few] = np.arange(len(few))
        set_bits(codes, few, masks)
        return cls(masks, place)

    def of_runs(self, s: int, levels: int, y: Array, classes: int, counts: Array) -> Array:
        """The masks of s ∧ y over the rows that count, (classes · levels, words)."""
        of_class = np.zeros((1, classes, words(len(y))), np.uint64)
        set_bits(np.where(counts, y, -1)[None], np.zeros(1, np.int64), of_class)
        return (of_class[0, :, None] & self.masks[self.place[s], None, :levels]).reshape(classes * levels, -1)


def words(rows: int) -> int:
    return -(-rows // WORD)


def masks_pay(cells: Array, rows: int) -> Array:
    """Whether masks of so many combinations of levels are counted sooner than the rows one by one."""
    return np.asarray(cells * (WORDS_OF_A_CELL + words(rows)) <= 2 * rows)


@compiled
def set_bits(codes: Array, which: Array, masks: Array) -> None:
    """The masks of the levels of some columns."""
    for place in range(len(which)):
        for i in range(codes.shape[1]):
            a = codes[which[place], i]
            if a >= 0:
                masks[place, a, i >> 6] |= np.uint64(1) << np.uint64(i & 63)


@compiled
def masked_tables(
    masks: Array,
    place: Array,
    sizes: Array,
    among: Array,
    which: Array,
    of_runs: Array,
    levels: int,
    classes: int,
    terms: Array,
    found: Array,
) -> None:
    """The sums of count_terms.py of each column a among some; `of_runs` are the masks of a column s of so many levels and of
    the class."""
    of_run, of_level, of_class = np.empty(levels * classes, np.int64), np.empty(levels, np.int64), np.empty(classes, np.int64)
    for t in which:
        a, triple, joint, alone, total = place[among[t]], 0.0, 0.0, 0.0, int64(0)
        for run in range(len(of_run)):
            of_run[run] = 0
        for level in range(sizes[among[t]]):
            here = int64(0)
            for s in range(levels):
                both = int64(0)
                for c in range(classes):
                    N = int64(0)
                    for word in range(masks.shape[2]):
                        N += ones(masks[a, level, word] & of_runs[c * levels + s, word])
                    if classes > 1:
                        triple += term(N, terms)
                    of_run[c * levels + s] += N
                    both += N
                joint += term(both, terms)
                here += both
            alone += term(here, terms)
            total += here
        of_level[:], of_class[:] = 0, 0
        for c in range(classes):
            for s in range(levels):
                of_level[s] += of_run[c * levels + s]
                of_class[c] += of_run[c * levels + s]
        found[0, t], found[1, t], found[2, t] = triple if classes > 1 else joint, joint, alone
        found[3, t], found[4, t] = sum_of_terms(of_run, len(of_run), terms), sum_of_terms(of_level, levels, terms)
        found[5, t], found[6, t] = sum_of_terms(of_class, classes, terms), total
