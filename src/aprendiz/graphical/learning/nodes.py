"""The nodes of a fit: the columns of the table, then the hidden nodes, and the levels of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.graphical.counts.family_counts import FamilyCounts
from aprendiz.graphical.graph.directed_graph import DirectedGraph, is_list, pairs_of
from aprendiz.summaries.codes import MOST_CATEGORIES


@dataclass(frozen=True)
class Nodes:
    """The graph of a fit, and the levels that are given, node by node, if they are; the first nodes are the columns."""

    graph: DirectedGraph
    columns: int
    given: tuple[tuple[Any, ...] | None, ...]
    schema: Columns | None  # where the columns hold words

    @classmethod
    def of(
        cls, edges: Any, levels: Mapping[Any, Any], hidden: Mapping[Any, Any], names: Sequence[Any], schema: Columns | None
    ) -> Nodes:
        """What the parameters say of columns with these names."""
        if twice := [name for name in hidden if column_called(name, names) in names]:
            raise ValueError(f"hidden: {twice[0]!r} is a column of X, too: take it out of one of them.")
        pairs = [(column_called(a, names), column_called(b, names)) for a, b in checked("edges", pairs_of, edges)]
        refuse_unknown("edges", [name for pair in pairs for name in pair], names, hidden)
        refuse_unknown("levels", [column_called(name, names) for name in levels], names, hidden)
        graph = checked("edges", DirectedGraph.of, pairs, [*names, *hidden])
        told = {column_called(name, names): own for name, own in levels.items()}
        given = [checked("levels", given_levels, name, told.get(name), schema) for name in names]
        if schema is None:
            refuse_other_numbers(names, given)
        given += [checked("hidden", given_levels, name, own, None) for name, own in hidden.items()]
        if without := [name for name, own in zip(hidden, given[len(names) :], strict=True) if own is None]:
            raise ParameterError(f"hidden: {without[0]!r} needs its levels, or their number.")
        return cls(graph, len(names), tuple(given), schema)

    @property
    def least(self) -> Array:
        """The least number of levels of each node: those given, and those of the schema."""
        found = [1 if own is None else len(own) for own in self.given]
        for j, column in enumerate(self.schema or ()):
            found[j] = max(found[j], len(column.levels))
        return np.array(found, dtype=np.int64)

    @property
    def most(self) -> Array:
        """The largest number of levels of each node."""
        return np.array([MOST_CATEGORIES if own is None else len(own) for own in self.given], dtype=np.int64)

    def levels(self, sizes: Sequence[int]) -> tuple[tuple[Any, ...], ...]:
        """The levels of each node, of which there are so many: words, given ones, or codes."""
        words = [column.levels for column in self.schema or ()]
        words += [()] * (len(self.given) - len(words))
        return tuple(own or word or tuple(range(int(n))) for own, word, n in zip(self.given, words, sizes, strict=True))

    def refuse_unknown_columns(self, counts: FamilyCounts) -> None:
        """Stop at a column without a known cell, of which no levels are given."""
        for j in np.flatnonzero(~counts.known):
            if self.given[j] is None:
                name = self.graph.nodes[j]
                raise ValueError(
                    f"Column {name!r} has no known cell, so its levels are unknown: give them, as in "
                    f"levels={{{name!r}: [...]}}, or leave the column out."
                )


def names_of(rows: Rows) -> tuple[Sequence[Any], Columns | None]:
    """What the columns of some rows are called, by their number if they have no names, and the schema of words."""
    if in_memory(rows) and isinstance(rows.X, Mixed):
        return rows.X.columns.names, rows.X.columns
    return range(rows.columns) if rows.names is None else list(rows.names), None


def column_called(name: Any, columns: Sequence[Any]) -> Any:
    """The column that a name means: one of that name, else the one at that position."""
    whole = isinstance(name, (int, np.integer)) and not isinstance(name, bool)
    return columns[name] if whole and name not in columns and 0 <= name < len(columns) else name


def checked(parameter: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function makes of a parameter, whose name stands before what is wrong with it."""
    try:
        return function(*arguments)
    except ValueError as error:
        raise ParameterError(f"{parameter}: {error}") from None


def refuse_unknown(parameter: str, named: Iterable[Any], columns: Sequence[Any], hidden: Mapping[Any, Any]) -> None:
    """Stop where a parameter names what is neither a column nor hidden."""
    known = {*columns, *hidden}
    for name in named:
        if name not in known:
            listed = ", ".join(map(repr, columns[:20])) + (", …" if len(columns) > 20 else "")
            raise ValueError(
                f"{parameter}: {name!r} is not a column of X ({listed}): correct the name, add the column, or name it in "
                "`hidden` with its levels."
            )


def refuse_other_numbers(names: Sequence[Any], given: Sequence[tuple[Any, ...] | None]) -> None:
    """Stop where codes have names that are other numbers: 2 would be taken for the level of that name, or for the third."""
    for name, own in zip(names, given, strict=True):
        if own and all(isinstance(level, (int, float, np.number)) for level in own) and own != tuple(range(len(own))):
            raise ParameterError(
                f"levels: column {name!r} holds codes from 0, whose names cannot be the numbers {list(own)}: make the column "
                "one of words, or recode it."
            )


def given_levels(name: Any, given: Any, schema: Columns | None) -> tuple[Any, ...] | None:
    """The levels that are given to a node, as a tuple; a number stands for the codes below it."""
    words = None if schema is None else schema.by_name.get(name)
    if given is None:
        return None
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
        if given < 1:
            raise ParameterError(f"The number of levels of {name!r} must be at least 1, got {given}.")
        if words is not None:
            raise ParameterError(f"Column {name!r} holds words: give its levels, not their number ({given}).")
        return tuple(range(int(given)))
    if not is_list(given):
        raise ParameterError(f"The levels of {name!r} must be a list of them or their number, got {given!r}.")
    own = tuple(given)
    if not own or len(set(own)) < len(own):
        raise ParameterError(f"The levels of {name!r} must be at least one, each once, got {list(own)}.")
    if words is not None and (strange := [level for level in words.levels if level not in own]):
        raise ValueError(f"Column {name!r} holds {strange[0]!r}, which is not among its levels {list(own)}.")
    return own
