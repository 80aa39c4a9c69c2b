"""What the first lines of a file tell about how it writes its table: one question after the other, each with its reason.

A separator is right if it gives the same number of cells line after line; if several do, the one that leaves more numbers
is, then the one that gives more cells. Lines before the first such line are a preamble. The signs of numbers are those under
which most columns are numbers. The first line is a header if it holds words above numbers, or words that occur nowhere below.

Whatever is given is not asked. Cost: the first 256 KB, and one pass over the bytes for the encoding.
"""

from __future__ import annotations

import codecs
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from aprendiz.lab.cells import DAYS, CellFormat
from aprendiz.lab.dialect import MISSING, Dialect
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.opening import ReadingError, head, wide_encoding
from aprendiz.lab.records import aligned, split
from aprendiz.locale import _

SEPARATORS = ("\t", ";", "|", ",")  # the rarer in prose, the earlier
PERHAPS_MISSING = ("-", "--", ".", "..", "*", "None", "none", "NONE", "ND", "N.D.", "nd", "n.d.", "s/d", "S/D", "n/d")
SIGNS = ((".", ""), (",", ""), (",", "."), (".", ","), (",", " "), (".", " "), (".", "'"), (",", "\u00a0"), (",", "\u202f"))
LIKE_NUMBER = re.compile(r" *[+-]?[0-9]+([.,][0-9]+)*([eE][+-]?[0-9]+)? *")
UTF8_LETTER = re.compile(rb"\xc3[\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}")  # an accented letter; three bytes in a row
YEAR = re.compile("(19|20)[0-9]{2}")
ROWS, WIDE = 200, 500  # rows and columns that are looked at

Table = list[list[str]]


def sniff(file: Path, asked: Questions) -> tuple[int, int] | None:
    """Ask for the dialect of a CSV file; lines of two encodings, if there are such."""
    start, whole = head(file)
    lines = first_lines(start, whole, ask_encoding(file, start, asked))
    mixed = None if "encoding" in asked.given else lines_of_two_encodings(file, asked.dialect.encoding)
    asked.ask("quote", quote_of, lines)
    asked.ask("escape", escape_of, lines, asked.dialect.quote)
    asked.ask("separator", separator_of, lines, asked.dialect)
    asked.ask("skip", skip_of, lines, asked.dialect)
    asked.ask("comment", comment_of, lines, asked.dialect)
    rows = [] if asked.like else [cells for _line, cells in islice(split(lines, asked.dialect), ROWS)]
    ask_meaning(columns_of(rows[1:] or rows) if rows else [], asked)
    asked.ask("header", header_of, rows, asked.dialect.cells)
    return mixed


def ask_encoding(file: Path, start: bytes, asked: Questions) -> str:
    """The encoding. Of a file that is written as an earlier one it may be another: the bytes tell."""
    if asked.like is None or "encoding" in asked.given:
        asked.ask("encoding", encoding_of, file, start)
    else:
        fallback = asked.like.encoding if not asked.like.encoding.startswith("utf") else "cp1252"
        asked.settle("encoding", *encoding_of(file, start, fallback))
    return asked.dialect.encoding


def ask_meaning(body: list[list[str]], asked: Questions) -> None:
    """How cells become numbers, dates and gaps, from the first cells of the columns."""
    for field, at in (("decimal", 0), ("thousands", 1)):
        asked.ask(field, signs_of, body, asked.dialect, asked.given, at)
    asked.ask("day_first", order_of_days, body)
    asked.ask("missing", missing_of, body, asked.dialect.cells)


# ---- bytes and lines -----------------------------------------------------------------------------------------------------


def encoding_of(file: Path, start: bytes, fallback: str = "cp1252") -> tuple[str, str]:
    """The encoding; `fallback` is that of text which is neither UTF-8 nor UTF-16."""
    if wide := wide_encoding(start):
        return wide, _("by its first bytes")
    if start.startswith(codecs.BOM_UTF8):
        return "utf-8", _("by its byte-order mark")
    if all_utf8(file):
        return "utf-8", _("every byte of the file is valid")
    try:
        start.decode(fallback)
    except UnicodeDecodeError:
        return "latin-1", _("the bytes are not UTF-8, and not {encoding}").format(encoding=fallback)
    return fallback, _("the bytes are not UTF-8")


def all_utf8(file: Path) -> bool:
    """Is the file UTF-8 to its end?"""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with file.open("rb") as source:
            while piece := source.read(1 << 20):
                decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def lines_of_two_encodings(file: Path, encoding: str) -> tuple[int, int] | None:
    """Of a file of one byte a letter: a line that holds letters of UTF-8 all the same, and one that holds others."""
    if encoding not in ("cp1252", "latin-1"):
        return None
    utf8 = other = 0
    with file.open("rb") as source:
        for number, line in enumerate(source, start=1):
            if line.isascii():
                continue
            rest = UTF8_LETTER.sub(b"", line)
            utf8 = utf8 or (number if len(rest) < len(line) else 0)
            other = other or (0 if rest.isascii() else number)
            if utf8 and other:
                return utf8, other
    return None


