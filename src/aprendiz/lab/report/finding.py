"""A finding: a sentence for the reader, why it matters, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A sentence, why it matters, and what to do about it. The code is the same in every language."""

    code: str
    weight: str  # "warning" or "note"
    sentence: str
    why: str
    remedy: str
