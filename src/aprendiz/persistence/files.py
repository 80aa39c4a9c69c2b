"""Save a model to a file, and load it: data only, checked when it is written and when it is read.

    save:   model → nodes and arrays (encoding.py) → read back at once and asked about the check rows → archive.py
    load:   archive.py → nodes → model (decoding.py, storable.py) → asked about the check rows (check_rows.py)

A file holds no code and no pickle. Loading one makes objects of the classes on a closed list, without calling their
constructors, and fails with a `ModelFileError` if anything is not as `save` writes it.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator

from aprendiz.persistence.archive import LARGEST_TEXT, Archive, ModelFileError, destination, opened, write
from aprendiz.persistence.check_rows import agree, as_input, candidates, is_large, outputs
from aprendiz.persistence.decoding import Reader
from aprendiz.persistence.encoding import Writer

VERSIONS = ("aprendiz", "scikit-learn", "numpy")
KEYS = {"format", *VERSIONS, "model", "check", "crc32", "nodes"}


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Save a model to a file; `load` gives it back.

    Parameters
    ----------
    model : learner
        A learner of aprendiz, or a pipeline, search or other scikit-learn model made of parts that can be stored
        (docs/model-format.md lists them), fitted or not.
    path : str or path
        The file, by custom with the suffix `.apz`. It is replaced at once when the new one is complete; if anything fails,
        the old one stays. A link is followed.

    Examples
    --------
    >>> aprendiz.save(model, "model.apz")  # doctest: +SKIP
    >>> aprendiz.load("model.apz").predict(X)  # doctest: +SKIP
    """
    if not isinstance(model, BaseEstimator):
        raise TypeError(f"save stores a model, got {type(model).__name__}: give a learner, a pipeline or a search.")
    target = destination(path)
    writer = Writer()
    number = writer.value(model, type(model).__name__)
    check = examined(model, read_back(writer, number), writer)
    text = document(writer, number, check)
    for said in writer.left_out:
        warnings.warn(said, UserWarning, stacklevel=2)
    write(target, writer.arrays, text)


def read_back(writer: Writer, number: list[int]) -> Any:
    """The model as it will be loaded; its arrays are those of the original."""
    reader = Reader(lambda number, *_: writer.arrays[number])
    try:
        reader.read(writer.nodes)
    except ModelFileError as error:
        raise TypeError(f"The model cannot be stored: when it is read again, {error}") from error
    return reader.value(number)


def examined(model: Any, copy: Any, writer: Writer) -> dict[str, Any]:
    """Check rows and what the model says of them; a copy that says something else is not worth storing."""
    rows, names, said = accepted(copy if is_large(model) else model)  # a copy with the very same arrays is asked alone
    if not said:
        return {"none": "no rows were found that the model accepts, or it is not fitted"}
    copied = said if is_large(model) else outputs(copy, as_input(rows, names))
    other = [name for name, value in said.items() if not agree(value, copied.get(name))]
    if other:
        again = outputs(model, as_input(rows, names))
        for name in other:
            if agree(said.pop(name), again[name]):  # else it draws its answers, and they cannot be compared
                raise TypeError(f"{type(model).__name__}.{name} gives other outputs after loading: it cannot be stored.")
    stored = {name: writer.value(value, name) for name, value in said.items()}
    return {"rows": writer.value(rows, "rows"), "names": writer.value(names, "names"), "outputs": stored}


def accepted(model: Any) -> tuple[Any, Any, dict[str, Any]]:
    """The first check rows that a model accepts, the names of their columns if it wants a frame, and what it says."""
    with suppress(Exception):  # attributes that are not what they are elsewhere: the model is stored without check rows
        for rows, names in candidates(model):
            with suppress(Exception):  # rows that are not for this model, whatever it says about them
                if said := outputs(model, as_input(rows, names)):
                    return rows, names, said
    return None, None, {}


