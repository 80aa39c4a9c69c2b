"""Joint densities on a line: π_k·f_k(x) of K classes, where they cross, and the masses between any cuts.

    decide argmax_k π_k f_k(x)                                                                                (1)

divides the line at the *frontiers*, where the largest joint density changes. They are found between the places of a grid, by
bisection down to neighbouring doubles, and the masses ∫ π_k f_k dx between them by Gauss's quadrature in every cell of the
grid, which has its edges at the frontiers and cuts: between these the integrands are smooth. The places are quantiles of the
distributions, down to tails of 10⁻¹⁶, or equal steps over a given support. Where classes lie so far apart that frontiers are
beyond these tails, the places go on: distances from the median, or to the end of the support, in geometric sequence, as those
of the last quantiles. Bounded densities are integrated to rounding, those with poles to some 10⁻⁸. Two frontiers inside one
cell are not seen, and densities that differ by rounding have none.

Cost: O(K·m) densities for m cells, and some 60 for each frontier.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from aprendiz.bayes.decision.probabilities import probabilities, shares
from aprendiz.core.rows import Array

NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)  # in each cell
STEPS = 2000  # cells of a given support
TAILS = np.logspace(-16, -2, 113)
TAIL_DECADE = 8  # places from 10⁻¹⁶ to 10⁻¹⁵
LEVELS = np.concatenate([TAILS, np.linspace(0.01, 0.99, 197)[1:-1], 1.0 - TAILS[::-1]])
WHOLE = 1e-6  # how far from 1 the total mass may be
TIED = 1e-14  # part of a logarithm that is rounding
APART = 1e-6  # two classes are far apart if a place has less than this of one below it, and less than this of the other above
BEYOND = np.arange(1, 301) / 4  # powers of the ratio of two distances, at tails of 10⁻¹⁶ and 10⁻¹⁵

Logs = Callable[[Array], Array]


class JointDensities:
    """π_k·f_k on a line.

    Attributes
    ----------
    log : function of an array of m places, giving K × m
        log π_k f_k.
    ends : pair of floats
        Of the support, perhaps infinite.
    frontiers : ndarray
        Where the decision (1) changes.
    decisions : ndarray
        The class of (1) in each interval between them, one more than frontiers.
    """

    def __init__(self, log: Logs, places: Array, ends: tuple[float, float]):
        self.log, self.places, self.ends = log, places, ends
        self.frontiers, self.decisions = self.frontiers_and_decisions()
        total = float(self.masses([]).sum())
        if not abs(total - 1.0) <= WHOLE:
            raise ValueError(
                f"The joint densities have the mass {total:.6g}: give densities of mass 1, and all of their support."
            )

    @classmethod
    def of(cls, densities: Sequence[Any], priors: Any = None, support: Any = None) -> Self:
        """Of the densities of the classes (distributions of scipy.stats, or functions with a `support`) and their priors."""
        with np.errstate(divide="ignore"):
            log_prior = np.log(priors_of(densities, priors))
        logs = [log_density(one) for one in densities]
        places, ends = spread_out(densities, support)
        return cls(lambda x: np.stack([log_prior[k] + logs[k](x) for k in range(len(logs))]), places, ends)

    @classmethod
    def of_posterior(cls, eta: Callable[[Any], Any], x: Any, support: Any = None) -> Self:
        """Of the posteriors η (rows × classes, or of the second of two classes) and the distribution of x."""
        density = log_density(x)
        places, ends = spread_out([x], support)
        return cls(lambda values: np.log(posterior_at(eta, values)).T + density(values), places, ends)

    def __call__(self, x: Any) -> Array:
        """π_k f_k at some places, K × m."""
        return np.exp(self.logs(np.atleast_1d(np.asarray(x, dtype=np.float64))))

    def logs(self, x: Array) -> Array:
        with np.errstate(divide="ignore"):
            return np.asarray(self.log(x))

    # ---- frontiers -----------------------------------------------------------------------------------------------------------

    def winner(self, x: float, otherwise: int) -> int:
        """The class of (1) at a place, another where no class has any density."""
        logs = self.logs(np.array([x]))[:, 0]
        return otherwise if np.isneginf(logs).all() else int(logs.argmax())

    def frontiers_and_decisions(self) -> tuple[Array, Array]:
        """Frontiers from left to right, and the decisions between them."""
        logs = self.logs(self.places)
        here = np.flatnonzero(~np.isneginf(logs).all(axis=0))
        if not len(here):
            raise ValueError("All densities are 0 on the support: give another support.")
        logs = logs[:, here]
        winners = logs.argmax(axis=0)
        frontiers: list[float] = []
        decisions = [int(winners[0])]
        for i, last in enumerate(winners.tolist()):
            if last == decisions[-1] or same(logs[last, i], logs[decisions[-1], i]):
                continue
            low, high = self.places[here[i - 1]], self.places[here[i]]
            while decisions[-1] != last:
                low = self.end_of(decisions[-1], low, high)
                frontiers.append(float(low))
                decisions.append(self.winner(low, last))
        return np.array(frontiers), np.array(decisions)

    def end_of(self, decision: int, low: float, high: float) -> float:
        """The first double at which another class wins, if the class wins at `low` and not at `high`."""
        while low < (middle := low + (high - low) / 2) < high:
            low, high = (middle, high) if self.winner(middle, decision) == decision else (low, middle)
        return high

    # ---- masses --------------------------------------------------------------------------------------------------------------

    def masses(self, cuts: Any) -> Array:
        """∫ π_k f_k between neighbouring cuts, from one end of the support to the other, intervals × K."""
        cuts = np.asarray(cuts, dtype=np.float64)
        x, width, left = self.cells(cuts)
        joint = (self.finite(x).reshape(-1, *x.shape) * width).sum(axis=2)
        intervals = np.searchsorted(cuts, left, side="right")
        return np.stack([np.bincount(intervals, one, len(cuts) + 1) for one in joint], axis=1)

    def mean(self, function: Callable[[Array], Array]) -> float:
        """The mean over x of a function of the posteriors (K × m)."""
        x, width, _ = self.cells(np.array([]))
        joint = self.finite(x)
        density = joint.sum(axis=0)
        posterior = np.divide(joint, density, out=np.full_like(joint, 1.0 / len(joint)), where=density > 0)
        return float((function(posterior) * density) @ width.ravel())

    def finite(self, x: Array) -> Array:
        """π_k f_k at the nodes, without a pole at the end of the support on which a node may fall by rounding."""
        joint = self(x.ravel())
        return np.where(np.isinf(joint), 0.0, joint)

    def cells(self, cuts: Array) -> tuple[Array, Array, Array]:
        """Nodes and weights of the quadrature in each cell, and the left ends of the cells."""
        inside = cuts[(cuts > self.places[0]) & (cuts < self.places[-1])]
        edges = np.unique(np.concatenate([self.places, self.frontiers, inside]))
        half, middle = np.diff(edges) / 2, edges[:-1] + np.diff(edges) / 2
        return middle[:, None] + half[:, None] * NODES, half[:, None] * WEIGHTS, edges[:-1]


# ---- distributions -------------------------------------------------------------------------------------------------------


def priors_of(densities: Sequence[Any], priors: Any) -> Array:
    """A prior for each density."""
    count = len(densities)
    prior = np.full(count, 1.0 / count) if priors is None else shares("priors", priors)
    if len(prior) != count or count < 2:
        raise ValueError(f"There are {count} densities and {len(prior)} priors: give both for each of at least two classes.")
    return prior


def log_density(one: Any) -> Logs:
    """log f as a function of an array: of a distribution of scipy.stats or of aprendiz, or of a function f."""
    if is_discrete(one):
        raise TypeError(f"{type(one).__name__} is discrete and has no density: give distributions of one kind.")
    if hasattr(one, "logpdf"):
        return lambda x: np.asarray(one.logpdf(x))
    if hasattr(one, "log_density"):
        return lambda x: np.asarray(one.log_density(x))
    if not callable(one):
        raise TypeError(f"{one!r} is not a density: give a distribution of scipy.stats, or a function with its support.")
    return lambda x: np.log(density_at(one, x))


def is_discrete(one: Any) -> bool:
    return hasattr(one, "pmf") or hasattr(one, "points")


def same(one: float, other: float) -> bool:
    """Do two logarithms of densities differ by no more than rounding?"""
    return bool(one - other <= TIED * max(1.0, abs(one)))


def density_at(function: Callable[[Any], Any], x: Array) -> Array:
    """A density given as a function, at least 0 at every place."""
    f = np.broadcast_to(np.asarray(function(x), dtype=np.float64), x.shape)
    if not (f >= 0).all():
        i = int(np.argmin(np.where(np.isnan(f), -np.inf, f)))
        raise ValueError(f"The density is {f[i]:g} at x = {x[i]:g}: give one that is at least 0 everywhere.")
    return f


def posterior_at(eta: Callable[[Any], Any], x: Array) -> Array:
    """Posteriors at every place, rows × classes, from those or from that of the second of two classes."""
    P = np.asarray(eta(x), dtype=np.float64)
    P = np.broadcast_to(P, len(x)) if P.ndim == 0 else P
    if len(P) != len(x):
        raise ValueError(f"eta gives {len(P)} values for {len(x)} places: give a function of an array that answers for each.")
    if (bad := ~((P >= 0) & (P <= 1)).reshape(len(P), -1).all(axis=1)).any():
        i = int(np.flatnonzero(bad)[0])
        raise ValueError(f"eta gives {P[i].tolist()} at x = {x[i].tolist()}: give a function with values between 0 and 1.")
    return probabilities(np.stack([1.0 - P, P], axis=1) if P.ndim == 1 else P)


def quantiles(one: Any, levels: Array) -> Array | None:
    """Of a distribution on the line, None where there are none to ask for."""
    if hasattr(one, "ppf"):
        return np.asarray(one.ppf(levels))
    return np.asarray(one.quantile(levels)) if hasattr(one, "quantile") else None


def spread_out(distributions: Sequence[Any], support: Any) -> tuple[Array, tuple[float, float]]:
    """Places for a grid, and the ends of the support."""
    if support is not None:
        low, high = (float(end) for end in support)
        if not (np.isfinite([low, high]).all() and low < high):
            raise ValueError(f"support must be two finite numbers, the lower end first, got {support!r}.")
        return np.linspace(low, high, STEPS + 1), (low, high)
    found = [quantiles(one, np.concatenate([[0.0], LEVELS, [1.0]])) for one in distributions]
    for k, one in enumerate(found):
        if one is None:
            raise ValueError(f"Density {k} is a function, of which nothing tells where it is: give support=(low, high).")
    known = [one for one in found if one is not None]
    every = np.concatenate(known)
    ends = float(every.min()), float(every.max())
    if any_far_apart(known):
        more = np.concatenate([side for one in known for side in (beyond(one), -beyond(-one[::-1]))])
        every = np.concatenate([every, more[(more > ends[0]) & (more < ends[1])]])
    return np.unique(every[np.isfinite(every)]), ends


def any_far_apart(found: list[Array]) -> bool:
    """Do two distributions have hardly any mass on the same side of some place? From their quantiles at 0, LEVELS and 1."""
    first = 1 + int(np.searchsorted(LEVELS, APART))
    low, high = np.array([one[first] for one in found]), np.array([one[-1 - first] for one in found])
    return bool(high.min() < low.max())


def beyond(found: Array) -> Array:
    """Places below the lowest quantile of a distribution."""
    end, last, before, middle = found[0], found[1], found[1 + TAIL_DECADE], found[len(found) // 2]
    here, there = (last - end, before - end) if np.isfinite(end) else (middle - last, middle - before)
    if not (0 < here < np.inf and 0 < there < np.inf) or here == there:
        return np.empty(0)
    with np.errstate(over="ignore"):
        away = here * (here / there) ** BEYOND
    return np.asarray(end + away if np.isfinite(end) else middle - away)
