"""Workbooks: .xlsx, .xlsm, .xls, .xlsb and .ods. One sheet is read: the one that is asked for, or the largest.

    sheets ──▶ the one ──sheet_layout──▶ names, rows ──plain_copy──▶ columns

Formulas have their stored values. Reading is calamine's (record 0075).

Cost: two seconds for a million cells; all cells of the workbook are in memory once.
"""

from __future__ import annotations

import difflib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, is_zipfile

from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.plain_copy import Row, cell_text, read_copy
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.formats.sheet_layout import (
    Grid,
    SheetRemark,
    beginning,
    filled,
    header_rows,
    joined_names,
    last_row,
    merged_remark,
    spread,
)
from aprendiz.lab.formats.workbook_xml import SheetText, sheet_text
from aprendiz.lab.opening import ReadingError, refuse_large
from aprendiz.lab.sniffing import ROWS, header_of
from aprendiz.locale import _, format_whole, ngettext

BYTES_OF_A_CELL = 24  # of the reader
FEW_CELLS = 1 << 24  # that are never refused


def read_excel(file: Path, asked: Questions, folder: Path) -> Contents:
    """The columns of a sheet."""
    book = opened_book(file)
    grids = Grids(file, book)
    name = asked.settle("sheet", *sheet_of(file, grids, asked))
    raw, merged = grids[name], grids.merged(name)
    top = asked.ask("skip", lambda: place_in_words(beginning(raw, merged)))
    if not any(filled(row) for row in raw[top:]):
        words = _("{file}: the sheet {sheet} is empty, or empty after the lines that are skipped. {hint}")
        raise ReadingError(words.format(file=file.name, sheet=repr(name), hint=listed_sheets(grids.names)))
    grid = [list(row) for row in raw]
    count = spread(grid, merged)
    deep = header_rows(raw, top, merged) if any(row != other for row, other in zip(raw, grid, strict=True)) else 1
    rows = [[as_text(cell) for cell in row] for row in grid[top + deep - 1 : top + ROWS] if filled(row)]
    asked.ask("header", header_of, rows, asked.dialect.cells)
    begin = top + deep if asked.dialect.header else top
    end, remarks = last_row(grid, begin)
    used = [j for j in range(len(grid[0])) if any(row[j] not in ("", None) for row in grid[top:end])]
    names = joined_names(grid[top:begin], as_text) if begin > top else [f"x{j + 1}" for j in range(len(grid[0]))]
    if not any(filled(row) for row in grid[begin:end]):
        words = _("{file}: the sheet {sheet} contains column names but no rows; if they are data, set header=False.")
        raise ReadingError(words.format(file=file.name, sheet=repr(name)))

    def cells() -> Iterator[Row]:
        for number in range(begin, end):
            if filled(grid[number]):
                yield number + 1, [grid[number][j] for j in used]

    contents = read_copy(file, asked, folder, [names[j] for j in used], cells)
    if any(bottom >= begin for (_top, _left), (bottom, _right) in merged):
        remarks.append(merged_remark(count))
    contents.remarks.extend([*grids.remarks(name), *remarks])
    return contents


def as_text(cell: Any) -> str:
    return cell_text(cell, ".")


def place_in_words(skip: int) -> tuple[int, str]:
    return skip, _("the table begins on line {line}").format(line=skip + 1)


# ---- the workbook --------------------------------------------------------------------------------------------------------


