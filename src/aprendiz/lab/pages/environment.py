"""Templates of pages: Jinja with the words and numbers of the reader's language.

A page is one file, offline: the style and the pictures stand inside it, there are no scripts, and every word that comes from a
table is escaped. `parts.html.j2` holds what all pages begin with and the tables that several of them show.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from aprendiz.lab.card import column_lines, dialect_lines, rows_in_words, shorten
from aprendiz.lab.card import size as bytes_in_words
from aprendiz.lab.reading import Table
from aprendiz.locale import _, current_language, format_fixed, format_whole, ngettext, number, percent

MOST_COLUMNS, MOST_NAMES = 40, 12  # that are listed, one below the other and side by side


def environment(**filters: Callable[..., Any]) -> Environment:
    """Jinja with the words and numbers of the current language, and filters that a page has for itself."""
    found = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, loader=FunctionLoader(source)
    )
    found.globals.update({"_": _, "ngettext": ngettext})
    found.filters.update(
        {
            "number": lambda value: "–" if value is None else number(value),
            "whole": format_whole,
            "rows_of": lambda rows, sample: rows_in_words(rows, None if sample is None else sample["of"]),
            "percent": percent,
            "seconds": seconds,
            "bytes": bytes_in_words,
            "line": lambda text: shorten(str(text), 200),
            "brief": lambda text: shorten(str(text), 40),
            "value": value_in_words,
            **filters,
        }
    )
    return found


@cache
def source(name: str) -> str:
    """A file of this folder, or of a folder beside it: "parts.html.j2", "report/report.html.j2"."""
    folder, _sign, file = name.rpartition("/")
    return files(f"aprendiz.lab.{folder or 'pages'}").joinpath(file).read_text(encoding="utf-8")


def common_parts(table: Table) -> dict[str, Any]:
    """What the shared parts of a page need: the style, the language, how the table was read, and its columns."""
    return {
        "style": Markup(source("page.css")),
        "lang": current_language(),
        "reading": list(dialect_lines(table)),
        "described_columns": list(column_lines(table)),
        "most_columns": MOST_COLUMNS,
        "most_names": MOST_NAMES,
    }


def seconds(value: float) -> str:
    return f"{format_fixed(value, 1)} s" if value >= 0.1 else f"{format_fixed(1000 * value, 0)} ms"


def value_in_words(value: Any) -> str:
    """A parameter or a learned value in one line."""
    if isinstance(value, float):
        return number(value)
    if isinstance(value, list):
        between = "; " if current_language() == "es" else ", "  # where the comma is the decimal sign
        return between.join([*(value_in_words(one) for one in value[:8]), *["…"][: len(value) > 8]])
    if isinstance(value, dict) and "shape" in value:
        return " × ".join(map(str, value["shape"]))
    return shorten(str(value), 80)
