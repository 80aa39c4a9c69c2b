"""Data cards: what a dataset is, where it comes from, who may use it, and what to beware of.

A card is a record of facts. It prints as text and gives itself as Markdown. It also carries what a schema of the table
needs: the levels of each column of words, and whether they have an order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

WIDTH = 100
PARTS = {"table": "Columns", "matrix": "Sides", "sets": "Sets", "network": "Variables"}


@dataclass(frozen=True)
class ColumnCard:
    """One column of a table (or variable of a network, set of a family, side of a matrix).

    Attributes
    ----------
    name, meaning, unit : str
        Its name, what it says, and in which unit ("" where there is none, or none is known).
    levels : tuple of str
        The words that may stand in it, in order; empty for numbers.
    ordered : bool
        Whether the order of the levels means something (small < medium < large).
    """

    name: str
    meaning: str
    unit: str = ""
    levels: tuple[str, ...] = ()
    ordered: bool = False

    @property
    def values(self) -> str:
        """The levels as text: `small < medium < large`, or `no, yes`."""
        return (" < " if self.ordered else ", ").join(self.levels)

    @property
    def text(self) -> str:
        """Meaning, unit and levels in one line."""
        unit = f" ({self.unit})" if self.unit else ""
        return f"{self.meaning}{unit}" + (f": {self.values}" if self.levels else "")


@dataclass(frozen=True)
class Card:
    """The card of a dataset.

    Attributes
    ----------
    name, kind, title : str
        Name for `load`; table, matrix, sets or network; a title.
    what, size : str
        What a row (a cell, a set, a variable) is; rows × columns, or their like.
    columns : tuple of ColumnCard
        The columns in order; `digits` describes its 64 pixels as one.
    task : str
        What one learns from the data.
    target : str, tuple of str or None
        The column or columns to learn.
    origin, licence : str
        Source, and terms of use.
    used, beware : tuple of str
        Where the course texts use the data, and what to beware of.
    """

    name: str
    kind: str
    title: str
    what: str
    size: str
    columns: tuple[ColumnCard, ...]
    task: str
    target: str | tuple[str, ...] | None
    origin: str
    licence: str
    used: tuple[str, ...]
    beware: tuple[str, ...]

    @classmethod
    def of(cls, name: str, facts: Mapping[str, Any]) -> Card:
        """The card of a dataset, from the facts of its file in `tables`."""
        target = facts.get("target")
        return cls(
            name=name,
            columns=tuple(column(label, entry) for label, entry in facts["columns"].items()),
            target=tuple(target) if isinstance(target, list) else target,
            used=tuple(facts["used"]),
            beware=tuple(facts["beware"]),
            **{field: facts[field] for field in ("kind", "title", "what", "size", "task", "origin", "licence")},
        )

    @property
    def targets(self) -> tuple[str, ...]:
        """The names of the target columns: none, one or several."""
        return (self.target,) if isinstance(self.target, str) else self.target or ()

    @property
    def facts(self) -> dict[str, str]:
        """The short facts, by heading."""
        task = f"{self.task}; target {', '.join(self.targets)}" if self.targets else self.task
        return {"Size": self.size, "Task": task, "Origin": self.origin, "Licence": self.licence}

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """The lines of the card as plain text."""
        heading = f"{self.title} ({self.name})"
        yield from (heading, "=" * len(heading), *wrap(self.what, WIDTH), "")
        for title, fact in self.facts.items():
            yield from hanging(f"{title:<9}", fact)
        yield from ("", PARTS[self.kind])
        width = max(len(column.name) for column in self.columns)
        for column in self.columns:
            yield from hanging(f"  {column.name:<{width}}  ", column.text)
        for title, notes in (("Used in", self.used), ("Beware", self.beware)):
            yield from ("", title)
            for note in notes:
                yield from hanging("  - ", note)

    def markdown(self) -> str:
        """The card as Markdown: a heading, the facts, a table of the columns, and notes."""
        facts = [f"- **{title}:** {fact}" for title, fact in self.facts.items()]
        rows = [f"| `{c.name}` | {c.meaning} | {c.unit} | {c.values} |" for c in self.columns]
        table = [f"| {PARTS[self.kind].lower()} | meaning | unit | values |", "|---|---|---|---|", *rows]
        used = ["**Used in**", "", *(f"- {note}" for note in self.used)]
        beware = ["**Beware**", "", *(f"- {note}" for note in self.beware)]
        sections = [[f"## {self.title} (`{self.name}`)"], [self.what], facts, table, used, beware]
        return "\n\n".join("\n".join(section) for section in sections) + "\n"


def column(name: str, entry: Mapping[str, Any]) -> ColumnCard:
    """A column from its entry `{meaning, unit, levels, ordered}`."""
    return ColumnCard(name, **{**entry, "levels": tuple(entry.get("levels", ()))})


def hanging(label: str, text: str) -> list[str]:
    """The text wrapped beside a label."""
    return wrap(text, WIDTH, initial_indent=label, subsequent_indent=" " * len(label))
