"""Finished folds on disk, so that an experiment that was stopped goes on where it was.

Each fold of each method is a file of its own (JSON and arrays, never pickle), written beside and then renamed: there is a whole
fold or none. The key of the experiment (what was read, asked and tried) stands beside them; folds of another experiment
are never taken for those of this one.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from aprendiz.core.atomic import write_whole
from aprendiz.evaluation.evaluation import Fold
from aprendiz.locale import _

FOLDS, KEY = "folds", "key.json"
ARRAYS = ("test", "prediction", "probability", "classes", "decision")
PLAIN = tuple(field.name for field in fields(Fold) if field.name not in ARRAYS)


def difference(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """In what two keys of experiments differ; of several things, the one that entails others."""
    words = {
        "version": _("the version of aprendiz"),
        "file": _("the table"),
        "sample": _("the sample of the rows"),
        "target": _("the target"),
        "task": _("the task"),
        "groups": _("the groups"),
        "features": _("the columns used"),
        "dialect": _("how the table is read"),
        "metric": _("the measure"),
        "protocol": _("the protocol"),
        "inner": _("the tuning"),
        "selection": _("the selection of columns"),
        "costs": _("the costs"),
        "transform": _("the transformation of the target"),
    }
    return next((words[name] for name in words if before.get(name) != now.get(name)), "key.json")


def earlier_sample(home: Path) -> dict[str, int]:
    """How many rows a run that was stopped used of its table, if not all: the same are used when it goes on."""
    try:
        known = json.loads((home / FOLDS / KEY).read_text(encoding="utf-8"))
        return {"sample": int(known["sample"][0])}
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return {}  # none, or damaged: then the store says so


class FoldStore:
    """The folder of the finished folds of one experiment."""

    def __init__(self, folder: Path, key: Mapping[str, Any]):
        self.folder, self.key = folder, json.loads(json.dumps(key, sort_keys=True))

    def start(self, *, resume: bool) -> None:
        """Make the folder, or look whether it belongs to this experiment."""
        note = self.folder / KEY
        if resume and (note.exists() or any(self.folder.glob("*.npz"))):
            before = self.key_before(note)
            if before != self.key:
                raise ValueError(
                    _("{folder} belongs to another run ({what} differs): choose another folder.").format(
                        folder=self.folder.parent, what=difference(before, self.key)
                    )
                )
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(note, json.dumps(self.key, indent=1, sort_keys=True).encode())

    def key_before(self, note: Path) -> dict[str, Any]:
        """The key of the folds that are there."""
        try:
            found = json.loads(note.read_text(encoding="utf-8"))
        except (ValueError, FileNotFoundError):
            found = None
        if not isinstance(found, dict):
            raise ValueError(
                _("{file} is missing or damaged, so the folds beside it cannot be used: choose another folder.").format(
                    file=note
                )
            )
        return found

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
        if not set(PLAIN) <= plain.keys():
            return None
        plain["warnings"] = tuple((text, int(times)) for text, times in plain["warnings"])
        plain["certificate"] = None if plain["certificate"] is None else tuple(plain["certificate"])
        plain["columns"] = None if plain["columns"] is None else tuple(plain["columns"])
        return Fold(**{"probability": None, "classes": None, **plain, **arrays})

    def path(self, method: str, number: int) -> Path:
        return self.folder / f"{method}-{number}.npz"
