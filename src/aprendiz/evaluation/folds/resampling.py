"""What an evaluation by the bootstrap knows beside its folds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr

if TYPE_CHECKING:
    from aprendiz.evaluation import Fold


@dataclass(frozen=True, eq=False, repr=False)
class Resampling(ShortRepr):
    """Which estimate is wanted ("loo", ".632", ".632+"), how often each row is in each replicate, the group of each row, if
    there are groups, and the fit to all rows with what it says of them."""

    estimate: str
    counts: Array
    groups: Array | None
    apparent: Fold
