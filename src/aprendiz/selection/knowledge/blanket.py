"""The search for the columns beside which all others say nothing of the target: a Markov blanket, by tests.

    forward      the column with the smallest p given those chosen, as long as it counts among all columns          (1)
    pairs        columns that say something together (pairs.py)
    backward     the column with the largest p given the other ones leaves, as long as that is above the level      (2)

(1) counts by the false discovery rate: m·p₍ⱼ₎/j ≤ α/2 for some j, over all m columns at each step; the other half of α is for
the folds (blocks.py), which are looked for once, before the search. The search is greedy: an order
of tests, not all subsets.

Reference: Tsamardinos & Aliferis, "Towards principled feature selection", AISTATS 2003; Guyon & Elisseeff, "An introduction to
variable and feature selection", Journal of Machine Learning Research 3, 2003.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.special import betainc

from aprendiz.core.rows import Array
from aprendiz.selection.keeping.false_findings import adjusted
from aprendiz.selection.knowledge.blocks import Blocks, folds
from aprendiz.selection.knowledge.pairs import MOST_OPERATIONS, Pair, found_pairs, operations, product
from aprendiz.selection.knowledge.partial_tests import (
    NOTHING_LEFT,
    basis_of,
    extended,
    p_of_block,
    p_of_lines,
    without,
)

SHARE_OF_ROWS = 0.5  # of the degrees of freedom that the chosen columns may use
CELLS = 2**22  # of folds that are made at once


@dataclass
class Blanket:
    """The chosen columns, what was found on the way, and the evidence.

    alone, bent : p-value of each column by itself, of its line and its fold; whether the fold adds to the line
    chosen : columns in the order in which they were chosen
    pairs, spared, pairs_tested : pairs that count, those that others make needless, and how many there are (0: not looked for)
    given : p-value of each column given the chosen ones
    explained : share of each column that the chosen ones explain
    """

    blocks: Blocks
    Y: Array
    level: float
    alone: Array = field(init=False)
    bent: Array = field(init=False)
    chosen: list[int] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    spared: list[Pair] = field(default_factory=list)
    pairs_tested: int = 0
    given: Array = field(init=False)
    explained: Array = field(init=False)

    def __post_init__(self) -> None:
        U = basis_of(self.Y)
        lines = self.p_given(np.empty((self.blocks.rows, 0)), U)
        of_folds = self.p_of_folds(U)
        self.bent = adjusted(of_folds) <= 0.5 * self.level
        tests = np.where(of_folds < 1.0, 2.0, 1.0)  # columns of two values, and words, have no fold
        self.alone = np.minimum(1.0, tests * np.minimum(lines, of_folds))
        self.blocks = self.blocks.bent(np.flatnonzero(self.bent))

    def p_of_folds(self, U: Array) -> Array:
        """Of the fold of each column given the column; 1 where there is none."""
        lines, p = self.blocks.lines, np.ones(self.blocks.columns)
        at_once = max(1, CELLS // max(1, len(lines)))
        for first in range(0, lines.shape[1], at_once):
            line = lines[:, first : first + at_once]
            fold = folds(line)
            left = fold - line * np.einsum("ij,ij->j", line, fold)
            p[first : first + at_once] = p_beside_lines(U.T @ left, U.T @ line, np.einsum("ij,ij->j", left, left), len(lines))
        return p

    # ---- given others --------------------------------------------------------------------------------------------------

    def p_given(self, basis: Array, U: Array, left: Array | None = None) -> Array:
        """The p-value of every column given a basis; U is a basis of what it leaves of the target."""
        lines = self.blocks.lines
        left = without(basis, lines) if left is None else left
        size = np.einsum("ij,ij->j", lines, lines)
        p = p_of_lines(left, U, basis.shape[1], size)[1]
        for j, block in self.blocks.wide.items():
            p[j] = p_of_block(block, basis, U)[1]
        return p

    def columns_of(self, chosen: list[int]) -> Array:
        """All columns that stand for the chosen ones, products of pairs among them."""
        own = [self.blocks.block(j) for j in chosen]
        both = [product(self.blocks, one.a, one.b) for one in self.pairs if one.a in chosen and one.b in chosen]
        return np.column_stack([np.empty((self.blocks.rows, 0)), *own, *both])

    def basis_of_chosen(self) -> Array:
        return basis_of(self.columns_of(self.chosen))

    # ---- the search ----------------------------------------------------------------------------------------------------

    def search(self, pairs: bool | str) -> None:
        """(1), pairs, (1) again, (2), and the evidence."""
        self.forward()
        work = operations(self.blocks, self.Y.shape[1])
        if pairs is True or (pairs == "auto" and work <= MOST_OPERATIONS):
            basis = self.basis_of_chosen()
            U = basis_of(without(basis, self.Y))
            self.pairs, self.spared, self.pairs_tested = found_pairs(self.blocks, basis, self.Y, U, self.level)
            members = [j for one in self.pairs for j in (one.a, one.b)]
            self.chosen += [j for j in dict.fromkeys(members) if j not in self.chosen]
            if self.pairs:
                self.forward()
        self.backward()
        self.judge()

    def forward(self) -> None:
        """(1)."""
        basis, room = self.basis_of_chosen(), SHARE_OF_ROWS * (self.blocks.rows - 1)
        left = without(basis, self.blocks.lines)
        while True:
            U = basis_of(without(basis, self.Y))
            p = self.p_given(basis, U, left)
            p[self.chosen] = 1.0
            best = int(p.argmin())
            if not len(p) or adjusted(p).min() > 0.5 * self.level:
                return
            wider = extended(basis, self.blocks.block(best))
            if wider.shape[1] > room:
                return
            new, basis = wider[:, basis.shape[1] :], wider
            left = left - new @ (new.T @ left)
            self.chosen.append(best)

    def p_of_chosen(self) -> Array:
        """Of each chosen column, with its products, given the others."""
        found = np.ones(len(self.chosen))
        for place, j in enumerate(self.chosen):
            others = [k for k in self.chosen if k != j]
            basis = basis_of(self.columns_of(others))
            both = [product(self.blocks, one.a, one.b) for one in self.pairs if j in (one.a, one.b)]
            own = np.column_stack([self.blocks.block(j), *both])
            found[place] = p_of_block(own, basis, basis_of(without(basis, self.Y)))[1]
        return found

    def backward(self) -> None:
        """(2)."""
        while self.chosen:
            p = self.p_of_chosen()
            worst = int(p.argmax())
            if p[worst] <= self.level:
                return
            gone = self.chosen.pop(worst)
            self.spared += [one for one in self.pairs if gone in (one.a, one.b)]
            self.pairs = [one for one in self.pairs if gone not in (one.a, one.b)]

    def judge(self) -> None:
        """The evidence of each column given the chosen ones, of a chosen one given the others."""
        basis = self.basis_of_chosen()
        self.given = self.p_given(basis, basis_of(without(basis, self.Y)))
        self.explained = self.share_explained(basis)
        self.given[self.chosen] = self.p_of_chosen()
        for j in self.chosen:
            others = basis_of(self.columns_of([k for k in self.chosen if k != j]))
            self.explained[j] = share_inside(others, self.blocks.block(j))

    def share_explained(self, basis: Array) -> Array:
        """The share of each column that lies in the span of a basis."""
        found = ((basis.T @ self.blocks.lines) ** 2).sum(axis=0)
        for j, block in self.blocks.wide.items():
            found[j] = share_inside(basis, block)
        return np.asarray(np.minimum(found, 1.0))

    def nearest(self, j: int) -> int:
        """The chosen column that shares most with column j."""
        own = basis_of(self.blocks.block(j))
        shares = [share_inside(own, self.blocks.block(k)) for k in self.chosen]
        return self.chosen[int(np.argmax(shares))] if shares else -1


def p_beside_lines(against: Array, along: Array, squares: Array, rows: int) -> Array:
    """The p-value of each fold given its line: `against` is Uᵀ of what the line leaves of the fold, `along` Uᵀ of the line.
    What the line leaves of U has the Gram matrix I − along·alongᵀ, whose inverse is I + along·alongᵀ/(1 − ‖along‖²)."""
    rest, targets = 1.0 - (along**2).sum(axis=0), len(against)
    free, there = rows - 2 - targets, (rest > NOTHING_LEFT) & (squares > NOTHING_LEFT)
    if free < 1 or not targets:
        return np.ones(len(squares))
    explained = (against**2).sum(axis=0) + (along * against).sum(axis=0) ** 2 / np.where(there, rest, 1.0)
    share = np.clip(explained / np.where(there, squares, 1.0), 0.0, 1.0)
    return np.where(there, betainc(free / 2.0, targets / 2.0, 1.0 - share), 1.0)


def share_inside(basis: Array, block: Array) -> float:
    """The share of the squares of a block that lies in the span of a basis."""
    total = float((block**2).sum())
    return min(1.0, float(((basis.T @ block) ** 2).sum()) / total) if total > 0 else 0.0
