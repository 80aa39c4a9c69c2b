"""ZIP archives: the files inside that can be tables, and one of them as a plain file.

An archive of one file is that file; of several, one that is called as tables are (csv, xlsx, …) stands for it if no other is.
What systems add by themselves (__MACOSX, .DS_Store) does not count.
"""

from __future__ import annotations

import zlib
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

from aprendiz.lab.opening import ReadingError, refuse_large
from aprendiz.locale import _, format_whole

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
TABLES = (
    *(".csv", ".tsv", ".tab", ".arff", ".parquet", ".json", ".jsonl", ".ndjson", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"),
    *(".dta", ".sav", ".zsav", ".por", ".sas7bdat", ".xpt"),
)
PACKED = (".gz", ".bz2", ".xz", ".zst")
MODEL = {"model.json", "model.sha256"}  # in a model file, beside its arrays
PIECE = 1 << 20
MOST_NAMES = 8  # that are listed


def is_archive(file: Path) -> bool:
    """Is it a ZIP archive of files, not a document that is one inside?"""
    with file.open("rb") as opened:
        if opened.read(4) not in ZIP:
            return False
    return document_of(file) == ""


def document_of(file: Path) -> str:
    """What kind of document a ZIP file is: "workbook", "Word", "PowerPoint", "OpenDocument", "model" of ours; empty for an
    archive."""
    names = names_of(file)
    if names >= MODEL:
        return "model"
    if {"xl/workbook.xml", "xl/workbook.bin"} & names:
        return "workbook"
    if "word/document.xml" in names:
        return "Word"
    if "ppt/presentation.xml" in names:
        return "PowerPoint"
    if {"mimetype", "content.xml"} <= names:
        return "workbook" if b"spreadsheet" in beginning_inside(file, "mimetype", 200) else "OpenDocument"
    return ""


def names_of(file: Path) -> set[str]:
    """The names of the files in an archive."""
    try:
        with ZipFile(file) as archive:
            return set(archive.namelist())
    except (BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise ReadingError(_("{file} is a damaged ZIP archive: create it again.").format(file=file.name)) from error


def table_names(file: Path, *, all_of_them: bool = False) -> list[str]:
    """The name of the table in an archive, or all names of files that can be meant."""
    found = sorted(name for name in names_of(file) if is_meant(PurePosixPath(name)) and not name.endswith("/"))
    if all_of_them:
        return found
    if not found:
        raise ReadingError(_("{file} is a ZIP archive without files: there is nothing to read.").format(file=file.name))
    tables = [name for name in found if suffix_of(name) in TABLES]
    if len(found) > 1 and len(tables) != 1:
        words = _("{file} is a ZIP archive of {count} files: {names}. Give one of them, such as {example}, or extract it.")
        example = f"{file}/{(tables or found)[0]}"
        raise ReadingError(
            words.format(file=file.name, count=format_whole(len(found)), names=listed(tables or found), example=example)
        )
    return tables or found


def is_meant(path: PurePosixPath) -> bool:
    """Is it a file that somebody has put there?"""
    return "__MACOSX" not in path.parts and not path.name.startswith(".")


def suffix_of(name: str) -> str:
    """.csv of a.csv, and of a.csv.gz."""
    path = PurePosixPath(name.lower())
    return PurePosixPath(path.stem).suffix if path.suffix in PACKED else path.suffix


def listed(names: list[str]) -> str:
    """The first names."""
    return ", ".join(names[:MOST_NAMES]) + (", …" if len(names) > MOST_NAMES else "")


def beginning_inside(file: Path, inside: str, size: int) -> bytes:
    """The first bytes of a file of an archive; none if it cannot be read."""
    try:
        with ZipFile(file) as archive, archive.open(inside) as source:
            return source.read(size)
    except (BadZipFile, KeyError, RuntimeError, zlib.error, EOFError, OSError):
        return b""


def extracted(file: Path, inside: str, folder: Path) -> Path:
    """A file of an archive, as a file of the folder."""
    target = folder / "extracted" / PurePosixPath(inside).name
    target.parent.mkdir(exist_ok=True)
    try:
        with ZipFile(file) as archive:
            entry = archive.getinfo(inside)
            if entry.flag_bits & 1:
                words = _("{file} is protected by a password: extract {name} and give that file.")
                raise ReadingError(words.format(file=file.name, name=inside))
            refuse_large(file, entry.file_size)
            with archive.open(entry) as source, target.open("wb") as plain:
                while piece := source.read(PIECE):
                    plain.write(piece)
                    refuse_large(file, plain.tell())
    except (BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        words = _("{file} is a damaged ZIP archive, or packed in an unusual way: extract {name} and give that file.")
        raise ReadingError(words.format(file=file.name, name=inside)) from error
    return target
