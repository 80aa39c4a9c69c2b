"""A leak that `evaluate(…, watch=True)` has found: what was known that should not have been, and what that did to the score."""

from __future__ import annotations

from dataclasses import dataclass

from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation.words.tables import measure
from aprendiz.locale import _


@dataclass(frozen=True, repr=False)
class Leak(ShortRepr):
    """A leak.

    Attributes
    ----------
    code : str
        "duplicate-rows", "group-on-both-sides", "target-column", "scaled-outside", "imputed-outside", "projected-outside",
        "encoded-outside", "fitted-before", "keeps-rows" or "sees-test-rows".
    what : str
        What was found, in a sentence.
    remedy : str
        What to do.
    metric : str
    leaking, honest : float
        The measure with the leak and without it; NaN where it could not be measured.
    """

    code: str
    what: str
    remedy: str
    metric: str
    leaking: float
    honest: float

    def __str__(self) -> str:
        effect = ""
        if self.honest == self.honest:
            words = _("{metric}: {leaking} with it, {honest} without.")
            effect = " " + words.format(metric=self.metric, leaking=measure(self.leaking), honest=measure(self.honest))
        return f"{self.code}: {self.what}{effect} {self.remedy}"
