"""What a vote gains: the error of the majority of M independent members that err with the same probability e.

    error = Σ_{j > M/2} C(M, j) e^j (1 − e)^{M−j}                                                            (1)

For e < ½ it falls to 0 as M grows, for e > ½ it rises to 1, and for e = ½ it stays. Members of a real ensemble do not err
independently, so (1) is what could be gained at best.

If M is even, votes can be tied. A tie that a coin decides is half an error, and M votes are then worth as much as M − 1. With I
the regularised incomplete beta function and a the wrong votes that make an error,

    error = I_e(a, M − a + 1),     decided by a coin I_e(a, a) with a = ⌈M/2⌉                                 (2)

which keeps its digits for any M.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from scipy.special import betainc

from aprendiz.core.rows import Array

Ties = Literal["coin", "wrong", "right"]


def majority_error(M: Any, e: Any, *, ties: Ties = "coin") -> Any:
    """The error of a majority of M independent votes, each wrong with probability e.

    Parameters
    ----------
    M : int or array-like of int
        Votes.
    e : float or array-like
        The error of one vote; M and e are broadcast.
    ties : {"coin", "wrong", "right"}, default="coin"
        What a tie counts, if M is even: half an error, an error, or none (the sum (1) as it stands).

    Returns
    -------
    float, or ndarray

    Examples
    --------
    >>> from aprendiz.ensemble import majority_error
    >>> print(f"{majority_error(21, 0.3):.6f} {majority_error(21, 0.6):.6f}")
    0.026390 0.825622
    """
    votes, error = refused_votes(M), refused_error(e)
    if ties not in get_args(Ties):
        raise ValueError(f"ties={ties!r} is not known: give one of {', '.join(map(repr, get_args(Ties)))}.")
    wrong = votes // 2 + 1 if ties == "right" else (votes + 1) // 2
    found = betainc(wrong, wrong if ties == "coin" else votes - wrong + 1, error)
    return float(found) if np.ndim(found) == 0 else found


def refused_votes(M: Any) -> Array:
    """Numbers of votes as an array of whole numbers."""
    votes = np.asarray(M)
    bad = votes.ravel() if votes.dtype.kind not in "iu" else votes[votes < 1].ravel()
    if len(bad):
        raise ValueError(f"M = {bad[0]} must be a whole number of at least 1: it counts votes.")
    return votes


def refused_error(e: Any) -> Array:
    """Errors as an array of numbers from 0 to 1."""
    error = np.asarray(e, dtype=np.float64)
    bad = error[~((error >= 0) & (error <= 1))].ravel()
    if len(bad):
        raise ValueError(f"e = {bad[0]:g} must lie between 0 and 1: it is the probability of a wrong vote.")
    return error