def first_lines(start: bytes, whole: bool, encoding: str) -> list[str]:
    """Complete lines, with their ends."""
    decoder = codecs.getincrementaldecoder("utf-8-sig" if encoding == "utf-8" else encoding)("replace")
    lines = list(io.StringIO(decoder.decode(start), newline=""))
    return lines if whole or len(lines) < 2 else lines[:-1]


def quote_of(lines: Sequence[str]) -> tuple[str, str]:
    sample = "".join(lines)
    single = re.search(r"(^|[,;\t|])'[^'\n]*'([,;\t|\r\n]|$)", sample, re.MULTILINE)
    if single and '"' not in sample:
        return "'", _("cells are in single quotes")
    return '"', _("cells are in double quotes") if '"' in sample else _("the usual one; none in the first lines")


def escape_of(lines: Sequence[str], quote: str) -> tuple[str, str]:
    end = r"\s*([,;\t|]|$)"
    inside = re.compile(rf"\\{re.escape(quote)}(?!{end}|{re.escape(quote)}(?!{end}))")
    if quote and any(inside.search(line) for line in lines):
        return "\\", _("quotes inside cells are escaped by a backslash")
    return quote, _("quotes inside cells are doubled")


# ---- cells -----------------------------------------------------------------------------------------------------------------


def separator_of(lines: Sequence[str], dialect: Dialect) -> tuple[str, str]:
    """The separator under which the lines have the same number of cells."""
    if dialect.skip >= len(lines):
        raise ReadingError(_("There are no lines after the first {lines}: skip fewer.").format(lines=dialect.skip))
    if found := re.fullmatch(r'"?sep=(.)"?\s*', lines[dialect.skip]):
        return found[1], _("the first line says so")
    chances = [chance for separator in SEPARATORS if (chance := chance_of(lines, dialect, separator))]
    if not chances and (blank := chance_of(lines, dialect, " ")) and blank[0][2] > 2 and blank[0][1] > 0.25:
        chances = [blank]
    if not chances:
        return "", _("no character divides the lines evenly: one column")
    (_even, _numbers, width), separator, count = max(chances, key=lambda chance: chance[0])
    reason = _("{width} cells in {count} of the first lines").format(width=width, count=count)
    rows = [cells for _line, cells in islice(split(lines, replace(dialect, separator=separator)), ROWS)]
    spaced = all(cell.startswith(" ") for cells in rows if len(cells) == width for cell in cells[1:])
    return separator + " " if spaced and separator != " " else separator, reason


def chance_of(lines: Sequence[str], dialect: Dialect, separator: str) -> tuple[tuple[float, float, int], str, int] | None:
    """How evenly a separator divides the lines, the share of numbers among the cells, their number; None if it does not."""
    divided = split(lines, replace(dialect, separator=separator), loose=True)
    rows = [cells for _line, cells in islice(divided, ROWS)]
    width, count = Counter(len(cells) for cells in rows).most_common(1)[0] if rows else (0, 0)
    first = next((i for i, cells in enumerate(rows) if len(cells) == width), 0)
    even = count / max(1, len(rows) - first)
    if width < 2 or even < (0.3 if first == 0 else 0.6) or (count == 1 and len(rows) > 1):
        return None
    below = [cell for cells in rows[first + 1 :] or rows for cell in cells[:WIDE]]
    numbers = sum(LIKE_NUMBER.fullmatch(cell) is not None for cell in below) / len(below)
    return (round(even, 1), round(numbers, 2), width), separator, count


def skip_of(lines: Sequence[str], dialect: Dialect) -> tuple[int, str]:
    """Lines before the first one that has the usual number of cells, and more than one of them filled."""
    found = list(islice(split(lines, dialect, loose=True), ROWS))
    if lines[0].strip('"\r\n') == f"sep={dialect.separator}":
        found = found[1:]
    rows = [cells for _line, cells in found]
    width = Counter(map(len, rows)).most_common(1)[0][0]
    start = next(i for i in range(len(rows)) if begins(rows[i:], width, dialect.cells))
    skip = found[start][0] - 1
    return skip, _("the table begins on line {line}").format(line=skip + 1)


def begins(rows: Table, width: int, cells: CellFormat) -> bool:
    """Can the table begin with the first of these rows?"""
    first = rows[0]
    if len(rows) == 1 or width == 1:
        return True
    if len(first) == width:
        return width < 3 or not is_title(first, cells) or all(is_title(row, cells) for row in rows[1:])
    if len(first) == width + 1:
        return first[-1] == ""
    return len(first) == width - 1 == len(rows[1]) - 1 and not header_of(rows[1:], cells)[0]


def is_title(row: list[str], cells: CellFormat) -> bool:
    """Is a row blank but for some words in one cell?"""
    filled = [cell for cell in row if cell != ""]
    return len(filled) < 2 and not any(is_typed(cell, cells) for cell in filled)


