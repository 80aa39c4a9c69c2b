"""How wide a text is before it is drawn."""

from __future__ import annotations


def text_width(text: str, points: float) -> float:
    """The width of a line in points, in the bold letters of matplotlib's own font."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _height, _descent = text_to_path.get_text_width_height_descent(
        text, FontProperties(size=points, weight="bold"), False
    )
    return float(width)
