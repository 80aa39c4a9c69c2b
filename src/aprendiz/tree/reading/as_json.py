"""A tree as plain JSON, and back.

    {"format": "aprendiz tree", "version": 1,
     "names": [...], "columns": [{"name", "kind", "levels", "missing"}, ...] or null, "notes": [...],
     "classes": [...] or null, "costs": [[...]] or null, "answers": [...],
     "nodes": {the arrays of tree/shared/nodes.py by name, numbers that do not exist as null}}

Numbers are written with all their digits, so that a tree comes back bit by bit. What is read is checked
(tree/reading/checks.py): a file that was changed by hand is refused with a sentence, it never leads outside an array.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.tree.reading.checks import check_labelled
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.reading.split_words import plain_prediction
from aprendiz.tree.shared.nodes import ARRAYS, Tree

FORMAT, VERSION = "aprendiz tree", 1
KEYS = ("names", "columns", "notes", "classes", "costs", "answers", "nodes")
FLOATS = ("threshold", "impurity", "weighted_n_node_samples", "value", "surrogate_threshold", "surrogate_agreement")
SHORT = ("level_branch", "missing_branch", "surrogate_first", "surrogate_level_branch")


def to_json(labelled: Labelled, *, indent: int | None = None) -> str:
    """The tree as JSON text."""
    schema = labelled.schema
    content = {
        "format": FORMAT,
        "version": VERSION,
        "names": [plain_word("a column name", name) for name in labelled.names],
        "columns": None if schema is None else [column_entry(column) for column in schema.columns],
        "notes": [] if schema is None else list(schema.notes),
        "classes": None if labelled.classes is None else [plain_word("a class", label) for label in labelled.classes],
        "costs": None if labelled.costs is None else np.asarray(labelled.costs, float).tolist(),
        "answers": [plain_prediction(answer) for answer in labelled.answers],
        "nodes": {name: to_lists(getattr(labelled.tree, name)) for name in ARRAYS},
    }
    return json.dumps(content, indent=indent, ensure_ascii=False, allow_nan=False)


def from_json(text: str) -> Labelled:
    """The tree of a JSON text that `to_json` wrote."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"The text is not JSON ({error}): pass what to_json wrote.") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f'The text is not a tree: its "format" is not "{FORMAT}".')
    if content.get("version") != VERSION:
        raise ValueError(f"The tree has version {content.get('version')!r} of its format, but only {VERSION} can be read.")
    if lacking := [key for key in KEYS if key not in content]:
        raise ValueError(f"The tree has no {lacking[0]!r}: pass the whole text that to_json wrote.")
    classes, costs = content["classes"], content["costs"]
    labelled = Labelled(
        tree=read_nodes(content["nodes"]),
        names=tuple(read_list("names", content["names"])),
        schema=read_schema(content["columns"], content["notes"]),
        classes=None if classes is None else tuple(read_list("classes", classes)),
        costs=None if costs is None else array_of("costs", costs, np.float64),
        answers=tuple(tuple(one) if isinstance(one, list) else one for one in read_list("answers", content["answers"])),
    )
    check_labelled(labelled)
    return labelled


# ---- writing -------------------------------------------------------------------------------------------------------------


def to_lists(values: Array) -> list[Any]:
    """An array as lists; numbers that do not exist are None."""
    if values.dtype.kind != "f":
        return list(values.tolist())
    cells = values.astype(object)
    cells[np.isnan(values)] = None
    return list(cells.tolist())


def column_entry(column: Column) -> dict[str, Any]:
    levels = [plain_word(f"a level of column {column.name!r}", level) for level in column.levels]
    return {"name": plain_word("a column name", column.name), "kind": column.kind, "levels": levels, "missing": column.missing}


def plain_word(what: str, word: Any) -> Any:
    """A word that a text can hold: str, bool or number."""
    found = plain(word)
    if not isinstance(found, (str, bool, int, float)):
        raise TypeError(f"{found!r}, {what}, is of type {type(found).__name__}: only words and numbers can be written.")
    return found


# ---- reading -------------------------------------------------------------------------------------------------------------


def read_nodes(entry: Any) -> Tree:
    if not isinstance(entry, dict):
        raise ValueError(f'"nodes" of the tree must hold arrays by name, got {type(entry).__name__}.')
    if lacking := [name for name in ARRAYS if name not in entry]:
        raise ValueError(f"The nodes of the tree have no array {lacking[0]!r}: pass the whole text that to_json wrote.")
    arrays: dict[str, Any] = {name: array_of(name, entry[name], dtype_of(name)) for name in ARRAYS}
    return Tree(**arrays)


def dtype_of(name: str) -> type:
    return np.float64 if name in FLOATS else np.int32 if name in SHORT else np.int64


def array_of(name: str, values: Any, dtype: type) -> Array:
    """A list of numbers, or of such lists, as an array; whole numbers must be whole."""
    try:
        array = np.array(read_list(name, values), dtype=np.float64 if dtype is np.float64 else object)
        whole = array.dtype == np.float64 or all(type(value) is int for value in array.ravel())
        if not whole:
            raise ValueError
        return array.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        kind = "numbers" if dtype is np.float64 else "whole numbers"
        raise ValueError(f"{name!r} of the tree must be a list of {kind}: pass the text that to_json wrote.") from None


def read_list(name: str, values: Any) -> list[Any]:
    if not isinstance(values, list):
        raise ValueError(f"{name!r} of the tree must be a list, got {type(values).__name__}.")
    return values


def read_schema(columns: Any, notes: Any) -> Columns | None:
    if columns is None:
        return None
    found = list[Column]()
    for j, entry in enumerate(read_list("columns", columns)):
        if not isinstance(entry, dict) or not {"name", "kind", "levels", "missing"} <= set(entry):
            raise ValueError(f"Column {j} of the tree must have a name, a kind, levels and a number of missing cells.")
        found.append(Column(entry["name"], entry["kind"], tuple(read_list("levels", entry["levels"])), entry["missing"]))
    return Columns(tuple(found), tuple(map(str, read_list("notes", notes))))
