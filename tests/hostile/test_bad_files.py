"""Bad files: damaged, with bad cells, with other columns. Refused with the name of the file, the place and the remedy.

The tables stand for all that a fit may read from; one learner for each way through the door stands for all.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import cache

import numpy as np
import pandas as pd
import pytest
from laws.subjects import BY_DOOR

import aprendiz
from hostile.attack import NAMES, answers, changed, differs, framed, good, learners, make, target, unclear

REMEDY = re.compile(
    r"leave|impute|replace|encode|rename|reshape|remove|write it|correct|ask for|choose|use |scale|call|pass|give|need|make"
    r"|must|expect|required|bin |count from",
    re.IGNORECASE,
)


def says_of_new_rows(cls):
    """Has the learner a say on new rows?"""
    return any(hasattr(cls, name) for name in ("predict", "transform", "score_samples", "kneighbors"))


by_door = learners(lambda cls: cls in BY_DOOR and "files" not in cls.exceptions)
of_new_rows = learners(lambda cls: cls in BY_DOOR and "files" not in cls.exceptions and says_of_new_rows(cls))


@contextmanager
def kept(cls):
    """A fitted model that holds the very same attributes afterwards."""
    model = fitted(cls)
    before = dict(vars(model))
    yield model
    assert changed(model, before) == []


@cache
def fitted(cls):
    """A model for all tests: none may change it."""
    return make(cls).fit(good(cls), target(cls))


def table(cls):
    frame = framed(cls)
    return frame if cls.target == "none" else frame.assign(y=target(cls))


def opened(cls, path):
    return aprendiz.rows(path, target=None if cls.target == "none" else "y")


def refused_file(cls, path, *parts, kinds=(ValueError,)):
    """Opening the file or fitting to it is refused with the name of the file; the fit before is as it was."""
    with kept(cls) as model, pytest.raises(kinds) as error:
        model.fit(opened(cls, path))
    message = str(error.value)
    assert unclear(message, (path.name, *parts)) is None
    assert REMEDY.search(message) or kinds != (ValueError,), f"no remedy in: {message}"


@by_door
def test_damaged_parquet(cls, tmp_path):
    """A Parquet file that was cut off, or whose pages were overwritten, is refused with its name and the remedy."""
    path = tmp_path / "damaged.parquet"
    table(cls).to_parquet(path)
    content = path.read_bytes()
    for share in (0.0, 0.1, 0.5, 0.99):
        path.write_bytes(content[: int(share * len(content))])
        refused_file(cls, path, "write it again")
    path.write_bytes(content[:4] + bytes(196) + content[200:])
    refused_file(cls, path, "write it again")


@by_door
def test_files_that_are_not_there(cls, tmp_path):
    """A file, a pattern or a folder without tables: FileNotFoundError with the path."""
    for path in (tmp_path / "nowhere.parquet", tmp_path / "*.csv", tmp_path):
        refused_file(cls, path, kinds=(FileNotFoundError,))


@by_door
def test_bad_cells_of_files(cls, tmp_path):
    """A cell that is no number is refused with file, column, row and value, at fit and at new rows."""
    for kind, bad in [(kind, bad) for kind in ("parquet", "csv") for bad in ("word", "missing", "infinite")]:
        if bad != "missing" or "missing" not in cls.allows:  # missing cells have a meaning there
            refused_cell_of_a_file(cls, kind, bad, tmp_path / f"{bad}.{kind}")


def refused_cell_of_a_file(cls, kind, bad, path):
    frame = table(cls).astype({"weight": object})
    frame.loc[21, "weight"] = {"word": "heavy", "missing": None, "infinite": np.inf}[bad]
    if kind == "parquet":
        frame["weight"] = frame["weight"].astype(str) if bad == "word" else frame["weight"].astype(float)
    frame.to_parquet(path) if kind == "parquet" else frame.to_csv(path, index=False)
    row = "row 0" if (kind, bad) == ("parquet", "word") else "row 21"  # a column of words has its first word in row 0
    shown = {"word": "'heavy'" if kind == "csv" else str(good(cls)[0, 1]), "missing": "missing", "infinite": "inf"}[bad]
    refused_file(cls, path, "'weight'", shown, row)
    if not says_of_new_rows(cls):
        return
    rows = aprendiz.rows(path, columns=NAMES)

    with kept(cls) as model, pytest.raises(ValueError, match="'weight'"):
        answers(model, rows)


@learners(lambda cls: cls in BY_DOOR and "files" not in cls.exceptions and cls.target != "none")
def test_targets_missing_in_files(cls, tmp_path):
    """A row without a target is refused with file, column and row."""
    frame = table(cls).astype({"y": object if cls.target == "classes" else float})
    frame.loc[33, "y"] = None
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv", index=False)
    for path in (tmp_path / "t.parquet", tmp_path / "t.csv"):
        refused_file(cls, path, "'y'", "row 33")


@of_new_rows
def test_files_with_other_columns(cls, tmp_path):
    """Rows of a file with other columns than those of the fit are refused with a name that is wrong."""
    right, bad, short = tmp_path / "right.parquet", tmp_path / "bad.parquet", tmp_path / "short.parquet"
    table(cls).to_parquet(right)
    pd.DataFrame(good(cls), columns=["height", "shoe size", "age"]).to_parquet(bad)
    pd.DataFrame(good(cls)[:, :2], columns=NAMES[:2]).to_parquet(short)
    model = make(cls).fit(opened(cls, right))
    before = answers(model, framed(cls))
    for path, name in ((bad, "shoe size"), (short, "age")):
        with pytest.raises(ValueError, match=name):
            answers(model, aprendiz.rows(path))
    assert differs(answers(model, framed(cls)), before, 0.0) is None


@learners(lambda cls: cls.target == "classes" and cls.least_classes > 1 and "files" not in cls.exceptions)
def test_one_class_in_a_file(cls, tmp_path):
    """A file whose target has one class is refused with the class, by who needs two."""
    table(cls).assign(y="no").to_parquet(tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"class.*'no'|'no'.*class"):
        cls().fit(aprendiz.rows(tmp_path / "t.parquet", target="y"))
