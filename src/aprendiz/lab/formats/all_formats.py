"""All kinds of files: how each is called, how it is read, and which values of the dialect mean something for it.

A kind is known by the first bytes of a file (opening.kind). A new one is a reader and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from aprendiz.lab.dialect import FIELDS
from aprendiz.lab.formats.arff import read_arff
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.delimited import read_csv
from aprendiz.lab.formats.parquet import read_parquet
from aprendiz.lab.formats.questions import Questions
from aprendiz.locale import _

OF_CSV = frozenset(FIELDS)


@dataclass(frozen=True)
class Format:
    """A kind of files.

    Attributes
    ----------
    name : str
        As people call it.
    read : function
        (file, questions, folder for files that are needed on the way) → contents. It asks its questions of the dialect first.
    options : set of str
        The values of the dialect that can be given for it.
    """

    name: str
    read: Callable[[Path, Questions, Path], Contents]
    options: frozenset[str]


FORMATS = {
    "csv": Format("CSV", read_csv, OF_CSV),
    "arff": Format("ARFF", read_arff, frozenset({"kind", "encoding", "missing"})),
    "parquet": Format("Parquet", read_parquet, frozenset({"kind", "missing", "types"})),
}


def refuse_options(kind: str, given: Iterable[str]) -> None:
    """Refuse values that a kind of files has not."""
    for name in given:
        if name not in FORMATS[kind].options:
            raise ValueError(
                _("{name}=…: {format} files have no such option; leave it out.").format(name=name, format=FORMATS[kind].name)
            )
