"""Values as text and arrays: every object of a model becomes a node, and nodes refer only to nodes before them.

    value  =  null | true | false | number | string | [i]                     [i] is the object of node i
    node   =  {"kind": "list", "items": [value, …]}  |  {"kind": "array", …}  |  {"kind": "model", …}  |  …

So nothing contains itself, what is shared stays shared and is written once, and nodes are read in their order, without
recursion (decoding.py). The kinds and their fields are in docs/model-format.md. A value that has no kind is refused with its
path, before anything is written.

Cost: O(values); arrays are not touched.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import Bunch

from aprendiz.core.rows import Array
from aprendiz.persistence import storable
from aprendiz.persistence.archive import order_of

Node = dict[str, Any]

DEEPEST = 100  # nodes within nodes
WHOLE = 2**53  # larger integers do not survive readers that have only doubles
SURROGATE = re.compile("[\ud800-\udfff]")
DTYPE = re.compile(
    r"\|b1|\|[iu]1|[<>]([iu][248]|f2|f4|f8|f16|c8|c16|c32|U[1-9]\d{0,8}|[mM]8(\[\d*[A-Za-z]{1,2}\])?)|\|S[1-9]\d{0,8}"
)
SPARSE = {f"{form}_{what}": getattr(sparse, f"{form}_{what}") for form in ("coo", "csc", "csr") for what in ("array", "matrix")}
LEFT_OUT = {
    "_skl_callbacks": "callbacks are not stored; set them again after loading (set_callbacks)",
    "_metadata_request": "metadata requests are not stored; make them again after loading (set_fit_request, …)",
}
REMEDIES = {
    "joblib": "set it to None",
    "pandas": "keep its values as an array or a list",
    "polars": "keep its values as an array or a list",
    "scipy": "replace it by an array, a list or a csr matrix, or save best_estimator_ alone if this is a search",
    "sklearn": "use a learner of aprendiz, or save the parts that can be stored (docs/model-format.md)",
}


class Writer:
    """The nodes of some values, and their arrays."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.arrays: list[Array] = []
        self.left_out: list[str] = []
        self.numbers: dict[int, int] = {}
        self.kept: list[Any] = []  # so that no other object gets the id of one that has a number
        self.under_way: set[int] = set()

    def value(self, value: Any, path: str) -> Any:
        """What stands for a value: itself if JSON has it, else the number of its node."""
        kind = type(value)
        if value is None or kind is bool or (kind is float and math.isfinite(value)):
            return value
        if (kind is int and -WHOLE <= value <= WHOLE) or (kind is str and not SURROGATE.search(value)):
            return value
        if id(value) not in self.numbers:
            self.add(value, path)
        return [self.numbers[id(value)]]

    def add(self, value: Any, path: str) -> None:
        if id(value) in self.under_way:
            raise TypeError(f"{path}: this object contains itself and cannot be stored; take the inner reference out.")
        if len(self.under_way) == DEEPEST:
            raise TypeError(f"{path}: values nested deeper than {DEEPEST} cannot be stored; flatten them.")
        self.under_way.add(id(value))
        node = self.node(value, path)
        self.under_way.remove(id(value))
        self.kept.append(value)
        self.numbers[id(value)] = len(self.nodes)
        self.nodes.append(node)

    def node(self, value: Any, path: str) -> Node:
        kind: Any = type(value)
        if kind in WRITERS:
            return WRITERS[kind](self, value, path)
        if isinstance(value, np.generic) and can_hold(value.dtype):
            return {"kind": "scalar", "dtype": value.dtype.str, "hex": value.tobytes().hex()}
        if isinstance(value, np.dtype) and (can_hold(value) or value.str == "|O"):
            return {"kind": "dtype", "dtype": value.str}
        if SPARSE.get(kind.__name__) is kind and value.ndim == 2:
            return self.sparse(value, path)
        if (name := storable.record_name(kind)) is not None:
            return {"kind": "record", "name": name, "fields": self.held(value, [f.name for f in fields(value)], path)}
        if (name := storable.name_of(kind)) is not None and name in storable.BUILT:
            return {"kind": "built", "name": name, "arguments": self.held(value, storable.BUILT[name], path)}
        if name is not None:
            return self.model(name, value, path)
        if (name := storable.thing_name(value)) is not None:
            return {"kind": "named", "name": name}
        raise TypeError(f"{path}: {what_it_is(value)}.")

    def held(self, value: Any, names: Iterable[str], path: str) -> Node:
        return {name: self.value(getattr(value, name), f"{path}.{name}") for name in names}

    def model(self, name: str, value: Any, path: str) -> Node:
        cls: Any = type(value)
        held, known = vars(value), storable.parameters_of(cls)
        self.left_out += [f"{path}: {LEFT_OUT[attribute]}." for attribute in LEFT_OUT if attribute in held]
        attributes = [attribute for attribute in held if attribute not in known and attribute not in storable.FORGOTTEN]
        for attribute in attributes:
            if not storable.may_hold(cls, attribute):
                raise TypeError(f"{path}.{attribute} hides what the class has under that name; delete it before saving.")
        if wrong := storable.disagreement(name, held):
            raise TypeError(f"{path}: {wrong}.")
        parameters = self.held(value, known, path)
        return {"kind": "model", "name": name, "parameters": parameters, "attributes": self.held(value, attributes, path)}

    def sequence(self, value: Any, path: str) -> Node:
        named = isinstance(value, tuple) and len(value) > 1 and isinstance(value[0], str)  # as the steps of a pipeline
        places = [repr(value[0]) if named and i == 1 else str(i) for i in range(len(value))]
        items = [self.value(item, f"{path}[{place}]") for item, place in zip(value, places, strict=True)]
        return {"kind": type(value).__name__, "items": items}

    def unordered(self, value: Any, path: str) -> Node:
        in_order = sorted(value, key=lambda item: (type(item).__name__, repr(item)))  # the same bytes in every process
        return {"kind": type(value).__name__, "items": [self.value(item, path) for item in in_order]}

    def pairs(self, value: Any, path: str) -> Node:
        items = [[self.value(key, path), self.value(item, f"{path}[{key!r}]")] for key, item in value.items()]
        return {"kind": type(value).__name__.lower(), "items": items}

    def array(self, value: Array, path: str) -> Node:
        order = order_of(value)
        if value.dtype == object:
            flat = value.ravel(order="F" if order == "F" else "C").tolist()
            items = [self.value(item, f"{path}[{i}]") for i, item in enumerate(flat)]
            return {"kind": "objects", "shape": list(value.shape), "order": order, "items": items}
        if value.dtype.names and value.ndim == 1 and all(can_hold(value.dtype[name]) for name in value.dtype.names):
            parts = [self.value(np.ascontiguousarray(value[name]), f"{path}[{name!r}]") for name in value.dtype.names]
            return {"kind": "fields", "names": list(value.dtype.names), "parts": parts}
        if not can_hold(value.dtype):
            raise TypeError(f"{path}: an array of {value.dtype} cannot be stored; use numbers, text, dates or plain objects.")
        self.arrays.append(np.asarray(value))
        number, shape = len(self.arrays) - 1, list(value.shape)
        return {"kind": "array", "number": number, "dtype": value.dtype.str, "shape": shape, "order": order}

    def masked(self, value: Any, path: str) -> Node:
        return {"kind": "masked", **self.held(value, ("data", "mask", "fill_value"), path)}

    def sparse(self, value: Any, path: str) -> Node:
        indices = value.coords if value.format == "coo" else (value.indices, value.indptr)
        parts = [self.value(part, path) for part in (value.data, *indices)]
        return {"kind": "sparse", "name": type(value).__name__, "shape": [int(n) for n in value.shape], "parts": parts}

    def random(self, value: Any, path: str) -> Node:
        legacy = isinstance(value, np.random.RandomState)
        state = value.get_state(legacy=False) if legacy else value.bit_generator.state
        return {"kind": "random", "name": type(value).__name__, "state": self.value(state, path)}


