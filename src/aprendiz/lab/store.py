"""Finished folds on disk, so that an experiment that was stopped goes on where it was.

Each fold of each method is a file of its own (JSON and arrays, never pickle), written beside and then renamed: there is a whole
fold or none. The key of the experiment (what was read, asked and tried) stands beside them; folds of another experiment
are never taken for those of this one.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from aprendiz.core.atomic import write_whole
from aprendiz.evaluation.evaluation import Fold
from aprendiz.locale import _

ARRAYS = ("test", "prediction", "probability", "classes")


def key_in_words(name: str) -> str:
    """What a part of the key of an experiment is."""
    words = {
        "version": _("the version of aprendiz"),
        "file": _("the table"),
        "dialect": _("how the table is read"),
        "target": _("the target"),
        "task": _("the task"),
        "metric": _("the measure"),
        "protocol": _("the protocol"),
        "features": _("the columns used"),
        "groups": _("the groups"),
        "inner": _("the tuning"),
    }
    return words.get(name, name)


class FoldStore:
    """The folder of the finished folds of one experiment."""

    def __init__(self, folder: Path, key: Mapping[str, Any]):
        self.folder, self.key = folder, json.loads(json.dumps(key, sort_keys=True))

    def start(self, *, resume: bool) -> None:
        """Make the folder, or look whether it belongs to this experiment."""
        note = self.folder / "key.json"
        if resume and note.exists():
            before = json.loads(note.read_text(encoding="utf-8"))
            if before != self.key:
                changed = next(name for name in (*self.key, *before) if before.get(name) != self.key.get(name))
                raise ValueError(
                    _("{folder} belongs to another run, {what} differs: choose another folder.").format(
                        folder=self.folder.parent, what=key_in_words(changed)
                    )
                )
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(note, json.dumps(self.key, indent=1, sort_keys=True).encode())

    def save(self, method: str, fold: Fold) -> None:
        """Keep a finished fold."""
        arrays = {name: getattr(fold, name) for name in ARRAYS if getattr(fold, name) is not None}
        plain = {name: value for name, value in vars(fold).items() if name not in ARRAYS}
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, plain=np.array(json.dumps(plain)), **arrays)
        write_whole(self.path(method, fold.number), content.getvalue())

    def load(self, method: str, number: int) -> Fold | None:
        """A fold that was finished before; None if there is none, or it cannot be read."""
        path = self.path(method, number)
        if not path.exists():
            return None
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as stored:
                plain = json.loads(str(stored["plain"]))
                arrays = {name: stored[name] for name in ARRAYS if name in stored.files}
        except (ValueError, OSError, KeyError, EOFError, BadZipFile):
            return None
        plain["warnings"] = tuple((text, int(times)) for text, times in plain["warnings"])
        return Fold(**{"probability": None, "classes": None, **plain, **arrays})

    def path(self, method: str, number: int) -> Path:
        return self.folder / f"{method}-{number}.npz"