def opened_book(file: Path) -> Any:
    """The workbook; a sentence if it is damaged, or has a password."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    try:
        return CalamineWorkbook.from_path(str(file))
    except PasswordError as error:
        raise ReadingError(_("{file} is protected by a password: save it without one.").format(file=file.name)) from error
    except (CalamineError, OSError, ValueError) as error:
        raise ReadingError(damaged(file)) from error
    except BaseException as error:
        raise ReadingError(damaged(file)) from refused_panic(error)


def refused_panic(error: BaseException) -> BaseException:
    """A panic of the reader, which is no `Exception`; whatever else it is goes on."""
    if type(error).__name__ != "PanicException":
        raise error
    return error


def damaged(file: Path) -> str:
    return _("{file} is a damaged workbook, or none: save it again, or save the sheet as CSV.").format(file=file.name)


class Grids:
    """The cells of the sheets of a workbook, read when they are asked for."""

    def __init__(self, file: Path, book: Any):
        from python_calamine import SheetTypeEnum, SheetVisibleEnum

        self.file, self.book = file, book
        sheets = [one for one in book.sheets_metadata if one.typ == SheetTypeEnum.WorkSheet]
        self.names = [one.name for one in sheets]
        self.hidden = [one.name for one in sheets if one.visible != SheetVisibleEnum.Visible]
        self.sheets, self.grids, self.texts = dict[str, Any](), dict[str, Grid](), dict[str, SheetText | None]()

    def __getitem__(self, name: str) -> Grid:
        if name not in self.grids:
            self.texts[name] = self.checked_text(name)
            self.sheets[name] = self.sheet(name)
            self.grids[name] = self.sheets[name].to_python(skip_empty_area=False)
        return self.grids[name]

    def checked_text(self, name: str) -> SheetText | None:
        """What the XML of the sheet tells, unless it reaches too far."""
        try:
            found = sheet_text(self.file, name) if is_zipfile(self.file) else None
        except (BadZipFile, KeyError, OSError, EOFError, ValueError, zlib.error) as error:
            raise ReadingError(damaged(self.file)) from error
        if found is not None and found.rows * found.columns > FEW_CELLS:
            refuse_large(self.file, BYTES_OF_A_CELL * found.rows * found.columns)
        return found

    def sheet(self, name: str) -> Any:
        from python_calamine import CalamineError

        try:
            return self.book.get_sheet_by_name(name)
        except (CalamineError, OSError, ValueError) as error:
            raise ReadingError(damaged(self.file)) from error
        except BaseException as error:
            raise ReadingError(damaged(self.file)) from refused_panic(error)

    def merged(self, name: str) -> list[Any]:
        """The ranges of merged cells; none where the reader does not know them."""
        return list(self.sheets[name].merged_cell_ranges or ())

    def cells(self, name: str) -> int:
        """Filled cells."""
        return sum(map(filled, self[name]))

    def remarks(self, name: str) -> Iterator[SheetRemark]:
        """Errors, and formulas without a value, which are missing cells."""
        found = self.texts[name]
        if found is not None and found.error_cells:
            yield SheetRemark(
                lambda: ngettext(
                    "{count} cell holds an error and was read as missing: {errors}",
                    "{count} cells hold errors and were read as missing: {errors}",
                    found.error_cells,
                ).format(count=format_whole(found.error_cells), errors=", ".join(found.errors[:5]))
            )
        if found is not None and found.formulas:
            yield SheetRemark(
                lambda: ngettext(
                    "{count} formula has no stored value and was read as missing: save the workbook in a spreadsheet",
                    "{count} formulas have no stored values and were read as missing: save the workbook in a spreadsheet",
                    found.formulas,
                ).format(count=format_whole(found.formulas))
            )


# ---- the sheet -------------------------------------------------------------------------------------------------------------


def sheet_of(file: Path, grids: Grids, asked: Questions) -> tuple[str, str]:
    """The sheet to read, and why."""
    wanted = asked.dialect.sheet
    if wanted in grids.names:
        return wanted, _("as requested") if "sheet" in asked.given else _("as in the earlier file")
    if "sheet" in asked.given:
        number = int(wanted) if wanted.isdecimal() else 0
        if 1 <= number <= len(grids.names):
            return grids.names[number - 1], _("as requested")
        near = difflib.get_close_matches(wanted, grids.names, n=1)
        hint = _("Did you mean {name}?").format(name=repr(near[0])) if near else listed_sheets(grids.names)
        words = _("{file} has no sheet {sheet}. {hint}")
        raise ReadingError(words.format(file=file.name, sheet=repr(wanted), hint=hint))
    return largest_sheet(file, grids)


def listed_sheets(names: list[str]) -> str:
    return _("Its sheets are {names}.").format(names=", ".join(map(repr, names)))


def largest_sheet(file: Path, grids: Grids) -> tuple[str, str]:
    """The visible sheet with most cells; a hidden one is read only if it is asked for."""
    sizes = {name: grids.cells(name) for name in grids.names if name not in grids.hidden}
    full = [name for name, cells in sizes.items() if cells]
    if not full:
        hidden = [name for name in grids.hidden if grids.cells(name)]
        if hidden:
            words = _("{file} has cells in hidden sheets only: give one of them (sheet=…): {names}.")
            raise ReadingError(words.format(file=file.name, names=", ".join(map(repr, hidden))))
        raise ReadingError(_("{file} is empty: there is nothing to read.").format(file=file.name))
    best = max(full, key=sizes.__getitem__)
    others = [*(name for name in full if name != best), *grids.hidden]
    if not others:
        return best, _("the only one with cells")
    shown = ", ".join(f"{name} ({_('hidden')})" if name in grids.hidden else name for name in others[:8])
    if len(full) == 1:
        return best, _("the only visible one with cells; besides: {names}").format(names=shown)
    return best, _("the largest; besides: {names}").format(names=shown)
