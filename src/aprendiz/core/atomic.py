"""Small files that are always whole: written beside, brought to the disk, then renamed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any


def write_whole(path: Path, content: Any) -> None:
    """Replace a file by some bytes: a reader finds the old file or the new one, never a part; nor is a part left behind."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        error.filename = str(path)  # not the part beside it; a full disk names no file at all
        raise
    finally:
        with suppress(OSError):
            part.unlink()
