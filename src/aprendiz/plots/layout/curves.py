"""Ways of edges as curves."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from aprendiz.plots.layout.layered_layout import Point

if TYPE_CHECKING:
    from matplotlib.path import Path


def curve_along(way: list[Point]) -> Path:
    """The ways between layers as smooth curves, vertical at both ends; inside layers as straight lines."""
    from matplotlib.path import Path

    points, codes = [way[0]], [Path.MOVETO]
    for (x0, y0), (x1, y1) in pairwise(way):
        if x0 == x1:
            points.append((x1, y1))
            codes.append(Path.LINETO)
        else:
            points += [(x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2), (x1, y1)]
            codes += [Path.CURVE4] * 3
    return Path(points, codes)
