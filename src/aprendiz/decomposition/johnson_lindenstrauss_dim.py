"""The dimension of the lemma of Johnson and Lindenstrauss, with the constants of the lemma, its proof and scikit-learn."""

from __future__ import annotations

from typing import Any

from aprendiz.decomposition.near_isometry.dimension import Bound, dimension


def johnson_lindenstrauss_dim(n: Any, eps: Any = 0.1, bound: Bound = "lemma") -> Any:
    """How many random coordinates keep the squared distances of n points to within 1 ± eps.

    Parameters
    ----------
    n : int, or an array of them
        Points.
    eps : float, or an array of them, default=0.1
        Largest distortion of a squared distance, above 0 and below 1.
    bound : {"lemma", "proof", "sklearn", "larger"}, default="lemma"
        ⌈9 ln n / (ε² − ε³)⌉, ⌈4 ln(2n²) / (ε² − ε³)⌉, ⌊4 ln n / (ε²/2 − ε³/3)⌋, or the larger one of the first two, which are
        for a probability of at least ½. The first is the smaller one of them for n < 16 (near_isometry/dimension.py).

    Examples
    --------
    >>> [int(johnson_lindenstrauss_dim(1000, 0.25, bound)) for bound in ("lemma", "proof", "sklearn")]
    [1327, 1239, 1061]
    """
    return dimension(n, eps, bound)
