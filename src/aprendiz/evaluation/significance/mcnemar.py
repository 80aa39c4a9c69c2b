"""Two classifiers on the same rows: McNemar's test.

Only rows on which they disagree tell them apart: b rows that only the first gets right, c that only the second does. If both
are equally good, b is binomial with b + c trials of ½:

    exact:       p = min(1, 2·P(X ≤ min(b, c)))                                                              (1)
    mid-p:       p = (1) − P(X = b), less timid                                                               (2)
    corrected:   χ² = (|b − c| − 1)²/(b + c),  1 degree of freedom;   plain without the 1                     (3)

Of n rows, the difference of the accuracies is (b − c)/n. Its interval, with half a row added to each cell (Agresti and Min), is

    d ± z·√(b* + c* − (b* − c*)²/n*)/n*,     b* = b + ½,  c* = c + ½,  n* = n + 2,  d = (b* − c*)/n*            (4)

The effect size is the odds ratio b/c. One-sided tests are those of the sign of b − c.

References: McNemar, Psychometrika 12, 1947; Fagerland, Lydersen & Laake, BMC Medical Research Methodology 13, 2013;
Agresti & Min, Statistics in Medicine 24, 2005; Dietterich, Neural Computation 10, 1998.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import bdtr, chdtrc, gammaln, ndtr, ndtri

from aprendiz.evaluation.significance.finding import NAN, Alternative, Assumption, Finding, quotient, tail

Variant = Literal["exact", "mid-p", "corrected", "plain"]
FEWEST = 10  # disagreements for the χ² of (3)


def mcnemar(
    b: int,
    c: int,
    n: int | None = None,
    *,
    variant: Variant = "exact",
    level: float = 0.05,
    alternative: Alternative = "two-sided",
    assumptions: tuple[Assumption, ...] = (),
) -> Finding:
    """(1), (2) or (3) for b and c rows that only one of two classifiers gets right, of n rows in all."""
    exact = variant in ("exact", "mid-p")
    p = binomial_p(b, c, alternative, mid=variant == "mid-p") if exact else 1.0
    statistic = float(b) if exact else chi_square(b, c, corrected=variant == "corrected")
    if not exact:
        root = np.copysign(np.sqrt(statistic), b - c)
        p = (
            float(chdtrc(1, statistic))
            if alternative == "two-sided"
            else tail(float(ndtr(root)), float(ndtr(-root)), alternative)
        )
        assumptions += (Assumption("enough_disagreements", b + c < FEWEST, {"count": b + c, "needed": FEWEST}),)
    estimate, interval, error = (NAN, (NAN, NAN), NAN) if n is None else difference_of_accuracies(b, c, n, level)
    return Finding(
        estimate=estimate,
        interval=interval,
        standard_error=error,
        statistic=statistic,
        statistic_name="b" if exact else "χ²",
        degrees=() if exact else (1.0,),
        p_value=p,
        side=float(b - c),
        effect_size=quotient(b, c),
        effect_name="odds ratio",
        assumptions=assumptions,
    )


def binomial_p(b: int, c: int, alternative: Alternative = "two-sided", *, mid: bool = False) -> float:
    """(1) or (2): b successes of b + c trials of ½. Instant for any number of rows: the tail is an incomplete beta function."""
    if b + c == 0:
        return 1.0
    below, above = float(bdtr(b, b + c, 0.5)), float(bdtr(c, b + c, 0.5))  # P(X ≤ b), P(X ≥ b) = P(X ≤ c)
    if not mid:
        return tail(below, above, alternative)
    n = b + c
    point = float(np.exp(gammaln(n + 1) - gammaln(b + 1) - gammaln(c + 1) - n * np.log(2)))
    return min(1.0, tail(below - point / 2, above - point / 2, alternative))


def chi_square(b: int, c: int, *, corrected: bool) -> float:
    """(3); 0 where both get the same rows right."""
    return max(abs(b - c) - int(corrected), 0) ** 2 / (b + c) if b + c else 0.0


def difference_of_accuracies(b: int, c: int, n: int, level: float) -> tuple[float, tuple[float, float], float]:
    """The difference, (4), and its standard error."""
    wins, losses, rows = b + 0.5, c + 0.5, n + 2
    centre = (wins - losses) / rows
    error = float(np.sqrt(wins + losses - (wins - losses) ** 2 / rows) / rows)
    half = float(ndtri(1 - level / 2)) * error
    return (b - c) / n, (centre - half, centre + half), error
