"""Files that are always whole: the one writer of aprendiz.

    with whole_file(path) as file: …     written beside, brought to the disk, then renamed

A reader finds the old file or the new one, never a part. What is written has a name beside the destination that nobody can
guess, made for this writer alone: threads and processes that save to one path do not meet, and no link that somebody has put
there is followed. The permissions of a file that is replaced are kept; a new file gets those of the umask.

A link as destination means the file it points to. Devices, pipes and folders are not replaced by a file.

A writer that is killed leaves its part behind. Each writer holds a lock on its part, which ends with it however it ends; so
the next process that writes to the folder removes the parts whose locks it can take (`sweep`).

Why so: docs/decisions/0036-one-writer-for-files.md.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

try:
    import fcntl
except ImportError:  # Windows: parts are not swept there
    fcntl = None  # type: ignore[assignment]  # a module, or none

PART = re.compile(r"\..{1,40}\.[0-9a-f]{32}\.part", re.DOTALL)
_swept: set[Path] = set()


def write_whole(path: str | os.PathLike[str], content: Any) -> None:
    """Replace a file by some bytes."""
    with whole_file(path) as file:
        file.write(content)


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A new file to write to, which takes its place at the end; after an error the old one stays, and no part."""
    part = None
    try:
        target = destination(path)
        if target.parent not in _swept:
            sweep(target.parent)
            _swept.add(target.parent)
        part, file = new_part(target)
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if fcntl is not None:
                os.replace(part, target)  # while the lock is held
        if fcntl is None:
            os.replace(part, target)  # Windows does not rename a file that is open
    except OSError as error:
        if part is None or error.filename in (None, str(part)):  # a full disk names no file at all
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def destination(path: str | os.PathLike[str]) -> Path:
    """The file that a path means, links followed; what is there and is no file is refused."""
    with suppress(FileNotFoundError):
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise FileExistsError(errno.EEXIST, "It is not a regular file and is not replaced: choose another name", str(path))
    return Path(os.path.realpath(path))


def new_part(target: Path) -> tuple[Path, IO[bytes]]:
    """A file beside the target, for this writer alone, locked, with the permissions of the target."""
    kept = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    private = partial(os.open, mode=0o666 if kept is None else 0o600)  # until it has the permissions of the old file
    while True:
        part = target.with_name(f".{target.name[:40]}.{secrets.token_hex(16)}.part")
        file = open(part, "xb", opener=private)  # noqa: SIM115  (whoever writes closes it); x follows no link
        try:
            if kept is not None and hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), kept)
            if fcntl is None:
                return part, file
            with suppress(OSError):  # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file.fileno()).st_nlink:
                return part, file
        except BaseException:
            file.close()
            part.unlink(missing_ok=True)
            raise
        file.close()  # swept in the moment before it was locked: another one


def sweep(folder: Path) -> None:
    """Remove the parts in a folder whose writers are gone."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for part in [entry.path for entry in entries if PART.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)]:
            with suppress(OSError):  # a writer holds it, it is somebody else's, or it is gone
                remove_if_unlocked(part)


def remove_if_unlocked(part: str) -> None:
    handle = os.open(part, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(part)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Ask that a new name reaches the disk too, where a system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
