"""Families of curves that become straight lines when x, y or both are seen on another scale.

    family         curve                            scale of x    scale of y      rows it takes
    linear         y = a + b·x                      x             y               all
    exponential    y = a·exp(b·x)                   x             ln y            y > 0
    power          y = a·x^b                        ln x          ln y            x > 0, y > 0
    inverse        y = a + b/x                      1/x           y               x ≠ 0
    logarithmic    y = a + b·ln x                   ln x          y               x > 0
    logistic       y = 1/(1 + exp(−(a + b·x)))      x             ln(y/(1 − y))   0 < y < 1

A family is a pair of scales, g of x and h of y, and its line is t = a' + Σ b_j g(x_j), y = h⁻¹(t); where y is logarithmic,
a = exp(a'). With several columns the terms add on the scale of the line: y = a·x₀^b₀·x₁^b₁.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, logit

from aprendiz.core.rows import Array, Block, read_only
from aprendiz.core.targets import plain


@dataclass(frozen=True)
class Scale:
    """A change of variable: there, back, the derivative of the way back, and where it is defined."""

    words: str
    there: Callable[[Array], Array]
    back: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    domain: str
    inside: Callable[[Array], Array]

    def refuse_outside(self, family: str, letter: str, values: Array, start: int, names: Sequence[str] | None) -> None:
        """A value that the scale does not have."""
        inside = self.inside(values)
        if inside.all():
            return
        row, *column = (int(i) for i in np.argwhere(~inside)[0])
        value = plain(values[(row, *column)])
        where = f"row {start + row}" + "".join(
            f", column {names[j]!r}" if names is not None else f", column {j}" for j in column
        )
        raise ValueError(
            f"The {family} family needs {self.domain.format(letter)}, but {letter} is {value:.6g} in {where}: "
            "leave the row out or choose another family."
        )


def same(values: Array) -> Array:
    return values


def everywhere(values: Array) -> Array:
    return np.ones(values.shape, bool)


def steepness(t: Array) -> Array:
    """σ'(t) = σ(t)·σ(−t)."""
    return np.asarray(expit(t) * expit(-t))


PLAIN = Scale("{}", same, same, np.ones_like, "any {}", everywhere)
LOGARITHM = Scale("ln {}", np.log, np.exp, np.exp, "{} > 0", lambda v: v > 0)
RECIPROCAL = Scale("1/{}", np.reciprocal, np.reciprocal, lambda t: -(t**-2), "{} ≠ 0", lambda v: v != 0)
LOGIT = Scale("ln({0}/(1 − {0}))", logit, expit, steepness, "0 < {} < 1", lambda v: (v > 0) & (v < 1))

FAMILIES = {  # scale of x, scale of y
    "linear": (PLAIN, PLAIN),
    "exponential": (PLAIN, LOGARITHM),
    "power": (LOGARITHM, LOGARITHM),
    "inverse": (RECIPROCAL, PLAIN),
    "logarithmic": (LOGARITHM, PLAIN),
    "logistic": (PLAIN, LOGIT),
}


def straight_columns(family: str, names: Sequence[str] | None, X: Array, start: int) -> Array:
    """g(x) of each cell."""
    scale = FAMILIES[family][0]
    if scale is PLAIN:
        return X
    scale.refuse_outside(family, "x", X, start, names)
    return scale.there(X.astype(np.float64))


def straighten(family: str, names: Sequence[str] | None, block: Block) -> Block:
    """The rows on the scales on which their curve is a line."""
    scale = FAMILIES[family][1]
    scale.refuse_outside(family, "y", block.y, block.start, None)
    X = straight_columns(family, names, block.X, block.start)
    return replace(block, X=read_only(X), y=read_only(scale.there(block.y.astype(np.float64))))


def formula(family: str, coef: Array, intercept: float, names: Sequence[str]) -> str:
    """The curve in words."""
    x, y = FAMILIES[family]
    with np.errstate(over="ignore"):
        a = format_number(np.exp(intercept)) if y is LOGARITHM else ""
    if x is LOGARITHM and y is LOGARITHM:
        return "·".join([f"y = {a}", *(f"{name}^{format_number(w)}" for w, name in zip(coef, names, strict=True))])
    form = {"x": "{w}·{x}", "ln x": "{w}·ln {x}", "1/x": "{w}/{x}"}[x.words.format("x")]
    terms = [(w, form.format(w=format_number(abs(w)), x=name)) for w, name in zip(coef, names, strict=True)]
    if y is LOGARITHM:
        return f"y = {a}·exp({add_terms(terms)})"
    line = add_terms([(intercept, format_number(abs(intercept))), *terms])
    return f"y = {line}" if y is PLAIN else f"y = 1/(1 + exp(−({line})))"


def format_number(number: float) -> str:
    """Six digits."""
    return f"{number:.6g}".replace("-", "−")


def add_terms(terms: Sequence[tuple[float, str]]) -> str:
    """Terms, each with its size, added and subtracted."""
    (value, first), *others = terms
    return ("−" if value < 0 else "") + first + "".join(f" {'−' if value < 0 else '+'} {term}" for value, term in others)
