"""How a part of a sum or a product is written: a constant as its number."""

from __future__ import annotations

from typing import Any


def written(kernel: Any) -> str:
    return f"{kernel.c:.12g}" if type(kernel).__name__ == "Constant" else repr(kernel)
