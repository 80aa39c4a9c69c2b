"""Small pictures without matplotlib: the bars of a histogram as SVG, in the colours of the page, light and dark."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape


def bars(counts: Sequence[int], *, width: int = 120, height: int = 28, title: str = "") -> Markup:
    """Bars of equal width; every count above 0 can be seen."""
    most, step = max(counts, default=0) or 1, width / max(1, len(counts))
    gap = min(1.0, 0.15 * step)
    found = []
    for place, count in enumerate(counts):
        tall = max(1.0, height * count / most) if count else 0.0
        if tall:
            found.append(f'<rect x="{place * step:.2f}" y="{height - tall:.2f}" width="{step - gap:.2f}" height="{tall:.2f}"/>')
    label = f"<title>{escape(title)}</title>" if title else ""
    head = f'<svg class="bars" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
    return Markup(f"{head}{label}{''.join(found)}</svg>")
