"""Cells that a spreadsheet would run: `=1+2` in a CSV file is a formula to the program that opens it.

Reading keeps such cells as they are, for they are data. Writing puts an apostrophe before them: they are shown, not run.
"""

from __future__ import annotations

from typing import Any

from aprendiz.lab.cells import CellFormat

DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


def neutral(cell: Any) -> Any:
    """A cell for an exported file: text that a spreadsheet would run gets an apostrophe; numbers stay numbers."""
    if not isinstance(cell, str) or len(cell) < 2 or not cell.startswith(DANGEROUS):
        return cell
    return cell if is_number(cell) else "'" + cell


def is_number(cell: str) -> bool:
    return CellFormat().number(cell) is not None or CellFormat(decimal=",").number(cell) is not None
