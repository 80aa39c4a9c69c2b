"""The format of HUGIN (.net), read.

    net { … }
    node v { states = ("level" …); label = …; … }
    potential ( child | parent … ) { data = ((p …) …); }

The numbers of a table stand in nested lists, the child innermost. Comments run from % to the end of the line. Attributes that
say how a node is drawn are ignored, as is a `class` around the whole. Decisions, utilities, continuous nodes and submodels
(`instance`) are refused.

Reference: HUGIN Expert, "HUGIN API reference manual", chapter "The NET language".
"""

from __future__ import annotations

import re
from typing import NoReturn

from aprendiz.graphical.files.declared_network import DeclaredNetwork, Family, Row
from aprendiz.graphical.files.source_text import QUOTED, Scanner, names_of

COMMENT = r"%[^\n]*"
BLOCK = re.compile(r"(?:(discrete|continuous|function)\s+)?(net|node|potential|class|decision|utility|instance)\b")
NAME = re.compile(r'[^\s"(){};=|]+')
OPEN, CLOSE = re.compile(r"\{"), re.compile(r"\}\s*;?")
ATTRIBUTE = re.compile(rf'([A-Za-z_]\w*)\s*=([^";{{}}]*(?:{QUOTED}[^";{{}}]*)*);')
HEADER = re.compile(r"\(([^|(){}]*)(?:\|([^|(){}]*))?\)\s*\{")
LIST = re.compile(r"\s*\((.*)\)\s*", re.DOTALL)
NO_NETWORK = "only nodes with discrete states make a Bayesian network"


def read_net_text(text: str, name: str) -> DeclaredNetwork:
    """The network of a text in HUGIN's format."""
    return NetReader(Scanner(text, name, COMMENT)).network()


class NetReader:
    """Reads the blocks of a text, one after the other."""

    def __init__(self, scanner: Scanner):
        self.scanner = scanner
        self.found = DeclaredNetwork(self.refuse, either_order=False)

    def refuse(self, message: str, at: int) -> NoReturn:
        self.scanner.refuse(message, at)

    def network(self) -> DeclaredNetwork:
        """All blocks."""
        depth = 0  # of classes that are open
        while not self.scanner.ended:
            if depth and self.scanner.take(CLOSE):
                depth -= 1
                continue
            if depth and self.scanner.take(ATTRIBUTE):
                continue
            block = self.scanner.expect(BLOCK, "A block (net, node or potential)")
            if block[1] in ("continuous", "function") or block[2] in ("decision", "utility", "instance"):
                self.scanner.refuse(f"{block[0]!r} is not supported: {NO_NETWORK}.", block.start())
            if block[2] == "potential":
                self.read_potential(block.start())
            elif block[2] == "node":
                self.read_node(block.start())
            else:
                self.scanner.take(NAME)
                self.scanner.expect(OPEN, "{")
                if block[2] == "class":
                    depth += 1
                else:
                    self.attributes("net", block.start())
        if depth:
            self.scanner.refuse("the file ends within a class: it is cut short.")
        return self.found

    def attributes(self, what: str, begin: int) -> dict[str, re.Match[str]]:
        """The attributes of a block, to its end."""
        found: dict[str, re.Match[str]] = {}
        while not self.scanner.take(CLOSE):
            if self.scanner.ended:
                line = self.scanner.text.count("\n", 0, begin) + 1
                self.scanner.refuse(f"the file ends within the block {what} that begins in line {line}: it is cut short.")
            one = self.scanner.expect(ATTRIBUTE, "An attribute (name = value;) or }")
            if one[1] in found:
                self.scanner.refuse(f"the block {what} has two attributes {one[1]!r}.", one.start())
            found[one[1]] = one
        return found

    def read_node(self, begin: int) -> None:
        """A variable and its states."""
        name = self.scanner.expect(NAME, "The name of a node")[0]
        self.scanner.expect(OPEN, "{")
        states = self.attributes(f"of the node {name!r}", begin).get("states")
        if states is None:
            self.scanner.refuse(f"the node {name!r} has no states: {NO_NETWORK}.", begin)
        listed = LIST.fullmatch(states[2])
        if listed is None:
            self.scanner.refuse(f"the states of {name!r} should stand in brackets.", states.start())
        self.found.add_variable(name, names_of(listed[1]), states.start())

    def read_potential(self, begin: int) -> None:
        """The table of a variable."""
        header = self.scanner.expect(HEADER, "( child | parents ) {")
        children, parents = names_of(header[1]), names_of(header[2] or "")
        if len(children) != 1:
            self.scanner.refuse(f"a potential is of one child, not of {header[1].strip()!r}.", begin)
        data = self.attributes(f"of the potential of {children[0]!r}", begin).get("data")
        if data is None:
            self.scanner.refuse(f"the potential of {children[0]!r} has no data.", begin)
        numbers = self.scanner.numbers(re.sub("[()]", " ", data[2]), data.start())
        self.found.add_family(Family(children[0], parents, begin, flat=Row((), numbers, data.start())))
