"""KnownEdges: required and forbidden arrows and tiers, and their contradictions."""

import numpy as np
import pytest

from aprendiz.graphical.structure.known_edges import KnownEdges


def test_tiers_forbid_the_way_back_only():
    known = KnownEdges.of("abcd", tiers=[["a", "b"], ["c"]])
    allowed = {(p, c) for p in "abcd" for c in "abcd" if known.allowed["abcd".index(p), "abcd".index(c)]}
    assert allowed == {(p, c) for p in "abcd" for c in "abcd" if p != c} - {("c", "a"), ("c", "b")}
    same = KnownEdges.of("abcd", tiers={"a": 0, "b": 0, "c": 7})
    np.testing.assert_array_equal(known.allowed, same.allowed)


def test_a_required_edge_excludes_its_reverse():
    known = KnownEdges.of("abc", required={"b": ["a"]}, forbidden=[("b", "c")])
    np.testing.assert_array_equal(known.must, [[0, 1, 0], [0, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(known.allowed, [[0, 1, 1], [0, 0, 0], [1, 1, 0]])
    np.testing.assert_array_equal(known.joined, ~np.eye(3, dtype=bool))


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"required": [("a", "b"), ("b", "c"), ("c", "a")]}, "cycle, .*'a'.*'b'.*'c'"),
        ({"required": [("a", "b")], "forbidden": [("a", "b")]}, "'a' → 'b' is both required and forbidden"),
        ({"required": [("a", "b")], "tiers": [["b"], ["a"]]}, "'a' → 'b' is required, but 'a' is in tier 1 and 'b' in tier 0"),
        ({"forbidden": [("z", "a")]}, "no node 'z'"),
        ({"required": [("a", "z")]}, "'z', which is not a node"),
        ({"tiers": [["a"], ["b", "a"]]}, "'a' is in two tiers, 0 and 1"),
        ({"tiers": ["ab"]}, "A tier is a list of names"),
        ({"tiers": {"a": 0.5}}, "tier of 'a' must be a whole number"),
    ],
)
def test_contradictions_are_named(told, message):
    with pytest.raises((ValueError, TypeError), match=message):
        KnownEdges.of("abc", **told)


@pytest.mark.parametrize("later", [2**53 + 1, 10**400])
def test_tiers_of_any_size(later):
    """Nanoseconds differ, though doubles do not."""
    known = KnownEdges.of("ab", tiers={"a": later - 1, "b": later})
    np.testing.assert_array_equal(known.allowed, [[0, 1], [0, 0]])
