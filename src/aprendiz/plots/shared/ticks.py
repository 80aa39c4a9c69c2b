"""Numbers along the axes, with the decimal sign of the language in which the picture was made.

A picture is often drawn later than it is made (on a screen, into a file), when another language may hold: so a formatter
remembers its own.
"""

from __future__ import annotations

from typing import Any

from matplotlib.ticker import Formatter, ScalarFormatter

from aprendiz.evaluation.words.tables import percent
from aprendiz.locale import current_language, language, localise


class NumberTicks(ScalarFormatter):
    """Numbers as matplotlib chooses their digits."""

    def __init__(self) -> None:
        super().__init__(useLocale=False)
        self.language = current_language()

    def __call__(self, x: float, pos: Any = None) -> str:
        with language(self.language):
            return localise(super().__call__(x, pos))

    def get_offset(self) -> str:
        with language(self.language):
            return localise(super().get_offset())


class PercentTicks(Formatter):
    """Shares in per cent."""

    def __init__(self) -> None:
        self.language = current_language()

    def __call__(self, x: float, pos: Any = None) -> str:
        with language(self.language):
            return localise(percent(x))
