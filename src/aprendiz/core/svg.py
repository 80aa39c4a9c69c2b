"""Pictures inside a page: what matplotlib writes as an SVG file, as an element of HTML.

A page may hold several: the names inside each begin with a key of its own. Text is drawn as paths, so it looks the same on
every machine, and no name from a table becomes markup.
"""

from __future__ import annotations

import re
from io import StringIO
from typing import Any


def svg_of(figure: Any, key: str, title: str, dpi: float = 120.0) -> str:
    """A figure as an element of a page. Its parts are laid out once; saving would do it again, a third of the time."""
    import matplotlib

    file = StringIO()
    if (engine := figure.get_layout_engine()) is not None:
        engine.execute(figure)
        figure.set_layout_engine("none")
    with matplotlib.rc_context({"svg.fonttype": "path", "svg.hashsalt": key}):
        figure.savefig(file, format="svg", dpi=dpi, metadata={"Date": None, "Creator": None, "Title": title})
    return inline(file.getvalue(), key, title)


def inline(svg: str, key: str, title: str) -> str:
    """An SVG file as part of a page: without its head, with names of its own, and as wide as there is room."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r'\bid="', f'id="{key}-', body)
    body = re.sub(r'(xlink:href|href)="#', rf'\1="#{key}-', body)
    body = body.replace("url(#", f"url(#{key}-")
    body = body.replace("<title>", f'<title id="{key}-title">', 1)
    return re.sub(r"<svg ", f'<svg role="img" class="picture" aria-labelledby="{key}-title" ', body, count=1)
