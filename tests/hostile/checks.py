"""What the refutations share."""

from decimal import Decimal
from fractions import Fraction

import numpy as np

EPS = Fraction(2) ** -52


class RefutedError(AssertionError):
    """A certificate claims what is not so."""


def insist(true, *words):
    """Refuted, with these words, unless it is true."""
    if not true:
        raise RefutedError(" ".join(str(word) for word in words))


def part(share):
    """10^share as a fraction."""
    return Fraction(10) ** int(np.floor(share)) * Fraction(10.0 ** (share - np.floor(share)))


def decimal(x):
    """A fraction with the digits of the context."""
    return Decimal(x.numerator) / Decimal(x.denominator)
