"""The common look of all pictures: colours, thin frames, sizes of text.

The colours are those of Okabe and Ito, which remain distinct in the common forms of colour blindness. Everything is set
on the picture itself: no setting of matplotlib is changed, and matplotlib is imported when a picture is drawn.

Reference: Okabe & Ito, "Color universal design", 2008.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"
PALETTE = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
DEEP_BLUE, DEEP_VERMILION = "#004B78", "#A84300"  # ends of scales of shades, on which white text can be read
INK, GREY, PALE = "#222222", "#767676", "#EDEDED"
MARKERS = ("o", "s", "^", "D", "v", "P")
THIN = 0.6  # points, of frames and ticks
TEXT, SMALL = 10.0, 9.0  # points
BELOW = 0.5  # inches between axes and a legend: numbers and name of the axis


def pyplot() -> Any:
    """matplotlib.pyplot, or a word about where to get it."""
    try:
        import matplotlib.pyplot as plt
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("matplotlib"):
            raise
        raise ModuleNotFoundError('Pictures need matplotlib: pip install "aprendiz[lab]".', name=error.name) from error
    return plt


def open_axes(ax: Axes | None, width: float, height: float) -> Axes:
    """The axes passed in, or those of a new figure of some inches."""
    if ax is not None:
        return ax
    axes: Axes = pyplot().subplots(figsize=(width, height), layout="constrained")[1]
    return axes


def figure_of(ax: Axes) -> Figure:
    """The whole figure that holds the axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def width_of(ax: Axes) -> float:
    """Inches from left to right."""
    return float(ax.get_position().width * figure_of(ax).get_figwidth())


def readable(colour: Any) -> str:
    """White or ink, whichever stands out more on a colour (by relative luminance, as in the web's guidelines)."""
    from matplotlib.colors import to_rgb

    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "white" if luminance < 0.213 else INK


def legend_below(ax: Axes, columns: int = 1) -> None:
    """A legend under the axes, where it hides nothing."""
    from matplotlib.transforms import ScaledTranslation

    lower = ax.transAxes + ScaledTranslation(0, -BELOW, figure_of(ax).dpi_scale_trans)
    look: dict[str, Any] = {"fontsize": SMALL, "labelcolor": INK, "frameon": False, "borderaxespad": 0.0}
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), bbox_transform=lower, ncols=columns, **look)


def tidy(ax: Axes, *, x: str, y: str, title: str = "") -> None:
    """Names of the axes, thin frames without top and right, text of readable size."""
    ax.set_xlabel(x, fontsize=TEXT, color=INK)
    ax.set_ylabel(y, fontsize=TEXT, color=INK)
    ax.set_title(title, fontsize=TEXT, color=INK, loc="left")
    ax.tick_params(width=THIN, length=3, labelsize=SMALL, color=GREY, labelcolor=INK)
    for side, spine in ax.spines.items():
        spine.set(visible=side in ("left", "bottom"), linewidth=THIN, edgecolor=GREY)