def document(writer: Writer, model: list[int], check: dict[str, Any]) -> Callable[[list[int]], bytes]:
    """The text of model.json, but for the CRCs of the arrays."""
    versions = dict(zip(VERSIONS, (import_module("aprendiz").__version__, sklearn.__version__, np.__version__), strict=True))
    nodes = json.dumps(writer.nodes, separators=(",", ":"), allow_nan=False)

    def text(crcs: list[int]) -> bytes:
        head = json.dumps({"format": 1, **versions, "model": model, "check": check, "crc32": crcs}, separators=(",", ":"))
        return f'{head[:-1]},"nodes":{nodes}}}'.encode("ascii")

    if (size := len(text([2**32] * len(writer.arrays)))) > LARGEST_TEXT:
        raise TypeError(f"The model holds {size} bytes of Python values, more than can be stored: keep them in NumPy arrays.")
    return text


# ---- loading ---------------------------------------------------------------------------------------------------------


def load(path: str | os.PathLike[str], *, check: bool = True) -> Any:
    """Load a model that `save` wrote.

    Parameters
    ----------
    path : str or path
        The file.
    check : bool, default=True
        Whether to check that the model still gives the same outputs for its check rows as when it was saved.

    Returns
    -------
    model : learner
        The model, with the attributes it had.

    Raises
    ------
    ModelFileError
        If the file is damaged, was edited, is from a later version, is not a model, or gives other outputs.
    """
    with opened(path) as file:
        try:
            model, content = described(Archive(file), check=check)
        except ModelFileError as error:
            raise ModelFileError(f"{os.fspath(path)}: {error}") from error
        except Exception as error:  # whatever a damaged file makes of itself
            said = f"{type(error).__name__}: {error!s:.200}"
            raise ModelFileError(f"{os.fspath(path)}: it does not describe a model ({said}): save the model again.") from error
    tell_other_version(path, content)
    return model


def described(archive: Archive, *, check: bool) -> tuple[Any, dict[str, Any]]:
    """The model that an archive describes, and its model.json."""
    content = archive.document()
    if content.keys() != KEYS or not all(isinstance(content[name], str) for name in VERSIONS):
        raise ModelFileError("its model.json has other parts than a model: save the model again.")
    crcs = content["crc32"]
    reader = Reader(lambda number, *array: archive.array(crcs[number], number, *array))
    reader.read(content["nodes"])
    if reader.arrays != archive.arrays:
        raise ModelFileError("it has arrays that belong to nothing: save the model again.")
    model = reader.value(content["model"])
    if not isinstance(model, BaseEstimator):
        raise ModelFileError("it holds no model: give a file that `save` wrote.")
    if check and "outputs" in content["check"]:
        compare(model, reader, content)
    return model, content


def compare(model: Any, reader: Reader, content: dict[str, Any]) -> None:
    """Ask the model about its check rows again."""
    check = content["check"]
    rows, names = reader.value(check["rows"]), reader.value(check["names"])
    given = as_input(rows, names)
    if given is None:
        return  # a model for frames, where no library for frames is installed
    said = outputs(model, given, check["outputs"])
    for name, stored in check["outputs"].items():
        if name not in said or not agree(reader.value(stored), said[name]):
            raise ModelFileError(
                f"{type(model).__name__}.{name} gives other outputs for the check rows than when it was saved (with "
                f"scikit-learn {content['scikit-learn']}, numpy {content['numpy']}): fit the model again, or load it with "
                "check=False to look at it."
            )


def tell_other_version(path: str | os.PathLike[str], content: dict[str, Any]) -> None:
    """Parts of scikit-learn may mean something else in another version of it."""
    written, here = content["scikit-learn"], sklearn.__version__
    if written.split(".")[:2] == here.split(".")[:2]:
        return
    if any(node["kind"] == "model" and node["name"].startswith("sklearn.") for node in content["nodes"]):
        warnings.warn(
            f"{os.fspath(path)} holds parts of scikit-learn {written:.20}; this is {here}. Install that version, or fit the "
            "model again.",
            UserWarning,
            stacklevel=3,
        )
