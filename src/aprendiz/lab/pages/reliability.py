"""Reliability diagrams without matplotlib: as SVG in the colours of the page, so that every method and class can have one.

A mark for each bin, at its mean probability and its share of the class; behind it the bar in which most shares of calibrated
probabilities lie. Marks outside their bar have the colour of warnings. Below, how often each probability was given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from aprendiz.locale import number

SIDE, LEFT, TOP, STRIP = 150.0, 24.0, 8.0, 26.0  # of the square, and the height of the histogram below it
WIDTH, HEIGHT = LEFT + SIDE + 10.0, TOP + SIDE + STRIP + 38.0


def reliability(found: Mapping[str, Any], title: str, across: str) -> Markup:
    """The picture of the calibration of one class: its bins and histogram, with the name of the axis across."""
    parts = [
        f'<svg class="small" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" width="{WIDTH:g}" height="{HEIGHT:g}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<path class="axis" d="M{LEFT:g} {TOP:g}v{SIDE:g}h{SIDE:g}"/>',
        f'<path class="ideal" d="M{LEFT:g} {TOP + SIDE:g}l{SIDE:g} {-SIDE:g}"/>',
        *bins(found["bins"]),
        histogram(found["histogram"]),
        *words(across),
        "</svg>",
    ]
    return Markup("".join(parts))


def bins(found: Mapping[str, Any]) -> list[str]:
    """The bars of calibrated probabilities, the line and the marks."""
    points = list(zip(*(found[name] for name in ("predicted", "observed", "low", "high")), strict=True))
    bars = [f'<path class="expected" d="M{across_at(p)} {down_at(high)}V{down_at(low)}"/>' for p, _o, low, high in points]
    line = "L".join(f"{across_at(p)} {down_at(share)}" for p, share, _low, _high in points)
    marks = [
        f'<circle class="{"inside" if low <= share <= high else "outside"}" cx="{across_at(p)}" cy="{down_at(share)}" r="3"/>'
        for p, share, low, high in points
    ]
    return [*bars, f'<path class="line" d="M{line}"/>', *marks]


def histogram(counts: Sequence[int]) -> str:
    """Bars of equal width below the axis."""
    most, step, floor = max([*counts, 1]), SIDE / len(counts), TOP + SIDE + STRIP + 20.0
    tall = [max(1.0, STRIP * count / most) if count else 0.0 for count in counts]
    path = "".join(
        f"M{LEFT + place * step:.1f} {floor:g}v{-one:.1f}h{step - 0.6:.1f}v{one:.1f}z" for place, one in enumerate(tall) if one
    )
    return f'<path class="bars" d="{path}"/>'


def words(across: str) -> list[str]:
    """Numbers of both axes, and the name of the one across."""
    numbers = [
        f'<text x="{across_at(at)}" y="{TOP + SIDE + 13:g}" text-anchor="middle">{number(at)}</text>'
        f'<text x="{LEFT - 4:g}" y="{TOP + SIDE * (1 - at) + 4:g}" text-anchor="end">{number(at)}</text>'
        for at in (0.0, 0.5, 1.0)
    ]
    return [*numbers, f'<text x="{LEFT + SIDE / 2:g}" y="{HEIGHT - 4:g}" text-anchor="middle">{escape(across)}</text>']


def across_at(share: float) -> str:
    """From the left end of the square."""
    return f"{LEFT + SIDE * share:.1f}"


def down_at(share: float) -> str:
    """From its upper end."""
    return f"{TOP + SIDE * (1 - share):.1f}"
