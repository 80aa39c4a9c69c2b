"""The Bayesian interchange format (BIF), read.

    network n { property … ; }
    variable v { type discrete [ k ] { level, … } ; property … ; }
    probability ( child | parent, … ) { ( level, … ) p, … ;   table p, … ;   default p, … ;   property … ; }

This is the language of versions 0.1 to 0.3 and of the programs that write it. Names may be quoted, and are separated by commas
or spaces; the bar may be missing (the child then comes first); blocks come in any order; comments are those of C++. Levels or
names that are no words stand as JSON in properties of our own (bif_writing.py). Statements that a reader may ignore, ours
ignores: properties, and the network block.

Reference: F. G. Cozman, "The interchange format for Bayesian networks", 1998.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from aprendiz.graphical.files.declared_network import DeclaredNetwork, Family, Row
from aprendiz.graphical.files.source_text import QUOTED, Scanner, names_of, unquoted

COMMENT = r"//[^\n]*|/\*.*?(?:\*/|\Z)"
BLOCK = re.compile(r"(network|variable|probability)\b")
NAME = re.compile(rf'({QUOTED})|[^\s"(){{}};,|]+')
OPEN, CLOSE, SEMICOLON = re.compile(r"\{"), re.compile(r"\}"), re.compile(";")
TYPE = re.compile(r"type\s+discrete\s*\[\s*(\d{1,18})\s*\]\s*=?\s*\{")
LEVELS = re.compile(rf'([^"{{}};]*(?:{QUOTED}[^"{{}};]*)*)\}}\s*;?')
PROPERTY = re.compile(rf'property\b([^";]*(?:{QUOTED}[^";]*)*);')
OURS = re.compile(r'"(values|name) ')
HEADER = re.compile(rf'\(([^"()]*(?:{QUOTED}[^"()]*)*)\)\s*\{{')
ROW = re.compile(rf'\(([^"()]*(?:{QUOTED}[^"()]*)*)\)([^;{{}}()]*);')
TABLE = re.compile(r"(table|default)\b([^;{}()]*);")
BAR = re.compile(rf'((?:[^"|]|{QUOTED})*)\|(.*)', re.DOTALL)


def read_bif_text(text: str, name: str) -> DeclaredNetwork:
    """The network of a text in BIF."""
    return BifReader(Scanner(text, name, COMMENT)).network()


class BifReader:
    """Reads the blocks of a text, one after the other."""

    def __init__(self, scanner: Scanner):
        self.scanner = scanner
        self.found = DeclaredNetwork(self.refuse, child_first=True)

    def refuse(self, message: str, at: int) -> NoReturn:
        self.scanner.refuse(message, at)

    def network(self) -> DeclaredNetwork:
        """All blocks."""
        readers = {"network": self.read_network, "variable": self.read_variable, "probability": self.read_probability}
        while not self.scanner.ended:
            block = self.scanner.expect(BLOCK, "A block (network, variable or probability)")
            readers[block[1]](block.start())
        return self.found

    def read_network(self, begin: int) -> None:
        """The block of the network, of which nothing is needed."""
        self.scanner.take(NAME)
        self.scanner.expect(OPEN, "{")
        while not self.ended_block("network", begin):
            self.scanner.expect(PROPERTY, "A property or }")

    def ended_block(self, what: str, begin: int) -> bool:
        """Does the block end here?"""
        while self.scanner.take(SEMICOLON):
            pass
        if self.scanner.ended:
            line = self.scanner.text.count("\n", 0, begin) + 1
            self.scanner.refuse(f"the file ends within the block {what} that begins in line {line}: it is cut short.")
        ended = self.scanner.take(CLOSE) is not None
        if ended:
            self.scanner.take(SEMICOLON)
        return ended

    def read_variable(self, begin: int) -> None:
        """A variable and its levels."""
        found = self.scanner.expect(NAME, "The name of a variable")
        name = unquoted(found[0]) if found[1] else found[0]
        levels: list[str] | None = None
        self.scanner.expect(OPEN, "{")
        while not self.ended_block(f"of the variable {name!r}", begin):
            if prop := self.scanner.take(PROPERTY):
                self.note_property(name, prop[1].strip(), prop.start())
                continue
            kind = self.scanner.expect(TYPE, "type discrete [ number ] { levels } (other types are not supported)")
            count, listed = int(kind[1]), self.scanner.expect(LEVELS, "A list of levels that ends with }")
            if levels is not None:
                self.scanner.refuse(f"the variable {name!r} has two types.", kind.start())
            levels = names_of(listed[1], count)
            if len(levels) != count:
                self.scanner.refuse(f"the variable {name!r} declares {count} levels but lists {len(levels)}.", kind.start())
        self.found.add_variable(name, levels or (), begin)

    def note_property(self, name: str, text: str, at: int) -> None:
        """Levels and a name that are no words, as we write them; other properties are not needed."""
        if (ours := OURS.match(text)) is None:
            return
        try:
            value: Any = json.loads(unquoted(text)[len(ours[1]) + 1 :])
        except (ValueError, RecursionError):
            return  # somebody else's
        if ours[1] == "name" and isinstance(value, (int, float)):
            self.found.names[name] = value
        elif ours[1] == "values" and isinstance(value, list) and all(isinstance(v, (str, int, float)) for v in value):
            self.found.values[name] = tuple(value)

    def read_probability(self, begin: int) -> None:
        """The probabilities of a variable."""
        header = self.scanner.expect(HEADER, "( child | parents ) {")
        family = Family(*self.child_and_parents(header[1], begin), begin)
        parents = len(family.parents)
        while True:
            if row := self.scanner.take(ROW):
                family.rows.append(Row(names_of(row[1], parents), self.scanner.numbers(row[2], row.start()), row.start()))
            elif self.ended_block(f"probability ( {family.child} … )", begin):
                break
            elif table := self.scanner.take(TABLE):
                found = Row((), self.scanner.numbers(table[2], table.start()), table.start())
                if getattr(family, "flat" if table[1] == "table" else "default") is not None:
                    self.scanner.refuse(f"{family.child!r} has two entries '{table[1]}'.", table.start())
                setattr(family, "flat" if table[1] == "table" else "default", found)
            else:
                self.scanner.expect(PROPERTY, "A row, a table, a property or }")
        self.found.add_family(family)

    def child_and_parents(self, text: str, at: int) -> tuple[str, list[str]]:
        """The names of a header: the child stands before the bar, or first."""
        bar = BAR.fullmatch(text)
        before, after = (bar[1], bar[2]) if bar else (text, "")
        names = names_of(before, 1 if bar else None)
        if not names or (bar and len(names) > 1):
            self.scanner.refuse(f"one variable is expected before the bar, not {before.strip()!r}.", at)
        return names[0], [*names[1:], *names_of(after if '"' in after else after.replace("|", " "))]
