"""How many random coordinates keep the squared distances of n points to within 1 ± ε.

For a vector u and its k random coordinates v, ‖v‖²·k/‖u‖² is a χ² with k degrees of freedom, and

    P(‖v‖² ≥ (1 + ε)‖u‖²), P(‖v‖² ≤ (1 − ε)‖u‖²) ≤ e^(−k(ε² − ε³)/4)                                          (1)
    P(some of the n(n − 1)/2 pairs is outside of 1 ± ε) ≤ n²·e^(−k(ε² − ε³)/4)                                 (2)

    "lemma"     ⌈9 ln n / (ε² − ε³)⌉                 (2) is at most n^(−1/4)                                   (3)
    "proof"     ⌈4 ln(2n²) / (ε² − ε³)⌉              (2) is at most ½, so that two draws are enough on average (4)
    "sklearn"   ⌊4 ln n / (ε²/2 − ε³/3)⌋             (1) with the sharper exponent k(ε²/2 − ε³/3)/2, and (2)   (5)

(3) promises ½ by (2) only from n = 16 on, where it is the larger; "larger" takes the larger one of both.

References: Johnson & Lindenstrauss, "Extensions of Lipschitz mappings into a Hilbert space", Contemp. Math. 26, 1984; Dasgupta
& Gupta, "An elementary proof of a theorem of Johnson and Lindenstrauss", Random Structures & Algorithms 22, 2003.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array

Bound = Literal["lemma", "proof", "sklearn", "larger"]


def checked(n: Any, eps: Any) -> tuple[Array, Array]:
    """Numbers of points and distortions, as arrays of double precision."""
    try:
        points, part = np.asarray(n, np.float64), np.asarray(eps, np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"n and eps must be numbers, got {n!r} and {eps!r}.") from error
    if not ((part > 0.0) & (part < 1.0)).all():
        raise ParameterError(f"The JL bound is defined for eps in ]0, 1[, got {eps!r}.")
    if not ((points > 0.0) & (points < np.inf)).all():
        raise ParameterError(f"The JL bound is defined for n_samples greater than zero, got {n!r}.")
    return points, part


def lemma(n: Array, eps: Array) -> Array:
    """(3)."""
    return np.ceil(9.0 * np.log(n) / (eps**2 - eps**3))


def proof(n: Array, eps: Array) -> Array:
    """(4)."""
    return np.ceil(4.0 * np.log(2.0 * n**2) / (eps**2 - eps**3))


def sharper(n: Array, eps: Array) -> Array:
    """(5)."""
    return np.floor(4.0 * np.log(n) / (eps**2 / 2.0 - eps**3 / 3.0))


def dimension(n: Any, eps: Any, bound: Bound = "lemma") -> Any:
    """(3), (4), (5) or the larger of the first two: a whole number, or an array of them."""
    points, part = checked(n, eps)
    if bound == "larger":
        found = np.maximum(lemma(points, part), proof(points, part))
    else:
        formulas = {"lemma": lemma, "proof": proof, "sklearn": sharper}
        if bound not in formulas:
            raise ParameterError(f"bound must be 'lemma', 'proof', 'sklearn' or 'larger', got {bound!r}.")
        found = formulas[bound](points, part)
    return found.astype(np.int64)[()]


def failure_probability(n: Any, eps: Any, k: Any) -> Any:
    """The bound (2), or 1 if it says nothing."""
    points, part = checked(n, eps)
    return np.minimum(points**2 * np.exp(-np.asarray(k) * (part**2 - part**3) / 4.0), 1.0)[()]
