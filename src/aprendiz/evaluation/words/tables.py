"""Tables for reading: aligned text, and frames.

`align` writes rows of cells as lines, the first column to the left and numbers to the right. A number that does not
exist (NaN) is a dash.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import plain

WIDEST = 18  # characters of a label in a table


def align(rows: Sequence[Sequence[str]]) -> str:
    """Lines of equal columns, two spaces apart."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if j == 0 else cell.rjust(width) for j, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def short(label: Any) -> str:
    """A label as text, cut in the middle if it is long: its end often tells it from its neighbours."""
    text = str(plain(label))
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 7]}…{text[-6:]}"


def format_ratio(value: float) -> str:
    """A ratio with three decimals."""
    return "–" if np.isnan(value) else f"{value:.3f}"


def percent(value: float) -> str:
    """A ratio as a percentage: 0.05 %, 4.8 %, 87.5 %, 100 %."""
    text = f"{100 * value:.1f}" if value == 0 or value >= 0.001 else f"{100 * value:.1g}"
    return f"{text.removesuffix('.0')} %"


def amount(value: float) -> str:
    """Rows, or weight with at least four digits."""
    return f"{value:.0f}" if float(value).is_integer() or value >= 1000 else f"{value:.4g}"


def measure(value: float) -> str:
    """A measured number with four digits."""
    return "–" if np.isnan(value) else f"{value:.4g}"


def frame(columns: Mapping[Any, Array], index: Sequence[Any] | None = None, rows: str | None = None) -> Any:
    """A pandas frame; `rows` names its index."""
    import pandas as pd

    return pd.DataFrame(dict(columns), index=None if index is None else pd.Index(list(index), name=rows))
