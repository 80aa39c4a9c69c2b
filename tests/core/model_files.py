"""Helpers of the tests of model files: a trip to disk, a comparison of anything, and edits that keep the digests right."""

import hashlib
import json
import math
import types
import warnings
import zipfile
from dataclasses import fields, is_dataclass

import numpy as np
import pandas as pd
from scipy import sparse

from aprendiz.persistence import load, save

NOTHING = {"none": "no rows were found that the model accepts, or it is not fitted"}
# an id of an object, a bound method; state, rows and what follows from them of a fit
OF_A_PROCESS = {"_stop_words_id", "_call", "_correlation", "_state", "_table"}
METHODS = ("predict", "predict_proba", "decision_function", "transform")


def returned(model, path):
    """The model after a trip to disk."""
    save(model, path)
    return load(path)


def described(path):
    """model.json."""
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("model.json"))


def said(model, rows):
    """What a model says of some rows, method by method."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name: getattr(model, name)(rows) for name in METHODS if hasattr(model, name)}
    return {name: value.to_numpy() if isinstance(value, pd.DataFrame) else value for name, value in found.items()}


def same(a, b):
    """The same value: types, order, bits, and whatever is inside."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ma.MaskedArray):
        return same(a.data, b.data) and same(np.asarray(a.mask), np.asarray(b.mask)) and same(a.fill_value, b.fill_value)
    if isinstance(a, np.ndarray):
        if a.dtype != b.dtype or a.shape != b.shape:
            return False
        if a.dtype == object:
            return all(map(same, a.ravel().tolist(), b.ravel().tolist()))
        layout = b.flags.f_contiguous if a.flags.f_contiguous else b.flags.c_contiguous
        return layout and a.tobytes() == b.tobytes()
    if isinstance(a, np.generic):
        return a.dtype == b.dtype and a.tobytes() == b.tobytes()
    if isinstance(a, float):
        return a == b and math.copysign(1, a) == math.copysign(1, b) if a == a else b != b
    if isinstance(a, dict):
        return len(a) == len(b) and all(same(k, m) and same(v, w) for (k, v), (m, w) in zip(a.items(), b.items(), strict=True))
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if sparse.issparse(a):
        return a.shape == b.shape and same(a.toarray(), b.toarray())
    if is_dataclass(a):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    if isinstance(a, slice):
        return same([a.start, a.stop, a.step], [b.start, b.stop, b.step])
    if isinstance(a, np.random.RandomState):
        return same(a.get_state(legacy=False), b.get_state(legacy=False))
    if isinstance(a, np.random.Generator):
        return same(a.bit_generator.state, b.bit_generator.state)
    if hasattr(a, "__dict__") and not isinstance(a, (type, types.FunctionType)):
        ours, theirs = ({k: v for k, v in vars(m).items() if k not in OF_A_PROCESS} for m in (a, b))
        return ours.keys() == theirs.keys() and all(same(v, theirs[k]) for k, v in ours.items())
    return a == b


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(path, parts):
    """A file of these members, with the digest that goes with them."""
    text = parts["model.json"]
    parts["model.sha256"] = f"{hashlib.sha256(text).hexdigest()}  model.json\n".encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)


def changed(path, edit):
    """Edit model.json, as somebody who knows the format would."""
    parts = members(path)
    content = json.loads(parts["model.json"])
    edit(content)
    parts["model.json"] = json.dumps(content).encode()
    packed(path, parts)
