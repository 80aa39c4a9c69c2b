"""Places of the boxes of a tree on paper: children below their parent, as close as they can be without touching.

Subtrees are put side by side from the bottom upwards. Each is known by its outline, the leftmost and rightmost edge on every
level; the next subtree is moved to the right until no level is nearer than a gap. A parent stands in the middle above its
first and last child; the children between these stand halfway between as far left and as far right as they can. Levels are as
high as their highest box, and boxes hang from the top of their level.

Cost: O(nodes · depth).
Reference: Reingold & Tilford, "Tidier drawings of trees", IEEE Transactions on Software Engineering 7, 1981.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """A box: the middle of its upper edge, with y upwards, its size, and where its level ends."""

    x: float
    top: float
    width: float
    height: float
    floor: float

    @property
    def bottom(self) -> float:
        return self.top - self.height


Outline = tuple[list[float], list[float]]  # left and right edge on each level, from the centre of the root


def place(children: Sequence[Sequence[int]], sizes: Sequence[tuple[float, float]], gap: float, drop: float) -> list[Box]:
    """The boxes of the nodes of a tree in depth-first order, from 0 on in both directions.

    `sizes` are widths and heights; `gap` is left between neighbours, `drop` between levels.
    """
    shift, outlines = [0.0] * len(children), list[Outline]([([], [])] * len(children))
    for node in range(len(children) - 1, -1, -1):
        half = sizes[node][0] / 2
        offsets, (left, right) = side_by_side([outlines[child] for child in children[node]], gap)
        for child, offset in zip(children[node], offsets, strict=True):
            shift[child] = offset
        outlines[node] = [-half, *left], [half, *right]
    x, level = [-min(outlines[0][0])] * len(children), [0] * len(children)
    for node, below in enumerate(children):
        for child in below:
            x[child], level[child] = x[node] + shift[child], level[node] + 1
    heights = [max(sizes[i][1] for i in range(len(children)) if level[i] == one) for one in range(max(level) + 1)]
    tops = [sum(heights[k:]) + drop * (len(heights) - 1 - k) for k in range(len(heights))]
    return [Box(x[i], tops[k], *sizes[i], tops[k] - heights[k]) for i, k in enumerate(level)]


def side_by_side(outlines: Sequence[Outline], gap: float) -> tuple[list[float], Outline]:
    """Where subtrees stand from the middle of the first and last, and their common outline."""
    if not outlines:
        return [], ([], [])
    leftmost = pack(outlines, gap)
    mirrored = pack([([-edge for edge in right], [-edge for edge in left]) for left, right in reversed(outlines)], gap)
    rightmost = [leftmost[-1] - offset for offset in reversed(mirrored)]
    middle = leftmost[-1] / 2
    offsets = [(a + b) / 2 - middle for a, b in zip(leftmost, rightmost, strict=True)]
    left, right = list[float](), list[float]()
    for offset, (own_left, own_right) in zip(offsets, outlines, strict=True):
        left += [edge + offset for edge in own_left[len(left) :]]
        right = [edge + offset for edge in own_right] + right[len(own_right) :]
    return offsets, (left, right)


def pack(outlines: Sequence[Outline], gap: float) -> list[float]:
    """How far right of the first each subtree must stand."""
    offsets, right = list[float](), list[float]()
    for own_left, own_right in outlines:
        offset = max((edge - own + gap for edge, own in zip(right, own_left, strict=False)), default=0.0)
        offsets.append(offset)
        right = [edge + offset for edge in own_right] + right[len(own_right) :]
    return offsets
