"""The lasso and the elastic net on a working set of columns, with a duality gap that proves how good the answer is.

    P(w) = ½‖y − Zw‖² + λ₁‖w‖₁ + ½λ₂‖w‖²                                                                      (1)

Most coefficients are zero, so only a few columns are worked on: those that are not zero, and those whose slope q_j = z_jᵀr
pulls hardest (|q_j| > λ₁). On them (1) is a small quadratic that is minimised exactly (coordinate_descent.py);
then all slopes are looked at again.

With q = Zᵀr − λ₂w and E = ‖r‖² + λ₂‖w‖², every number s with |s|·max|q_j| ≤ λ₁ gives a lower bound of the minimum,

    D(s) = s·yᵀr − ½s²·E,     gap = P(w) − max over s of D(s) ≥ P(w) − P(w*)                                  (2)

(the lasso of the rows with λ₂ as d rows more). The search ends when the gap is a small part of ‖y‖².

Cost: a pass over the table for each enlargement of the set, usually two to six; in between |A|² to |A|³.
References: Kim, Koh, Lustig, Boyd & Gorinevsky, IEEE J. Selected Topics in Signal Processing 1, 2007 (the gap); Massias,
Gramfort & Salmon, "Celer: a fast solver for the lasso with dual extrapolation", ICML 2018 (working sets).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.linear.coordinate_descent import minimiser
from aprendiz.linear.designs import Design, ThinDesign
from aprendiz.linear.penalties import ElasticPenalty

FIRST = 32  # columns that are admitted at once, at least
NEAR = 0.9  # of λ₁: along a path, columns that are pulled so hard will be wanted soon
LOOSE = 1e-2  # of the gap, while columns are still admitted
ROUNDING = 1e-14  # a gap below this is that of the arithmetic


@dataclass
class WorkingSet:
    """Some columns of a design, their products, and the coefficients so far. It may serve several penalties in turn."""

    design: Design
    members: Array = field(default_factory=lambda: np.empty(0, np.intp))
    G: Array = field(default_factory=lambda: np.empty((0, 0)))
    w: Array = field(default_factory=lambda: np.empty(0))
    slopes: Array = field(default_factory=lambda: np.empty(0))  # of all columns, when they were last looked at

    def admit(self, new: Array) -> None:
        """More columns, with coefficients of zero."""
        if not len(new):
            return
        m = len(self.members)
        if m + len(new) > self.design.most:
            self.G = np.empty((0, 0))
            self.members, self.w = np.append(self.members, new), np.append(self.w, np.zeros(len(new)))
            return
        G = np.empty((m + len(new), m + len(new)))
        G[:m, :m] = self.G
        G[:m, m:] = self.design.products(self.members, new)
        G[m:, :m] = G[:m, m:].T
        G[m:, m:] = self.design.products(new, new)
        self.G, self.members, self.w = G, np.append(self.members, new), np.append(self.w, np.zeros(len(new)))

    def improve(self, penalty: ElasticPenalty, slopes: Array, enough: float) -> int:
        """The minimiser on the set; the sweeps it took."""
        if isinstance(self.design, ThinDesign) and len(self.members) > self.design.most:
            self.w, sweeps = self.design.minimised(self.members, self.w, slopes, penalty, enough)
        else:
            self.w, sweeps = minimiser(self.G, self.design.c[self.members], self.w, penalty, enough)
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


def solve(working: WorkingSet, penalty: ElasticPenalty, tol: float, rounds: int, guess: Array | None = None) -> Optimum:
    """Minimise (1), starting from what the working set holds. With a guess of the slopes, the first look at them is saved."""
    design, sweeps, last = working.design, 0, np.inf
    scale = design.energy or 1.0
    for number in range(rounds + 1):
        used = np.flatnonzero(working.w)
        if number == 0 and guess is not None and rounds > 0 and len(working.G) == len(working.w):  # needs no slopes
            slopes, gap = guess, sys.float_info.max
        else:
            slopes, error = design.slopes(working.members[used], working.w[used])
            slopes[working.members[used]] -= penalty.l2 * working.w[used]
            gap = duality_gap(design, slopes, error, working, penalty) / scale
        if gap <= tol or number == rounds or np.isnan(gap):
            break
        pull = penalty.pull(slopes)
        pull[working.members] = -np.inf
        new = hardest(pull, (1.0 if guess is None else NEAR) * penalty.l1, max(FIRST, 2 * len(used)))
        if not len(new) and not gap < last:  # nothing is left to work on: rounding hides the rest
            break
        working.admit(new)
        if len(working.G) < len(working.w) and gap == sys.float_info.max:  # the set has outgrown its products: look after all
            continue
        last = gap
        loose = LOOSE * gap if len(new) and gap < 1 else 0.0  # the set will grow: its last digits are not worth the work
        enough = max(1e-4 * tol, loose) * scale / max(1, len(working.w))
        sweeps += working.improve(penalty, slopes, enough)
    gap, working.slopes = gap if gap > ROUNDING else 0.0, slopes
    return Optimum(working.coefficients(), gap, float(np.abs(slopes).max(initial=0.0)), sweeps, number)


def hardest(pull: Array, limit: float, most: int) -> Array:
    """The columns that are pulled harder than the limit; of many, the hardest."""
    found = np.flatnonzero(pull > limit)
    if len(found) > most:
        found = found[np.argpartition(-pull[found], most)[:most]]
    return found


def duality_gap(design: Design, slopes: Array, error: float, working: WorkingSet, penalty: ElasticPenalty) -> float:
    """(2)."""
    w = working.w
    energy = error + penalty.l2 * float(w @ w)
    against = design.energy - float(design.c[working.members] @ w)  # yᵀr
    largest = float(penalty.pull(slopes).max(initial=0.0))
    limit = penalty.l1 / largest if largest > 0 else np.inf
    s = float(np.clip(against / energy if energy > 0 else 1.0, -limit if not penalty.positive else 0.0, limit))
    return 0.5 * energy + penalty.l1 * float(np.abs(w).sum()) - s * against + 0.5 * s * s * energy
