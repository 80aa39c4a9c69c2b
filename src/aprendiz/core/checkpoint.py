"""States on disk: a fit that is interrupted goes on where it was.

A checkpoint is a NumPy archive (JSON and arrays, never pickle) whose name is a fingerprint of what decides the states: the
learner, its parameters and the data. Two fits never share a file, and a fit never finds another one's state.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self
from zipfile import BadZipFile

import numpy as np

from aprendiz.core.atomic import write_whole
from aprendiz.core.rows import Block, Rows
from aprendiz.core.sums import Sums

NOT_DECISIVE = {"max_iter", "n_estimators", "n_jobs", "verbose"}  # parameters that say how long or how loudly, not what


class Checkpoint:
    """The file of one fit: named by learner, parameters and data, so that two fits never share one."""

    def __init__(self, folder: Path, learner: Any, rows: Rows):
        name = type(learner).__name__
        self.path = folder / f"{name}-{fingerprint(name, learner, rows)}.npz"

    def load(self, kind: type) -> Any:
        """The stored state, if there is one."""
        if not self.path.exists():
            return None
        try:
            with open(self.path, "rb") as file, np.load(file, allow_pickle=False) as stored:
                plain = json.loads(str(stored["plain"]))
                arrays = {name.removeprefix("array."): stored[name] for name in stored.files if name != "plain"}
            return kind(**plain, **arrays)
        except (ValueError, OSError, KeyError, TypeError, EOFError, BadZipFile) as error:
            raise ValueError(f"The checkpoint {self.path} cannot be read ({error}): remove it to start afresh.") from error

    def save(self, state: Any) -> None:
        """There is always a whole checkpoint or none."""
        values = {f.name: getattr(state, f.name) for f in fields(state)}
        arrays = {f"array.{name}": value for name, value in values.items() if isinstance(value, np.ndarray)}
        plain = {name: value for name, value in values.items() if not isinstance(value, np.ndarray)}
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, plain=np.array(json.dumps(plain)), **arrays)
        write_whole(self.path, content.getbuffer())


def fingerprint(name: str, learner: Any, rows: Rows) -> str:
    """A hash of what decides the states: the class, its parameters (but how long it may run) and the data."""
    digest = blake2b(f"{name} {rows.columns}".encode(), digest_size=12)
    for parameter, value in sorted(learner.get_params(deep=False).items()):
        if parameter not in NOT_DECISIVE - learner.decisive():
            digest.update(parameter.encode() + parameter_bytes(parameter, value))
    digest.update(b"".join(rows.sum(Digests.of).blocks))
    return digest.hexdigest()


@dataclass(frozen=True)
class Digests(Sums):
    """A hash of each block, in order."""

    blocks: tuple[bytes, ...]

    @classmethod
    def of(cls, block: Block) -> Self:
        digest = blake2b(digest_size=12)
        for part in (block.X, block.y, block.weight):
            digest.update(b"none" if part is None else array_bytes(part))
        return cls((digest.digest(),))


def parameter_bytes(parameter: str, value: Any) -> bytes:
    """A parameter as it can be known again, in another process too."""
    if isinstance(value, np.random.RandomState):
        kind, keys, *rest = value.get_state(legacy=True)
        return f"{kind} {rest}".encode() + array_bytes(keys)
    if hasattr(value, "__array__"):
        return array_bytes(value)
    if isinstance(value, (list, tuple)):  # of arrays, perhaps: splits, members
        return b"%d " % len(value) + b" ".join(parameter_bytes(parameter, one) for one in value)
    if callable(value) or " at 0x" in repr(value):
        raise ValueError(f"{parameter}={value!r} has no stable fingerprint, so this fit cannot be checkpointed.")
    return repr(value).encode()


def array_bytes(array: Any) -> bytes:
    """Shape, type and bytes of an array: its `repr` leaves digits and entries out."""
    array = np.ascontiguousarray(array)
    return f"{array.shape} {array.dtype}".encode() + array.tobytes()