WRITERS: dict[type, Callable[[Writer, Any, str], Node]] = {
    int: lambda writer, value, path: {"kind": "integer", "hex": hex(value)},
    float: lambda writer, value, path: {"kind": "float", "text": repr(value)},
    str: lambda writer, value, path: {"kind": "text", "hex": value.encode("utf-8", "surrogatepass").hex()},
    bytes: lambda writer, value, path: {"kind": "bytes", "hex": value.hex()},
    np.str_: lambda writer, value, path: {"kind": "scalar", "dtype": "U", "hex": value.encode("utf-8", "surrogatepass").hex()},
    np.bytes_: lambda writer, value, path: {"kind": "scalar", "dtype": "S", "hex": value.hex()},
    slice: lambda writer, value, path: {"kind": "slice", **writer.held(value, ("start", "stop", "step"), path)},
    list: Writer.sequence,
    tuple: Writer.sequence,
    set: Writer.unordered,
    frozenset: Writer.unordered,
    dict: Writer.pairs,
    Bunch: Writer.pairs,
    np.ndarray: Writer.array,
    np.memmap: Writer.array,
    np.ma.MaskedArray: Writer.masked,
    np.random.RandomState: Writer.random,
    np.random.Generator: Writer.random,
}


def can_hold(dtype: np.dtype[Any]) -> bool:
    """Whether values of a type are stored as their bytes."""
    return bool(DTYPE.fullmatch(dtype.str))


def what_it_is(value: Any) -> str:
    """What it is that cannot be stored, and what to do."""
    kind = value if isinstance(value, type) else type(value)
    if callable(value) and hasattr(value, "__name__") and kind is not value:
        what = f"a function ({getattr(value, '__module__', None)}.{value.__name__})"
        return f"{what} cannot be stored; take it out before saving and set it again after loading"
    what = f"{'the class' if kind is value else 'an object of class'} {kind.__name__} (of {kind.__module__})"
    remedy = REMEDIES.get(kind.__module__.split(".")[0], "only models of the list and plain values can (docs/model-format.md)")
    return f"{what} cannot be stored; {remedy}"
