"""What is known of a result: a fit does not only answer, it says how good the answer is.

A certificate is a few named numbers with the sentence that each of them proves, and whether the promise of the method is
kept: a duality gap that is small, a cost that never rose, a condition number that leaves digits. Tests check
certificates, not golden numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


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

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __str__(self) -> str:
        shown = {name: value for name, value in self.values.items() if not hasattr(value, "__len__")}
        numbers = ", ".join(
            f"{name} = {value:.3g}" if isinstance(value, float) else f"{name} = {value}" for name, value in shown.items()
        )
        return f"{'holds' if self.holds else 'DOES NOT HOLD'}: {self.claim} ({numbers})"
