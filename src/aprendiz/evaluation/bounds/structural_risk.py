"""Structural risk minimisation: of several classes, the model with the smallest bound of its error.

A richer class errs less on the training rows, and its bound adds more. With k classes, fixed before the rows were seen,

    bound_j = L̂_j + ε(n, h_j, δ/k),     the smallest is chosen                                                   (1)

ε is that of `vc_bound`. Each class has a share δ/k of δ, so all bounds hold at once, and the bound of the chosen model is as
true as the others. The bounds are wide: they rank the classes more than they tell the error.

Reference: Vapnik, "Statistical learning theory", 1998, chapter 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.parameters import refuse_count
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation import bounds
from aprendiz.evaluation.bounds.inputs.numbers import check_number
from aprendiz.evaluation.words.tables import align
from aprendiz.linear.diagnostics.deviation_bounds import check_delta
from aprendiz.locale import _, format_fixed, format_whole, number


@dataclass(frozen=True, repr=False, eq=False)
class StructuralRisk(ShortRepr):
    """The bounds of several models.

    Attributes
    ----------
    names : tuple
        Of the models.
    errors : ndarray of float
        Training errors.
    dimensions : ndarray of int
        VC dimensions of their classes.
    bounds : ndarray of float
        (1); from 1 on it says nothing.
    n : int
        Training rows.
    delta : float
        δ for all of them together.
    """

    names: tuple[Any, ...]
    errors: Array
    dimensions: Array
    bounds: Array
    n: int
    delta: float

    @property
    def best(self) -> Any:
        """The name of the model with the smallest bound, the first of them."""
        return self.names[int(np.argmin(self.bounds))]

    @property
    def vacuous(self) -> bool:
        """Whether no bound is below 1: the choice then is only a ranking."""
        return bool(self.bounds.min() >= 1)

    def __str__(self) -> str:
        rows = [[_("model"), _("VC dimension"), _("training error"), _("bound")]]
        for name, error, h, bound in zip(self.names, self.errors, self.dimensions, self.bounds, strict=True):
            star = "*" if name == self.best else ""
            rows.append([str(name), format_whole(int(h)), format_fixed(error, 4), format_fixed(bound, 4) + star])
        words = _("* smallest bound; all hold at once with probability {level}, {n} training rows")
        lines = [align(rows), words.format(level=number(1.0 - self.delta), n=format_whole(self.n))]
        if self.vacuous:
            lines.append(_("No bound is below 1: they rank the models, and promise nothing."))
        return "\n".join(lines)


def structural_risk(
    candidates: Mapping[Any, tuple[float, int]] | Sequence[tuple[float, int]], n: int, *, delta: float = 0.05
) -> StructuralRisk:
    """The model with the smallest bound of its error.

    Parameters
    ----------
    candidates : mapping of name to (training error, VC dimension), or sequence of such pairs
        One for each class, such as polynomials of rising degree. `vc_dimension(model)` knows that of some models.
    n : int
        Training rows.
    delta : float, default=0.05
        δ: the probability that some bound does not hold.

    Examples
    --------
    >>> found = structural_risk({"line": (0.2, 3), "parabola": (0.05, 6), "degree 9": (0.0, 55)}, 20_000)
    >>> print(found)
    model     VC dimension  training error    bound
    line                 3          0.2000   0.3191
    parabola             6          0.0500  0.2081*
    degree 9            55          0.0000   0.4098
    * smallest bound; all hold at once with probability 0.95, 20,000 training rows
    >>> found.best
    'parabola'
    """
    named = candidates if isinstance(candidates, Mapping) else dict(enumerate(candidates))
    if not named:
        raise ValueError("candidates is empty: give a training error and a VC dimension for at least one model.")
    refuse_count("n", n)
    check_number("delta", delta)
    check_delta(delta)
    pairs = [checked_pair(name, pair) for name, pair in named.items()]
    errors, dimensions = np.array([e for e, _h in pairs]), np.array([h for _e, h in pairs])
    eps = np.array([bounds.vc_bound(n, dimension=int(h), delta=delta / len(pairs)) for h in dimensions])
    return StructuralRisk(tuple(named), errors, dimensions, errors + eps, int(n), float(delta))


def checked_pair(name: Any, pair: Any) -> tuple[float, int]:
    """A training error from 0 to 1 and a VC dimension of at least 1."""
    try:
        error, dimension = pair
    except (TypeError, ValueError):
        raise TypeError(f"candidates[{name!r}] must be a pair (training error, VC dimension), got {pair!r}.") from None
    check_number(f"The training error of {name!r}", error)
    if not 0 <= error <= 1:
        raise ValueError(f"The training error of {name!r} must be from 0 to 1, got {error!r}.")
    refuse_count(f"The VC dimension of {name!r}", dimension)
    return float(error), int(dimension)
