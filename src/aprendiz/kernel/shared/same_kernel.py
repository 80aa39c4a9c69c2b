"""Machines with the same kernel on the same rows, one after the other: what is known from one helps the next.

Points and rows of K are those of the first. Where Σβ = 0 (SVC and SVR) a multiple of feasible coefficients is feasible for
another C, and the best multiple is where the next one starts:

    s = argmin F(sβ) = (tᵀβ − ε‖β‖₁) / βᵀ(K + diag r)β,     cut off where the first variable meets its bound     (1)
    g(sβ) = s(K + diag r)β − t                                                                                  (2)

For a larger C the best s is at least 1; it is 1 where no variable is at its bound, and then nothing is left to do.

Cost of a start: O(n).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from sklearn.base import clone

from aprendiz.core.rows import Array
from aprendiz.kernel.dual.kernel_rows import KernelRows
from aprendiz.kernel.dual.problem import DualProblem, rounding, violation
from aprendiz.kernel.dual.solver import DualState, rows_to_share

OF_THE_KERNEL = ("kernel", "degree", "gamma", "coef0", "cache_size")  # parameters that decide the points and what is kept
ULPS = 2.0**-50  # of a bound: what is left of it by rounding is gone


@dataclass
class MachineBefore:
    """The machine that was fitted last: what was made of its rows, its solved problems, and the rows of K."""

    training: Any = None
    solved: list[DualState] = field(default_factory=list)
    kept: KernelRows | None = None

    def keep(self, training: Any, solved: list[DualState]) -> None:
        self.training, self.solved = training, solved

    def rows_of(self, problem: DualProblem, cache_size: float) -> KernelRows | None:
        """Rows of K that are computed already, or a place for them."""
        if self.kept is None:
            self.kept = rows_to_share(problem, cache_size)
        return self.kept

    def starts(self, problems: list[DualProblem], tol: float) -> list[DualState] | None:
        """Where some problems start, from the ones that were solved; None if these say nothing."""
        if not self.solved or not all(one.exact for one in self.solved):
            return None
        return [scaled_state(*one, tol) for one in zip(self.training.problems, self.solved, problems, strict=True)]


machines_before: WeakKeyDictionary[Any, MachineBefore] = WeakKeyDictionary()  # of machines that are fitted one after the other


def fitted_each(
    machine: Any, X: Any, y: Any, candidates: Sequence[Mapping[str, Any]], sample_weight: Any
) -> Iterator[tuple[int, Any]]:
    """The number of each candidate and the machine that was fitted with it: those with the same kernel one after the other, in
    the order of C."""
    for numbers in groups(candidates):
        before = MachineBefore()
        for number in numbers:
            one = clone(machine).set_params(**candidates[number])
            machines_before[one] = before
            try:
                one.fit(X, y, sample_weight)
            finally:
                del machines_before[one]
            yield number, one


def groups(candidates: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """The numbers of the candidates with the same kernel, in the order of C. Objects may be equal or not: each is alone."""
    found: dict[str, list[int]] = {}
    for number, candidate in enumerate(candidates):
        kernel = {name: value for name, value in candidate.items() if name.split("__")[0] in OF_THE_KERNEL}
        plain = all(isinstance(value, str | int | float | np.number) for value in kernel.values())
        found.setdefault(repr(sorted(kernel.items())) if plain else f"candidate {number}", []).append(number)
    return [sorted(numbers, key=lambda number: price_of(candidates[number])) for numbers in found.values()]


def price_of(candidate: Mapping[str, Any]) -> float:
    """C, if it is a number."""
    C = candidate.get("C")
    return float(C) if isinstance(C, int | float | np.number) else 0.0


def scaled_state(old: DualProblem, state: DualState, new: DualProblem, tol: float) -> DualState:
    """The state of the best multiple of the coefficients of an earlier problem: (1) and (2)."""
    beta, ridge = state.beta, 0.0 if new.ridge is None else new.ridge
    outputs = state.g + old.target - (0.0 if old.ridge is None else old.ridge * state.beta)  # Kβ
    outputs = outputs + ridge * beta
    share, bounds = best_multiple(new, beta, outputs), np.where(beta > 0.0, new.high, new.low)
    moved = share * beta
    moved = np.where((np.abs(moved) >= np.abs(bounds) * (1.0 - ULPS)) & (beta != 0.0), bounds, moved)
    g = share * outputs - new.target
    found = violation(new, moved, g)
    settled = found <= max(tol, rounding(new, moved, g))
    return replace(DualState(moved, g, found), exact=True, settled=settled)


def best_multiple(problem: DualProblem, beta: Array, outputs: Array) -> float:
    """(1)."""
    used = np.flatnonzero(beta)
    if not len(used):
        return 0.0
    bounds = np.where(beta > 0.0, problem.high, problem.low)[used]
    most = max(0.0, float((bounds / beta[used]).min()))
    gain = float(problem.target @ beta) - problem.epsilon * float(np.abs(beta).sum())
    size = float(beta @ outputs)
    return min(most, max(0.0, gain / size)) if size > 0.0 else most if gain > 0.0 and np.isfinite(most) else 0.0
