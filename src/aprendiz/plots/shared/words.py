"""Words of pictures: shares, amounts and labels as text, and lines that fit into some inches.

Words and decimal signs are those of the current language (aprendiz.locale): English is written in the code, and is the key.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import Any

from aprendiz.core.targets import plain
from aprendiz.evaluation.words import tables
from aprendiz.locale import localise

LETTERS, SMALL_LETTERS = 12, 13  # to the inch, of the two sizes of text


def percent(share: float) -> str:
    """A share in per cent."""
    return localise(tables.percent(share))


def amount(rows: float) -> str:
    """Rows, or their weight."""
    return localise(tables.amount(rows))


def wrap_text(text: str, inches: float, letters: int = LETTERS) -> str:
    """Text in lines that fit into some inches."""
    most = max(int(letters * inches), letters)
    held = text.replace(" %", "\u00a0%")  # a number and its sign stay in one line
    return "\n".join(line for given in held.split("\n") for line in wrap(given, most) or [""]).replace("\u00a0%", " %")


def quote(label: Any) -> str:
    """A class as Python writes it, cut if it is long."""
    return repr(tables.short(label) if isinstance(label, str) else plain(label))


def verbatim(text: str) -> str:
    """A text in which dollars are dollars: matplotlib takes what stands between two of them for mathematics."""
    return text.replace("$", r"\$")


def short_names(labels: Iterable[Any]) -> list[str]:
    """Labels beside an axis or below it, cut where they are long."""
    return [verbatim(tables.short(label)) for label in labels]


def entry(text: str) -> str:
    """A text for a legend: matplotlib leaves out what starts with an underscore."""
    return f" {text}" if text.startswith("_") else text


def named_entry(name: str | None, words: str) -> str:
    """A text for a legend, after the name of a model if it has one."""
    return entry(f"{name}: {words}") if name else words
