"""What is known of a result: a fit does not only answer, it says how good the answer is.

A certificate is a few named numbers with the sentence that each of them proves, and whether the promise of the method is
kept: a duality gap that is small, a cost that never rose, a condition number that leaves digits. Tests check
certificates, not golden numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from aprendiz.locale import _

BEFORE_ROUNDING = ", before rounding to single precision"  # what a claim ends with where attributes are float32


@dataclass(frozen=True)
class Certificate:
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
