"""Probabilistic principal components of rows with missing cells, by EM: the likelihood of the known cells never falls.

    ℓ(m, W, σ²) = Σ ω ln N(x_o; m_o, (WWᵀ + σ²I)_oo) / Σ ω                                                    (1)

A missing cell is not filled in: it is left out of the density of its row, which is exact whatever the pattern, as long as cells
are missing for reasons that the known ones explain. Passes go on until (1) rises by no more than tol.

Cost and update: latent_sums.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import Iterative, State
from aprendiz.core.parameters import Count, NonNegative, Whole
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sums import Spread, find_pivot
from aprendiz.decomposition.probabilistic.latent_sums import LatentDensity, LatentSums
from aprendiz.decomposition.spectrum.principal_axes import principal_axes, record_of
from aprendiz.locale import _

LEAST = 1e-8  # σ², where columns vary by about 1: less means that the rows lie in a plane, and (1) has no maximum
FALL = 1e-12  # of ℓ: what rounding may take from it


@dataclass(frozen=True)
class DensityState(State):
    """m, W and σ² after a pass, and ℓ of the parameters before each pass."""

    mean: Array
    W: Array
    noise: float
    log: Array

    @property
    def density(self) -> LatentDensity:
        return LatentDensity(self.mean, self.W, self.noise)


class ProbabilisticPCA(Iterative):
    """The density (1) with k latent numbers; columns are divided by `scale` first, so that they vary by about 1."""

    State = DensityState
    allows = frozenset({"missing", "sparse"})
    frames = 6  # PCA calls it

    def __init__(self, k: Whole, scale: Any, *, tol: NonNegative = 1e-10, max_iter: Count = 10_000):
        self.k = k
        self.scale = scale
        self.tol = tol
        self.max_iter = max_iter

    def states(self, rows: Rows, since: DensityState | None = None) -> Iterator[DensityState]:
        rows = rows.changed(lambda block: replace(block, X=read_only(block.X / self.scale)))
        state = since
        if state is None:
            start = filled_start(rows, self.k)
            state = DensityState(0, np.inf, False, start.mean, start.W, start.noise, np.empty(0))
            yield state
        while not state.settled and state.iteration < self.max_iter:
            sums = rows.sum(LatentSums.of, state.density)
            new = state.density.improved(sums, LEAST)
            level = sums.log_likelihood / sums.weight
            still = len(state.log) > 0 and level - state.log[-1] <= self.tol * (1.0 + abs(level))
            log = np.append(state.log, level)
            state = DensityState(state.iteration + 1, -level, bool(still), new.mean, new.W, new.noise, log)
            yield state

    def attributes(self, state: DensityState, rows: Rows) -> dict[str, Any]:
        return {"state_": state, "n_iter_": state.iteration}

    def remedy(self) -> str:
        return _("Give a larger tol, or fewer components.")


def filled_start(rows: Rows, k: int) -> LatentDensity:
    """Principal components of the rows with the mean of its column in each missing cell."""
    spread = rows.sum(Spread.of, find_pivot(rows))
    mean = spread.mean

    def fill(block: Block) -> Block:
        return replace(block, X=read_only(np.where(np.isnan(block.X), mean, block.X)))

    record = rows.changed(fill).sum(record_of(rows, all_digits=False), mean)
    n, d = float(record.weight), record.columns
    axes = principal_axes(record, max(k, 1), None, all_digits=False)
    variances, V = np.maximum(axes.values[:k], 0.0) / n, axes.vectors[:k]
    noise = max((axes.total / n - variances.sum()) / (d - k), 100.0 * LEAST)
    return LatentDensity(mean, V.T * np.sqrt(np.maximum(variances - noise, noise)), float(noise))


def ascent(state: DensityState) -> Certificate:
    """That ℓ never fell, and that σ² is large enough for it to have a maximum where EM came to rest."""
    log = state.log if len(state.log) else np.array([-np.inf])
    fall = float(np.maximum(log[:-1] - log[1:], 0.0).max(initial=0.0))
    return Certificate(
        "the likelihood of the known cells never fell, and rows do not lie in a plane, where it has no maximum",
        bool(len(state.log) and fall <= FALL * (1.0 + np.abs(log).max())) and state.noise > LEAST,
        {"fall": fall, "log_likelihood": float(log[-1]), "noise": state.noise, "passes": len(state.log)},
    )
