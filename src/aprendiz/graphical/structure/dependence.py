"""How far two columns are from being independent within each stratum: G² and X², and their p value.

    G² = 2 Σ N log(N/E),     X² = Σ (N − E)²/E,     E_sab = N_sa· N_s·b / N_s··                               (1)

over the strata s, one for each combination of levels of the given columns. Where a and b are independent given these, and all
E are large, both have a χ² distribution with

    df = (r_a − 1)(r_b − 1) Π r_given                                                                         (2)

degrees of freedom. Where levels do not occur in a stratum, (2) counts cells that could not be filled; `adjusted`, a stratum
counts (levels of a in it − 1)(levels of b in it − 1).

Since Σ (N − E) = 0, G² is a sum of terms that are never negative, so that a small one is not what large ones leave:

    N log(N/E) − N + E = E·[(1 + u) log(1 + u) − u],     u = (N − E)/E                                        (3)

Cost: O(cells).
Reference: Agresti, "Categorical Data Analysis", Wiley, 2013, chapters 3 and 6.
"""

from __future__ import annotations

import numpy as np
from scipy.special import chdtrc

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

G2, X2, DF = 0, 1, 2  # places of the numbers of a test: both statistics, and the adjusted degrees of freedom


def p_values(statistic: Array, df: Array) -> Array:
    """How probable so much dependence, or more, is among independent columns; 1 where there is nothing to vary."""
    free = df > 0
    return np.where(free, chdtrc(np.where(free, df, 1.0), statistic), 1.0)


@compiled
def dependence(table: Array, found: Array) -> None:
    """G² and X² of (1), and the adjusted (2), of a table of strata × levels of a × levels of b."""
    strata, many, several = table.shape
    rows, columns = np.empty(many), np.empty(several)
    found[:] = 0.0
    for s in range(strata):
        rows[:], columns[:] = 0.0, 0.0
        for a in range(many):
            for b in range(several):
                rows[a] += table[s, a, b]
                columns[b] += table[s, a, b]
        total = rows.sum()
        if total > 0.0:
            for a in range(many):
                for b in range(several):
                    N, E = table[s, a, b], rows[a] * (columns[b] / total)
                    if E > 0.0:
                        found[0] += 2.0 * excess(N, E)
                        found[1] += (N - E) * ((N - E) / E)
            found[2] += ((rows > 0.0).sum() - 1) * ((columns > 0.0).sum() - 1)


@compiled(inner=True)
def excess(N: float, E: float) -> float:
    """(3)."""
    u = (N - E) / E
    return max(0.0, E * ((1.0 + u) * np.log1p(u) - u)) if N > 0.0 else E
