"""A run that is finished, as its results.json tells it: table, question, and the scores of the methods in each fold."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation.evaluation import Score
from aprendiz.locale import _

RESULTS = "results.json"
OLDEST = 2  # format that has the rows of the folds


@dataclass(frozen=True, eq=False, repr=False)
class FinishedRun(ShortRepr):
    """A run.

    Attributes
    ----------
    name : str
        Its folder.
    table, fingerprint, target, task, metric : str
        What was asked of which table; the fingerprint is a hash of its bytes.
    rows : int
    splits : str
        A hash of the test rows of all folds.
    done : ndarray
        The numbers of the folds that all methods have done.
    n_test, n_train : ndarray
        The rows of each of them.
    scores : mapping of methods to mappings of measures to Score
        With the value in each fold of `done`.
    """

    name: str
    table: str
    fingerprint: str
    target: str
    task: str
    metric: str
    rows: int
    splits: str
    done: Array
    n_test: Array
    n_train: Array
    scores: dict[str, dict[str, Score]]

    @property
    def asked(self) -> tuple[str, str]:
        """The same for runs on the same rows of the same target."""
        return self.fingerprint, self.target


def read_run(path: str | Path) -> FinishedRun:
    """The run of a results.json, or of the folder that holds one."""
    file = Path(path) / RESULTS if Path(path).is_dir() else Path(path)
    if not file.is_file():
        raise ValueError(
            _("{file} does not exist: give the folder of a run of aprendiz, or its results.json.").format(file=file)
        )
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
        if int(known["format"]) < OLDEST:
            words = _("{file} is from an older version, which did not keep the rows of the folds: do the run again.")
            raise OlderFormatError(words.format(file=file))
        return of_numbers(file.resolve().parent.name if file.name == RESULTS else file.stem, known)
    except OlderFormatError:
        raise
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError(
            _("{file} is not a results.json of aprendiz run: give the folder of a run, or its results.json.").format(file=file)
        ) from error


class OlderFormatError(ValueError):
    """A file that lacks what a comparison needs."""


def of_numbers(name: str, known: dict[str, Any]) -> FinishedRun:
    """The part of the numbers that a comparison needs."""
    table, question, folds = known["table"], known["question"], known["folds"]
    methods = {str(one["method"]): one for one in known["leaderboard"]}
    if len({tuple(one["scores"]) for one in methods.values()}) != 1:
        raise ValueError("no methods, or methods that were not judged by the same measures")
    done = np.array(folds["done"][next(iter(methods))], dtype=np.int64)
    return FinishedRun(
        name,
        str(table["name"]),
        str(table["fingerprint"]),
        str(question["target"]),
        str(question["task"]),
        str(question["metric"]),
        int(question["rows"]),
        str(folds["splits"]),
        done,
        np.array(folds["test_rows"], dtype=np.float64)[done],
        np.array(folds["training_rows"], dtype=np.float64)[done],
        {method: {m: of_score(m, s, len(done)) for m, s in one["scores"].items()} for method, one in methods.items()},
    )


def of_score(name: str, known: dict[str, Any], folds: int) -> Score:
    """A score; what does not exist (null) is NaN."""
    value, low, high = (np.nan if known[part] is None else float(known[part]) for part in ("value", "low", "high"))
    values = np.array(known["folds"], dtype=np.float64)
    if values.shape != (folds,):
        raise ValueError(name)
    return Score(name, value, low, high, values)
