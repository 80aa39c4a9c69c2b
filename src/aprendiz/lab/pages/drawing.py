"""Displays of aprendiz.plots as SVG, to be written into a page."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
    import matplotlib

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that the font lacks, scales of a single value
        try:
            figure = draw().figure_
        except Exception:  # whatever is wrong with a picture, the report is not lost for it
            pyplot().close("all")
            return None
        file = io.StringIO()
        with matplotlib.rc_context({"svg.fonttype": "path", "svg.hashsalt": key}):
            figure.savefig(file, format="svg", dpi=120, metadata={"Date": None, "Creator": None, "Title": title})
        pyplot().close(figure)
    return ReportPicture(key, inline(file.getvalue(), key, title), title, caption)


def inline(svg: str, key: str, title: str) -> str:
    """An SVG file as part of a page: without its head, with names of its own, and as wide as there is room."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r'\bid="', f'id="{key}-', body)
    body = re.sub(r'(xlink:href|href)="#', rf'\1="#{key}-', body)
    body = body.replace("url(#", f"url(#{key}-")
    body = body.replace("<title>", f'<title id="{key}-title">', 1)
    return re.sub(r"<svg ", f'<svg role="img" class="picture" aria-labelledby="{key}-title" ', body, count=1)
