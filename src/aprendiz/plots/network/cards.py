"""Cards: what is shown of the nodes of a network, measured before it is drawn.

A card has the name of its node on top, with the level that was observed; below it, if asked for, a bar for each level and the
table of conditional probabilities, a line for each combination of parents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice, product
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork
from aprendiz.locale import _, format_whole, number
from aprendiz.plots.layout.text_width import text_width
from aprendiz.plots.shared.style import BLUE, DASHED, GREY, INK, ORANGE, PALE, THIN
from aprendiz.plots.shared.words import percent, verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEADING = 1.3  # height of a line, in sizes of its letters
SPACING = 1.25  # what matplotlib calls this height
PAD = 5.0  # points between text and edge
BAR = 44.0  # points, of a probability of 1
COLUMN = 7.0  # points between columns
LETTERS, NAME_LINES = 16, 3  # of a name
LONGEST = 32  # letters of a name
LEVEL = 12  # letters of a level
MOST_ROWS, MOST_COLUMNS = 12, 6  # of a table
PALE_ORANGE = "#F7DFA8"  # of observed nodes


@dataclass(frozen=True)
class Card:
    """What is shown of a node.

    Attributes
    ----------
    name : list of str
        Its name, and what was observed, in lines.
    observed, hidden : bool
        Whether it is observed, and whether it is in no row; their edges are orange, and dashed.
    bars : list of (level, probability)
    table : list of lists of str
        Lines of cells, the first with names.
    given : int
        How many columns of the table are levels of parents.
    more : int
        Lines of the table that are not shown.
    points : float
        The size of the letters.
    """

    name: list[str]
    observed: bool
    hidden: bool
    bars: list[tuple[str, float]]
    table: list[list[str]]
    given: int
    more: int
    points: float

    @property
    def line(self) -> float:
        """The height of a line."""
        return LEADING * self.points

    @property
    def columns(self) -> list[float]:
        """The widths of the columns of the table."""
        return [max(text_width(cell, self.points) for cell in column) for column in zip(*self.table, strict=True)]

    @property
    def more_text(self) -> str:
        """What is said of lines that are not shown."""
        return _("… {rows} more").format(rows=format_whole(self.more)) if self.more else ""

    @property
    def levels_width(self) -> float:
        """The width of the names of the bars."""
        return max((text_width(level, self.points) for level, _share in self.bars), default=0.0)

    def size(self) -> tuple[float, float]:
        """Width and height in points."""
        widths = [text_width(line, self.points) for line in self.name]
        lines, parts = len(self.name), 1 + bool(self.bars) + bool(self.table)
        if self.bars:
            shares = max(text_width(percent(share), self.points) for _level, share in self.bars)
            widths.append(self.levels_width + BAR + shares + 2 * COLUMN)
            lines += len(self.bars)
        if self.table:
            widths += [sum(self.columns) + COLUMN * (len(self.columns) - 1), text_width(self.more_text, self.points)]
            lines += len(self.table) + bool(self.more)
        return max(widths) + 2 * PAD, lines * self.line + 2 * PAD * parts

    # ---- drawing ---------------------------------------------------------------------------------------------------------

    def draw(self, ax: Axes, x: float, top: float, scale: float) -> None:
        """Draw the card with the middle of its upper edge at (x, top)."""
        from matplotlib.patches import FancyBboxPatch

        width, height = self.size()
        left = x - width / 2
        look: dict[str, Any] = {"facecolor": PALE_ORANGE if self.observed else "white", "edgecolor": GREY, "zorder": 3.0}
        look |= {"linewidth": 2 * THIN * scale, "boxstyle": "round,pad=0,rounding_size=4"}
        if self.observed:
            look["edgecolor"] = ORANGE
        if self.hidden:
            look["linestyle"] = DASHED
        ax.add_patch(FancyBboxPatch((left, top - height), width, height, **look))
        head = len(self.name) * self.line + 2 * PAD
        words: dict[str, Any] = {"fontsize": self.points * scale, "color": INK, "va": "center", "zorder": 5.0}
        bold = "bold" if self.bars or self.table else "normal"
        name = verbatim("\n".join(self.name))
        ax.text(x, top - head / 2, name, ha="center", linespacing=SPACING, fontweight=bold, **words)
        y = top - head
        if self.bars:
            y = self.draw_bars(ax, left, y, width, words)
        if self.table:
            self.draw_table(ax, left, y, width, words)

    def rule(self, ax: Axes, left: float, y: float, width: float) -> None:
        """A line between two parts."""
        ax.plot([left, left + width], [y, y], color=GREY, linewidth=THIN, zorder=4.0)

    def draw_bars(self, ax: Axes, left: float, y: float, width: float, words: dict[str, Any]) -> float:
        """A bar for each level; gives the place below."""
        from matplotlib.patches import Rectangle

        self.rule(ax, left, y, width)
        start, thick = left + PAD + self.levels_width + COLUMN, 0.55 * self.line
        for k, (level, share) in enumerate(self.bars):
            middle = y - PAD - (k + 0.5) * self.line
            ax.text(left + PAD, middle, verbatim(level), ha="left", **words)
            for length, colour in ((BAR, PALE), (BAR * share, BLUE)):
                ax.add_patch(Rectangle((start, middle - thick / 2), length, thick, color=colour, linewidth=0, zorder=4.0))
            ax.text(left + width - PAD, middle, percent(share), ha="right", **words)
        return y - 2 * PAD - len(self.bars) * self.line

    def draw_table(self, ax: Axes, left: float, y: float, width: float, words: dict[str, Any]) -> None:
        """The lines of the table: levels of parents to the left, probabilities to the right."""
        self.rule(ax, left, y, width)
        columns = self.columns
        spare = width - 2 * PAD - sum(columns) - COLUMN * (len(columns) - 1)
        for i, cells in enumerate(self.table):
            edge, middle = left + PAD, y - PAD - (i + 0.5) * self.line
            for j, (cell, column) in enumerate(zip(cells, columns, strict=True)):
                if j == self.given:
                    edge += spare
                look = words | {"color": GREY} if i == 0 or j < self.given else words
                if j < self.given:
                    ax.text(edge, middle, verbatim(cell), ha="left", **look)
                else:
                    ax.text(edge + column, middle, verbatim(cell), ha="right", **look)
                edge += column + COLUMN
        if self.more:
            middle = y - PAD - (len(self.table) + 0.5) * self.line
            ax.text(left + PAD, middle, self.more_text, ha="left", **words | {"color": GREY})


def make_card(
    name: Any,
    points: float,
    *,
    observed: Any = None,
    hidden: bool = False,
    bars: Mapping[Any, float] | None = None,
    table: tuple[DiscreteNetwork, int] | None = None,
) -> Card:
    """The card of a node: `observed` is (level,) of an observed one, or () if only likelihoods of its levels are known; `table`
    is a network and the place of the node in it.
    """
    lines = fold(cut(name, LONGEST))
    if observed:
        lines += fold(f"= {cut(plain(observed[0]), LONGEST)}")
    shares = [] if bars is None else [(cut(plain(level), LEVEL), float(share)) for level, share in bars.items()]
    cells, given, more = ([], 0, 0) if table is None else table_cells(*table)
    return Card(lines, observed is not None, hidden, shares, cells, given, more, points)


def table_cells(network: DiscreteNetwork, v: int) -> tuple[list[list[str]], int, int]:
    """The lines of a table, how many of its columns are levels of parents, and how many lines are left out."""
    parents, table = network.graph.parents[v], network.tables[v]
    names = [cut(network.graph.nodes[u], LEVEL) for u in parents]
    shown = slice(None) if table.shape[-1] <= MOST_COLUMNS else slice(MOST_COLUMNS - 1)
    dots = [] if table.shape[-1] <= MOST_COLUMNS else ["…"]
    lines = [[*names, *(cut(plain(level), LEVEL) for level in network.levels[v][shown]), *dots]]
    rows: Array = table.reshape(-1, table.shape[-1])
    ways = product(*(network.levels[u] for u in parents))
    for levels, row in islice(zip(ways, rows, strict=True), MOST_ROWS):
        lines.append([*(cut(plain(level), LEVEL) for level in levels), *(number(float(p), 3) for p in row[shown]), *dots])
    return lines, len(parents), max(len(rows) - MOST_ROWS, 0)


def fold(text: str) -> list[str]:
    """A name in a few short lines."""
    return wrap(text, LETTERS, max_lines=NAME_LINES, placeholder=" …") or [""]


def cut(name: Any, most: int) -> str:
    """A name in one line, cut in the middle if it is long."""
    text = " ".join(str(name).split())
    return text if len(text) <= most else f"{text[: most - most // 3 - 1]}…{text[len(text) - most // 3 :]}"
