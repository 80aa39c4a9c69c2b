"""Random directed graphs for the tests of networks, and d-separation by its definition: every path, one by one."""

from itertools import combinations, product

from hypothesis import settings
from hypothesis import strategies as st

from aprendiz.graphical.graph.directed_graph import DirectedGraph

quick = settings(max_examples=60, database=None, derandomize=True)


@st.composite
def directed_graphs(draw, largest=6):
    """A graph of nodes "a", "b", …, whose names say nothing about the order of the arrows."""
    names = "abcdefghij"[: draw(st.integers(2, largest))]
    order = draw(st.permutations(names))
    pairs = [pair for pair in combinations(order, 2) if draw(st.booleans())]
    return DirectedGraph.of(draw(st.permutations(pairs)), names)


def as_mapping(graph):
    """Child to parents, every node named."""
    return {name: [graph.nodes[u] for u in graph.parents[v]] for v, name in enumerate(graph.nodes)}


def all_graphs(count):
    """Every directed graph without cycles of some nodes."""
    pairs = list(combinations(range(count), 2))
    for ways in product((None, 0, 1), repeat=len(pairs)):
        edges = [pair[::-1] if way else pair for pair, way in zip(pairs, ways, strict=True) if way is not None]
        try:
            yield DirectedGraph.of(edges, range(count))
        except ValueError:  # a cycle
            continue


def every_path(edges, start, end):
    """All paths that meet no node twice, along arrows either way, as tuples of names."""
    beside = {}
    for a, b in edges:
        beside.setdefault(a, set()).add(b)
        beside.setdefault(b, set()).add(a)

    def prolonged(path):
        if path[-1] == end:
            yield path
            return
        for name in sorted(beside.get(path[-1], ())):
            if name not in path:
                yield from prolonged((*path, name))

    return list(prolonged((start,)))


def below(edges, name):
    """A node and its descendants."""
    found = {name}
    while more := {b for a, b in edges if a in found} - found:
        found |= more
    return found


def blockers(edges, path, given):
    """The nodes that block a path, as the definition says it."""
    found = []
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        if (before, node) in edges and (after, node) in edges:
            if not below(edges, node) & set(given):
                found.append(node)
        elif node in given:
            found.append(node)
    return found


def separated_by_definition(edges, start, end, given):
    """Whether every path is blocked."""
    return all(blockers(edges, path, given) for path in every_path(edges, start, end))


def three_sets(draw, names):
    """Each node in a, in b, observed, or in none; the first two have a node of a and one of b."""
    roles = draw(st.lists(st.sampled_from("abc-"), min_size=len(names) - 2, max_size=len(names) - 2))
    dealt = dict(zip(draw(st.permutations(names)), ["a", "b", *roles], strict=True))
    return [[name for name in names if dealt[name] == kind] for kind in "abc"]
