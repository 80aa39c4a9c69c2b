"""Basis expansion: new columns φ(x) in which a curve is a linear function.

    ŷ = Σ_k w_k φ_k(x),     φ fixed before the fit, so that ŷ is linear in w                                  (1)

Whatever is fitted to φ(x) is still a linear model: least squares, ridge, logistic regression. The bases are those of
monomials.py (all columns together), basis_functions.py and b_splines.py (each column alone), or functions of the user's own.
What they need to know of the rows is their range or their quantiles (summaries/quantiles.py).

The number of functions is what decides: too few cannot bend, too many follow the noise, and monomials of d columns are
C(d + degree, degree).

Cost: one pass for the range of the rows, two or three more for quantiles; the new columns are made when they are asked for.
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", 2nd ed., chapter 5.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.learner import Passes, Transformer
from aprendiz.core.parameters import ArrayLike, Count, ParameterError, Positive, Whole, check_parameters
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sums import Extremes
from aprendiz.linear.bases.b_splines import Splines
from aprendiz.linear.bases.basis_functions import Bumps, ByColumn, Functions, OfColumn, Steps, Wavelets, Waves, with_names
from aprendiz.linear.bases.monomials import Monomials, how_many
from aprendiz.summaries.quantiles import quantiles

MOST_FACTORS = 10**7  # factors of all the products that anybody can mean
FINEST = 20  # levels of steps, for the same reason
SMALLEST_POWER = -290  # log₁₀ of powers that lose digits, or vanish, below the range of doubles


class BasisExpansion(Transformer, Passes):
    """New columns that are functions of the old ones, so that linear models fit curves.

    Parameters
    ----------
    basis : {"polynomial", "gaussian", "sigmoid", "fourier", "haar", "spline"}, function, list or dict of functions
        Which functions. Polynomials are of all columns together, the other named ones of each column alone. Functions of
        your own are called with a table of some rows and give a number, or several, for each; a dict names them.
    degree : int, (int, int) or None, default=None
        Of the polynomials, at most or from the first to the second; of the splines. None is 2 for polynomials, 3 for splines.
    interaction_only : bool, default=False
        Polynomials without powers: products of different columns.
    include_bias : bool, default=True
        Whether the first column is 1. Splines, which sum to 1, lack the last one if not. No effect on functions of your own.
    number : int, default=5
        Centres ("gaussian", "sigmoid"), knots ("spline"), harmonics ("fourier") or levels ("haar") for each column.
    places : {"uniform", "quantile"} or array of shape (k,) or (k, n_features), default="uniform"
        Centres or knots: evenly over the range of the fit, at its quantiles, or as given.
    width : float or None, default=None
        s of "gaussian" and "sigmoid"; None is the mean distance of the centres.
    period : float or None, default=None
        T of "fourier"; None is the range of the fit.
    extrapolation : {"constant", "linear", "continue", "periodic", "error"}, default="constant"
        What splines do beyond their knots.

    Attributes
    ----------
    n_output_features_ : int
    places_ : list of ndarray, or None
        For each column its centres, its knots, its period, or the ends of its range.
    widths_ : ndarray of shape (n_features,) or None
        s of each column.
    outputs_ : list of int, or None
        Columns that each function of your own gives, 0 for a vector.
    certificate_ : Certificate
        The smallest number of digits in which the functions tell the cells of a column apart, and the column.
    """

    exceptions = {
        "shift": "powers of a column that was moved are other functions",
        "scaling": "the square of a column has the square of its units",
        "column order": "products of the columns come in another order",
    }

    def __init__(
        self,
        basis: Literal["polynomial", "gaussian", "sigmoid", "fourier", "haar", "spline"]
        | Callable[..., Any]
        | list[Any]
        | dict[str, Any] = "polynomial",
        *,
        degree: Whole | tuple[int, int] | None = None,
        interaction_only: bool = False,
        include_bias: bool = True,
        number: Count = 5,
        places: Literal["uniform", "quantile"] | ArrayLike = "uniform",
        width: Positive | None = None,
        period: Positive | None = None,
        extrapolation: Literal["constant", "linear", "continue", "periodic", "error"] = "constant",
    ):
        self.basis = basis
        self.degree = degree
        self.interaction_only = interaction_only
        self.include_bias = include_bias
        self.number = number
        self.places = places
        self.width = width
        self.period = period
        self.extrapolation = extrapolation

    # ---- the fit -----------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        check_parameters(self)
        self.refuse_parameters()
        return super().open(X, y, sample_weight, reset=reset)

    def learned(self, rows: Rows) -> dict[str, Any]:
        extremes = rows.sum(Extremes.of)
        if not extremes.rows:
            raise ValueError("sample_weight: all weights are zero; at least one must be positive.")
        found: dict[str, Any] = {"places_": None, "widths_": None, "outputs_": None}
        if isinstance(self.basis, str):
            self.refuse_many(rows.columns)
            self.refuse_overflow(extremes, rows)
        else:
            found["outputs_"] = Functions.try_on(with_names(self.basis), rows.first(lambda block: block.X[:8])).outputs
        if self.basis in ("gaussian", "sigmoid", "fourier", "haar", "spline"):
            found["places_"] = self.place(rows, *widen(extremes))
        if self.basis in ("gaussian", "sigmoid"):
            found["widths_"] = np.array([self.width or spacing(centres) for centres in found["places_"]])
        count = self.functions(rows.columns, **found).number
        return {**found, "n_output_features_": count, "certificate_": self.digits(extremes)}

    def place(self, rows: Rows, low: Array, high: Array) -> list[Array]:
        """What the functions of each column stand on."""
        if self.basis == "fourier":
            return [np.array([self.period or b - a]) for a, b in zip(low, high, strict=True)]
        if self.basis == "haar":
            return list(np.column_stack([low, high]))
        if not isinstance(self.places, str):
            return self.given_positions(rows.columns)
        even = list((np.linspace(low, high, self.number) if self.number > 1 else (low + high)[None] / 2).T)
        if self.places == "uniform":
            return even
        levels = np.linspace(0.0, 1.0, self.number) if self.number > 1 else np.array([0.5])
        unequal = [np.unique(column) for column in quantiles(rows, levels.tolist()).T]
        return [one if len(one) >= self.least() else other for one, other in zip(unequal, even, strict=True)]

    def given_positions(self, columns: int) -> list[Array]:
        """Centres or knots of the user's own."""
        try:
            places = np.array(self.places, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"places must be an array of numbers, got {self.places!r}.") from None
        places = np.repeat(places[:, None], columns, axis=1) if places.ndim == 1 else places
        if places.ndim != 2 or places.shape[1] != columns:
            raise ValueError(f"places has the shape {places.shape}; {columns} columns need (k,) or (k, {columns}).")
        if len(places) < self.least():
            raise ValueError(f"places holds {len(places)} for each column; at least {self.least()} are needed.")
        if not (np.isfinite(places).all() and (np.diff(places, axis=0) > 0).all()):
            raise ValueError("places must be finite numbers in ascending order, none of them twice: sort them.")
        return list(np.ascontiguousarray(places.T))

    def least(self) -> int:
        """Splines need an interval, and around a period more knots than their degree."""
        if self.basis != "spline":
            return 1
        return max(2, self.degrees()[1] + 1) if self.extrapolation == "periodic" else 2

    # ---- the functions -----------------------------------------------------------------------------------------------

    def functions(
        self, columns: int, places_: list[Array] | None, widths_: Array | None, outputs_: list[int] | None
    ) -> Monomials | ByColumn | Functions:
        """The functions of what was learned."""
        if outputs_ is not None:
            return Functions(with_names(self.basis), outputs_)
        if places_ is None:
            return Monomials.of(columns, *self.kind())
        widths = np.ones(columns) if widths_ is None else widths_
        bases = [self.of_column(places, float(width)) for places, width in zip(places_, widths, strict=True)]
        return ByColumn(bases, self.include_bias and self.basis != "spline")

    def of_column(self, places: Array, width: float) -> OfColumn:
        if self.basis == "gaussian":
            return Bumps(places, width)
        if self.basis == "sigmoid":
            return Steps(places, width)
        if self.basis == "fourier":
            return Waves(float(places[0]), self.number)
        if self.basis == "haar":
            return Wavelets(float(places[0]), float(places[1]), self.number)
        return Splines(places, self.degrees()[1], self.extrapolation, self.include_bias)

    def change(self, X: Array) -> Array:
        return self.expand(X)

    def expand(self, X: Array, start: int | None = None) -> Array:
        """φ of some rows, the first of which has the number `start`, if it is known."""
        functions = self.functions(self.n_features_in_, self.places_, self.widths_, self.outputs_)
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(functions.values(X, start)).astype(X.dtype, copy=False)

    def transform(self, X: Any) -> Any:
        """φ of each row; rows of files and Dask are expanded as they are read."""
        if is_read_in_blocks(X):
            return super().transform(X)
        return self.new_rows(X).each(lambda block: self.expand(block.X, block.start))

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """The functions in words: `x0^2 x1`, `exp(−(x0−0.5)²/(2·0.1²))`, `sin(2π·x0/7)`, …"""
        check_is_fitted(self)
        functions = self.functions(self.n_features_in_, self.places_, self.widths_, self.outputs_)
        return np.asarray(functions.names(_check_feature_names_in(self, input_features)), dtype=object)

    def degrees(self) -> tuple[int, int]:
        """From which degree to which."""
        if self.degree is None:
            return 0, (2 if self.basis == "polynomial" else 3)
        low, high = self.degree if isinstance(self.degree, tuple) else (0, self.degree)
        return int(low), int(high)

    def kind(self) -> tuple[int, int, bool, bool]:
        """Which monomials."""
        return *self.degrees(), bool(self.interaction_only), bool(self.include_bias)

    # ---- what is refused ---------------------------------------------------------------------------------------------

    def refuse_parameters(self) -> None:
        """What the signature alone does not say."""
        ends = self.degree if isinstance(self.degree, tuple) else self.degrees()
        ordered = len(ends) == 2 and all(isinstance(end, Integral) for end in ends) and 0 <= ends[0] <= ends[1]
        if not ordered or (self.basis == "spline" and isinstance(self.degree, tuple)):
            wanted = "a whole number" if self.basis == "spline" else "a whole number, or two of them in ascending order,"
            raise ParameterError(f"degree must be {wanted} of at least 0, got {self.degree!r}.")
        for name in ("width", "period"):
            if getattr(self, name) == np.inf:
                raise ParameterError(f"{name} must be a finite number, got inf.")
        if isinstance(self.places, str) and self.number < self.least():
            raise ParameterError(f"number must be at least {self.least()} for these splines, got {self.number!r}.")
        if self.basis == "haar" and self.number > FINEST:
            raise ParameterError(f"number must be at most {FINEST} levels of ever finer steps, got {self.number!r}.")
        if not isinstance(self.basis, str):
            self.refuse_functions()

    def refuse_functions(self) -> None:
        named = with_names(self.basis)
        if not named:
            raise ParameterError(f"basis must hold at least one function, got {self.basis!r}.")
        for name, function in named:
            if not (callable(function) and isinstance(name, str)):
                raise ParameterError(f"basis must hold functions by name, got {function!r} as {name!r}.")
        names = [name for name, _ in named]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ParameterError(f"basis holds two functions called {twice!r}: give them as a dict, with names.")

    def refuse_many(self, columns: int) -> None:
        """Monomials that nobody can mean, and none at all."""
        high = self.degrees()[1]
        count = how_many(columns, *self.kind()) if self.basis == "polynomial" else 1
        if count * high > MOST_FACTORS:
            what = f"{count:,} products of up to {high:,} factors"
            raise ParameterError(f"degree={self.degree!r} of {columns} columns makes {what}: choose a lower one.")
        if count == 0:
            raise ParameterError(f"degree={self.degree!r} with include_bias={self.include_bias!r} leaves no column at all.")

    def refuse_overflow(self, extremes: Extremes, rows: Rows) -> None:
        """Powers of the rows of the fit, and the range of a column, must be finite numbers."""
        size = np.maximum(np.maximum(np.abs(extremes.low), np.abs(extremes.high)), 1.0)
        column, power = int(size.argmax()), self.degrees()[1] if self.basis == "polynomial" else 1
        product = np.log2(np.sort(size)[::-1][:power]).sum() if self.interaction_only else power * np.log2(size[column])
        if product + 1 >= np.log2(np.finfo(rows.first(lambda block: block.X.dtype)).max):
            name = column if rows.names is None else repr(rows.names[column])
            raise ValueError(
                f"Input X reaches {size[column]:.3g} in column {name}, too large for functions of degree {power}: "
                "scale the column."
            )

    def digits(self, extremes: Extremes) -> Certificate:
        """That rounding of a product of p factors is at most 10^−digits of rᵖ, r the range of the column of which least is
        known: p·ε·(M/r)ᵖ with M its largest size. Beside an offset the cells differ in fewer digits, and their powers in fewer
        still."""
        size, (low, high) = np.maximum(np.abs(extremes.low), np.abs(extremes.high)), widen(extremes)
        flat = extremes.low == extremes.high  # nothing to tell apart
        ratio = np.where(flat, 1.0, np.maximum(size / (high - low), 1.0))
        power = self.degrees()[1] if self.basis == "polynomial" else 1
        kept, worst = 15.65 - np.log10(max(power, 1)) - power * np.log10(ratio), int(ratio.argmax())
        small = ~flat & (power * np.log10(high - low) < SMALLEST_POWER)
        kept, worst = (np.zeros_like(kept), int(small.argmax())) if small.any() else (kept, worst)
        claim = "the functions tell the rows apart in at least eight digits"
        return Certificate(claim, bool(kept[worst] >= 8), {"digits": float(kept[worst]), "column": worst})


def widen(extremes: Extremes) -> tuple[Array, Array]:
    """The range of each column, a little more where all its cells are equal."""
    low, high = extremes.low, extremes.high
    more = np.where(low == high, np.maximum(0.5, 1e-6 * np.abs(low)), 0.0)
    return low - more, high + more


def spacing(centres: Array) -> float:
    """The mean distance of some centres; 1 for a single one."""
    return float((centres[-1] - centres[0]) / (len(centres) - 1)) if len(centres) > 1 else 1.0
