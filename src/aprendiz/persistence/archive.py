"""The container of a model: a ZIP archive whose members are stored as they are, one after the other, in a fixed order.

    arrays/0.npy  arrays/1.npy  …  model.json  model.sha256                                                   (1)

Nothing is compressed and nothing stands between the members, so the sizes in the directory add up to the size of the file:
an archive cannot unfold into more than it is, and an array is read from its place straight into its memory. The text of
model.json holds the CRC-32 of every array, and model.sha256 its own digest, in the form that `sha256sum -c` reads. That
notices accidents and edits; it is no signature.

A file is always whole (core/atomic.py): at any moment there is the old one or the new one.

Cost: one pass over the arrays to write or to read them, no copy of those that are contiguous.
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BufferedReader
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo
from zlib import crc32

import numpy as np

from aprendiz.core.atomic import sync_folder, whole_file
from aprendiz.core.rows import Array

MODEL, DIGEST = "model.json", "model.sha256"
LARGEST_TEXT = 2**26  # bytes of model.json: parsed, it may take twenty times as much
CHUNK = 2**20
LOCAL = struct.Struct("<4s22xHH")  # of a member's header: signature, …, length of its name and of its extra field
SINCE_1980 = (1980, 1, 1, 0, 0, 0)  # the time of every member: the same model gives the same bytes


class ModelFileError(ValueError):
    """A file cannot be loaded as a model."""


def array_member(number: int) -> str:
    return f"arrays/{number}.npy"


def array_header(dtype: np.dtype[Any], shape: tuple[int, ...], order: str) -> bytes:
    """The header of NumPy's format 1.0, padded with spaces to a multiple of 64 bytes."""
    text = f"{{'descr': {dtype.str!r}, 'fortran_order': {order == 'F'}, 'shape': {shape!r}, }}"
    length = -(len(text) + 11) % 64 + len(text) + 1
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", length) + text.ljust(length - 1).encode("ascii") + b"\n"


def order_of(array: Array) -> str:
    """F for arrays that are contiguous by columns only."""
    return "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"


def content(flat: Array) -> memoryview:
    """The bytes of a flat array, where they are."""
    return memoryview(flat.view(np.uint8).data)


# ---- writing ---------------------------------------------------------------------------------------------------------


def destination(path: str | os.PathLike[str]) -> Path:
    """The file that a path means, links followed; anything but a file or a free name is refused."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "A model is saved as a file; this is a folder, so add a name", str(path))
    if target.exists() and not target.is_file():
        raise ValueError(f"{path} is not a regular file: save the model under another name.")
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "The folder does not exist; create it first", str(target.parent))
    return target


def write(target: Path, arrays: list[Array], text: Callable[[list[int]], bytes]) -> None:
    """Write the members (1). `text` makes model.json from the CRCs of the arrays, which are known once they are written."""
    with whole_file(target) as file, ZipFile(file, "w") as archive:
        crcs = [add_array(archive, array_member(number), array) for number, array in enumerate(arrays)]
        document = text(crcs)
        add(archive, MODEL, document)
        add(archive, DIGEST, f"{sha256(document).hexdigest()}  {MODEL}\n".encode("ascii"))
    sync_folder(target.parent)


def add_array(archive: ZipFile, name: str, array: Array) -> int:
    """Add an array in NumPy's format. Returns the CRC of the member."""
    order = order_of(array)
    flat = np.ascontiguousarray(array.T if order == "F" else array).reshape(-1)
    return add(archive, name, array_header(array.dtype, array.shape, order), content(flat))


def add(archive: ZipFile, name: str, *pieces: bytes | memoryview) -> int:
    """Add a member, piece by piece. Returns its CRC."""
    info = ZipInfo(name, SINCE_1980)
    info.create_system, info.external_attr = 3, 0o644 << 16  # the same on every system
    info.file_size = sum(len(piece) for piece in pieces)  # tells zipfile whether 32 bits are enough
    with archive.open(info, "w") as member:
        for piece in pieces:
            for start in range(0, len(piece), CHUNK):
                member.write(piece[start : start + CHUNK])
    return info.CRC


