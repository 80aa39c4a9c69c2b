"""Moves of a search among graphs: an arrow more, one less, or one turned round.

Whether a graph stays without a cycle is read from `reach[u, v]`, whether a path of arrows leads from u to v:

    u → v may be added       unless reach[v, u]                                                                (1)
    u → v may be reversed    unless a path leads from u to v beside it                                         (2)

Cost: a scan of all moves O(nodes² + arrows · nodes); reach after an addition O(nodes²), after a removal O(nodes · arrows).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.graphical.structure.family_score import REFUSED

ADD, REMOVE, REVERSE = 0, 1, 2
KINDS = ("add", "remove", "reverse")
UNKNOWN = -(2**63)  # a family that has not been scored
LEAST = -(2**63) + 1  # below every gain


class Move(NamedTuple):
    """What is done to the arrow parent → child, and what the score gains."""

    kind: int
    parent: int
    child: int
    gain: int


@compiled
def find_paths(arrows: Array, reach: Array) -> None:
    """Set reach, from the arrows of a graph without a cycle: children before parents."""
    d = len(arrows)
    waiting, ready, count = np.zeros(d, np.int64), np.empty(d, np.int64), int64(0)
    for u in range(d):
        for v in range(d):
            waiting[u] += arrows[u, v]
            reach[u, v] = arrows[u, v]
        if not waiting[u]:
            ready[count] = u
            count += 1
    for k in range(d):
        v = ready[k]
        for u in range(d):
            if arrows[u, v]:
                for c in range(d):
                    reach[u, c] |= reach[v, c]
                waiting[u] -= 1
                if not waiting[u]:
                    ready[count] = u
                    count += 1


def paths_after_addition(reach: Array, parent: int, child: int) -> None:
    """reach with one more arrow: from the parent and all before it to the child and all behind it."""
    before, behind = reach[:, parent].copy(), reach[child].copy()
    before[parent], behind[child] = True, True
    reach[before] |= behind


@compiled
def scan_moves(
    arrows: Array,
    reach: Array,
    allowed: Array,
    required: Array,
    most_parents: int,
    scores: Array,
    tabu: Array,
    record: int,
    chosen: int,
    wanted: Array,
) -> tuple[int, int, int, int, int]:
    """The number of moves, and kind, parent, child and gain of the best one (kind −1 if there is none).

    The score of v with u added to its parents, or taken from them, is `scores[v, u]`, and `scores[v, v]` as they are. Where a
    move needs one that is unknown, `wanted[v, u]` is set. A pair that is `tabu` counts only if the move gains more than
    `record`. Of equal moves the first one is taken. With `chosen` ≥ 0 it is the move of that number, whatever it gains.
    """
    d = len(arrows)
    count, kind, parent, child, best = int64(0), int64(-1), int64(0), int64(0), int64(LEAST)
    parents = number_of_parents(arrows)
    for u in range(d):
        for v in range(d):
            if not arrows[u, v]:
                first, last = ADD, ADD if allowed[u, v] and not reach[v, u] and parents[v] < most_parents else ADD - 1
            else:
                turns = allowed[v, u] and parents[u] < most_parents and not is_led_around(u, v, arrows, reach)  # (2)
                first, last = REMOVE, REMOVE - 1 if required[u, v] else REVERSE if turns else REMOVE
            for step in range(first, last + 1):
                there, back = scores[v, u], scores[u, v] if step == REVERSE else int64(0)
                if there == UNKNOWN or back == UNKNOWN:
                    wanted[v, u] |= there == UNKNOWN
                    wanted[u, v] |= back == UNKNOWN
                elif there != REFUSED and back != REFUSED:
                    gain = there - scores[v, v] + (back - scores[u, u] if step == REVERSE else int64(0))
                    if chosen == count or (chosen < 0 and gain > best and (gain > record or not tabu[u, v])):
                        kind, parent, child, best = int64(step), int64(u), int64(v), gain
                    count += 1
    return count, kind, parent, child, best


@compiled(inner=True)
def number_of_parents(arrows: Array) -> Array:
    """The number of parents of each node."""
    parents = np.zeros(len(arrows), np.int64)
    for u in range(len(arrows)):
        for v in range(len(arrows)):
            parents[v] += arrows[u, v]
    return parents


@compiled(inner=True)
def is_led_around(u: int, v: int, arrows: Array, reach: Array) -> bool:
    """Does a path lead from u to v beside the arrow between them?"""
    for c in range(len(arrows)):  # noqa: SIM110  a loop for the compiler
        if c != v and arrows[u, c] and reach[c, v]:
            return True
    return False
