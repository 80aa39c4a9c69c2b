"""The steps of one forward and one backward sweep, to be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.neural.derivatives.along_edges import Edge
from aprendiz.neural.elementary.functions import Value


@dataclass(frozen=True)
class Trace:
    """Lines of text.

    Attributes
    ----------
    forward : tuple of str
        The values, parents first.
    edges : tuple of str
        z(i, j).
    backward : tuple of str
        S(i, o), from the output back.
    """

    forward: tuple[str, ...]
    edges: tuple[str, ...]
    backward: tuple[str, ...]

    @classmethod
    def of(
        cls,
        graph: DirectedGraph,
        texts: Mapping[str, str],
        values: Mapping[str, Value],
        z: Mapping[Edge, Value],
        S: Sequence[Value],
        output: str,
    ) -> Self:
        names = graph.nodes
        forward = [f"{name} = {f'{texts[name]} = ' if name in texts else ''}{shown(value)}" for name, value in values.items()]
        edges = [f"∂{names[j]}/∂{names[i]} = {shown(value)}" for (i, j), value in z.items()]
        backward = []
        for i in reversed(graph.order):
            terms = [f"{shown(z[i, k])}·{shown(S[k])}" for k in graph.children[i] if (i, k) in z]
            alone = names[i] == output or not terms or (len(terms) == 1 and "[" in terms[0])
            sum_of = "" if alone else f"{' + '.join(terms)} = "
            backward.append(f"∂{output}/∂{names[i]} = {sum_of}{shown(S[i])}")
        return cls(tuple(forward), tuple(edges), tuple(backward))

    def __str__(self) -> str:
        parts = (("Forward, values:", self.forward), ("Edges:", self.edges), ("Backward, sums over children:", self.backward))
        return "\n".join(line for head, lines in parts for line in (head, *(f"  {one}" for one in lines)))


def shown(value: Value) -> str:
    """A number in a few digits, in brackets where it is negative; an array by its first cells."""
    if np.ndim(value) == 0:
        text = f"{value:.6g}"
        return f"({text})" if text.startswith("-") else text
    return np.array2string(np.asarray(value).ravel(), precision=4, threshold=4, edgeitems=2)
