"""Two hypotheses, each judged on a sample of its own: the Z of two proportions.

With e₁ and e₂ the shares of errors among n₁ and n₂ rows, drawn independently, and d = e₁ − e₂,

    σ² = e₁(1 − e₁)/n₁ + e₂(1 − e₂)/n₂                                                                       (1)
    Z = d/σ,     interval  d ± z_{α/2}·σ                                                                      (2)
    pooled:  σ₀² = e(1 − e)·(1/n₁ + 1/n₂),     e = (n₁e₁ + n₂e₂)/(n₁ + n₂)                                    (3)

(3) is the variance if both errors are equal, which is what the test supposes; the interval keeps (1). The effect size is
Cohen's h = 2·arcsin √e₁ − 2·arcsin √e₂. The normal approximation wants some five errors and five hits in each sample.

References: Mitchell, Machine Learning, 1997, ch. 5; Cohen, Statistical Power Analysis, 1988, ch. 6.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from aprendiz.evaluation.significance.finding import Alternative, Assumption, Finding, quotient, tail

FEWEST = 5  # errors, and hits, for the normal approximation


def two_proportions(
    errors: tuple[int, int],
    rows: tuple[int, int],
    *,
    level: float = 0.05,
    alternative: Alternative = "two-sided",
    pooled: bool = False,
    same_rows: bool | None = False,
) -> Finding:
    """(2), or with (3); `same_rows` says that both samples are one, which breaks the test."""
    (n1, n2), (e1, e2) = rows, (errors[0] / rows[0], errors[1] / rows[1])
    difference, spread = e1 - e2, float(np.sqrt(e1 * (1 - e1) / n1 + e2 * (1 - e2) / n2))
    e = sum(errors) / sum(rows)
    error = float(np.sqrt(e * (1 - e) * (1 / n1 + 1 / n2))) if pooled else spread
    z = 0.0 if difference == 0 else quotient(difference, error)
    half = float(ndtri(1 - level / 2)) * spread
    fewest = min(*errors, n1 - errors[0], n2 - errors[1])
    return Finding(
        estimate=difference,
        interval=(difference - half, difference + half),
        standard_error=error,
        statistic=z,
        statistic_name="Z",
        p_value=tail(float(ndtr(z)), float(ndtr(-z)), alternative),
        effect_size=float(2 * np.arcsin(np.sqrt(e1)) - 2 * np.arcsin(np.sqrt(e2))),
        effect_name="Cohen's h",
        assumptions=(
            Assumption("independent_samples", same_rows),
            Assumption("large_counts", fewest < FEWEST, {"fewest": int(fewest), "needed": FEWEST}),
        ),
    )
