"""The lasso and the elastic net on a working set of columns, with a duality gap that proves how good the answer is.

    P(w) = ½‖y − Zw‖² + λ₁‖w‖₁ + ½λ₂‖w‖²                                                                      (1)

Most coefficients are zero, so only a few columns are worked on: those that are not zero, and those whose slope q_j = z_jᵀr
pulls hardest (|q_j| > λ₁). On them (1) is a small quadratic that is minimised exactly (coordinate_sweeps.py);
then all slopes are looked at again.

With q = Zᵀr − λ₂w and E = ‖r‖² + λ₂‖w‖², every number s with |s|·max|q_j| ≤ λ₁ gives a lower bound of the minimum,

    D(s) = s·yᵀr − ½s²·E,     gap = P(w) − max over s of D(s) ≥ P(w) − P(w*)                                  (2)

(the lasso of the rows with λ₂ as d rows more). The search ends when the gap is a small part of ‖y‖².

The products of many columns are kept with half the digits: they take half the time to form and to read. The slopes have all
digits, and c is replaced by what makes the quadratic have them, so that each look corrects what rounding did before.

Cost: a pass over the table for each enlargement of the set, usually two to six; in between |A|² to |A|³.
References: Kim, Koh, Lustig, Boyd & Gorinevsky, IEEE J. Selected Topics in Signal Processing 1, 2007 (the gap); Massias,
Gramfort & Salmon, "Celer: a fast solver for the lasso with dual extrapolation", ICML 2018 (working sets).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.linear.designs.design import Design, ThinDesign
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.solvers.coordinate_sweeps import minimiser, slopes_at

FIRST = 32  # columns that are admitted at once, at least
NEAR = 0.9  # of λ₁: along a path, columns that are pulled so hard will be wanted soon
SLOW = 1e-3  # of what is enough where the minimum is found, if sweeps only approach it
LOOSE = 1e-2  # of the gap, while columns are still admitted
ROUNDING = 1e-14  # a gap below this is that of the arithmetic
MANY_COLUMNS = 256  # columns, from which on half the digits of the products are enough
SIZES = 1e-15, 1e30  # of ‖z_j‖², within which they can be written so


@dataclass
class WorkingSet:
    """Some columns of a design, their products, and the coefficients so far. It may serve several penalties in turn."""

    design: Design
    members: Array = field(default_factory=lambda: np.empty(0, np.intp))
    G: Array = field(default_factory=lambda: np.empty((0, 0)))  # products of the first `formed` members, and room for more
    formed: int = 0
    w: Array = field(default_factory=lambda: np.empty(0))
    slopes: Array = field(default_factory=lambda: np.empty(0))  # of all columns, when they were last looked at
    sharp: bool = False  # must the products have all digits?
    growth: list[int] = field(default_factory=list)  # columns admitted, call by call; −1 where the products got all digits

    @classmethod
    def regrown(cls, design: Design, members: Array, w: Array, growth: Array) -> WorkingSet:
        """The set that grew so: it has the same products, bit by bit."""
        working, taken = cls(design), 0
        for count in growth.tolist():
            if count < 0:
                working.sharpen()
            else:
                working.admit(members[taken : taken + count])
                taken += count
        working.w = w.copy()
        return working

    def admit(self, new: Array) -> None:
        """More columns, with coefficients of zero."""
        if not len(new):
            return
        m = len(self.members)
        if m + len(new) > MANY_COLUMNS and not self.sharp and not writable(self.design.squares(new)):
            self.sharpen()
        kind = np.float64 if self.sharp or m + len(new) <= MANY_COLUMNS else np.float32
        if m + len(new) > self.design.most:
            self.G, self.formed = np.empty((0, 0)), 0
        else:
            self.form(new, kind)
        self.members, self.w = np.append(self.members, new), np.append(self.w, np.zeros(len(new)))
        self.growth.append(len(new))

    def form(self, new: Array, kind: Any) -> None:
        """The products of new columns with all."""
        m, end = self.formed, self.formed + len(new)
        if end > len(self.G) or self.G.dtype != kind:
            room = min(self.design.columns, 2 * end) if end > FIRST else end
            G = np.empty((room, room), kind)
            G[:m, :m] = self.G[:m, :m]
            self.G = G
        if m:
            self.G[:m, m:end] = self.design.products(self.members, new, kind)
            self.G[m:end, :m] = self.G[:m, m:end].T
        self.G[m:end, m:end] = self.design.products(new, new, kind)
        self.formed = end

    def sharpen(self) -> bool:
        """All digits from now on; False if there were all before."""
        if not self.sharp:
            self.growth.append(-1)
        rounded, self.sharp = self.G.dtype == np.float32, True
        if rounded:
            self.G, self.formed = self.design.products(self.members, self.members), len(self.members)
        return rounded

    @property
    def approached(self) -> bool:
        """Is the minimum on the set approached by some sweeps, and not found? Then the gap may rise on the way to it."""
        return isinstance(self.design, ThinDesign) and len(self.members) > self.design.most

    def improve(self, penalty: ElasticPenalty, slopes: Array | None, enough: float) -> int:
        """The minimiser on the set, given the slopes if they are known; the sweeps it took."""
        if self.approached:
            assert isinstance(self.design, ThinDesign)
            assert slopes is not None
            self.w, sweeps = self.design.minimise(self.members, self.w, slopes, penalty, enough)
            return sweeps
        c = self.design.c[self.members]
        if slopes is not None and self.G.dtype == np.float32:
            c = slopes[self.members] + penalty.l2 * self.w - slopes_at(self.G, np.zeros_like(self.w), self.w)
        self.w, sweeps = minimiser(self.G, c, self.w, penalty, enough)
        return sweeps

    def coefficients(self) -> Array:
        """All coefficients."""
        w = np.zeros(self.design.columns)
        w[self.members] = self.w
        return w


@dataclass(frozen=True)
class Optimum:
    """A minimiser of (1), its gap (2) as a part of ‖y‖², the largest slope, and the sweeps it took."""

    w: Array
    gap: float
    slope: float
    sweeps: int
    rounds: int
    objective: float = np.nan  # P, where it is asked for


class SlopeCheck(NamedTuple):
    """A look at the slopes of all columns, in a round of some number: P and its gap (2) as a part of ‖y‖², that of the look
    before, and the sweeps so far."""

    number: int
    objective: float
    gap: float
    before: float
    sweeps: int
    slopes: Array


def solve(working: WorkingSet, penalty: ElasticPenalty, tol: float, rounds: int, guess: Array | None = None) -> Optimum:
    """Minimise (1), starting from what the working set holds. With a guess of the slopes, the first look at them is saved."""
    *_, look = looks(working, penalty, tol, rounds, guess)
    working.slopes = look.slopes
    slope = float(np.abs(look.slopes).max(initial=0.0))
    return Optimum(working.coefficients(), visible(look.gap), slope, look.sweeps, look.number, look.objective)


def looks(
    working: WorkingSet,
    penalty: ElasticPenalty,
    tol: float,
    rounds: int,
    guess: Array | None = None,
    *,
    first: int = 0,
    before: float = np.inf,
    sweeps: int = 0,
) -> Iterator[SlopeCheck]:
    """Rounds: a look at all slopes, then the minimum on a larger set; until the gap is small, or rounding hides the rest. To go
    on from a look, its number, the gap before it and its sweeps are given."""
    design = working.design
    scale = design.energy or 1.0
    for number in range(first, rounds + 1):
        used = np.flatnonzero(working.w)
        if number == 0 and guess is not None and rounds > 0 and working.formed == len(working.w):  # needs no slopes
            slopes, gap, known = guess, sys.float_info.max, False
        else:
            slopes, error = design.slopes(working.members[used], working.w[used])
            if penalty.l2 > 0:
                slopes[working.members[used]] -= penalty.l2 * working.w[used]
            value, apart = duality_gap(design, slopes, error, working, penalty)
            gap, known = apart / scale, True
            yield SlopeCheck(number, value, gap, before, sweeps, slopes)
        if gap <= tol or number == rounds or isnan(gap):
            break
        pull = penalty.pull(slopes).copy()  # the slopes are needed as they are
        pull[working.members] = -np.inf
        new = hardest(pull, (1.0 if guess is None else NEAR) * penalty.l1, max(FIRST, 2 * len(used)))
        settled = not len(new) and not gap < before and not working.approached
        if settled and not working.sharpen():  # nothing is left to work on: rounding hides the rest
            break
        working.admit(new)
        if working.formed < len(working.w) and gap == sys.float_info.max:  # the set has outgrown its products: look after all
            continue
        before = gap
        loose = LOOSE * gap if len(new) and gap < 1 else 0.0  # the set will grow: its last digits are not worth the work
        enough = max(1e-4 * tol, loose) * scale / max(1, len(working.w))
        if working.approached and not len(new):
            enough *= SLOW  # a descent that is slow long before it is over
        last = working.w
        sweeps += working.improve(penalty, slopes if known else None, enough)
        if working.approached and not len(new) and np.array_equal(last, working.w):
            break


def visible(gap: Any) -> Any:
    """A gap, or 0 where it is that of the arithmetic."""
    return np.where(np.less_equal(gap, ROUNDING), 0.0, gap) if np.ndim(gap) else 0.0 if gap <= ROUNDING else gap


def writable(squares: Array) -> bool:
    """Can products of columns with such ‖z_j‖² be written with half the digits?"""
    return bool(((squares == 0) | ((SIZES[0] < squares) & (squares < SIZES[1]))).all())


def hardest(pull: Array, limit: float, most: int) -> Array:
    """The columns that are pulled harder than the limit; of many, the hardest."""
    found = np.flatnonzero(pull > limit)
    if len(found) > most:
        found = found[np.argpartition(-pull[found], most)[:most]]
    return found


def duality_gap(
    design: Design, slopes: Array, error: float, working: WorkingSet, penalty: ElasticPenalty
) -> tuple[float, float]:
    """P of (1), and (2)."""
    w = working.w
    energy = error + penalty.l2 * float(w @ w)
    against = design.energy - float(design.c[working.members] @ w)  # yᵀr
    largest = float(penalty.pull(slopes).max(initial=0.0))
    limit = penalty.l1 / largest if largest > 0 else np.inf
    s = min(max(against / energy if energy > 0 else 1.0, -limit if not penalty.positive else 0.0), limit)
    value = 0.5 * energy + penalty.l1 * float(np.abs(w).sum())
    return value, value - s * against + 0.5 * s * s * energy
