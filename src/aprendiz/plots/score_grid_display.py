"""Picture of the scores of a learner over two of its parameters: a cell for each pair of values, the best one marked.

Of a support vector machine with the Gaussian kernel these are C and γ. Good cells often lie along a diagonal: a smoother kernel
(smaller γ) with a higher price C fits as closely. A best cell at the border says that the grid should reach farther.
The best score of many cells is too good, because it was chosen by the same rows: evaluate the choice on others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import clone

from aprendiz.core.rows import Array
from aprendiz.evaluation import METRICS, KFolds
from aprendiz.evaluation.evaluate import evaluate
from aprendiz.evaluation.folds.splits import Protocol
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.locale import _, localise, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.positions import name_below
from aprendiz.plots.shared.style import DEEP_BLUE, GREY, PALE, SMALL, VERMILION, readable, tidy, width_of
from aprendiz.plots.shared.words import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELL, MARGIN = 0.62, 1.7  # inches
SMALLEST = 2.4  # inches, of the table
ROOM_FOR_A_NUMBER = 0.42  # inches of a cell


class ScoreGridDisplay(Display):
    """Scores over the values of two parameters.

    Parameters
    ----------
    scores : array of shape (n_down, n_across)
        A score for each pair of values; NaN where there is none.
    across, down : pair of a name and its values
        The parameter along the axis, and the one upwards, such as ("gamma", [0.1, 1.0]) and ("C", [1, 10, 100]).
    metric : str, default=""
        What the scores are, such as "accuracy".
    more_is_better : bool, default=True
        Whether the largest score is the best one.

    Attributes
    ----------
    best : tuple of int
        Place of the best cell, down and across; the first of several.
    best_values : dict
        The values of the two parameters there.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(
        self,
        scores: Any,
        across: tuple[str, Sequence[Any]],
        down: tuple[str, Sequence[Any]],
        *,
        metric: str = "",
        more_is_better: bool = True,
    ) -> None:
        self.scores: Array = np.asarray(scores, dtype=np.float64)
        (self.across, self.across_values), (self.down, self.down_values) = ((one[0], list(one[1])) for one in (across, down))
        wanted = (len(self.down_values), len(self.across_values))
        if self.scores.shape != wanted:
            raise ValueError(f"scores has shape {self.scores.shape}: {self.down} and {self.across} have {wanted} values.")
        if np.isnan(self.scores).all():
            raise ValueError("scores holds no number: no cell has a score.")
        self.metric, self.more_is_better = metric, more_is_better
        place = np.nanargmax(self.scores if more_is_better else -self.scores)
        self.best = tuple(int(k) for k in np.unravel_index(place, wanted))

    @property
    def best_values(self) -> dict[str, Any]:
        return {self.down: self.down_values[self.best[0]], self.across: self.across_values[self.best[1]]}

    @classmethod
    def from_estimator(
        cls,
        learner: Any,
        X: Any,
        y: Any,
        *,
        grid: Mapping[str, Sequence[Any]],
        protocol: Protocol | None = None,
        metric: str | None = None,
        groups: Any = None,
        ax: Axes | None = None,
    ) -> Self:
        """Judge a learner with each pair of values by `evaluate` on the same splits, by default KFolds(5), and draw.

        `grid` has two parameters: the first is drawn upwards, the second across."""
        if len(grid) != 2:
            raise ValueError(f"grid has {len(grid)} parameters: give two, such as {{'C': [1, 10], 'gamma': [0.1, 1.0]}}.")
        (down, rows), (across, columns) = grid.items()
        scores = np.empty((len(rows), len(columns)))
        for (i, j), _cell in np.ndenumerate(scores):
            candidate = clone(learner).set_params(**{down: rows[i], across: columns[j]})
            found = evaluate(candidate, X, y, protocol=protocol or KFolds(5), metrics=metric, groups=groups).score()
            scores[i, j], metric = found.value, found.name
        better = METRICS[metric].more_is_better if metric else True
        return cls(scores, (across, columns), (down, rows), metric=metric or "", more_is_better=better).plot(ax)

    @classmethod
    def from_search(cls, search: Any, *, across: str | None = None, down: str | None = None, ax: Axes | None = None) -> Self:
        """The grid of a fitted search of scikit-learn, such as GridSearchCV.

        By default its two parameters with several values, the first upwards; others are held at their best values."""
        tried, scores = search.cv_results_["params"], np.asarray(search.cv_results_["mean_test_score"])
        names = sorted({name for one in tried for name in one})
        values = {name: in_order({repr(one[name]): one[name] for one in tried if name in one}.values()) for name in names}
        several = [name for name in names if len(values[name]) > 1]
        if (across is None or down is None) and len(several) != 2:
            raise ValueError(f"The search has {len(several)} parameters with several values ({', '.join(several)}): name two.")
        down, across = (several[0] if down is None else down), (several[1] if across is None else across)
        table = np.full((len(values[down]), len(values[across])), np.nan)
        others = [name for name in names if name not in (down, across)]
        for one, score in zip(tried, scores, strict=True):
            if all(repr(one.get(name)) == repr(search.best_params_.get(name)) for name in others) and {down, across} <= set(
                one
            ):
                place = [[repr(v) for v in values[name]].index(repr(one[name])) for name in (down, across)]
                table[place[0], place[1]] = score
        metric = search.scoring if isinstance(search.scoring, str) else ""
        return cls(table, (across, values[across]), (down, values[down]), metric=metric).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the cells, their scores where there is room, and a frame around the best."""
        from matplotlib.patches import Rectangle

        down, across = self.scores.shape
        ax = self.open_axes(ax, max(CELL * across, SMALLEST) + MARGIN, max(CELL * down, SMALLEST) * 0.85 + MARGIN)
        shades = self.colours()
        ax.imshow(shades, interpolation="nearest", aspect="auto", origin="lower")
        tidy(ax, x=self.across, y=self.down, title=self.title())
        name_below(ax, range(across), value_names(self.across_values))
        ax.set_yticks(range(down), value_names(self.down_values))
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        if width_of(ax) / across >= ROOM_FOR_A_NUMBER:
            for (i, j), score in np.ndenumerate(self.scores):
                words = "–" if np.isnan(score) else number(score, 3)
                colour = GREY if np.isnan(score) else readable(shades[i, j])
                ax.text(j, i, words, ha="center", va="center", fontsize=SMALL, color=colour)
        i, j = self.best
        frame: dict[str, Any] = {"facecolor": "none", "edgecolor": VERMILION, "linewidth": 2.4, "zorder": 3.0}
        ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1.0, 1.0, clip_on=False, **frame))
        return self

    def title(self) -> str:
        """The best pair and its score."""
        best = {name: value_names([value])[0] for name, value in self.best_values.items()}
        pair = ", ".join(f"{name} = {value}" for name, value in best.items())
        score, measure = number(self.scores[self.best], 3), measure_in_words(self.metric)
        if not measure:
            return _("best {score} for {pair}").format(score=score, pair=pair)
        return _("best {measure} {score} for {pair}").format(measure=measure, score=score, pair=pair)

    def colours(self) -> Array:
        """From white for the worst score to blue for the best, grey where there is none."""
        from matplotlib.colors import to_rgb

        low, high = np.nanmin(self.scores), np.nanmax(self.scores)
        share = np.full(self.scores.shape, 0.5) if low == high else (self.scores - low) / (high - low)
        share = share if self.more_is_better else 1.0 - share
        mixed = 1.0 + np.nan_to_num(share)[..., None] * (np.array(to_rgb(DEEP_BLUE)) - 1.0)
        return np.where(np.isnan(self.scores)[..., None], to_rgb(PALE), mixed)


def in_order(values: Any) -> list[Any]:
    """Numbers in ascending order, other values as they come."""
    listed = list(values)
    return sorted(listed) if all(isinstance(v, Real) and not isinstance(v, bool) for v in listed) else listed


def value_names(values: Sequence[Any]) -> list[str]:
    """Numbers with the decimal sign of the language, other values cut where they are long."""
    real = [isinstance(value, Real) and not isinstance(value, bool) for value in values]
    return [localise(f"{v:g}") if known else short_names([v])[0] for v, known in zip(values, real, strict=True)]
