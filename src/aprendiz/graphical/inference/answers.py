"""Answers of more than one number: joint probabilities of several nodes, and estimates from samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from typing import Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.graphical.inference.junction_tree import readable_count
from aprendiz.graphical.tables.discrete_network import MOST_AXES
from aprendiz.locale import _

PRINTED = 40  # rows of a table that are printed
MOST_CELLS = 2**26  # of a table: half a gigabyte


@dataclass(frozen=True, eq=False, repr=False)
class JointAnswer:
    """p(names | evidence): a table that prints.

    Attributes
    ----------
    names : tuple
        The nodes, one for each axis.
    levels : tuple of tuple
        The levels along each axis.
    values : ndarray
        The probabilities.
    standard_error : ndarray or None
        Of estimates from samples, how uncertain each probability is.

    Examples
    --------
    >>> JointAnswer(("a", "b"), (("no", "yes"), ("low", "high")), np.array([[0.5, 0.25], [0.125, 0.125]]))
    a    b     probability
    no   low   0.5
    no   high  0.25
    yes  low   0.125
    yes  high  0.125
    """

    names: tuple[Any, ...]
    levels: tuple[tuple[Any, ...], ...]
    values: Array
    standard_error: Array | None = None

    def __getitem__(self, levels: Any) -> float:
        """The probability of a level of each node, in their order."""
        wanted = levels if isinstance(levels, tuple) else (levels,)
        if len(wanted) != len(self.names):
            raise KeyError(f"Give a level for each of {', '.join(map(repr, self.names))}, got {levels!r}.")
        place = []
        for name, own, level in zip(self.names, self.levels, wanted, strict=True):
            if level not in own:
                raise KeyError(f"{name!r} has no level {level!r}; its levels are {', '.join(map(repr, own))}.")
            place.append(own.index(level))
        return float(self.values[tuple(place)])

    def __len__(self) -> int:
        return int(self.values.size)

    def __repr__(self) -> str:
        head = [*map(str, self.names), _("probability")] + ([] if self.standard_error is None else [_("standard error")])
        columns = [self.values] if self.standard_error is None else [self.values, self.standard_error]
        numbers = zip(*(column.ravel() for column in columns), strict=True)
        rows = zip(product(*self.levels), numbers, strict=True)
        lines = [[*map(str, levels), *(f"{value:.6g}" for value in values)] for levels, values in islice(rows, PRINTED)]
        text = aligned([head, *lines])
        if len(self) > PRINTED:
            text += "\n" + _("… and {count} more rows").format(count=len(self) - PRINTED)
        return text


class EstimatedAnswer(dict[Any, float]):
    """p(target | evidence) from weighted samples: a mapping of level to probability, with the standard error of each.

    Attributes
    ----------
    standard_error : dict
        Of each level.
    effective_samples : float
        (Σw)²/Σw²: as many unweighted samples would be as good.
    """

    standard_error: dict[Any, float]
    effective_samples: float

    @classmethod
    def of(cls, levels: tuple[Any, ...], values: Array, error: Array, effective_samples: float) -> Self:
        """The estimates of a node, level by level."""
        answer = cls(by_level(levels, values))
        answer.standard_error, answer.effective_samples = by_level(levels, error), effective_samples
        return answer

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{level!r}: {p:.4g} ± {self.standard_error[level]:.2g}" for level, p in self.items()) + "}"


def refuse_wide_answer(names: Sequence[Any], levels: Sequence[Sequence[Any]]) -> None:
    """Stop at a table of probabilities that no array holds."""
    if (cells := prod(map(len, levels))) > MOST_CELLS or len(names) > MOST_AXES:
        words = _(
            "A table of these {count} nodes has {cells} cells; at most {most} cells of {axes} nodes are held: ask for fewer "
            "nodes at once."
        )
        raise ValueError(words.format(count=len(names), cells=readable_count(cells), most=MOST_CELLS, axes=MOST_AXES))


def aligned(rows: list[list[str]]) -> str:
    """Lines of words under each other; what is a line break in a name shows as one."""
    rows = [[word.replace("\n", "\\n") for word in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def by_level(levels: tuple[Any, ...], values: Array) -> dict[Any, float]:
    """A mapping of level to number."""
    return dict(zip(levels, map(float, np.asarray(values)), strict=True))