def comment_of(lines: Sequence[str], dialect: Dialect) -> tuple[str, str]:
    """# if lines among the rows begin so and are no rows."""
    rows = [cells for _line, cells in islice(split(lines, dialect), ROWS)]
    width = Counter(map(len, rows)).most_common(1)[0][0]
    if any(cells[0].startswith("#") and len(cells) != width for cells in rows[1:]):
        return "#", _("lines that begin with # are comments")
    return "", _("none of the first lines begins with #")


def columns_of(rows: Table) -> list[list[str]]:
    """The first columns, of the rows that have the usual number of cells."""
    width = Counter(map(len, rows)).most_common(1)[0][0]
    return [list(column) for column in islice(zip(*(row for row in rows if len(row) == width), strict=True), WIDE)]


# ---- the meaning of cells ------------------------------------------------------------------------------------------------


def signs_of(body: list[list[str]], dialect: Dialect, given: Mapping[str, Any], at: int) -> tuple[str, str]:
    """The decimal sign (at 0) or the sign of thousands (at 1) under which most columns are numbers."""
    wanted = (given.get("decimal"), given.get("thousands"))
    known = [pair for pair in SIGNS if all(one in (None, sign) for one, sign in zip(wanted, pair, strict=True))]
    pairs = known or [(dialect.decimal, dialect.thousands)]
    if dialect.separator.startswith(","):
        pairs.sort(key=lambda pair: pair[0] == ",")  # "1,234" between quotes is 1234 where commas separate cells
    numeric = [sum(judged) for judged in zip(*(numbers_by_signs(column, pairs) for column in body), strict=True)] or [0]
    best = numeric.index(max(numeric))
    reason = _("this way {count} of {columns} columns are numeric").format(count=numeric[best], columns=len(body))
    return pairs[best][at], reason


def numbers_by_signs(column: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[bool]:
    """Is a column mostly numbers under each pair of signs? Pairs that differ in signs that do not occur are judged once."""
    signs = set().union(*column)
    judge = cache(lambda decimal, thousands: mostly_numbers(column, CellFormat(decimal, thousands)))
    plain = "." not in signs
    return [
        judge("." if plain and decimal not in signs else decimal, thousands if thousands in signs else "")
        for decimal, thousands in pairs
    ]


def mostly_numbers(column: Sequence[str], cells: CellFormat) -> bool:
    """Are nine of ten cells that are not missing numbers?"""
    rules = replace(cells, missing=(*MISSING, *PERHAPS_MISSING))
    known = [cell for cell in column if not rules.is_missing(cell)]
    return bool(known) and sum(rules.number(cell) is not None for cell in known) >= 0.9 * len(known)


def order_of_days(body: list[list[str]]) -> tuple[bool, str]:
    """Which of the two numbers before the year can be a month?"""
    dates = [found for column in body for cell in column if (found := re.fullmatch(DAYS, cell))]
    first, second = (any(int(found[k]) > 12 for found in dates) for k in (1, 2))
    if second and not first:
        return False, _("the second number is above 12 in some dates")
    if first:
        return True, _("the first number is above 12 in some dates")
    return True, _("the dates are ambiguous; the day is assumed to come first") if dates else _(
        "there are no dates such as 3/4/2024"
    )


def missing_of(body: list[list[str]], cells: CellFormat) -> tuple[tuple[str, ...], str]:
    """The usual tokens, and marks such as "-" that stand among numbers and nowhere else."""
    rules = replace(cells, missing=MISSING)
    numeric = [mostly_numbers(column, rules) for column in body]
    among = {cell for column, yes in zip(body, numeric, strict=True) if yes for cell in column}
    elsewhere = {cell for column, yes in zip(body, numeric, strict=True) if not yes for cell in column}
    found = tuple(token for token in PERHAPS_MISSING if token in among and token not in elsewhere)
    if found:
        return (*MISSING, *found), _("the usual ones, and {found} among numbers").format(found=", ".join(map(repr, found)))
    return MISSING, _("the usual ones")


def header_of(rows: Table, cells: CellFormat) -> tuple[bool, str]:
    """Words (or years) above numbers speak for a header, numbers above numbers against it; else words not found below."""
    first, below = aligned(rows[0], rows[1:]), rows[1:]
    if not below:
        words = not any(is_typed(cell, cells) for cell in first)
        return words, _("the only line holds words") if words else _("the only line holds numbers")
    votes, again = 0, False
    for j, cell in enumerate(first[:WIDE]):
        column = [row[j] for row in below if j < len(row) and not cells.is_missing(row[j])]
        if cells.is_missing(cell) or not column:
            continue
        again = again or cell in column
        if sum(is_typed(other, cells) for other in column) > 0.5 * len(column):
            year = YEAR.fullmatch(cell) and not any(map(YEAR.fullmatch, column))
            votes += 1 if year or not is_typed(cell, cells) else -1
    if votes:
        return votes > 0, _("words above numbers") if votes > 0 else _("the first line holds numbers, as the others do")
    return not again, _("words of the first line occur below") if again else _("the words of the first line do not occur below")


def is_typed(cell: str, cells: CellFormat) -> bool:
    """Is it a number, a truth value or a date?"""
    return any(judge(cell) is not None for judge in (cells.number, cells.boolean, cells.date))
