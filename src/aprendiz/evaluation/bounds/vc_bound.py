"""The bound of Vapnik and Chervonenkis: training errors and errors of all rules of a class, whose size its VC dimension tells.

With S(m) the number of ways in which the class labels m points, at most Σ_{i≤h} C(m, i) for a class of VC dimension h,

    P(sup over rules |L̂ − L| > ε) ≤ 4·S(2n)·e^{−nε²/8}                                                          (1)
    P(some rule with L̂ = 0 has L > ε) ≤ 2·S(2n)·2^{−nε/2}                                                       (2)

so that L ≤ L̂ + √(8(ln S(2n) + ln(4/δ))/n) for the rule that the rows chose, but for a probability of δ; the rule that errs
least on them is at most 2ε worse than the best of the class. (1) is the theorem of 1971 with its own constants. Other forms
have others (8·S(n)·e^{−nε²/32} in Devroye, Györfi & Lugosi, theorem 12.5): bounds are only compared within one form. S(2n) is
the sum itself, not (2en/h)^h.

References: Vapnik & Chervonenkis, "On the uniform convergence of relative frequencies of events to their probabilities", Theory
of Probability and its Applications 16, 1971, theorem 2; for (2) Blumer, Ehrenfeucht, Haussler & Warmuth, "Learnability and the
Vapnik–Chervonenkis dimension", JACM 36, 1989, theorem A2.1.
"""

from __future__ import annotations

from math import log

from aprendiz.core.parameters import refuse_count
from aprendiz.evaluation.bounds.classes.labellings import LN_2, log_sauer
from aprendiz.evaluation.bounds.classes.uniform_bound import UniformBound


def vc_bound(
    n: int | None = None, *, dimension: int, eps: float | None = None, delta: float | None = None, consistent: bool = False
) -> float:
    """How far training errors are from the errors for a class of a VC dimension, or how many rows a promise needs.

    Parameters
    ----------
    n : int, optional
        Training rows.
    dimension : int
        h: the VC dimension of the class, of which `vc_dimension` knows some.
    eps : float, optional
        ε: the largest difference of training error and error; of a consistent rule, its error.
    delta : float, optional
        δ: the probability that it is larger for some rule.
    consistent : bool, default=False
        Whether the chosen rule makes no error on the training rows, so that (2) holds.

    Returns
    -------
    float
        With n and eps, δ (a bound above 1 says nothing, infinity is beyond the numbers); with n and delta, ε; with eps and
        delta, the number of rows.

    Examples
    --------
    >>> round(vc_bound(10_000, dimension=3, delta=0.05), 4), vc_bound(dimension=3, eps=0.1, delta=0.05)
    (0.1608, 28341)
    """
    refuse_count("dimension", dimension)
    bound = UniformBound("vc_bound", lambda n: log(4.0) + log_sauer(2 * n, dimension), 1.0 / 8.0, 2)
    if consistent:
        bound = UniformBound("vc_bound", lambda n: LN_2 + log_sauer(2 * n, dimension), LN_2 / 2.0, 1)
    return bound.answer(n, eps, delta)
