"""Completions along a grid of penalties, each from the factors of the one before, and their errors in cells that were held out.

    λ₁ = σ₁ > λ₂ > … > λ_K = eps·σ₁,   equal ratios                                                            (1)
    fold of a known cell                a random permutation of the cells, dealt out in turn                   (2)
    e² = mean over the held-out cells of (a_ij − m_ij)²,   M from the other cells                              (3)

Biases and scales are those of the other cells too.

Cost: some passes for each penalty (factor_search.py); warm starts leave few of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.parameters import ParameterError, refuse_words
from aprendiz.core.random import hashes
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.decomposition.completion.factor_search import FactorState, Problem, first_state, search
from aprendiz.decomposition.completion.known_cells import Cells, KnownCells, Units
from aprendiz.decomposition.completion.ridge_rows import residuals, ridge_rows


def grid(strongest: float, penalties: Any, eps: float) -> Array:
    """(1), or the penalties that were given, descending."""
    if isinstance(penalties, (int, np.integer)):
        return (strongest or 1.0) * np.geomspace(1.0, eps, int(penalties))
    refuse_words("penalties", penalties)
    given = np.asarray(penalties, dtype=np.float64)
    if given.ndim != 1 or not len(given) or not (np.isfinite(given) & (given > 0)).all():
        raise ParameterError(f"penalties must be numbers above 0, or how many of them there are, got {penalties!r}.")
    return np.sort(given)[::-1]


def along(problem: Problem, penalties: Array, passes: int) -> Iterator[FactorState]:
    """The last state for each penalty, in the reduced units, from the factors of the one before."""
    V = None
    for penalty in penalties:
        one = problem._replace(penalty=float(penalty))
        state = first_state(one, V)
        for later in search(one, passes, state):
            state = later
        V = state.V if state.V.shape[1] else None
        yield state


def folds_of(cells: Cells, folds: int, seed: int) -> Array:
    """(2)."""
    count = len(cells.values)
    if count < 2 * folds:
        raise ValueError(f"cv={folds} needs at least {2 * folds} known cells, X has {count}: give more rows, or a smaller cv.")
    found = np.empty(count, np.int64)
    found[np.argsort(hashes(seed, 1, np.arange(count)), kind="stable")] = np.arange(count) % folds
    return found


def some_cells(cells: Cells, chosen: Array) -> Cells:
    """The cells that are chosen, in the same lines."""
    starts = np.concatenate([[0], np.cumsum(chosen)])[cells.starts.astype(np.int64)]
    return Cells(starts.astype(np.uint64), cells.places[chosen], cells.values[chosen])


@dataclass(frozen=True)
class HeldOutCells:
    """Cells to be told, and the others with their biases and scales."""

    held: Cells
    others: KnownCells
    units: Units

    @classmethod
    def of(cls, cells: Cells, chosen: Array, columns: int, biases: Any, scale: bool) -> HeldOutCells:
        rest = some_cells(cells, ~chosen)
        units = Units.of(rest, columns, biases, scale)
        return cls(some_cells(cells, chosen), KnownCells.of(rest, units), units)

    def error(self, V: Array, penalty: float) -> float:
        """e of (3), from column factors of the others and a penalty in their units."""
        U = ridge_rows(self.others.by_rows, V, penalty)[0]
        told = -residuals(self.held._replace(values=np.zeros(len(self.held.values))), U, V)
        told += self.others.row_means[self.held.lines]
        power = int(np.frexp(np.abs(self.held.values).max())[1])
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is an infinite error
            away = np.ldexp(self.units.restore(told, self.held.places), -power) - np.ldexp(self.held.values, -power)
            size = float(np.abs(away).max()) or 1.0
            return float(np.ldexp(size * math.sqrt(float(((away / size) ** 2).mean())), power))


@dataclass(frozen=True, repr=False)
class CompletionPath(ShortRepr):
    """Completions along a grid of penalties.

    Attributes
    ----------
    penalties : ndarray of shape (n_penalties,)
        Descending.
    ranks, nuclear_norms, objectives : ndarray of shape (n_penalties,)
        The rank of M, the sum of its singular values, and the objective.
    errors : ndarray of shape (n_penalties,)
        The root of the mean square of what M is off by in the known cells.
    """

    penalties: Array
    ranks: Array
    nuclear_norms: Array
    objectives: Array
    errors: Array
