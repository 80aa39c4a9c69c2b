"""Displays of aprendiz.plots as SVG, to be written into a page."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aprendiz.core.svg import svg_of
from aprendiz.plots.shared.display import pyplot


@dataclass(frozen=True)
class ReportPicture:
    """A picture, what it shows in words, and how to read it."""

    key: str
    svg: str
    title: str
    caption: str


def draw_picture(key: str, title: str, caption: str, draw: Callable[[], Any]) -> ReportPicture | None:
    """A picture, or None if these rows do not allow it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that the font lacks, scales of a single value
        try:
            figure = draw().figure_
        except Exception:  # whatever is wrong with a picture, the report is not lost for it
            pyplot().close("all")
            return None
        svg = svg_of(figure, key, title)
        pyplot().close(figure)
    return ReportPicture(key, svg, title, caption)
