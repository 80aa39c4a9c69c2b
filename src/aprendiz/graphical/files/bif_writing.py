"""The Bayesian interchange format (BIF), written so that it reads back with the same bits.

Numbers are written with as many digits as they need (`repr`). Names and levels that other readers could misread are quoted.
Those that are no words (whole numbers, True) are written as words, and their values as JSON in a property, which other readers
ignore.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from aprendiz.graphical.files.declared_network import first_repeated
from aprendiz.graphical.files.source_text import quoted
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork

PLAIN = re.compile(r"[A-Za-z0-9_.+<>=-]+(?:/[A-Za-z0-9_.+<>=-]+)*")  # // would be a comment


def bif_lines(network: DiscreteNetwork, title: str) -> Iterator[str]:
    """The lines of the file."""
    graph, names = network.graph, [word(name, "The node") for name in network.graph.nodes]
    levels = [[word(level, f"{name!r}: the level") for level in own] for name, own in zip(names, network.levels, strict=True)]
    refuse_doubles(names, "Two nodes are")
    yield f"network {written(title)} {{\n}}\n"
    for v, own in enumerate(levels):
        refuse_doubles(own, f"Two levels of {names[v]!r} are")
        yield f"variable {written(names[v])} {{\n  type discrete [ {len(own)} ] {{ {', '.join(map(written, own))} }};\n"
        for what, value, said in (("name", graph.nodes[v], names[v]), ("values", list(network.levels[v]), own)):
            if value != said:
                yield f"  property {quoted(f'{what} {json.dumps(plain(value))}')} ;\n"
        yield "}\n"
    for v, table in enumerate(network.tables):
        parents = graph.parents[v]
        given = f" | {', '.join(written(names[u]) for u in parents)}" if parents else ""
        yield f"probability ( {written(names[v])}{given} ) {{\n"
        if not parents:
            yield f"  table {', '.join(map(repr, table.tolist()))};\n"
        else:
            every = product(*([written(level) for level in levels[u]] for u in parents))
            rows = table.reshape(-1, table.shape[-1]).tolist()
            yield from (f"  ({', '.join(row)}) {', '.join(map(repr, p))};\n" for row, p in zip(every, rows, strict=True))
        yield "}\n"


def word(value: Any, what: str) -> str:
    """A name or level as a word."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float, np.integer, np.floating, np.bool_)):
        return str(plain(value))
    raise TypeError(f"{what} {value!r} is no word and no number: such a network cannot be written as BIF; rename it.")


def plain(value: Any) -> Any:
    """A number of Python's own."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value


def written(name: str) -> str:
    """A name as it stands in the file."""
    return name if PLAIN.fullmatch(name) else quoted(name)


def refuse_doubles(words: list[str], what: str) -> None:
    """Different values that would be written alike."""
    if (twice := first_repeated(words)) is not None:
        raise ValueError(f"{what} written {twice!r} in a file: rename one of them.")
