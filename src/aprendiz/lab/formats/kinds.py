"""The kind of a file, by its first bytes, not by its name: `PAR1` begins Parquet, `@relation` an ARFF file, `{` or `[` JSON.

A picture or a web page has its own opening, and is named in the refusal. All other text is CSV.
"""

from __future__ import annotations

import re
from pathlib import Path

from aprendiz.lab.opening import ReadingError, wide_encoding
from aprendiz.lab.sources.archives import ZIP, document_of
from aprendiz.locale import _

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
OPENINGS = {
    "parquet": re.compile(rb"PAR1"),
    "stata": re.compile(rb"<stata_dta>|[\x69-\x73][\x01\x02]\x01\0"),
    "spss": re.compile(rb"\$FL[23]@\(#\)|(?s:.{0,200})SPSS PORT FILE|(?s:.{0,500})SPSSPORT"),
    "sas": re.compile(rb"\0{12}\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\0\x09\xc7\x31\x8c|HEADER RECORD\*{7}LIB"),
}
TEXTS = {
    "arff": re.compile(rb"(\s*(%[^\n]*)?\n)*\s*@relation\b", re.IGNORECASE),
    "json": re.compile(rb"\s*(\{\s*[\"}]|\[\s*[\[{])"),
}


def kind(file: Path, start: bytes) -> str:
    """One of dialect.KINDS, by the first bytes; a refusal for what is no table."""
    for name, pattern in OPENINGS.items():
        if pattern.match(start):
            return name
    if start.startswith(ZIP):
        return kind_of_zip(file)
    if start.startswith(OLE):
        return kind_of_ole(file, start)
    if not start.strip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"):
        raise ReadingError(_("{file} is empty: there is nothing to read.").format(file=file.name))
    for opening, (what, remedy) in strangers().items():
        if start.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(opening):
            raise ReadingError(_("{file} is {what}, not a table: {remedy}.").format(file=file.name, what=what, remedy=remedy))
    if is_binary(start):
        words = _("{file} is not text: give a CSV, Excel, JSON, Parquet, ARFF, Stata, SPSS or SAS file.")
        raise ReadingError(words.format(file=file.name))
    return next((name for name, pattern in TEXTS.items() if pattern.match(start.removeprefix(b"\xef\xbb\xbf"))), "csv")


def kind_of_zip(file: Path) -> str:
    """A workbook is a ZIP archive; other documents are too."""
    found = document_of(file)
    if found == "workbook":
        return "excel"
    what = {
        "": _("an archive inside another"),
        "Word": _("a Word document"),
        "PowerPoint": _("a presentation"),
        "model": _("a model"),
    }
    remedies = {"": _("extract it first"), "model": _("give a table; a model is for aprendiz predict MODEL TABLE")}
    remedy = remedies.get(found, _("export a table from it as CSV"))
    words = _("{file} is {what}, not a table: {remedy}.")
    raise ReadingError(words.format(file=file.name, what=what.get(found, _("a document")), remedy=remedy))


def kind_of_ole(file: Path, start: bytes) -> str:
    """Old workbooks, and new ones with a password, are folders of streams in a file."""
    if "EncryptedPackage".encode("utf-16-le") in file.read_bytes():
        raise ReadingError(_("{file} is protected by a password: save it without one.").format(file=file.name))
    return "excel"


def strangers() -> dict[bytes, tuple[str, str]]:
    """How files that are no tables begin (in small letters), what they are, and what to do with them."""
    unpack, export = _("decompress it first"), _("export a table from it as CSV")
    return {
        b"7z\xbc\xaf": (_("a 7z archive"), unpack),
        b"%pdf": (_("a PDF document"), export),
        b"\x89png": (_("a picture"), export),
        b"\xff\xd8\xff": (_("a picture"), export),
        b"sqlite format 3": (_("a database"), export),
        b"\x89hdf": (_("an HDF5 file"), export),
        b"<!doctype": (_("a web page"), _("download the table itself")),
        b"<html": (_("a web page"), _("download the table itself")),
        b"<?xml": (_("an XML document"), export),
    }


def is_binary(start: bytes) -> bool:
    """Very many zero bytes that are not UTF-16, or control characters among bytes that are not UTF-8."""
    if wide_encoding(start):
        return False
    control = sum(start.count(byte) for byte in (*range(9), *range(14, 27), *range(28, 32)))
    return start.count(0) > 0.3 * len(start) or (control > 0.03 * len(start) and not is_utf8(start))


def is_utf8(start: bytes) -> bool:
    """Are the bytes UTF-8, but for a character that the end may have cut?"""
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end >= len(start) - 3 and error.reason == "unexpected end of data"
    return True
