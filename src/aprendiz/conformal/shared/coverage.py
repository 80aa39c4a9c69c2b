"""How often intervals or sets contain the truth, with the exact interval of that share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.core.targets import plain
from aprendiz.evaluation import bounds
from aprendiz.locale import _, format_fixed, format_whole, number, percent


@dataclass(frozen=True, repr=False)
class Coverage(ShortRepr):
    """The share of some rows whose truth lies in its interval or set.

    Attributes
    ----------
    wanted : float
        The coverage that was asked for.
    share, low, high : float
        The share that was found, and its interval of Clopper and Pearson (95 %).
    rows : int
    size : float
        The mean width of the intervals, or the mean number of classes in a set.
    classes : mapping of class to share
        For sets: the share among the rows of each class.
    """

    wanted: float
    share: float
    low: float
    high: float
    rows: int
    size: float
    classes: Mapping[Any, float] | None = None

    @classmethod
    def of_intervals(cls, wanted: float, y: Array, ends: Array) -> Coverage:
        """Of intervals, rows × (low, high)."""
        inside = (ends[:, 0] <= y) & (y <= ends[:, 1])
        return cls(float(wanted), *share_of(inside), len(y), float(np.mean(ends[:, 1] - ends[:, 0])))

    @classmethod
    def of_sets(cls, wanted: float, codes: Array, sets: Array, labels: Array) -> Coverage:
        """Of sets, rows × classes; a class that is none of them has the code −1."""
        inside = (codes >= 0) & sets[np.arange(len(codes)), codes]
        by_class = {plain(labels[k]): float(inside[codes == k].mean()) for k in np.unique(codes[codes >= 0])}
        return cls(float(wanted), *share_of(inside), len(codes), float(sets.sum(axis=1).mean()), by_class)

    def __str__(self) -> str:
        words = _("coverage {share} ({low} to {high}) of {rows} rows, {wanted} asked for; mean width {size}.")
        if self.classes is not None:
            words = _(
                "coverage {share} ({low} to {high}) of {rows} rows, {wanted} asked for; {size} classes in a set on average."
            )
        return words.format(
            share=percent(self.share),
            low=percent(self.low),
            high=percent(self.high),
            rows=format_whole(self.rows),
            wanted=percent(self.wanted),
            size=number(self.size) if self.classes is None else format_fixed(self.size, 2),
        )


def share_of(inside: Array) -> tuple[float, float, float]:
    """The share of true values, with its interval."""
    low, high = bounds.clopper_pearson(len(inside), errors=int(len(inside) - inside.sum()), delta=0.05)
    return float(inside.mean()), 1.0 - high, 1.0 - low
