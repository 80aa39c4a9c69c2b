"""The common look of all pictures: colours, thin frames, sizes of text, legends that hide nothing.

The colours are those of Okabe and Ito, which remain distinct in the common forms of colour blindness. Everything is set
on the picture itself: no setting of matplotlib is changed, and matplotlib is imported when a picture is drawn.

Reference: Okabe & Ito, "Color universal design", 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aprendiz.plots.shared.words import SMALL_LETTERS, verbatim, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"
PALETTE = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
DEEP_BLUE, DEEP_VERMILION = "#004B78", "#A84300"  # ends of scales of shades, on which white text can be read
INK, GREY, PALE = "#222222", "#767676", "#EDEDED"
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHED, DOTTED = (0, (4, 4)), (0, (1, 2))  # lines to compare with
THIN = 0.6  # points, of frames and ticks
TEXT, SMALL = 10.0, 9.0  # points
LINE = 0.17  # inches
BELOW = 0.5  # inches between axes and a legend: numbers and name of the axis
KEY = 0.5  # inches of a sign in a legend, and of the room around it
PLACE = 1.1  # how much wider axes become when the layout is settled


def figure_of(ax: Axes) -> Figure:
    """The whole figure that holds the axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def width_of(ax: Axes) -> float:
    """Inches from left to right."""
    return float(ax.get_position().width * figure_of(ax).get_figwidth())


def height_of(ax: Axes) -> float:
    """Inches from bottom to top."""
    return float(ax.get_position().height * figure_of(ax).get_figheight())


def colour_of(number: int) -> str:
    """The colour of a class, a cluster or a curve; beyond the palette they come again."""
    return PALETTE[number % len(PALETTE)]


def marker_of(number: int) -> str:
    """The mark of a class: where colours come again, it is another one."""
    return MARKERS[(number + number // len(PALETTE)) % len(MARKERS)]


def small_to_large() -> Any:
    """A scale of colours for the cells of a column, from the smallest to the largest."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("cells", [BLUE, "#B9B4BE", VERMILION])


def readable(colour: Any) -> str:
    """White or ink, whichever stands out more on a colour (by relative luminance, as in the web's guidelines)."""
    from matplotlib.colors import to_rgb

    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "white" if luminance < 0.213 else INK


# ---- names, frames, legends ------------------------------------------------------------------------------------------


def room_beside(ax: Axes, names: Sequence[str]) -> float:
    """Inches that names to the left leave to the axes."""
    return 1.2 * width_of(ax) - max(map(len, names)) / SMALL_LETTERS


def legend_below(ax: Axes, columns: int = 1, title: str = "") -> Legend:
    """A legend under the axes, where it hides nothing, in as many columns as there is room for."""
    from matplotlib.transforms import ScaledTranslation

    handles, labels = ax.get_legend_handles_labels()
    room = PLACE * width_of(ax)
    labels = [verbatim(wrap_text(label, room - KEY, SMALL_LETTERS)) for label in labels]
    longest = max(len(line) for label in labels for line in label.split("\n"))
    columns = min(columns, max(int(room / (longest / SMALL_LETTERS + KEY)), 1))
    down = BELOW + LINE * ax.get_xlabel().count("\n")
    lower = ax.transAxes + ScaledTranslation(0, -down, figure_of(ax).dpi_scale_trans)
    look: dict[str, Any] = {"fontsize": SMALL, "labelcolor": INK, "frameon": False, "borderaxespad": 0.0}
    look |= {"title": verbatim(wrap_text(title, room)), "title_fontsize": SMALL}
    return ax.legend(
        handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0.0), bbox_transform=lower, ncols=columns, **look
    )


def tidy(ax: Axes, *, x: str, y: str, title: str = "") -> None:
    """Names of the axes, thin frames without top and right, text of readable size, numbers in the current language."""
    from aprendiz.plots.shared.ticks import NumberTicks

    ax.set_xlabel(verbatim(wrap_text(x, width_of(ax))), fontsize=TEXT, color=INK)
    ax.set_ylabel(verbatim(wrap_text(y, 0.8 * height_of(ax))), fontsize=TEXT, color=INK)
    ax.set_title(verbatim(wrap_text(title, width_of(ax))), fontsize=TEXT, color=INK, loc="left")
    ax.xaxis.set_major_formatter(NumberTicks())
    ax.yaxis.set_major_formatter(NumberTicks())
    ax.tick_params(width=THIN, length=3, labelsize=SMALL, color=GREY, labelcolor=INK)
    for side, spine in ax.spines.items():
        spine.set(visible=side in ("left", "bottom"), linewidth=THIN, edgecolor=GREY)


def in_percent(axis: Axis) -> None:
    """Shares along an axis."""
    from aprendiz.plots.shared.ticks import PercentTicks

    axis.set_major_formatter(PercentTicks())
