"""Calls of the command line in this process, the tables they get, and what they leave behind.

A call in this process saves the two seconds of imports that a process of its own needs.
"""

import csv
import io
import json
import os
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from aprendiz import load
from aprendiz.cli.main import main

QUICK = ("--folds", "2", "--methods", "GaussianNB")
WRITES = (  # of a quick run, in their order
    *("key.json", "DummyClassifier-0.npz", "GaussianNB-0.npz", "DummyClassifier-1.npz", "GaussianNB-1.npz"),
    *("model.apz", "results.json", "experiment.py", "report.html"),
)


@dataclass(frozen=True)
class Said:
    """What a call has said, and its exit code."""

    code: int
    out: str
    err: str


def call(*arguments):
    """A command, in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main([os.fspath(one) for one in arguments])
    return Said(code, out.getvalue(), err.getvalue())


# ---- tables ----------------------------------------------------------------------------------------------------------------


def columns_of(rows=40, seed=0):
    """Two measurements, a code with leading zeros, and a class that depends on the first measurement."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=rows)
    kind = np.where(size + 0.3 * rng.normal(size=rows) > 0, "big", "small")
    return {
        "size": [f"{one:.3f}" for one in size],
        "age": [f"{one:.2f}" for one in rng.uniform(20, 80, rows)],
        "code": [f"00{i % 3}" for i in range(rows)],
        "kind": kind.tolist(),
    }


def written(path, columns, *, separator=",", encoding="utf-8", ends="\n"):
    """A CSV file of some columns, by name; as pairs, if a name comes twice."""
    pairs = list(columns.items() if isinstance(columns, dict) else columns)
    with open(path, "w", encoding=encoding, newline="") as file:
        rows = csv.writer(file, delimiter=separator, lineterminator=ends)
        rows.writerow([name for name, _cells in pairs])
        rows.writerows(zip(*(cells for _name, cells in pairs), strict=True))
    return Path(path)


def cells_of(path, *, separator=",", encoding="utf-8"):
    """The columns of a CSV file, as pairs of a name and cells."""
    with open(path, encoding=encoding, newline="") as file:
        return [(name, cells) for name, *cells in zip(*csv.reader(file, delimiter=separator), strict=True)]


# ---- what is left behind -----------------------------------------------------------------------------------------------


def tree(folder):
    """Every file below a folder with its bytes, every folder with None."""
    found = sorted(Path(folder).rglob("*"))
    return {str(one.relative_to(folder)): one.read_bytes() if one.is_file() else None for one in found}


def parts(folder):
    """Files that were being written, and have not got their names."""
    return [one.name for one in Path(folder).rglob("*.part")]


def assert_whole(folder):
    """Every file of a run that is there can be read to its end."""
    readers = {
        ".json": lambda file: json.loads(file.read_text(encoding="utf-8")),
        ".npz": lambda file: dict(np.load(io.BytesIO(file.read_bytes()), allow_pickle=False)),
        ".apz": load,
        ".py": lambda file: compile(file.read_text(encoding="utf-8"), str(file), "exec"),
        ".html": lambda file: file.read_text(encoding="utf-8").rstrip().index("</html>"),
        ".part": lambda file: None,
    }
    for file in Path(folder).rglob("*"):
        if file.is_file():
            readers[file.suffix](file)


def results(folder):
    return json.loads((Path(folder) / "results.json").read_text(encoding="utf-8"))


def scores(folder):
    """What results.json says but for times: the folds, the scores, what was predicted, and the model."""
    found = results(folder)
    methods = [{name: value for name, value in one.items() if name != "seconds"} for one in found["leaderboard"]]
    names = ("table", "question", "best", "failures", "folds", "stopped", "predictions", "model")
    return {"leaderboard": methods, **{name: found[name] for name in names}}
