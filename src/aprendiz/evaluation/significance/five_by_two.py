"""Two learners on five repetitions of two halves: Dietterich's 5×2cv t and Alpaydın's F.

Each repetition i divides the rows into halves; each half is tested by learners of the other. With p_i1 and p_i2 the two
differences of the scores, p̄_i their mean and s_i² = (p_i1 − p̄_i)² + (p_i2 − p̄_i)²,

    t = p_11 / √(1/5 Σ s_i²),             5 degrees of freedom                                                (1)
    F = Σ_i Σ_j p_ij² / (2 Σ s_i²),       10 and 5 degrees of freedom                                         (2)

The halves of a repetition share no training rows, which keeps (1) honest, or nearly so: learners that a table may mislead as a
whole are still told apart too often (docs/methods/how_sure_are_we.md). (1) depends on which difference comes first; (2) takes
all ten. The interval of (1) is p̄ ± t_{α/2,5}·√(1/5 Σ s_i²), around the mean p̄ of the ten.

References: Dietterich, Neural Computation 10, 1998; Alpaydın, Neural Computation 11, 1999.
"""

from __future__ import annotations

import numpy as np
from scipy.special import fdtrc, stdtr, stdtrit

from aprendiz.core.rows import Array
from aprendiz.evaluation.significance.finding import Alternative, Assumption, Finding, quotient, tail
from aprendiz.evaluation.significance.resampled_t import spread


def five_by_two_t(
    differences: Array, *, level: float = 0.05, alternative: Alternative = "two-sided", assumptions: tuple[Assumption, ...] = ()
) -> Finding:
    """(1), of differences in five rows of two."""
    error = float(np.sqrt(half_variances(differences).mean()))
    first = float(differences[0, 0])
    t = 0.0 if first == 0 else quotient(first, error)
    return found(
        differences, error, level, t, "t", (5.0,), tail(float(stdtr(5, t)), float(stdtr(5, -t)), alternative), assumptions
    )


def five_by_two_f(differences: Array, *, level: float = 0.05, assumptions: tuple[Assumption, ...] = ()) -> Finding:
    """(2), of differences in five rows of two."""
    within, total = float(half_variances(differences).sum()), float((differences**2).sum())
    F = 0.0 if total == 0 else quotient(total, 2 * within)
    return found(differences, np.sqrt(within / 5), level, F, "F", (10.0, 5.0), float(fdtrc(10, 5, F)), assumptions)


def half_variances(differences: Array) -> Array:
    """s_i² of each repetition."""
    return ((differences - differences.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)


def found(
    differences: Array,
    error: float,
    level: float,
    statistic: float,
    name: str,
    degrees: tuple[float, ...],
    p: float,
    assumptions: tuple[Assumption, ...],
) -> Finding:
    mean, half = float(differences.mean()), float(stdtrit(5, 1 - level / 2)) * float(error)
    s = spread(differences.ravel())
    return Finding(
        estimate=mean,
        interval=(mean - half, mean + half),
        standard_error=float(error),
        statistic=statistic,
        statistic_name=name,
        degrees=degrees,
        p_value=p,
        effect_size=0.0 if mean == 0 else quotient(mean, s),
        effect_name="Cohen's d",
        assumptions=(*assumptions, Assumption("differences_vary", error == 0)),
    )
