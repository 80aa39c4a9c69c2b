"""A class of M rules, fixed before the rows were seen: how far the training errors are from the errors, for all rules at once.

    P(max over rules |L̂ − L| ≥ ε) ≤ 2M·e^{−2nε²}                                                                (1)
    P(some rule with L̂ = 0 has L > ε) ≤ M·e^{−nε}                                                               (2)

(1) is Hoeffding's inequality for each of the rules, their probabilities added: so it holds for the one that the rows chose, and
the rule that errs least on them is at most 2ε worse than the best of the class. (2) is for a rule without training errors,
where (1 − ε)^n ≤ e^{−nε} is the probability that a rule of error ε makes none.

Reference: Shalev-Shwartz & Ben-David, "Understanding machine learning", 2014, corollaries 2.3 and 4.6.
"""

from __future__ import annotations

from math import log

from aprendiz.core.parameters import refuse_count
from aprendiz.evaluation.bounds.classes.uniform_bound import UniformBound


def finite_class(
    n: int | None = None, *, size: int, eps: float | None = None, delta: float | None = None, consistent: bool = False
) -> float:
    """How far training errors are from the errors for a class of `size` rules, or how many rows a promise needs.

    Parameters
    ----------
    n : int, optional
        Training rows.
    size : int
        M: how many rules there were to choose from, before the rows were seen. It may be as large as 3**20.
    eps : float, optional
        ε: the largest difference of training error and error; of a consistent rule, its error.
    delta : float, optional
        δ: the probability that it is larger for some rule.
    consistent : bool, default=False
        Whether the chosen rule makes no error on the training rows, so that (2) holds.

    Returns
    -------
    float
        With n and eps, δ (a bound above 1 says nothing); with n and delta, ε; with eps and delta, the number of rows.

    Examples
    --------
    >>> finite_class(size=3**10, eps=0.1, delta=0.05), finite_class(size=3**10, eps=0.1, delta=0.05, consistent=True)
    (734, 140)
    """
    refuse_size(size)
    log_size = log(size)
    bound = UniformBound("finite_class", lambda n: log(2.0) + log_size, 2.0, 2)
    if consistent:
        bound = UniformBound("finite_class", lambda n: log_size, 1.0, 1)
    return bound.answer(n, eps, delta)


def refuse_size(size: int) -> None:
    """A number of rules, larger than a machine word if need be."""
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        refuse_count("size", size)
