"""Folders of reports: their names, and that nothing is written over."""

from __future__ import annotations

import re
from pathlib import Path

from aprendiz.lab.sources.archives import PACKED
from aprendiz.locale import _

REPORT, MODEL, GROUPS = "report.html", "model.apz", "groups.csv"


def folder_name(table: str, ending: str) -> str:
    """patients.csv → patients-report: the name of a table without what a file system may not like, and an ending.

    visits.csv.gz, visits/ and "visits/*.csv" become visits-report.
    """
    path = Path(table)
    if set(path.name) & set("*?["):
        path = path.parent if path.parent.name else Path(re.sub(r"[*?\[].*", "", path.name) or "table")
    while path.suffix in PACKED:
        path = path.with_suffix("")
    stem = re.sub(r"[^\w.-]+", "_", path.resolve().stem).strip("._") or "table"
    return f"{stem}-{ending}"


def free_folder(name: str, where: Path = Path()) -> Path:
    """A folder that is not there yet: the name, or the name with the next number."""
    number = 1
    while (path := where / (name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return path


def last_folder(name: str, where: Path = Path()) -> Path | None:
    """The last one that `free_folder` has given away."""
    last, number = None, 1
    while (path := where / (name if number == 1 else f"{name}-{number}")).exists():
        last, number = path, number + 1
    return last


def begin_folder(table: str, out: str | None, ending: str) -> Path:
    """The folder of a report, not made yet: the one asked for, which must be new or empty, or one named after the table."""
    folder = free_folder(folder_name(table, ending)) if out is None else Path(out)
    if folder.exists() and not folder.is_dir():
        raise ValueError(_("{folder} is a file: choose another folder (--out).").format(folder=folder))
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(
            _("Folder {folder} is not empty and is not overwritten: choose another one (--out).").format(folder=folder)
        )
    return folder
