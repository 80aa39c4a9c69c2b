"""Packed files: gzip, bzip2, xz and Zstandard, known by their first bytes.

A packed file is unpacked once, into a temporary folder: the passes over it cost no more than those over a plain one, and any
kind of file may be packed. A few megabytes can become more than a machine can hold: unpacking stops where the limit is passed.

Cost: one pass; on the disk, the size of the table.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from aprendiz.lab.opening import ReadingError, refuse_large
from aprendiz.locale import _

PIECE = 1 << 20  # bytes that are unpacked at a time
MOST_TIMES = 4  # that a file may be packed in itself


def zstandard(file: Path) -> Any:
    """The bytes of a file packed by Zstandard."""
    import pyarrow as pa

    return pa.input_stream(str(file), compression="zstd")


PACKINGS: dict[str, tuple[re.Pattern[bytes], Callable[[Path], Any]]] = {
    "gzip": (re.compile(rb"\x1f\x8b"), gzip.open),
    "bzip2": (re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), bz2.open),
    "xz": (re.compile(rb"\xfd7zXZ\0"), lzma.open),
    "Zstandard": (re.compile(rb"\x28\xb5\x2f\xfd"), zstandard),
}


class CountedBytes(io.RawIOBase):
    """Bytes of a source that is not read beyond the limit."""

    def __init__(self, file: Path, source: Any):
        self.file, self.source, self.count = file, source, 0

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        piece = self.source.read(len(target))
        target[: len(piece)] = piece
        self.count += len(piece)
        refuse_large(self.file, self.count)
        return len(piece)

    def close(self) -> None:
        if not self.closed:
            self.source.close()
        super().close()


def packing_of(file: Path) -> str:
    """How a file is packed; empty if it is not."""
    with file.open("rb") as plain:
        start = plain.read(16)
    return next((name for name, (pattern, _open) in PACKINGS.items() if pattern.match(start)), "")


def opened(file: Path) -> IO[bytes]:
    """The bytes of a file, unpacked."""
    packing = packing_of(file)
    if not packing:
        return file.open("rb")
    return io.BufferedReader(CountedBytes(file, PACKINGS[packing][1](file)), PIECE)


def unpacked(file: Path, folder: Path) -> Path:
    """The file, or a file of the same name in the folder that holds what was packed in it."""
    for time in range(MOST_TIMES):
        if not packing_of(file):
            return file
        target = folder / f"unpacked-{time}" / file.name
        target.parent.mkdir()
        with target.open("wb") as plain:
            for piece in pieces(file):
                plain.write(piece)
        file = target
    raise ReadingError(_("{file} is packed many times in itself: unpack it first.").format(file=file.name))


def pieces(file: Path) -> Iterator[bytes]:
    """What is packed in a file, piece by piece; a sentence if it is damaged."""
    try:
        with opened(file) as source:
            while piece := source.read(PIECE):
                yield piece
    except ReadingError:
        raise
    except (EOFError, zlib.error, lzma.LZMAError, ValueError, OSError) as error:
        if getattr(error, "errno", None):
            raise  # the disk
        problem = _("{file} is a damaged {packing} file: create it again.")
        raise ReadingError(problem.format(file=file.name, packing=packing_of(file))) from error
