"""Picture of what theory says of a classifier: the observed error, and a line for each interval and bound.

Blue lines are of held-out rows, vermilion ones of training rows; those that say nothing new are pale. A line that goes on
beyond 1 ends at the frame with its number. The dashed line is the error of the most frequent class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from aprendiz.evaluation.theory import Bound, Observed, Theory
from aprendiz.evaluation.words.bounds import bound_in_words
from aprendiz.locale import _, format_fixed, format_whole
from aprendiz.plots.shared.bars import name_bars
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, DASHED, GREY, INK, KEY, SMALL, VERMILION, legend_below, room_beside, tidy
from aprendiz.plots.shared.words import SMALL_LETTERS, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE, MARGIN, WIDTH = 0.3, 1.7, 6.4  # inches
NAME = 1.9  # inches of the name of a bound, at most
FAINT = 0.35  # opacity of bounds that say nothing new


class TheoryDisplay(Display):
    """Observed errors with intervals and bounds.

    Parameters
    ----------
    found : Theory
        What `theory` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, found: Theory) -> None:
        self.found = found
        self.lines: list[tuple[Observed, Bound]] = [(one, bound) for one in found.observed for bound in one.bounds]
        if not self.lines:
            raise ValueError("There is no bound to draw: give held-out rows, or a model whose class of rules is known.")

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the lines, held-out rows first."""
        ax = self.open_axes(ax, WIDTH, len(self.lines) * LINE + MARGIN)
        for place, (one, bound) in enumerate(self.lines):
            self.draw(ax, place, one, bound)
        most = min(NAME, 0.35 * self.figure_.get_figwidth())
        names = [wrap_text(bound_in_words(bound.name), most, SMALL_LETTERS) for _one, bound in self.lines]
        room = room_beside(ax, [line for name in names for line in name.split("\n")])
        for one in self.found.observed:
            if one.bounds:
                self.explain(ax, one, room - KEY)
        label = wrap_text(_("error of the most frequent class"), room - KEY, SMALL_LETTERS)
        ax.axvline(self.found.observed[0].baseline, color=GREY, linewidth=0.9, linestyle=DASHED, label=label)
        words = _("error, each line with probability {level}").format(level=format_fixed(1.0 - self.found.delta, 2))
        tidy(ax, x=wrap_text(words, room), y="")
        name_bars(ax, names)
        ax.set_xlim(0.0, 1.0)
        legend_below(ax)
        return self

    def draw(self, ax: Axes, place: int, one: Observed, bound: Bound) -> None:
        """A line from end to end with the observed error on it."""
        colour = BLUE if one.which == "held-out" else VERMILION
        look: dict[str, Any] = {"color": colour, "alpha": FAINT if bound.verdict(one.baseline) else 1.0}
        ax.plot([bound.low, min(bound.high, 1.0)], [place, place], linewidth=3.0, solid_capstyle="butt", **look)
        ax.plot([one.error], [place], marker="o", markersize=5, color=colour, linestyle="none")
        if bound.high > 1:
            ax.text(0.99, place - 0.18, f"{format_fixed(bound.high, 2)} →", ha="right", va="bottom", fontsize=SMALL, color=INK)

    def explain(self, ax: Axes, one: Observed, room: float) -> None:
        """The entry of the legend for some rows, in lines of some inches."""
        words = _("{n} held-out rows, error {error}") if one.which == "held-out" else _("{n} training rows, error {error}")
        colour = BLUE if one.which == "held-out" else VERMILION
        label = words.format(n=format_whole(one.n), error=format_fixed(one.error, 3))
        label = wrap_text(label, room, SMALL_LETTERS)
        ax.plot([], [], color=colour, linewidth=3.0, marker="o", markersize=5, label=label)
