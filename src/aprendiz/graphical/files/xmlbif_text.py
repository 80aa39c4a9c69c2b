"""XMLBIF, the interchange format in XML, read.

    <VARIABLE> <NAME>v</NAME> <OUTCOME>level</OUTCOME> … </VARIABLE>
    <DEFINITION> <FOR>child</FOR> <GIVEN>parent</GIVEN> … <TABLE>p p …</TABLE> </DEFINITION>

The child's level changes fastest along a table; older files call a definition PROBABILITY and an outcome VALUE. The text is
read by an event parser, so nothing is built that is not needed. A document type may declare elements, as the format's own does;
entities, which can unfold to any size or point to other files, are refused where they are declared.

Reference: F. G. Cozman, "The interchange format for Bayesian networks", 1998.
"""

from __future__ import annotations

from typing import Any, NoReturn
from xml.parsers import expat

from aprendiz.graphical.files.declared_network import DeclaredNetwork, Family, Row
from aprendiz.graphical.files.source_text import read_numbers

VARIABLE, DEFINITION = {"VARIABLE"}, {"DEFINITION", "PROBABILITY"}
WANTED = {"NAME", "OUTCOME", "VALUE", "FOR", "GIVEN", "TABLE"}
MOST_DEPTH = 20


def read_xmlbif_text(text: str, name: str) -> DeclaredNetwork:
    """The network of a text in XMLBIF."""
    return XmlReader(name).network(text)


class XmlReader:
    """Collects variables and definitions from the events of the parser."""

    def __init__(self, name: str):
        self.name, self.path = name, list[str]()
        self.parts: dict[str, list[str]] = {}  # of the variable or definition that is open
        self.words: list[str] = []
        self.begin = self.table_begin = 1
        self.found = DeclaredNetwork(self.refuse)
        self.parser: Any = expat.ParserCreate("utf-8")  # the text is decoded already, whatever it says of itself
        self.parser.StartElementHandler, self.parser.EndElementHandler = self.start, self.end
        self.parser.CharacterDataHandler = self.words.append
        self.parser.EntityDeclHandler = self.refuse_entity
        self.parser.ExternalEntityRefHandler = self.refuse_entity
        self.parser.buffer_text = True

    def refuse(self, message: str, line: int) -> NoReturn:
        raise ValueError(f"{self.name}, line {max(line, 1)}: {message}")

    def refuse_entity(self, *about: Any) -> NoReturn:
        """Entities have no place in a network."""
        self.refuse("entities are not allowed in a file of a network: remove them.", self.parser.CurrentLineNumber)

    def network(self, text: str) -> DeclaredNetwork:
        """All elements."""
        try:
            self.parser.Parse(text.encode("utf-8", "replace"), True)
        except expat.ExpatError as error:
            self.refuse(f"this is not XML ({expat.errors.messages[error.code]}).", error.lineno)
        return self.found

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        tag, line = tag.upper(), self.parser.CurrentLineNumber
        if len(self.path) == MOST_DEPTH:
            self.refuse("elements are nested too deeply.", line)
        self.path.append(tag)
        self.words.clear()
        if tag in VARIABLE | DEFINITION:
            self.parts, self.begin = {}, line
            kind = {name.upper(): value for name, value in attributes.items()}.get("TYPE", "nature")
            if tag in VARIABLE and kind not in ("nature", "discrete"):
                self.refuse(f"a variable of the type {kind!r} is not supported.", line)
        elif tag == "TABLE":
            self.table_begin = line

    def end(self, tag: str) -> None:
        """An element ends."""
        tag = self.path.pop().upper()
        inside = bool(self.path) and self.path[-1] in VARIABLE | DEFINITION
        if inside and tag in WANTED:
            self.parts.setdefault(tag, []).append("".join(self.words))
        elif tag in VARIABLE:
            levels = [level.strip() for level in (*self.parts.get("OUTCOME", ()), *self.parts.get("VALUE", ()))]
            self.found.add_variable(self.only("NAME", "a variable").strip(), levels, self.begin)
        elif tag in DEFINITION:
            child = self.only("FOR", "a definition").strip()
            row = Row((), self.numbers(self.only("TABLE", f"the definition of {child!r}")), self.table_begin)
            parents = [parent.strip() for parent in self.parts.get("GIVEN", ())]
            self.found.add_family(Family(child, parents, self.begin, flat=row))
        self.words.clear()

    def only(self, part: str, of: str) -> str:
        """A part that stands there once."""
        found = self.parts.get(part, [])
        if len(found) != 1:
            self.refuse(f"{of} should have one {part}, not {len(found)}.", self.begin)
        return found[0]

    def numbers(self, text: str) -> list[float]:
        """The numbers of a table."""
        try:
            return read_numbers(text)
        except ValueError as error:
            self.refuse(str(error), self.table_begin)
