"""Picture of descents: the path of `linear.descend` over the function that it minimises or maximises.

    one parameter      the points (w, F(w)) on the curve of F
    two parameters     the path over lines on which F is constant
    more, or no F      every parameter against the steps, and F against the steps

Several paths, such as those of several rules for the step, stand side by side on the same scales. With two parameters whose
ranges are not too different both axes have one scale: then each step is at right angles to the line that it starts from. The
lines of a bowl are equally far apart, because a share (k/n)² of the picture lies inside the k-th of n. A path that runs away is
shown until its steps are three times as long as the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.linear.descend import Descended, Sense
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.entries import entries_for
from aprendiz.plots.shared.scales import deep, in_whole_numbers
from aprendiz.plots.shared.style import BLUE, GREY, INK, MARKERS, PALETTE, THIN, VERMILION, colour_of, legend_below, tidy
from aprendiz.plots.shared.words import entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

PLACES = 101  # of F along each parameter
RINGS = 12  # n
GROWN = 3.0  # by how much the steps have grown where a path that runs away leaves the picture
FEW_POINTS, MANY_POINTS = 40, 300  # points up to which each has a large mark, or a small one
MARGIN = 0.15  # of the range, on each side
ALIKE = 6.0  # ranges up to this ratio have one scale, and
SLIM = 0.5  # then the narrower one is widened to this part of the wider
NAMED = len(PALETTE)  # parameters with a colour and a name
SIDE = 2.9  # inches of one of several pictures


class DescentPathDisplay(Display):
    """One or several descents as a picture.

    Parameters
    ----------
    paths : Descended, or dict of str to Descended
        What `linear.descend` returns; several by their names.
    names : sequence of str, optional
        Of the parameters; by default w₁, w₂, …

    Attributes
    ----------
    ax_ : matplotlib Axes, or ndarray of them if there are several
        One for each path; then one for F, if there are more than two parameters.
    figure_ : matplotlib Figure
    lines_ : list of matplotlib Line2D
        One for each path; with more than two parameters, one for each parameter of each path.
    """

    lines_: list[Line2D]

    def __init__(self, paths: Descended | Mapping[str, Descended], names: Sequence[str] | None = None) -> None:
        self.paths = dict(paths) if isinstance(paths, Mapping) else {"": paths}
        if not self.paths:
            raise ValueError("There is no path to draw: give at least one.")
        for name, path in self.paths.items():
            if not isinstance(path, Descended):
                raise TypeError(f"The path {name!r} is of type {type(path).__name__}: give what linear.descend returns.")
        counts = {name: path.path.shape[1] for name, path in self.paths.items()}
        if len(set(counts.values())) > 1:
            raise ValueError(f"The paths differ in their numbers of parameters, {counts}: draw them one at a time.")
        self.count = next(iter(counts.values()))
        usual = [f"w{subscript(j + 1)}" for j in range(self.count)]
        self.names = [str(name) for name in entries_for("names", names, usual, "parameters")]

    def plot(self, ax: Any = None) -> Self:
        """Draw the paths side by side, or on as many axes."""
        followed = all(path.F is not None for path in self.paths.values())
        over = self.count == 2 or (self.count == 1 and followed)
        panels = len(self.paths) + (followed and not over)
        columns = panels if panels <= 3 else math.ceil(math.sqrt(panels))
        rows, width = -(-panels // columns), 6.0 if panels == 1 else SIDE * columns
        height = rows * (width / columns * self.proportion() + 0.4) + 0.4
        axes = self.open_panels(ax, rows, columns, count=panels, width=width, height=height)
        draw = self.in_steps if not over else self.on_curve if self.count == 1 else self.on_plane
        self.lines_ = [line for one, name in zip(axes, self.paths, strict=False) for line in draw(one, name)]
        legend_below(axes[len(self.paths) - 1], columns=3)
        if panels > len(self.paths):
            self.fall(axes[-1])
        self.ax_ = axes if panels > 1 else axes[0]
        return self

    def title(self, name: str) -> str:
        """The name of a path, and its steps."""
        count = len(self.paths[name].steps)
        steps = ngettext("{count} step", "{count} steps", count).format(count=format_whole(count))
        return f"{name}: {steps}" if name else steps

    # ---- one and two parameters ----------------------------------------------------------------------------------------

    def on_curve(self, ax: Axes, name: str) -> list[Line2D]:
        """The points of a path on the curve of F."""
        path, ((low, high),) = self.paths[name], self.frame()
        assert path.F is not None
        refuse_changed(name, path)
        places = np.linspace(low, high, 2 * PLACES)
        curve = evaluate(path.F, places[:, None])
        ax.plot(places, curve, color=GREY, linewidth=1.2)
        line = mark(ax, path, path.path[:, 0], path.values)
        heights = np.append(curve[np.isfinite(curve)], path.values[: until(path)])
        room = 0.05 * float(np.ptp(heights)) or 1.0
        ax.set(xlim=(low, high), ylim=(heights.min() - room, heights.max() + room))
        tidy(ax, x=self.names[0], y="F", title=self.title(name))
        return [line]

    def on_plane(self, ax: Axes, name: str) -> list[Line2D]:
        """A path over the lines on which F is constant."""
        path, (across, up) = self.paths[name], self.frame()
        if path.F is not None:
            refuse_changed(name, path)
            rings(ax, path.F, np.linspace(*across, PLACES), np.linspace(*up, PLACES), path.sense)
        line = mark(ax, path, *path.path.T)
        ax.set(xlim=across, ylim=up)
        if alike(np.ptp(across), np.ptp(up)):
            ax.set_aspect("equal")
        tidy(ax, x=self.names[0], y=self.names[1], title=self.title(name))
        ax.locator_params(nbins=5)
        return [line]

    def frame(self) -> list[tuple[float, float]]:
        """What is seen of each parameter: all paths, each until it runs away, and a margin."""
        points = np.vstack([path.path[: until(path)] for path in self.paths.values()])
        low, high = points.min(axis=0), points.max(axis=0)
        middle, half = (low + high) / 2, (0.5 + MARGIN) * (high - low)
        half = np.where(half > 0, half, half.max() or 1.0)
        if alike(*half):
            half = np.maximum(half, SLIM * half.max())
        return list(zip((middle - half).tolist(), (middle + half).tolist(), strict=True))

    def proportion(self) -> float:
        """Height of a picture as a part of its width."""
        ranges = [high - low for low, high in self.frame()]
        return float(np.clip(ranges[1] / ranges[0], SLIM, 1.2)) if self.count == 2 and alike(*ranges) else 0.75

    # ---- more parameters -----------------------------------------------------------------------------------------------

    def in_steps(self, ax: Axes, name: str) -> list[Line2D]:
        """Every parameter against the steps: those that move farthest have a colour and a name."""
        path = self.paths[name]
        named = {int(j): k for k, j in enumerate(self.farthest())}
        lines = []
        for j, w in enumerate(path.path[: until(path) + 1].T):
            look: dict[str, Any] = {"color": GREY, "linewidth": THIN}
            if j in named:
                look = {"color": PALETTE[named[j]], "linewidth": 1.5, "label": entry(self.names[j])}
            lines.extend(ax.plot(w, **look))
        tidy(ax, x=_("step"), y=_("parameter"), title=self.title(name))
        in_whole_numbers(ax.xaxis, 5)
        return lines

    def farthest(self) -> Array:
        """The parameters whose end is farthest from their start in any of the paths, in their own order."""
        moved = np.max([np.abs(path.end - path.path[0]) for path in self.paths.values()], axis=0)
        return np.sort(np.argsort(-moved, kind="stable")[:NAMED])

    def fall(self, ax: Axes) -> None:
        """F against the steps, a line for each path."""
        for k, (name, path) in enumerate(self.paths.items()):
            look: dict[str, Any] = {"color": colour_of(k), "linewidth": 1.5}
            if len(path.values) <= FEW_POINTS:
                look |= {"marker": MARKERS[k % len(MARKERS)], "markersize": 3}
            ax.plot(path.values[: until(path) + 1], label=entry(name) if name else None, **look)
        if all(deep(path.values) for path in self.paths.values()):
            ax.set_yscale("log")
        tidy(ax, x=_("step"), y="F")
        in_whole_numbers(ax.xaxis, 5)
        if len(self.paths) > 1:
            legend_below(ax, columns=3)


def mark(ax: Axes, path: Descended, x: Array, y: Array) -> Line2D:
    """The points of a path, joined, with its start, and its end if the picture goes so far."""
    count = until(path)
    look: dict[str, Any] = {"color": VERMILION, "linewidth": 1.2, "zorder": 2.0}
    if count <= MANY_POINTS:
        look |= {"marker": "o", "markersize": 3.5 if count <= FEW_POINTS else 2.0}
    (line,) = ax.plot(x[: count + 1], y[: count + 1], **look)
    ends: dict[str, Any] = {"linestyle": "none", "color": INK, "zorder": 3.0}
    ax.plot(x[:1], y[:1], marker="o", markersize=7, markerfacecolor="white", label=_("start"), **ends)
    last = slice(count - 1, count) if count == len(x) else slice(0)
    ax.plot(x[last], y[last], marker="X", markersize=8, markeredgecolor="white", label=_("end"), **ends)
    return line


def rings(ax: Axes, F: Callable[[Array], float], x: Array, y: Array, sense: Sense) -> None:
    """Lines on which F is constant, over a shade that is the deeper the nearer F is to where the path leads."""
    from matplotlib.colors import LinearSegmentedColormap

    table = evaluate(F, np.column_stack([grid.ravel() for grid in np.meshgrid(x, y)])).reshape(len(y), len(x))
    shares = (np.arange(RINGS + 1) / RINGS) ** 2
    known = table[np.isfinite(table)]
    levels = np.unique(np.quantile(known, shares if sense == "descent" else 1.0 - shares)) if len(known) else known
    if len(levels) < 3:
        return
    ends = [BLUE, "white"] if sense == "descent" else ["white", BLUE]
    colours = LinearSegmentedColormap.from_list("depth", ends)(np.linspace(0.0, 1.0, len(levels) - 1))
    ax.contourf(x, y, table, levels, colors=colours, alpha=0.3, zorder=0.5)
    ax.contour(x, y, table, levels[1:-1], colors=GREY, linewidths=THIN, linestyles="solid", zorder=1.0)


def evaluate(F: Callable[[Array], float], points: Array) -> Array:
    """F at some points; NaN where it has no value, as it may not have beyond the path."""
    found = np.full(len(points), np.nan)
    with np.errstate(all="ignore"):
        for i, w in enumerate(points):
            try:
                found[i] = F(w)
            except (ValueError, ArithmeticError):
                continue
    return np.where(np.isfinite(found), found, np.nan)


def refuse_changed(name: str, path: Descended) -> None:
    """F must be what it was, such as not one that reads a variable of a loop that has gone on."""
    assert path.F is not None
    before, now = float(path.values[0]), float(path.F(path.path[0]))
    if not np.isclose(now, before, equal_nan=True):
        whose = f"F of the path {name!r}" if name else "F"
        raise ValueError(f"{whose} is {now:g} at the start, and was {before:g} in the descent: keep what it reads unchanged.")


def until(path: Descended) -> int:
    """How many points of a path are in the picture; one more is drawn, so that a path that runs away is seen to leave."""
    with np.errstate(over="ignore"):
        lengths = np.abs(np.diff(path.path, axis=0)).max(axis=1)
    long = np.flatnonzero(lengths > GROWN * lengths[:1])
    return int(long[0]) + 1 if path.ran_away and len(long) else len(path.path)


def alike(*ranges: float) -> bool:
    """Can both parameters have one scale?"""
    return len(ranges) == 2 and max(ranges) <= ALIKE * min(ranges)


def subscript(number: int) -> str:
    """A number in small digits under the line."""
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
