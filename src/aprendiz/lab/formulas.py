"""Cells that a spreadsheet would run: `=1+2` in a CSV file is a formula to the program that opens it.

Reading keeps such cells as they are, for they are data. Writing puts an apostrophe before them: they are shown, not run. The
same for each line of a cell, since some programs begin a row there, and for the wide signs of East Asian keyboards, which some
programs take for the narrow ones.
"""

from __future__ import annotations

import re
from typing import Any

from aprendiz.lab.cells import CellFormat

BLANKS = ("\t", "\r", "\n")
SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
LINE = re.compile(r"(?<=[\r\n])[^\r\n]+")  # a line of a cell but the first


def neutral(cell: Any) -> Any:
    """A cell for an exported file: text that a spreadsheet would run gets an apostrophe; numbers stay numbers."""
    if not isinstance(cell, str) or len(cell) < 2:
        return cell
    if "\n" in cell or "\r" in cell:
        cell = LINE.sub(lambda line: shown(line[0], SIGNS), cell)
    return shown(cell, (*SIGNS, *BLANKS))


def shown(line: str, dangerous: tuple[str, ...]) -> str:
    return "'" + line if line.startswith(dangerous) and len(line) > 1 and not is_number(line) else line


def is_number(cell: str) -> bool:
    return CellFormat().number(cell) is not None or CellFormat(decimal=",").number(cell) is not None
