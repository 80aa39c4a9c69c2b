"""What a path means: a file, a file inside a ZIP archive, or several files of one table.

patients.csv              the file
visits.zip                the table in the archive, if there is one only
visits.zip/2024.csv       a file of the archive, by its name; visits.zip/*.csv all that are called so
visits/                   the files of the folder, in the order of their names (not those that begin with . or _)
"visits/*.csv"            the files that are called so, in the order of their names
[jan.csv, feb.csv]        these, in this order
"""

from __future__ import annotations

import difflib
import fnmatch
import glob
import hashlib
import lzma
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aprendiz.lab.opening import HEAD, ReadingError, checked
from aprendiz.lab.sources.archives import beginning_inside, extracted, is_archive, listed, table_names
from aprendiz.lab.sources.packing import opened, unpacked
from aprendiz.locale import _

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
WILD = "*?["


@dataclass(frozen=True)
class Place:
    """A file, or the file of an archive that has this name there."""

    file: Path
    inside: str = ""

    @property
    def path(self) -> str:
        """What leads to it from here."""
        return f"{self.file}/{self.inside}" if self.inside else str(self.file)

    def plain(self, folder: Path) -> Path:
        """A plain file of what is there, unpacked into the folder if it was packed."""
        packed = extracted(self.file, self.inside, folder) if self.inside else self.file
        return unpacked(packed, folder)

    def beginning(self) -> bytes:
        """The first bytes of what is there, unpacked; of a file in an archive, as it is there."""
        if self.inside:
            return beginning_inside(self.file, self.inside, HEAD)
        try:
            with opened(self.file) as source:
                return source.read(HEAD)
        except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):
            return b""

    def fingerprint(self) -> str:
        """A hash of the bytes, and of the name inside."""
        with self.file.open("rb") as file:
            found = hashlib.file_digest(file, "blake2b")
        if self.inside:
            found.update(self.inside.encode("utf-8", "surrogateescape"))
        return found.hexdigest()[:32]


def places(path: Paths) -> list[Place]:
    """The places that a path, or several, mean."""
    given = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    if not given:
        raise ReadingError(_("There is no file to read: give the path of a table."))
    found = [place for one in given for place in of_path(one)]
    twice = next((place for number, place in enumerate(found) if place in found[:number]), None)
    if twice is not None:
        raise ReadingError(_("{file} is given twice: its rows would be counted twice.").format(file=twice.path))
    return found


def of_path(path: str | os.PathLike[str]) -> list[Place]:
    """The places of one path."""
    file, name = Path(path), os.fspath(path)
    if file.is_dir():
        return [Place(checked(one)) for one in files_of(file)]
    if not file.exists():
        if (inside := of_archive(file)) is not None:
            return inside
        if any(sign in name for sign in WILD):
            return [place for one in matching(name) for place in of_path(one)]
    file = checked(file if isinstance(path, os.PathLike) else path)
    return [Place(file, one) for one in table_names(file)] if is_archive(file) else [Place(file)]


def files_of(folder: Path) -> list[Path]:
    """The files of a folder, in the order of their names."""
    found = sorted(one for one in folder.iterdir() if one.is_file() and not one.name.startswith((".", "_")))
    if not found:
        raise ReadingError(_("The folder {folder} contains no files: give a file, or a folder of them.").format(folder=folder))
    return found


def matching(pattern: str) -> list[str]:
    """The files whose paths are like a pattern, in the order of their names."""
    found = sorted(one for one in glob.glob(pattern) if Path(one).is_file())
    if not found:
        raise ReadingError(_("No file is called {pattern}: check the path.").format(pattern=pattern))
    return found


def of_archive(path: Path) -> list[Place] | None:
    """The places of a path that goes on inside an archive; None if it does not."""
    archive = next((one for one in path.parents if one.is_file()), None)
    if archive is None or not is_archive(archive):
        return None
    inside, names = path.relative_to(archive).as_posix(), table_names(archive, all_of_them=True)
    found = [name for name in names if name == inside] or sorted(fnmatch.filter(names, inside))
    if not found:
        near = difflib.get_close_matches(inside, names, n=1) or difflib.get_close_matches(Path(inside).name, names, n=1)
        hint = _("Did you mean {name}?").format(name=near[0]) if near else _("It contains {names}.").format(names=listed(names))
        raise ReadingError(_("{file} contains no {name}. {hint}").format(file=archive, name=inside, hint=hint))
    return [Place(checked(archive), name) for name in found]


def fingerprint(paths: Sequence[str], sheet: str = "") -> str:
    """A hash of the bytes of some files; of several, one of theirs."""
    found = [place.fingerprint() for path in paths for place in of_path(path)]
    parts = [*found, sheet] if sheet else found
    return found[0] if len(parts) == 1 else hashlib.blake2b("".join(parts).encode()).hexdigest()[:32]
