"""Bases of functions of one column, by which a linear model bends.

    gaussian    exp(−(x − c)²/(2s²))                        a bump around each centre c
    sigmoid     σ((x − c)/s)                                a step at each centre
    fourier     sin(2πkx/T), cos(2πkx/T), k = 1, …, K       what repeats with the period T
    haar        2^{j/2}·ψ(2ʲu − k), j < J, k < 2ʲ           steps on ever finer halves of the range, u from 0 to 1     (1)

ψ is 1 on [0, ½), −1 on [½, 1) and 0 elsewhere; with the constant 1, (1) is an orthonormal basis of the functions that are
constant on 2ᴶ equal parts of the range, the last of which holds its right end. B-splines are in b_splines.py, monomials in
monomials.py. `Functions` are the user's own.

Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", 2nd ed., chapter 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.special import expit

from aprendiz.core.rows import Array


class OfColumn(Protocol):
    """Functions of one column: their number, their values at some x (`start` is the number of the first row, where it is
    known, for messages), and their names."""

    @property
    def number(self) -> int: ...

    def values(self, x: Array, start: int | None = None) -> Array: ...

    def names(self, column: str) -> list[str]: ...


@dataclass(frozen=True)
class Bumps:
    """Gaussian bumps of one width."""

    centres: Array
    width: float

    @property
    def number(self) -> int:
        return len(self.centres)

    def values(self, x: Array, start: int | None = None) -> Array:
        z = (x[:, None] - self.centres) / self.width
        return np.exp(-0.5 * z * z)

    def names(self, column: str) -> list[str]:
        return [f"exp(−{gap}²/(2·{self.width:.4g}²))" for gap in gaps(column, self.centres)]


@dataclass(frozen=True)
class Steps:
    """Sigmoid steps of one width."""

    centres: Array
    width: float

    @property
    def number(self) -> int:
        return len(self.centres)

    def values(self, x: Array, start: int | None = None) -> Array:
        return np.asarray(expit((x[:, None] - self.centres) / self.width))

    def names(self, column: str) -> list[str]:
        return [f"σ({gap}/{self.width:.4g})" for gap in gaps(column, self.centres)]


@dataclass(frozen=True)
class Waves:
    """Sines and cosines of a period and its parts."""

    period: float
    harmonics: int

    @property
    def number(self) -> int:
        return 2 * self.harmonics

    def values(self, x: Array, start: int | None = None) -> Array:
        turn = 2.0 * np.pi * np.remainder(x, self.period) / self.period  # the remainder is exact, however large x
        angle = turn[:, None] * np.arange(1, self.harmonics + 1)
        return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(len(x), -1)

    def names(self, column: str) -> list[str]:
        turns = ["", *(f"{k}·" for k in range(2, self.harmonics + 1))]
        return [f"{wave}(2π·{turn}{column}/{self.period:.4g})" for turn in turns for wave in ("sin", "cos")]


@dataclass(frozen=True)
class Wavelets:
    """Haar wavelets (1) on a range; 0 beyond it."""

    low: float
    high: float
    levels: int

    @property
    def number(self) -> int:
        return int(2**self.levels) - 1

    def values(self, x: Array, start: int | None = None) -> Array:
        u = (x - self.low) / (self.high - self.low)
        row = np.flatnonzero((u >= 0) & (u <= 1))
        half = np.minimum(u[row] * 2**self.levels, 2**self.levels - 1).astype(np.intp)  # which of the finest parts
        W = np.zeros((len(x), self.number))
        for j in range(self.levels):
            half_of_level = half >> (self.levels - j - 1)
            W[row, 2**j - 1 + (half_of_level >> 1)] = 2 ** (j / 2) * (1 - 2 * (half_of_level & 1))
        return W

    def names(self, column: str) -> list[str]:
        return [f"haar{j},{k}({column})" for j in range(self.levels) for k in range(2**j)]


def gaps(column: str, centres: Array) -> list[str]:
    """(x − c) of each centre, with as many digits as tell them apart."""
    digits = next((n for n in range(3, 17) if len({f"{c:.{n}g}" for c in centres}) == len(centres)), 17)
    return [f"({column}{'−' if c >= 0 else '+'}{abs(c):.{digits}g})" for c in centres]


@dataclass(frozen=True)
class ByColumn:
    """A basis for each column, one beside the other, after the constant 1 if `bias`."""

    bases: Sequence[OfColumn]
    bias: bool

    @property
    def number(self) -> int:
        return self.bias + sum(one.number for one in self.bases)

    def values(self, X: Array, start: int | None = None) -> Array:
        out, at = np.ones((len(X), self.number), X.dtype), int(self.bias)
        for j, one in enumerate(self.bases):
            out[:, at : at + one.number] = one.values(X[:, j].astype(np.float64), start)
            at += one.number
        return out

    def names(self, columns: Sequence[str]) -> list[str]:
        found = [name for one, column in zip(self.bases, columns, strict=True) for name in one.names(column)]
        return ["1", *found] if self.bias else found


# ---- the user's own ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Functions:
    """Functions of the whole table, by name, each of which gives a number or several for each row."""

    named: Sequence[tuple[str, Callable[[Array], Any]]]
    outputs: Sequence[int]  # columns that each of them gives; 0 for a vector

    @classmethod
    def try_on(cls, functions: Iterable[tuple[str, Callable[[Array], Any]]], X: Array) -> Functions:
        """The functions, with what they give of some rows."""
        named = list(functions)
        shapes = [call(name, function, X, 0).shape for name, function in named]
        return cls(named, [shape[1] if len(shape) == 2 else 0 for shape in shapes])

    @property
    def number(self) -> int:
        return sum(wide or 1 for wide in self.outputs)

    def values(self, X: Array, start: int | None = None) -> Array:
        found = []
        for (name, function), wide in zip(self.named, self.outputs, strict=True):
            part = call(name, function, X, start)
            if part.shape[1:] != ((wide,) if wide else ()):
                raise ValueError(f"The function {name!r} gave {wide or 1} columns in the fit and an array {part.shape} now.")
            found.append(part.reshape(len(X), -1))
        return np.concatenate(found, axis=1)

    def names(self, columns: Sequence[str]) -> list[str]:
        """The name of the function; of several columns, f(x0), f(x1), … if there is one for each, else f0, f1, …"""
        found: list[str] = []
        for (name, _), wide in zip(self.named, self.outputs, strict=True):
            each = [f"{name}({column})" for column in columns] if wide == len(columns) else [f"{name}{k}" for k in range(wide)]
            found += each if wide else [name]
        return found


def call(name: str, function: Callable[[Array], Any], X: Array, start: int | None) -> Array:
    """What a function gives of some rows: finite numbers, as many rows as it got."""
    with np.errstate(all="ignore"):
        found = np.asarray(function(X), dtype=np.float64)
    if found.ndim not in (1, 2) or len(found) != len(X) or found.size == 0:
        raise ValueError(
            f"The function {name!r} gave an array of shape {found.shape} for {len(X)} rows: it must give a row for each row."
        )
    if not (fine := np.isfinite(found)).all():
        place = tuple(int(i) for i in np.argwhere(~fine)[0])
        where = "a row" if start is None else f"row {start + place[0]}"
        raise ValueError(
            f"The function {name!r} gave {found[place]} for {where}, {X[place[0]].tolist()}: leave the row out, or change "
            "the function."
        )
    return found


def with_names(basis: Any) -> list[tuple[str, Callable[[Array], Any]]]:
    """A function, a list of functions or functions by name, each with its name."""
    if isinstance(basis, dict):
        return list(basis.items())
    some = basis if isinstance(basis, (list, tuple)) else [basis]
    return [(getattr(one, "__name__", type(one).__name__), one) for one in some]
