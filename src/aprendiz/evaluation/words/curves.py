"""Curves of scores on unseen rows and on training rows, as tables: what learning curves and validation curves print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.words.tables import align, measure

if TYPE_CHECKING:
    from aprendiz.evaluation import Score


def curve_columns(unseen: Sequence[Score], seen: Sequence[Score]) -> dict[str, Array]:
    """Columns of a frame: value, low and high end on either side."""
    return {
        f"{side}_{name}": np.array([getattr(score, name) for score in scores])
        for side, scores in (("unseen", unseen), ("seen", seen))
        for name in ("value", "low", "high")
    }


def curve_table(points: str, names: Sequence[str], unseen: Sequence[Score], seen: Sequence[Score]) -> str:
    """Aligned lines, one for each point of the curve."""
    rows = [[points, f"{unseen[0].name} on unseen rows", "95 % interval", "on training rows"]]
    for name, out, own in zip(names, unseen, seen, strict=True):
        rows.append([name, measure(out.value), f"{measure(out.low)} to {measure(out.high)}", measure(own.value)])
    return align(rows)
