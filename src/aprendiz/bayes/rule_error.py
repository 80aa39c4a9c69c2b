"""The error of any rule on a line: the Bayes error, which nobody avoids, and the excess, by region.

Cuts divide the line, and the rule decides a class in each interval. With a(x) its class and b(x) the best one,

    L = ∫ (Σ_k π_k f_k − π_a f_a) dx = L* + ∫ (π_b f_b − π_a f_a) dx                                          (1)

The last integral, the excess, is never negative: it is 0 where the rule decides as the best one does, and elsewhere the area
between two joint densities. So with one frontier the error is least where the joint densities cross.

Cost: that of joint_densities.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from aprendiz.bayes.decision.joint_densities import JointDensities
from aprendiz.core.rows import Array


@dataclass(frozen=True)
class Region:
    """An interval in which the rule and the best rule each decide one class, and the parts of (1) in it."""

    low: float
    high: float
    decision: int
    best: int
    bayes: float
    excess: float

    @property
    def error(self) -> float:
        """Both parts."""
        return self.bayes + self.excess


@dataclass(frozen=True)
class RuleError:
    """(1), region by region from left to right; `float` gives the error."""

    regions: tuple[Region, ...]

    @property
    def bayes(self) -> float:
        """L*."""
        return sum(region.bayes for region in self.regions)

    @property
    def excess(self) -> float:
        """What another rule could avoid."""
        return sum(region.excess for region in self.regions)

    @property
    def error(self) -> float:
        """L."""
        return self.bayes + self.excess

    def __float__(self) -> float:
        return self.error

    def __str__(self) -> str:
        lines = [f"error {self.error:.6g} = Bayes error {self.bayes:.6g} + excess {self.excess:.6g}"]
        for one in self.regions:
            decided = f"class {one.decision}" + ("" if one.decision == one.best else f", best {one.best}")
            lines.append(f"  {one.low:.6g} to {one.high:.6g} ({decided}): {one.bayes:.6g} + {one.excess:.6g}")
        return "\n".join(lines)

    def frame(self) -> Any:
        """The regions as a pandas frame."""
        import pandas as pd

        names = ("low", "high", "decision", "best", "bayes", "excess", "error")
        return pd.DataFrame({name: [getattr(region, name) for region in self.regions] for name in names})


def rule_error(
    densities: Sequence[Any], cuts: Any, decisions: Any = None, *, priors: Any = None, support: Any = None
) -> RuleError:
    """The error of a rule on a line and its parts.

    Parameters
    ----------
    densities, priors, support
        Those of `bayes_error`, on a line.
    cuts : float or array-like
        Where the decision changes, rising; none for a constant rule.
    decisions : array-like of ints, optional
        The number of the class decided in each interval, one more than cuts; by default 0, 1, … from left to right.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> print(rule_error([norm(0, 1), norm(2, 1)], 1.5))
    error 0.187672 = Bayes error 0.158655 + excess 0.0290171
      -inf to 1 (class 0): 0.0793276 + 0
      1 to 1.5 (class 0, best 1): 0.045924 + 0.0290171
      1.5 to inf (class 1): 0.0334036 + 0
    """
    joint = JointDensities.of(densities, priors, support)
    places = np.atleast_1d(np.asarray(cuts, dtype=np.float64))
    return error_of_rule(joint, places, checked_decisions(decisions, places, len(densities)))


def error_of_rule(joint: JointDensities, cuts: Array, decisions: Array) -> RuleError:
    """(1) between all cuts and frontiers."""
    low, high = joint.ends
    inside = np.unique(np.concatenate([cuts, joint.frontiers]))
    inside = inside[(inside > low) & (inside < high)]
    edges = [low, *inside.tolist(), high]
    regions = []
    for (a, b), mass in zip(pairwise(edges), joint.masses(inside), strict=True):
        decision = int(decisions[np.searchsorted(cuts, a, side="right")])
        best = int(joint.decisions[np.searchsorted(joint.frontiers, a, side="right")])
        lost = float(np.delete(mass, best).sum())
        excess = max(float(mass[best] - mass[decision]), 0.0) if best != decision else 0.0
        regions.append(Region(a, b, decision, best, lost, excess))
    return RuleError(tuple(regions))


def checked_decisions(decisions: Any, cuts: Array, classes: int) -> Array:
    """A class for each interval."""
    if cuts.ndim != 1 or np.isnan(cuts).any() or (np.diff(cuts) <= 0).any():
        raise ValueError(f"cuts must be numbers that rise, got {cuts.tolist()}.")
    if decisions is None and len(cuts) != classes - 1:
        raise ValueError(
            f"{len(cuts)} cuts make {len(cuts) + 1} intervals for {classes} classes: give the class of each as decisions."
        )
    numbers = np.arange(classes) if decisions is None else np.asarray(decisions)
    if numbers.shape != (len(cuts) + 1,) or not np.isin(numbers, range(classes)).all():
        raise ValueError(f"decisions must hold {len(cuts) + 1} numbers of classes, 0 to {classes - 1}, got {numbers.tolist()}.")
    return numbers.astype(int)