# ---- reading ---------------------------------------------------------------------------------------------------------


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[BufferedReader]:
    """A regular file, open for reading."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "A model is one file; this is a folder, so name the file in it", str(path))
    if not stat.S_ISREG(mode):
        raise ModelFileError(f"{path}: it is not a regular file: give the name of a file that was saved.")
    with open(path, "rb") as file:
        yield file


class Archive:
    """The members of an open file, each with its place: nothing is read that has not been checked."""

    def __init__(self, file: BufferedReader):
        self.file = file
        self.places = places(file)
        self.arrays = len(self.places) - 2

    def document(self) -> dict[str, Any]:
        """model.json, if its digest is the one that was written."""
        if MODEL not in self.places:
            raise ModelFileError(f"it has no {MODEL}, so it is not a model: give a file that `save` wrote.")
        text = self.text(MODEL)
        document = json.loads(text, parse_constant=refuse_constant)
        refuse_other_formats(document)
        expected = [*map(array_member, range(self.arrays)), MODEL, DIGEST]
        if list(self.places) != expected:
            odd = next((name for name in self.places if name not in expected), "a member")
            raise ModelFileError(f"its members are not those of a model ({odd!r} is missing or out of place): save it again.")
        if self.text(DIGEST) != f"{sha256(text).hexdigest()}  {MODEL}\n".encode("ascii"):
            raise ModelFileError(f"{MODEL} was changed after it was saved: restore the file, or save the model again.")
        return dict(document)

    def text(self, name: str) -> bytes:
        begin, size = self.places[name]
        if size > LARGEST_TEXT:
            raise ModelFileError(f"{name} has {size} bytes, more than the {LARGEST_TEXT} of any model: save it again.")
        return read_at(self.file, begin, size)

    def array(self, crc: int, number: int, dtype: np.dtype[Any], shape: tuple[int, ...], order: str) -> Array:
        """An array, read into its own memory. Its header, size and CRC must be those that model.json gives."""
        name, header = array_member(number), array_header(dtype, shape, order)
        begin, size = self.places[name]
        if size != len(header) + math.prod(shape) * dtype.itemsize or read_at(self.file, begin, len(header)) != header:
            raise ModelFileError(f"{name} is not the array that {MODEL} describes: restore the file, or save the model again.")
        flat = np.empty(math.prod(shape), dtype)
        room, found = content(flat), crc32(header)
        for start in range(0, len(room), CHUNK):
            piece = room[start : start + CHUNK]
            if self.file.readinto(piece) != len(piece):
                raise ModelFileError("it became shorter while it was read: load it again.")
            found = crc32(piece, found)
        if found != crc:
            raise ModelFileError(f"{name} was changed after it was saved: restore the file, or save the model again.")
        return flat.reshape(shape, order="F" if order == "F" else "C")


def places(file: IO[bytes]) -> dict[str, tuple[int, int]]:
    """Where the content of each member begins, and its size; members that overlap, leave gaps or are packed are refused."""
    file.seek(0)
    if file.read(4) != b"PK\x03\x04":
        raise ModelFileError("it is not a model file: give a file that `save` wrote.")
    try:
        with ZipFile(file) as archive:
            members, directory, comment = archive.infolist(), archive.start_dir, archive.comment
    except BadZipFile as error:
        raise ModelFileError(f"it is cut short or damaged ({error}): restore the file, or save the model again.") from error
    found: dict[str, tuple[int, int]] = {}
    end = 0
    for member in members:
        begin = content_of(file, member)
        plain = member.compress_type == ZIP_STORED and not member.flag_bits and member.compress_size == member.file_size
        if not plain or member.header_offset != end or member.filename in found:
            raise ModelFileError(f"its member {member.filename!r} was packed by another program: save the model again.")
        found[member.filename] = begin, member.file_size
        end = begin + member.file_size
    if end != directory or comment or read_at(file, os.fstat(file.fileno()).st_size - 22, 4) != b"PK\x05\x06":
        raise ModelFileError("it has bytes that belong to no member: restore the file, or save the model again.")
    return found


def content_of(file: IO[bytes], member: ZipInfo) -> int:
    """Where the content of a member begins: after its own header, which must have its name."""
    signature, name, extra = LOCAL.unpack(read_at(file, member.header_offset, LOCAL.size))
    if signature != b"PK\x03\x04" or file.read(name) != member.orig_filename.encode("ascii"):
        raise ModelFileError("it is damaged where a member begins: restore the file, or save the model again.")
    return member.header_offset + LOCAL.size + int(name) + int(extra)


def read_at(file: IO[bytes], begin: int, size: int) -> bytes:
    file.seek(begin)
    found = file.read(size)
    if len(found) != size:
        raise ModelFileError("it is cut short: restore the file, or save the model again.")
    return found


def refuse_other_formats(document: Any) -> None:
    """The one thing that every format keeps: model.json is an object with `format` and `aprendiz`."""
    number = document.get("format") if isinstance(document, dict) else None
    if type(number) is not int:
        raise ModelFileError(f"{MODEL} has no format number, so it is not a model: give a file that `save` wrote.")
    if number != 1:
        writer = str(document.get("aprendiz"))[:40]
        raise ModelFileError(f"it has format {number}, which this version cannot read: install aprendiz {writer} or later.")


def refuse_constant(name: str) -> None:
    raise ModelFileError(f"{MODEL} holds {name}, which is not JSON: save the model again.")
