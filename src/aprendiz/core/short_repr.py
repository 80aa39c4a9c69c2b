"""Results in a line: small fields as they are, arrays by their shape, tables by rows × columns, long tuples by their length.

A record of results is printed whenever somebody names it in a notebook. What is inside is there to be asked for, not to be read
in thousands of numbers. Records are dataclasses with `repr=False` and this base.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

FEW = 12  # entries of an array, a tuple or a mapping that are shown
LONG = 60  # letters of a text that are shown
MOST = 160  # letters of anything else: what is longer is only named


class ShortRepr:
    """The base of records that print in a line or two."""

    def __repr__(self) -> str:
        shown = (f"{field.name}={brief(getattr(self, field.name))}" for field in fields(self) if field.repr)  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(shown)})"


def brief(value: Any) -> str:
    """A value in a few words; a record, or a collection, that would need many is only named."""
    words = in_words(value)
    if len(words) <= MOST or isinstance(value, np.ndarray):
        return words
    count = f"{len(value)} × " if isinstance(value, Sequence) and not isinstance(value, ShortRepr) else ""
    return f"<{count}{type(value[0] if count else value).__name__}>"


def in_words(value: Any) -> str:
    """A value with what is in it."""
    if isinstance(value, np.ndarray):
        return (
            brief(value.tolist()) if value.ndim == 1 and value.size <= FEW else f"<array {' × '.join(map(str, value.shape))}>"
        )
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        return repr(value if len(value) <= LONG else f"{value[: LONG - 1]}…")
    if hasattr(value, "iloc"):  # a frame or a series of pandas
        return f"<{type(value).__name__} {' × '.join(map(str, value.shape))}>"
    if isinstance(value, Mapping):
        return short_list([f"{key!r}: {brief(one)}" for key, one in list(value.items())[: FEW + 1]], len(value), "{}")
    if isinstance(value, Sequence):
        if len(value) > FEW or any(isinstance(one, ShortRepr) for one in value):
            return f"<{len(value)} × {type(value[0]).__name__}>"
        return short_list([brief(one) for one in value], len(value), "()" if isinstance(value, tuple) else "[]")
    return repr(value)


def short_list(shown: list[str], length: int, ends: str) -> str:
    """The first entries of a collection between its ends."""
    body = ", ".join(shown[:FEW])
    return f"{ends[0]}{body}{', …' if length > FEW else ''}{ends[1]}"
