"""Columns in small, without matplotlib: outlines of histograms by class, rows as points against a number, quartiles on a line.

Each outline is scaled to the rows of its class, so that a rare class can be seen beside a frequent one. Colours are those of
the page: class `c0` is the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

WIDTH, HEIGHT = 220.0, 96.0  # of a picture, of points


def outlines(counts: Sequence[Sequence[int]], height: float, title: str) -> Markup:
    """A histogram for each class, one behind the other."""
    shares = [[one / max(1, sum(of_class)) for one in of_class] for of_class in counts]
    most = max((max(of_class) for of_class in shares), default=0.0) or 1.0
    drawn = [
        f'<path class="area c{place}" d="{outline([height * share / most for share in of_class], height)}"/>'
        for place, of_class in enumerate(shares)
    ]
    return picture(height + 1, title, *drawn, f'<path class="axis" d="M0 {height:g}h{WIDTH:g}"/>')


def outline(heights: Sequence[float], floor: float) -> str:
    """The path around some bars of equal width."""
    step = WIDTH / len(heights)
    steps = "".join(f"V{floor - height:.1f}h{step:.2f}" for height in heights)
    return f"M0 {floor:g}{steps}V{floor:g}z"


def points(
    across: Sequence[float | None],
    upwards: Sequence[float],
    ends_across: Sequence[float],
    ends_upwards: Sequence[float],
    title: str,
    *,
    diagonal: bool = False,
) -> Markup:
    """Rows as points between limits of both numbers; those without a number across are left out."""
    dots = "".join(
        f"M{WIDTH * part(a, *ends_across):.1f} {HEIGHT * (1 - part(b, *ends_upwards)):.1f}h0"
        for a, b in zip(across, upwards, strict=True)
        if a is not None
    )
    line = f'<path class="ideal" d="M0 {HEIGHT:g}L{WIDTH:g} 0"/>' if diagonal else ""
    axes = f'<path class="axis" d="M0 0V{HEIGHT:g}H{WIDTH:g}"/>'
    return picture(HEIGHT, title, axes, line, f'<path class="dots" d="{dots}"/>')


def part(value: float, low: float, high: float) -> float:
    """How far on the way from low to high."""
    return min(1.0, max(0.0, (value - low) / (high - low))) if high > low else 0.5


def quartiles(found: Sequence[float], ends: Sequence[float]) -> Markup:
    """The middle half of some numbers as a line, with their median as a point."""
    low, middle, high = (2 + 116 * part(one, *ends) for one in found)
    body = f'<path class="box" d="M{low:.1f} 6H{high:.1f}"/><circle cx="{middle:.1f}" cy="6" r="3.5"/>'
    return Markup(f'<svg class="small" viewBox="0 0 120 12" width="120" height="12" aria-hidden="true">{body}</svg>')


def picture(height: float, title: str, *parts: str) -> Markup:
    """An element of the page."""
    head = f'<svg class="small" viewBox="0 0 {WIDTH:g} {height:g}" width="{WIDTH:g}" height="{height:g}" role="img">'
    return Markup(f"{head}<title>{escape(title)}</title>{''.join(parts)}</svg>")
