"""A finding: a sentence for the reader, why it matters, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aprendiz.core.html import Html, ShownAsHtml, opening, sentence
from aprendiz.locale import _


@dataclass(frozen=True)
class Finding(ShownAsHtml):
    """A sentence, why it matters, and what to do about it. The code is the same in every language."""

    code: str
    weight: str  # "warning" or "note"
    sentence: str
    why: str
    remedy: str

    def html_parts(self) -> Iterator[Html]:
        """The sentence; why, and what to do, where they are asked for."""
        yield sentence(self.sentence, "bad" if self.weight == "warning" else "")
        if self.why or self.remedy:
            yield opening(_("Why, and what to do"), *(sentence(one) for one in (self.why, self.remedy) if one))
