"""The probability with which a random projection does not keep all distances, from the proof of Johnson and Lindenstrauss."""

from __future__ import annotations

from typing import Any

from aprendiz.decomposition.near_isometry.dimension import failure_probability


def johnson_lindenstrauss_failure(n: Any, eps: Any, k: Any) -> Any:
    """At most this probability, n²·e^(−k(ε² − ε³)/4), has it that k normal coordinates change a squared distance of n points by
    more than a part ε. The number of draws until none does is geometric, with mean 1 / (1 − probability) at most.

    Examples
    --------
    >>> round(float(johnson_lindenstrauss_failure(1000, 0.25, 1239)), 3)
    0.495
    """
    return failure_probability(n, eps, k)
