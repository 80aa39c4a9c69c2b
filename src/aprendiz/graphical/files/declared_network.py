"""A network as a file declares it: variables, and for each the parents and the probabilities, in any order.

Probabilities come row by row, each with the levels of the parents, or as one flat list. A flat list counts like a number with
the last digit fastest, and files differ in whether the variable itself is the first digit or the last:

    child first    p(x₁|u₁) p(x₁|u₂) … p(x₂|u₁) p(x₂|u₂) …                                                    (1)
    child last     p(x₁|u₁) p(x₂|u₁) … p(x₁|u₂) p(x₂|u₂) …                                                    (2)

In the right order the rows sum to one. A file has one order: the usual one of its format, unless some table fits the other
alone.

Nothing is allocated for what a file merely claims: a table is as large as the numbers that stand in the file, save for
`default` rows, which are limited.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, product
from typing import Any, NamedTuple, NoReturn

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.tables.discrete_network import MOST_AXES, UNEVEN

MOST_CELLS = 2**26  # of a table whose rows stand in the file as one `default` row


class Row(NamedTuple):
    """A row of probabilities: the levels of the parents, the numbers, and where it stands."""

    levels: Sequence[str]
    numbers: list[float]
    at: int


@dataclass
class Family:
    """What a file says of a variable and its parents."""

    child: str
    parents: list[str]
    at: int
    rows: list[Row] = field(default_factory=list)
    default: Row | None = None
    flat: Row | None = None


@dataclass
class DeclaredNetwork:
    """Variables and families as they are read. `refuse(message, at)` raises the error that names the place."""

    refuse: Callable[[str, int], NoReturn]
    child_first: bool = False
    either_order: bool = True
    levels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    place: dict[str, int] = field(default_factory=dict)
    families: dict[str, Family] = field(default_factory=dict)
    values: dict[str, tuple[Any, ...]] = field(default_factory=dict)  # of levels that are no words
    names: dict[str, Any] = field(default_factory=dict)  # of variables whose names are no words

    def add_variable(self, name: str, levels: Sequence[str], at: int) -> None:
        """A variable and its levels."""
        if name in self.levels:
            self.refuse(f"the variable {name!r} is declared twice.", at)
        if not levels:
            self.refuse(f"the variable {name!r} has no levels.", at)
        if (twice := first_repeated(levels)) is not None:
            self.refuse(f"the variable {name!r} has the level {twice!r} twice.", at)
        self.levels[name], self.place[name] = tuple(levels), at

    def add_family(self, family: Family) -> None:
        """The probabilities of a variable."""
        if family.child in self.families:
            self.refuse(f"the probabilities of {family.child!r} are given twice.", family.at)
        self.families[family.child] = family

    def parts(self) -> tuple[dict[Any, Array], dict[Any, list[Any]], dict[Any, tuple[Any, ...]]]:
        """Tables, parents and levels by name, checked."""
        self.check_names()
        codes = {name: {level: code for code, level in enumerate(own)} for name, own in self.levels.items()}
        tables, flats = dict[str, Array](), dict[str, Array]()
        for name, family in self.families.items():
            if family.flat is None:
                tables[name] = self.table_of_rows(family, codes)
            elif family.rows or family.default:
                self.refuse(f"{name!r} has both a table and rows.", family.flat.at)
            else:
                flats[name] = self.flat_table(family.flat, family)
        tables.update(self.in_order(flats))
        self.check_sums(tables)
        called = {name: self.names.get(name, name) for name in self.levels}
        return (
            {called[name]: tables[name].reshape(self.shape(self.families[name])) for name in self.levels},
            {called[name]: [called[parent] for parent in self.families[name].parents] for name in self.levels},
            {called[name]: self.values.get(name, own) for name, own in self.levels.items()},
        )

    def check_names(self) -> None:
        """Variables and families belong to each other, and the arrows form no cycle."""
        if not self.levels:
            self.refuse("there is no variable in this file.", 0)
        for name, family in self.families.items():
            if name not in self.levels:
                self.refuse(f"probabilities are given for {name!r}, which is not declared as a variable.", family.at)
            self.check_parents(family)
        for name, at in self.place.items():
            if name not in self.families:
                self.refuse(f"the variable {name!r} has no probabilities.", at)
            values = self.values.get(name, self.levels[name])
            if len(values) != len(self.levels[name]) or first_repeated(values) is not None:
                self.refuse(f"the values of {name!r} are not one for each level.", at)
        called = [self.names.get(name, name) for name in self.levels]
        if (twice := first_repeated(called)) is not None:
            self.refuse(f"two variables are called {twice!r}.", self.place[list(self.place)[called.index(twice)]])
        try:
            DirectedGraph.of({name: family.parents for name, family in self.families.items()})
        except ValueError as error:  # a cycle
            self.refuse(str(error), min(family.at for family in self.families.values()))

    def shape(self, family: Family) -> tuple[int, ...]:
        """The levels of the parents, and of the child."""
        return tuple(len(self.levels[name]) for name in (*family.parents, family.child))

    def check_parents(self, family: Family) -> None:
        """Parents are other variables, each once."""
        if unknown := [parent for parent in family.parents if parent not in self.levels]:
            self.refuse(f"{family.child!r} has the parent {unknown[0]!r}, which is not declared as a variable.", family.at)
        if (twice := first_repeated(family.parents)) is not None:
            self.refuse(f"{family.child!r} has the parent {twice!r} twice.", family.at)
        if len(family.parents) >= MOST_AXES:
            self.refuse(f"{family.child!r} has {len(family.parents)} parents; {MOST_AXES - 1} are the limit.", family.at)

    # ---- rows ----------------------------------------------------------------------------------------------------------

    def table_of_rows(self, family: Family, codes: dict[str, dict[str, int]]) -> Array:
        """A table from rows that name the levels of the parents."""
        name, (*sizes, k) = family.child, self.shape(family)
        known = [(parent, codes[parent], size) for parent, size in zip(family.parents, sizes, strict=True)]
        found: dict[int, Row] = {}
        for row in family.rows:
            at = 0
            if len(row.levels) != len(known):
                self.refuse(f"a row of {name!r} names {len(row.levels)} levels, one for each of {len(known)} parents.", row.at)
            for (parent, code, size), level in zip(known, row.levels, strict=True):
                if (number := code.get(level)) is None:
                    have = ", ".join(map(repr, self.levels[parent][:20]))
                    self.refuse(f"{parent!r} has no level {level!r}; its levels are {have}.", row.at)
                at = at * size + number
            if at in found:
                self.refuse(f"the row ({', '.join(row.levels)}) of {name!r} is given twice.", row.at)
            if len(row.numbers) != k:
                self.refuse(f"a row of {name!r} holds {len(row.numbers)} numbers, but the variable has {k} levels.", row.at)
            found[at] = row
        wanted = math.prod(sizes)
        if len(found) == wanted:
            ordered = (found[at].numbers for at in sorted(found))
            return np.fromiter(chain.from_iterable(ordered), np.float64, wanted * k).reshape(wanted, k)
        return self.with_default(family, found, wanted, k)

    def with_default(self, family: Family, found: dict[int, Row], wanted: int, k: int) -> Array:
        """A table whose other rows are the default row."""
        name, default = family.child, family.default
        if default is None:
            every = product(*(self.levels[parent] for parent in family.parents))
            missing = next(row for at, row in enumerate(every) if at not in found)
            which = f"the row ({', '.join(missing)}) of {name!r} is missing" if missing else f"{name!r} has no probabilities"
            self.refuse(f"{which}: {len(found)} rows are given, {wanted} are needed.", family.at)
        if len(default.numbers) != k:
            self.refuse(f"the default row of {name!r} holds {len(default.numbers)} numbers for {k} levels.", default.at)
        if wanted * k > MOST_CELLS:
            self.refuse(f"the table of {name!r} would have {wanted * k} cells; {MOST_CELLS} are the limit.", default.at)
        table = np.tile(np.array(default.numbers), (wanted, 1))
        for at, row in found.items():
            table[at] = row.numbers
        return table

    # ---- flat lists ----------------------------------------------------------------------------------------------------

    def flat_table(self, flat: Row, family: Family) -> Array:
        """The numbers of a flat list, as many as the table has cells."""
        shape = self.shape(family)
        if len(flat.numbers) != math.prod(shape):
            sizes = " × ".join(map(str, shape))
            self.refuse(f"the table of {family.child!r} holds {len(flat.numbers)} numbers, {sizes} are needed.", flat.at)
        return np.array(flat.numbers)

    def in_order(self, flats: dict[str, Array]) -> dict[str, Array]:
        """Tables from flat lists, in the order of the file: (1) or (2)."""
        for child_first in (self.child_first, not self.child_first) if self.either_order else ():
            tables = {name: self.rows_of(name, flat, child_first) for name, flat in flats.items()}
            if not any(uneven(table).any() for table in tables.values()):
                return tables
        return {name: self.rows_of(name, flat, self.child_first) for name, flat in flats.items()}

    def rows_of(self, name: str, flat: Array, child_first: bool) -> Array:
        """A flat list as a table with a row for each combination of the parents."""
        k = len(self.levels[name])
        return flat.reshape(k, -1).T if child_first else flat.reshape(-1, k)

    def check_sums(self, tables: dict[str, Array]) -> None:
        """Each row is a distribution; another one is named."""
        for name, table in tables.items():
            if not (wrong := uneven(table)).any():
                continue
            family, at = self.families[name], int(np.argmax(wrong))
            codes = np.unravel_index(at, self.shape(family)[:-1]) if family.parents else ()
            levels = [self.levels[parent][code] for parent, code in zip(family.parents, codes, strict=True)]
            line = next((row.at for row in family.rows if list(row.levels) == levels), None)
            other = family.flat or family.default
            where = f"the row ({', '.join(levels)}) of {name!r}" if levels else f"the table of {name!r}"
            holds = ", ".join(f"{value:g}" for value in table[at][:20])
            self.refuse(
                f"{where} must hold probabilities that sum to one; it holds {holds} (sum {table[at].sum():.10g}).",
                line if line is not None else other.at if other is not None else family.at,
            )


def first_repeated(names: Sequence[Any]) -> Any:
    """The first that stands there a second time, None if all differ."""
    seen = set[Any]()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def uneven(table: Array) -> Array:
    """Which rows are no distributions?"""
    with np.errstate(over="ignore", invalid="ignore"):
        return ~((table >= 0).all(axis=1) & (np.abs(table.sum(axis=1) - 1) <= UNEVEN * table.shape[1]))
