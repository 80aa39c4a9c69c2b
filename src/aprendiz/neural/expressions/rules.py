"""How a node follows from its parents: a rule gives the value, and the derivative for each parent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from aprendiz.neural.derivatives.complex_step import complex_partials
from aprendiz.neural.elementary.functions import Value
from aprendiz.neural.expressions.parser import parse
from aprendiz.neural.expressions.tree import Tree, names_in, partials_of, value_of, written


class Rule(Protocol):
    """A node as a function of its parents."""

    @property
    def parents(self) -> tuple[str, ...]: ...
    @property
    def text(self) -> str: ...
    def value(self, values: Mapping[str, Value]) -> Value: ...
    def partials(self, values: Mapping[str, Value]) -> Mapping[str, Value]: ...


@dataclass(frozen=True)
class Written:
    """A node written as an expression of other nodes."""

    tree: Tree

    @property
    def parents(self) -> tuple[str, ...]:
        return names_in(self.tree)

    @property
    def text(self) -> str:
        return written(self.tree)

    def value(self, values: Mapping[str, Value]) -> Value:
        return value_of(self.tree, values)

    def partials(self, values: Mapping[str, Value]) -> Mapping[str, Value]:
        return partials_of(self.tree, values)[1]


@dataclass(frozen=True)
class Called:
    """A node that a function of the user gives; without derivatives of its own, they are found by complex steps."""

    function: Callable[..., Value]
    parents: tuple[str, ...]
    derivatives: tuple[Callable[..., Value], ...] = ()

    @property
    def text(self) -> str:
        return f"{getattr(self.function, '__name__', 'function')}({', '.join(self.parents)})"

    def value(self, values: Mapping[str, Value]) -> Value:
        return self.known(self.function(*(values[name] for name in self.parents)), "the value", values)

    def partials(self, values: Mapping[str, Value]) -> Mapping[str, Value]:
        arguments = [values[name] for name in self.parents]
        found = [f(*arguments) for f in self.derivatives] or complex_partials(self.function, arguments)
        parts = zip(self.parents, found, strict=True)
        return {name: self.known(part, f"the derivative for {name!r}", values) for name, part in parts}

    def known(self, result: Value, what: str, values: Mapping[str, Value]) -> Value:
        """A result that is a number in every cell."""
        if np.asarray(result).dtype.kind not in "biufc":
            raise ValueError(f"{what} is {result!r}, not a number.")
        if not np.isfinite(np.asarray(result)).all():
            at = ", ".join(f"{name} = {np.asarray(values[name]).ravel()[0]:g}" for name in self.parents)
            raise ValueError(f"{what} is not a finite number at {at}.")
        return result


def rule_of(definition: Any) -> Rule:
    """A rule from a text, or from (function, parents) or (function, parents, derivatives)."""
    if isinstance(definition, str):
        return Written(parse(definition))
    if isinstance(definition, Sequence) and len(definition) in (2, 3) and callable(definition[0]):
        function, parents, *derivatives = definition
        names = (parents,) if isinstance(parents, str) else tuple(parents)
        if strange := [name for name in names if not (isinstance(name, str) and name)]:
            raise TypeError(f"The name of a node is a text such as 'x', got {strange[0]!r} as a parent.")
        given = tuple(derivatives[0]) if derivatives else ()
        if given and len(given) != len(names):
            raise ValueError(f"The function of {', '.join(names)} has {len(given)} derivatives: give one for each argument.")
        return Called(function, names, given)
    raise TypeError(f"A node is an expression such as 'a**2 + b', or (function, names of its parents); got {definition!r}.")
