"""Picture of splits: which rows each split trains on and which it tests, for folds, repeated halves and bootstrap samples.

A line is a split, a column a row of the table. A bootstrap sample draws n of n rows with replacement: some come several times,
and about e⁻¹ = 36.8 % never do. Those are out of the bag, and test the model of that sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.parameters import refuse_count
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target
from aprendiz.locale import _, format_whole
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.scales import in_whole_numbers
from aprendiz.plots.shared.style import DEEP_BLUE, PALE, SKY, VERMILION, legend_below, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

UNUSED, ONCE, OFTEN, TESTED = range(4)
COLOURS = (PALE, SKY, DEEP_BLUE, VERMILION)


class SplitsDisplay(Display):
    """Training and test rows of each split as a picture.

    Parameters
    ----------
    splits : sequence of pairs (train, test) of row numbers
        A row may be drawn several times for training.
    rows : int
        Rows of the table.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    use : ndarray of shape (n_splits, rows)
        0 for a row that is not used, 1 for training, 2 for training more than once, 3 for testing.
    """

    def __init__(self, splits: Sequence[tuple[Any, Any]], rows: int) -> None:
        refuse_count("rows", rows)
        if not len(splits):
            raise ValueError("There is no split to draw: give at least one.")
        self.use: Array = np.zeros((len(splits), rows), np.int64)
        for number, (train, test) in enumerate(splits):
            for which, some in (("train", np.asarray(train)), ("test", np.asarray(test))):
                if some.ndim != 1 or (some.size and (some.dtype.kind not in "iu" or some.min() < 0 or some.max() >= rows)):
                    raise ValueError(f"splits[{number}] has {which} rows that are not numbers from 0 to {rows - 1}.")
            drawn = np.bincount(np.asarray(train, dtype=np.int64), minlength=rows)
            both = np.flatnonzero(drawn[np.asarray(test, dtype=np.int64)] > 0)
            if both.size:
                raise ValueError(f"splits[{number}] trains on row {np.asarray(test)[both[0]]} and tests it: keep them apart.")
            self.use[number] = np.minimum(drawn, OFTEN)
            self.use[number, np.asarray(test, dtype=np.int64)] = TESTED
        self.bags = bool((self.use == OFTEN).any())

    @classmethod
    def from_protocol(cls, protocol: Any, y: Any, *, groups: Any = None, by_class: bool = True, ax: Any = None) -> Self:
        """Draw the splits of a protocol, such as `KFolds(5)`, for a target; `by_class` deals the classes evenly."""
        target = as_target(y)
        return cls(list(protocol.splits(target, groups, by_class)), len(target)).plot(ax)

    @classmethod
    def bootstrap(cls, rows: int, count: int = 5, *, random_state: Any = None, ax: Any = None) -> Self:
        """Draw some bootstrap samples, and which rows are out of their bags."""
        refuse_count("rows", rows)
        refuse_count("count", count)
        random, splits = np.random.default_rng(draw_seed(random_state)), []
        for _each in range(count):
            bag = random.integers(0, rows, rows)
            splits.append((bag, np.setdiff1d(np.arange(rows), bag)))
        return cls(splits, rows).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw a line for each split."""
        from matplotlib.colors import BoundaryNorm, ListedColormap

        count, rows = self.use.shape
        ax = self.open_axes(ax, 6.4, 1.6 + 0.3 * min(count, 12))
        look: dict[str, Any] = {"cmap": ListedColormap(COLOURS), "norm": BoundaryNorm(np.arange(-0.5, 4.5), 4)}
        ax.imshow(self.use, aspect="auto", interpolation="nearest", extent=(-0.5, rows - 0.5, count + 0.5, 0.5), **look)
        words = self.words()
        for kind in np.unique(self.use):
            ax.plot([], [], linestyle="none", marker="s", markersize=8, color=COLOURS[kind], label=words[kind])
        in_whole_numbers(ax.xaxis)
        in_whole_numbers(ax.yaxis)
        tidy(ax, x=_("row"), y=_("sample") if self.bags else _("split"))
        legend_below(ax, columns=3)
        return self

    def words(self) -> tuple[str, str, str, str]:
        """What the colours mean; of bags how many rows are out of them on average."""
        once = _("drawn once") if self.bags else _("training row")
        if not self.bags:
            return _("not used"), once, _("drawn more than once"), _("test row")
        share = format_whole(round(100 * float((self.use == TESTED).mean())))
        out = _("out of the bag ({share} % of the rows)").format(share=share)
        return _("not used"), once, _("drawn more than once"), out
