"""What a test finds: the numbers that every test of a difference has, whatever it is called.

An assumption is a code and whether it is broken; words/comparisons.py has the sentences, in the language of the reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr

Alternative = Literal["two-sided", "greater", "less"]
NAN = float("nan")


@dataclass(frozen=True)
class Assumption:
    """What a test takes for granted: its code, whether it is broken (None: nobody can tell from the numbers), and the numbers
    of its sentence."""

    code: str
    broken: bool | None
    values: Mapping[str, Any] = field(default_factory=dict)


class Posterior(NamedTuple):
    """Probabilities that the first learner is worse than the second by more than the region of practical equivalence, that the
    two are the same, and that it is better."""

    worse: float
    same: float
    better: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Finding(ShortRepr):
    """The numbers of a test.

    Attributes
    ----------
    estimate : float
        The difference, first − second, in the unit of the measure.
    interval : tuple of two floats
        Of the difference, at 1 − level; two-sided also where the test is one-sided.
    standard_error : float
    statistic, statistic_name : float, str
    degrees : tuple of floats
        Degrees of freedom, none where the distribution has none.
    p_value : float
    side : float
        Which side the evidence is on where the estimate does not say it: above 0, the first has more.
    effect_size, effect_name : float, str
        The difference in a unit of its own: `effect_name` says which.
    posterior : Posterior or None
    samples : ndarray of shape (draws, 3) or None
        Drawn probabilities of worse, same and better.
    assumptions : tuple of Assumption
    """

    estimate: float = NAN
    interval: tuple[float, float] = (NAN, NAN)
    standard_error: float = NAN
    statistic: float = NAN
    statistic_name: str = ""
    degrees: tuple[float, ...] = ()
    p_value: float = NAN
    side: float = NAN
    effect_size: float = NAN
    effect_name: str = ""
    posterior: Posterior | None = None
    samples: Array | None = None
    assumptions: tuple[Assumption, ...] = ()


def tail(below: float, above: float, alternative: Alternative) -> float:
    """The p-value from the probabilities of a statistic at most, and at least, as large as the observed one."""
    if alternative == "greater":
        return float(above)
    return float(below) if alternative == "less" else float(min(1.0, 2.0 * min(below, above)))


def quotient(part: float, whole: float) -> float:
    """part / whole; 0/0 is NaN, and anything else over 0 infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.float64(part) / np.float64(whole))
