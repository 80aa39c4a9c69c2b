"""Is a sample normal? Skewness and kurtosis with their standard errors, three tests, and how far off it is.

With g₁ = m₃/m₂^{3/2} and g₂ = m₄/m₂² − 3 of n values,

    G₁ = g₁·√(n(n−1))/(n−2),                  SE² = 6n(n−1)/((n−2)(n+1)(n+3))                                 (1)
    G₂ = ((n+1)g₂ + 6)·(n−1)/((n−2)(n−3)),    SE² = 24n(n−1)²/((n−3)(n−2)(n+3)(n+5))                          (2)
    Jarque–Bera        n/6·(g₁² + g₂²/4), about χ² with two degrees of freedom                                (3)
    Anderson–Darling   A² = −n − 1/n·Σ (2i−1)·(ln Φ(z_i) + ln(1 − Φ(z_{n+1−i}))),  z sorted and standardised  (4)
    Shapiro–Wilk       SciPy's, up to 5000 values, where its p-values are valid
    distance           max |F_n(x) − Φ(z)|: the largest error of a probability that is read from the curve    (5)

The p-value of (4) is that of Stephens for a mean and variance that are estimated, with A²·(1 + 0.75/n + 2.25/n²). (3) is rough
below a few hundred values. The p-value that decides is that of Shapiro–Wilk, of (4) beyond 5000 values. With many values every
small deviation has a small p-value; (5) says whether it matters.

References: D'Agostino & Stephens, "Goodness-of-fit techniques", 1986, table 4.9; Joanes & Gill, The Statistician 47, 1998.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import log_ndtr, ndtr
from scipy.stats import shapiro

from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr

FEWEST = 8  # values for a judgement
MOST_SHAPIRO = 5000  # values up to which SciPy's p-values are valid
STEPHENS = (  # A*² up to which each formula holds, and the coefficients of A*² and its square in ±ln p
    (0.2, (-13.436, 101.14, -223.73), True),
    (0.34, (-8.318, 42.796, -59.938), True),
    (0.6, (0.9177, -4.279, -1.38), False),
    (13.0, (1.2937, -5.709, 0.0186), False),
)


@dataclass(frozen=True, eq=False, repr=False)
class NormalTests(ShortRepr):
    """A column (of one class) beside the normal distribution.

    Attributes
    ----------
    column : str
    label : the class, or None
    values : ndarray
        Its known values, in order.
    mean, sd : float
        Of the fitted curve; sd has denominator n − 1.
    skewness, skewness_error, kurtosis, kurtosis_error : float
        (1) and (2).
    jarque_bera, anderson_darling, shapiro : (float, float)
        Statistic and p-value; NaN where it cannot be had.
    distance : float
        (5).
    p : float
        What decides; NaN for fewer than eight values and where nothing varies.
    p_holm : float
        The same, raised for the number of columns and classes that were tested.
    """

    column: str
    label: Any
    values: Array
    mean: float
    sd: float
    skewness: float
    skewness_error: float
    kurtosis: float
    kurtosis_error: float
    jarque_bera: tuple[float, float]
    anderson_darling: tuple[float, float]
    shapiro: tuple[float, float]
    distance: float
    p: float
    p_holm: float = float("nan")

    @property
    def standardised(self) -> Array:
        """(values − mean)/sd."""
        return (self.values - self.mean) / self.sd


def normal_tests(column: str, label: Any, cells: Array) -> NormalTests:
    """(1) to (5) of the known cells of a column."""
    x = np.sort(cells[~np.isnan(cells)].astype(np.float64))
    n = len(x)
    mean = float(x.mean()) if n else np.nan
    sd = float(x.std(ddof=1)) if n > 1 else np.nan
    nothing = (np.nan, np.nan)
    if n < FEWEST or not sd > np.finfo(float).eps * n * abs(mean):
        return NormalTests(column, label, x, mean, sd, *(np.nan,) * 4, nothing, nothing, nothing, np.nan, np.nan)
    z = (x - mean) / sd
    m2, m3, m4 = (float(np.mean((z - z.mean()) ** k)) for k in (2, 3, 4))
    g1, g2 = m3 / m2**1.5, m4 / m2**2 - 3.0
    bera = n / 6.0 * (g1**2 + g2**2 / 4.0)
    wilk = tuple(map(float, shapiro(z))) if n <= MOST_SHAPIRO else nothing
    darling = anderson_darling(z)
    steps = np.arange(n + 1) / n
    distance = float(np.maximum(steps[1:] - ndtr(z), ndtr(z) - steps[:-1]).max())
    return NormalTests(
        *(column, label, x, mean, sd),
        skewness=g1 * np.sqrt(n * (n - 1)) / (n - 2),
        skewness_error=float(np.sqrt(6.0 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))),
        kurtosis=((n + 1) * g2 + 6.0) * (n - 1) / ((n - 2) * (n - 3)),
        kurtosis_error=float(np.sqrt(24.0 * n * (n - 1) ** 2 / ((n - 3) * (n - 2) * (n + 3) * (n + 5)))),
        jarque_bera=(bera, float(np.exp(-bera / 2.0))),
        anderson_darling=darling,
        shapiro=(wilk[0], wilk[1]),
        distance=distance,
        p=wilk[1] if n <= MOST_SHAPIRO else darling[1],
    )


def anderson_darling(z: Array) -> tuple[float, float]:
    """(4) of sorted standardised values, and its p-value."""
    n = len(z)
    odd = 2 * np.arange(1, n + 1) - 1
    A2 = float(-n - np.mean(odd * (log_ndtr(z) + log_ndtr(-z[::-1]))))
    star = A2 * (1.0 + 0.75 / n + 2.25 / n**2)
    for limit, (a, b, c), below in STEPHENS:
        if star < limit:
            p = float(np.exp(a + b * star + c * star**2))
            return A2, 1.0 - p if below else p
    return A2, 0.0
