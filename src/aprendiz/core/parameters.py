"""Constraints of parameters, written where the parameters are: in the signature.

    def __init__(self, n_clusters: Count = 8, *, init: Literal["k-means++", "random"] | ArrayLike = "k-means++", …)

`check_parameters(learner)` compares each value with its annotation at the start of `fit` and says what is wrong.
"""

from __future__ import annotations

import math
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np


@dataclass(frozen=True)
class Within:
    """Numbers of an interval; `above=True` leaves its lower end out."""

    low: float = -np.inf
    high: float = np.inf
    above: bool = False

    def contains(self, value: Any) -> bool:
        return bool((self.low < value if self.above else self.low <= value) and value <= self.high)

    def __str__(self) -> str:
        if self.low == np.inf:
            return "that is infinite"
        low = f"{'above' if self.above else 'of at least'} {self.low:g}"
        return low if self.high == np.inf else f"{low} and at most {self.high:.12g}"


LARGEST_WHOLE = 2**63 - 1  # to which compiled code can count
Count = Annotated[int, Within(1)]
Whole = Annotated[int, Within(0)]
Positive = Annotated[float, Within(0, above=True)]
NonNegative = Annotated[float, Within(0)]
Finite = Annotated[float, Within(0, sys.float_info.max)]  # in the units of the data, where infinity says nothing
PositiveFinite = Annotated[float, Within(0, sys.float_info.max, above=True)]
FAR = 1e100  # products of a factor with cells, and of two factors, are numbers still
Factor = Annotated[float, Within(0, FAR)]
PositiveFactor = Annotated[float, Within(0, FAR, above=True)]
Infinite = Annotated[float, Within(np.inf)]  # beside one of these
Fraction = Annotated[float, Within(0, 1)]
PositiveFraction = Annotated[float, Within(0, 1, above=True)]
Seed = Union[Annotated[int, Within(0, 2**32 - 1)], np.random.RandomState, None]  # noqa: UP007  an alias that `get_type_hints` can read


class ArrayLike:
    """Marks a parameter that may be an array, a list or a frame of numbers."""


class ParameterError(ValueError, TypeError):
    """A parameter has a value that the learner cannot use."""


def check_parameters(learner: Any) -> None:
    """Compare every parameter of a learner with the annotation in its signature."""
    for name, hint in hints(type(learner)).items():  # type: ignore[arg-type]  # a class has a hash, whatever mypy thinks of Any
        value = getattr(learner, name)
        if not fits(value, hint):
            raise ParameterError(f"{name} of {type(learner).__name__} must be {described(hint)}, got {shown(value)}.")


def refuse_count(name: str, value: Any) -> None:
    """An argument that must be a whole number of at least 1."""
    if not fits(value, Count):
        raise ParameterError(f"{name} must be a whole number of at least 1, got {shown(value)}.")


def refuse_words(name: str, values: Any) -> None:
    """Text among the numbers of a list, which NumPy would read as numbers."""
    for index, value in enumerate(values if isinstance(values, (list, tuple)) else []):
        if isinstance(value, (str, bytes)):
            raise ParameterError(f"{name}[{index}] must be a number, got {shown(value)}.")


@cache
def hints(cls: Any) -> dict[str, Any]:
    return {n: h for n, h in get_type_hints(cls.__init__, include_extras=True).items() if n != "return"}


def fits(value: Any, hint: Any) -> bool:
    """Does a value satisfy an annotation?"""
    origin = get_origin(hint)
    if hint is Any:
        return True
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in get_args(hint))
    if origin is Annotated:
        kind, rule = get_args(hint)
        return fits(value, kind) and rule.contains(value)
    if origin is Literal:
        return any(type(value) is type(one) and value == one for one in get_args(hint))
    if hint is type(None):
        return value is None
    if hint is bool:
        return isinstance(value, (bool, np.bool_))
    if hint is int:
        return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_)) and abs(int(value)) <= LARGEST_WHOLE
    if hint is float:
        return isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) and is_double(value)
    if hint is ArrayLike:
        return hasattr(value, "__array__") or isinstance(value, (list, tuple))
    if origin is Callable or hint is Callable:
        return callable(value)
    return isinstance(value, origin or hint)


def is_double(value: Any) -> bool:
    """Is a number no NaN, and no whole number of more than 64 bits, which NumPy does not know as a number?"""
    return bool(value == value) and not (isinstance(value, Integral) and abs(int(value)) > LARGEST_WHOLE)


def shown(value: Any) -> str:
    """A value as Python shows it, of a very long whole number its length; with a remark if it is too large to be counted to."""
    if not isinstance(value, int) or abs(value) <= LARGEST_WHOLE:
        return repr(value)
    digits = int(value.bit_length() * math.log10(2)) + 1
    return f"{value if digits < 100 else f'a number of {digits} digits'}, which is larger than {LARGEST_WHOLE}"


def described(hint: Any) -> str:
    """An annotation in words."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(described(one) for one in get_args(hint))
    if origin is Annotated:
        kind, rule = get_args(hint)
        return f"{described(kind)} {rule}"
    if origin is Literal:
        return " or ".join(repr(one) for one in get_args(hint))
    names: dict[Any, str] = {
        type(None): "None",
        bool: "True or False",
        int: "a whole number",
        float: "a number",
        ArrayLike: "an array",
        dict: "a dict",
        list: "a list",
    }
    if Callable in (hint, origin):
        return "a function"
    return names.get(origin or hint) or str(getattr(hint, "__name__", hint))
