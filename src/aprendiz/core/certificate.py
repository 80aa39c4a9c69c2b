"""What is known of a result: a fit does not only answer, it says how good the answer is.

A certificate is a few named numbers with the sentence that each of them proves, and whether the promise of the method is
kept: a duality gap that is small, a cost that never rose, a condition number that leaves digits. Tests check
certificates, not golden numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.html import Html, ShownAsHtml, sentence, table, title
from aprendiz.core.short_repr import brief
from aprendiz.locale import _, format_whole, number

BEFORE_ROUNDING = ", before rounding to single precision"  # what a claim ends with where attributes are float32


@dataclass(frozen=True)
class Certificate(ShownAsHtml):
    """Evidence about a fitted model.

    Attributes
    ----------
    claim : str
        What the numbers show, in a sentence.
    holds : bool
        Whether the claim is borne out by the numbers.
    values : mapping of str to number
        The numbers, by name. They can be read as attributes too: `model.certificate_.gap`.
    """

    claim: str
    holds: bool
    values: Mapping[str, Any]

    @classmethod
    def later(cls, find: Callable[[], Certificate]) -> Self:
        """A certificate that is found when it is first looked at, so that a fit does not wait for it."""
        made = cls.__new__(cls)
        made.__dict__["find"] = find
        return made

    def __getstate__(self) -> dict[str, Any]:
        return {"claim": self.claim, "holds": self.holds, "values": self.values}

    def __getattr__(self, name: str) -> Any:
        if (find := self.__dict__.get("find")) is not None and not (name.startswith("__") and name.endswith("__")):
            self.__dict__.update(find().__getstate__())
            self.__dict__.pop("find", None)
            return getattr(self, name)
        try:
            return self.__dict__["values"][name]
        except KeyError:
            raise AttributeError(name) from None

    def claim_in_words(self) -> str:
        """The claim, in the language of the reader."""
        claim = self.claim.removesuffix(BEFORE_ROUNDING)
        return _(claim) + (_(", before rounding to single precision") if claim != self.claim else "")

    def __str__(self) -> str:
        shown = {name: value for name, value in self.values.items() if not hasattr(value, "__len__")}
        numbers = ", ".join(
            f"{name} = {value:.3g}" if isinstance(value, float) else f"{name} = {value}" for name, value in shown.items()
        )
        return f"{'holds' if self.holds else 'DOES NOT HOLD'}: {self.claim} ({numbers})"

    def html_parts(self) -> Iterator[Html]:
        """The claim, whether it holds, and its numbers."""
        yield title(_("Certificate"))
        words, kind = (_("✓ holds: {claim}"), "good") if self.holds else (_("✗ does not hold: {claim}"), "bad")
        yield sentence(words.format(claim=self.claim_in_words()), kind)
        if self.values:
            yield table(["", ""], [(name, in_digits(value)) for name, value in self.values.items()], numbers=(1,))


def in_digits(value: Any) -> str:
    """A number of a certificate to a few digits, in the language of the reader; anything else in a few words."""
    if isinstance(value, (bool, np.bool_)):
        return _("yes") if value else _("no")
    if isinstance(value, (int, np.integer)):
        return format_whole(int(value))
    return number(float(value), 3) if isinstance(value, (float, np.floating)) else brief(value)
