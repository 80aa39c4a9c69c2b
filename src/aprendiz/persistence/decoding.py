"""Back from nodes to values (encoding.py): each kind of node has one function, and no other is ever called.

Fields are checked where Python or NumPy would trust them: types of arrays against a closed list, shapes against their
contents, indices of sparse matrices and positions of random generators against their ranges. Depth and unfolded size are
bounded, because what is shared a few dozen times over would take for ever to walk through.

Cost: O(values).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils import Bunch

from aprendiz.core.rows import Array
from aprendiz.persistence import storable
from aprendiz.persistence.archive import ModelFileError
from aprendiz.persistence.encoding import DEEPEST, DTYPE, SPARSE, Node

LARGEST = 10**7  # values of an object if everything shared in it were written out
GENERATORS = {name: getattr(np.random, name) for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")}
LAST_POSITION = {"pos": 624, "buffer_pos": 4}  # in the words that a generator has ready: NumPy does not look
ORDERS: dict[str, Any] = {"C": "C", "F": "F"}


class Reader:
    """The objects of some nodes. `fetch` gives an array by its number, type, shape and order."""

    def __init__(self, fetch: Callable[..., Array]):
        self.fetch = fetch
        self.objects: list[Any] = []
        self.measures: list[tuple[int, int]] = []  # depth and size of each object
        self.depth = self.size = self.arrays = 0

    def read(self, nodes: list[Node]) -> None:
        for node in nodes:  # learners bring the records that other nodes name
            if node["kind"] == "model":
                storable.class_called(node["name"])
        for node in nodes:
            self.depth, self.size = 0, 1
            kind, given = node["kind"], {name: value for name, value in node.items() if name != "kind"}
            if kind not in READERS:
                raise ModelFileError(f"it has a node of kind {kind!r:.80}, which this version does not know: save it again.")
            made = READERS[kind](self, **given)
            if self.depth >= DEEPEST or self.size > LARGEST:
                raise ModelFileError("its values are nested too deeply or too often: save the model again.")
            self.objects.append(made)
            self.measures.append((self.depth + 1, self.size))

    def value(self, value: Any) -> Any:
        """What a value stands for."""
        if type(value) is not list:
            if type(value) is dict:
                raise ModelFileError("it has a JSON object where a value belongs: save the model again.")
            self.size += 1
            return value
        (number,) = value
        if type(number) is not int or not 0 <= number < len(self.objects):
            raise ModelFileError(f"a node refers to {number!r:.80}, which is no node before it: save the model again.")
        depth, size = self.measures[number]
        self.depth, self.size = max(self.depth, depth), self.size + size
        return self.objects[number]

    def values(self, items: list[Any]) -> list[Any]:
        return [self.value(item) for item in items]

    def pairs(self, items: list[Any]) -> dict[Any, Any]:
        return {self.value(key): self.value(item) for key, item in items}

    def held(self, items: dict[str, Any]) -> dict[str, Any]:
        return {name: self.value(item) for name, item in items.items()}

    def array(self, number: int, dtype: str, shape: list[int], order: str) -> Array:
        if number != self.arrays:
            raise ModelFileError(f"the array {number!r:.80} is out of order: save the model again.")
        self.arrays += 1
        return self.fetch(number, dtype_called(dtype), checked_shape(shape), ORDERS[order])

    def object_array(self, shape: list[int], order: str, items: list[Any]) -> Array:
        flat = np.empty(len(items), object)
        for i, item in enumerate(items):
            flat[i] = self.value(item)
        return flat.reshape(checked_shape(shape), order=ORDERS[order])

    def masked(self, data: Any, mask: Any, fill_value: Any) -> Any:
        return np.ma.MaskedArray(self.value(data), mask=self.value(mask), fill_value=self.value(fill_value))

    def scalar(self, dtype: str, hex: str) -> Any:
        content = bytes.fromhex(hex)
        if dtype == "U":
            return np.str_(content.decode("utf-8", "surrogatepass"))
        if dtype == "S":
            return np.bytes_(content)
        (value,) = np.frombuffer(content, dtype_called(dtype))
        return value

    def slice(self, start: Any, stop: Any, step: Any) -> Any:
        return slice(*self.values([start, stop, step]))

    def model(self, name: str, parameters: Node, attributes: Node) -> Any:
        return storable.restored(name, self.held(parameters), self.held(attributes))


READERS: dict[str, Callable[..., Any]] = {
    "integer": lambda reader, hex: int(hex, 16),
    "float": lambda reader, text: {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[text],
    "text": lambda reader, hex: bytes.fromhex(hex).decode("utf-8", "surrogatepass"),
    "bytes": lambda reader, hex: bytes.fromhex(hex),
    "slice": Reader.slice,
    "list": lambda reader, items: reader.values(items),
    "tuple": lambda reader, items: tuple(reader.values(items)),
    "set": lambda reader, items: set(reader.values(items)),
    "frozenset": lambda reader, items: frozenset(reader.values(items)),
    "dict": lambda reader, items: reader.pairs(items),
    "bunch": lambda reader, items: bunch(reader.pairs(items)),
    "array": Reader.array,
    "objects": Reader.object_array,
    "fields": lambda reader, names, parts: structured(names, reader.values(parts)),
    "masked": Reader.masked,
    "sparse": lambda reader, name, shape, parts: sparse_matrix(name, checked_shape(shape), *reader.values(parts)),
    "scalar": Reader.scalar,
    "dtype": lambda reader, dtype: np.dtype(object) if dtype == "|O" else dtype_called(dtype),
    "random": lambda reader, name, state: generator(name, reader.value(state)),
    "named": lambda reader, name: storable.thing_called(name),
    "record": lambda reader, name, fields: storable.record(name, reader.held(fields)),
    "built": lambda reader, name, arguments: storable.built(name, reader.held(arguments)),
    "model": Reader.model,
}


def bunch(items: dict[Any, Any]) -> Any:
    made = Bunch()
    made.update(items)
    return made


def dtype_called(text: Any) -> np.dtype[Any]:
    """The type of an array or of a scalar, from a closed list."""
    if type(text) is not str or not DTYPE.fullmatch(text):
        raise ModelFileError(f"it has an array of type {text!r:.80}, which is never stored: save the model again.")
    return np.dtype(text)


def checked_shape(shape: Any) -> tuple[int, ...]:
    if not all(type(length) is int and length >= 0 for length in shape):
        raise ModelFileError(f"it has an array of shape {shape!r:.80}: save the model again.")
    return tuple(shape)


def structured(names: list[str], parts: list[Array]) -> Array:
    """An array of records, whose fields are aligned as in C, from an array of each field."""
    plain = all(isinstance(part, np.ndarray) and part.ndim == 1 and part.dtype.kind in "biuf" for part in parts)
    if not plain or not parts or len({len(part) for part in parts}) > 1:
        raise ModelFileError("an array of records has fields that do not go together: save the model again.")
    made = np.zeros(len(parts[0]), np.dtype(list(zip(names, (part.dtype for part in parts), strict=True)), align=True))
    for name, part in zip(names, parts, strict=True):
        made[name] = part
    return made


def sparse_matrix(name: str, shape: tuple[int, ...], data: Array, *indices: Array) -> Any:
    """A sparse matrix whose indices all lie within it."""
    whole = all(isinstance(part, np.ndarray) and part.ndim == 1 and part.dtype.kind == "i" for part in indices)
    if len(shape) != 2 or len(indices) != 2 or data.ndim != 1 or data.dtype.kind not in "biufc" or not whole:
        raise ModelFileError("a sparse matrix has parts that are none: save the model again.")
    if name.startswith("coo"):
        matrix = SPARSE[name]((data, indices), shape=shape)  # compares the indices with the shape
        matrix.coords = indices
        return matrix
    matrix = SPARSE[name](shape, dtype=data.dtype)
    matrix.data, (matrix.indices, matrix.indptr) = data, indices
    matrix.check_format(full_check=True)
    return matrix


def generator(name: str, state: dict[str, Any]) -> Any:
    """A random generator that goes on where it was."""
    bits = GENERATORS[state["bit_generator"]](0)
    if name == "Generator":
        refuse_unlike(state, bits.state)
        bits.state = state
        return np.random.Generator(bits)
    if name != "RandomState":
        raise ModelFileError(f"it has a random generator {name!r:.80}, which is never stored: save the model again.")
    legacy = np.random.RandomState(bits)
    refuse_unlike(state, legacy.get_state(legacy=False))
    legacy.set_state(state)
    return legacy


def refuse_unlike(state: Any, fresh: Any, name: str = "") -> None:
    """Compare the state of a generator with that of a new one: the same fields, types and shapes, positions in range."""
    alike = type(state) is type(fresh)
    if alike and isinstance(fresh, dict):
        alike = state.keys() == fresh.keys()
        for key in fresh if alike else ():
            refuse_unlike(state[key], fresh[key], key)
    elif alike and isinstance(fresh, np.ndarray):
        alike = state.shape == fresh.shape and state.dtype == fresh.dtype
    elif alike and isinstance(fresh, int):
        alike = 0 <= state <= LAST_POSITION.get(name, 2**128)
    if not alike:
        raise ModelFileError("the state of a random generator is not one: save the model again.")
