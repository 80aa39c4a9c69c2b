"""Cover's count: in how many ways a hyperplane labels n points in general position in d dimensions.

    C(n, d) = 2·Σ_{i≤d} C(n − 1, i)                                                                             (1)

General position: no d + 1 of the points lie in a hyperplane of d − 1 dimensions (no three on a line, in the plane). Points in
special position are labelled in fewer ways. (1) is 2^n up to n = d + 1, the VC dimension of linear classifiers, and half of 2^n
at n = 2(d + 1), the capacity.

Reference: Cover, "Geometrical and statistical properties of systems of linear inequalities", IEEE Transactions on Electronic
Computers 14, 1965, theorem 1.
"""

from __future__ import annotations

from math import comb

from aprendiz.core.parameters import refuse_count


def cover_count(n: int, d: int) -> int:
    """In how many ways a hyperplane labels n points in general position in d dimensions.

    Examples
    --------
    >>> cover_count(3, 2), cover_count(4, 2), cover_count(6, 2) / 2**6
    (8, 14, 0.5)
    """
    refuse_count("n", n)
    refuse_count("d", d)
    return 2 * sum(comb(n - 1, i) for i in range(d + 1))
