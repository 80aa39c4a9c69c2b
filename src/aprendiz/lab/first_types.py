"""The type of a column, guessed from its first cells."""

from __future__ import annotations

from aprendiz.lab.cells import CellFormat
from aprendiz.lab.records import FileLayout


def guess(j: int, top: FileLayout, cells: CellFormat) -> str:
    """The type of the first cells of a column; numbers too if few are not, and these are not codes such as 007."""
    known = [row[j] for row in top.rows if j < len(row) and not cells.is_missing(row[j])]
    for kind in ("number", "boolean", "date"):
        judge = cells.judge(kind)
        others = [cell for cell in known if judge(cell) is None]
        if not others or (kind == "number" and len(others) < 0.1 * len(known) and not any(map(str.isdigit, others))):
            return kind
    return "text"
