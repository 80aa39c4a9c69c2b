"""What is in some files: each is unpacked, its kind is found, its reader asks and reads. All rows stand below each other.

Of a single CSV or Parquet file that is too large for the memory that is allowed, a random sample of the rows is kept.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aprendiz.lab.dialect import Dialect
from aprendiz.lab.formats.all_formats import FORMATS, Format, refuse_options
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.kinds import kind
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.large_tables.memory_plan import TableSize, rows_that_fit
from aprendiz.lab.large_tables.sampled_reading import SampledReading, SampleWanted
from aprendiz.lab.opening import ReadingError, head, limited
from aprendiz.lab.sources.places import Place
from aprendiz.lab.sources.several_files import stacked
from aprendiz.locale import _, format_whole

ROOM = 0.5  # of the free disk that an unpacked file may take


@dataclass(frozen=True)
class Wanted:
    """How files are to be read.

    Attributes
    ----------
    like, given, also_missing
        As in `read`, and the values of the dialect that are given.
    max_bytes, max_memory, sample, seed, groups, on_rows
        As in `read`.
    """

    like: Dialect | None
    given: Mapping[str, Any]
    also_missing: Sequence[str]
    max_bytes: float | None
    max_memory: float | str | None
    sample: int | None
    seed: int
    groups: str | None
    on_rows: Callable[[int, float], None]


def contents_of(places: Sequence[Place], wanted: Wanted) -> tuple[Questions, Contents]:
    """What is in the files, and the questions that the first has answered: the others are written as it is."""
    first, parts, sizes = None, list[tuple[str, Contents]](), list[TableSize]()
    for place in places:
        with TemporaryDirectory(prefix="aprendiz-") as folder:
            with limited(unpacked_limit(place, folder, wanted.max_bytes)):
                file = place.plain(Path(folder))
            with limited(wanted.max_bytes):
                asked = questions(file, wanted.like, wanted.given, wanted.also_missing)
                if len(places) == 1:
                    return asked, contents_of_one(file, asked, Path(folder), wanted)
                sizes.append(size_of(file, asked))
                refuse_too_large(places, sizes, wanted)
                parts.append((os.path.basename(place.path), FORMATS[asked.dialect.kind].read(file, asked, Path(folder))))
        first, wanted = first or asked, replace(wanted, like=asked.dialect, also_missing=())
    assert first is not None
    return first, stacked(parts)


def contents_of_one(file: Path, asked: Questions, folder: Path, wanted: Wanted) -> Contents:
    """What is in a file, or in a sample of its rows."""
    form = FORMATS[asked.dialect.kind]
    kept = rows_to_keep(file, form, wanted)
    if kept is None or form.blocks is None:
        return form.read(file, asked, folder)
    with limited(float("inf")):  # little of it is held
        source = form.blocks(file, asked, folder)
        return SampledReading(source, SampleWanted(kept, wanted.seed, wanted.groups), wanted.on_rows).contents()


def rows_to_keep(file: Path, form: Format, wanted: Wanted) -> int | None:
    """How many rows of a file are kept at most; None for all."""
    sample = wanted.sample
    if sample is not None and (isinstance(sample, bool) or not isinstance(sample, int) or sample < 1):
        raise ValueError(_("sample={value} must be a number of rows, such as 50000.").format(value=repr(sample)))
    if form.size is None:
        if sample is not None:
            raise ValueError(_("sample=…: {format} files are read as a whole; save the table as CSV.").format(format=form.name))
        return None
    return sample if sample is not None else rows_that_fit(form.size(file), wanted.max_memory)


def questions(file: Path, like: Dialect | None, given: Mapping[str, Any], also_missing: Sequence[str]) -> Questions:
    """What is to be asked of a file, whose kind is known. What an earlier file of another kind has said goes for types alone,
    and for tokens of missing cells if that was CSV."""
    known = replace(Dialect(), **given)
    found = known.kind if "kind" in given else kind(file, head(file)[0])
    refuse_options(found, given)
    if like is not None and like.kind != found:
        given = {"types": like.types, **({"missing": like.missing} if like.kind == "csv" else {}), **given}
        like = None
    asked = Questions(given, like, also_missing)
    asked.ask("kind", lambda: (found, _("by its first bytes")))
    return asked


# ---- what is too large -----------------------------------------------------------------------------------------------------


def unpacked_limit(place: Place, folder: str, allowed: float | None) -> float | None:
    """How large a packed file may become: as is allowed, or what the disk has room for, if a sample of it can be kept."""
    if allowed is not None:
        return allowed
    try:
        form = FORMATS[kind(place.file, place.beginning())]
    except ReadingError:
        return None
    return None if form.blocks is None else ROOM * shutil.disk_usage(folder).free


def size_of(file: Path, asked: Questions) -> TableSize:
    """About the size of a table."""
    size = FORMATS[asked.dialect.kind].size
    return TableSize(file.stat().st_size, 1.0) if size is None else size(file)


def refuse_too_large(places: Sequence[Place], sizes: Sequence[TableSize], wanted: Wanted) -> None:
    """A sample is drawn from one file only."""
    together = TableSize(sum(size.bytes for size in sizes), sum(size.rows for size in sizes))
    if wanted.sample is not None or rows_that_fit(together, wanted.max_memory) is not None:
        words = _(
            "A sample of the rows can be kept of one file, not of {count}: put their rows into one CSV or Parquet file, or "
            "allow more memory (max_memory=…)."
        )
        raise ReadingError(words.format(count=format_whole(len(places))))
