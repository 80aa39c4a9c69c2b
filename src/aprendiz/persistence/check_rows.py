"""Check rows: a few made-up rows and what the model says of them, stored beside it and asked again when it is loaded.

A model that comes back and answers otherwise, because a version, a machine or the file is not what it was, is noticed before
anybody relies on it. The rows are drawn from what the model itself holds, each column alone: levels of encoders, words of
vocabularies, and numbers around its centres and means, at the scale where its coefficients matter. No row of the training
data is among them but by chance.

Floats agree if they differ by at most 10⁻⁹ of the largest in the output (10⁻⁴ in single precision): other processors round
otherwise. Everything else must be equal. Where no rows are found that a model accepts, the file says so.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import numpy as np
from joblib import parallel_config
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.persistence.archive import ModelFileError

METHODS = ("predict", "predict_proba", "decision_function", "transform")
OTHERS = ("score_samples", "kneighbors")  # of models that have none of these
POINTS = (  # attributes that hold points, or bounds, of the table
    *("cluster_centers_", "means_", "theta_", "mean_", "center_", "statistics_", "quantiles_", "data_min_", "data_max_"),
)
INNER = ("best_estimator_", "estimator_", "regressor_", "estimator")  # of models that hold one model for all the columns
LARGE = 2**24  # bytes of arrays from which one question is enough
CELLS = 50_000  # of a table of check rows: fewer rows if there are very many columns
FRAMES = ("pandas", "polars", "pyarrow")


# ---- outputs ---------------------------------------------------------------------------------------------------------


def questions(model: Any) -> list[str]:
    """The methods that a model is asked by; one of them is enough for a large one."""
    methods = [n for n in METHODS if hasattr(model, n)] or [n for n in OTHERS if hasattr(model, n)]
    return methods[:1] if is_large(model) else methods


def is_large(model: Any) -> bool:
    """Does it hold so many numbers that questions take longer than writing them?"""
    return sum(value.nbytes for value in vars(model).values() if isinstance(value, np.ndarray)) > LARGE


def outputs(model: Any, rows: Any, methods: Iterable[str] | None = None) -> dict[str, Any]:
    """What a model says of some rows, method by method; in this process, and without a word."""
    wanted = questions(model) if methods is None else [n for n in (*METHODS, *OTHERS) if n in methods and hasattr(model, n)]
    with quiet():
        found = {name: getattr(model, name)(rows) for name in wanted}
    return {name: plain(value) for name, value in found.items()}


@contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings(), parallel_config(backend="sequential"):
        warnings.simplefilter("ignore")
        yield


def plain(output: Any) -> Any:
    """An output as arrays: lists of arrays and sparse matrices are left, frames are converted."""
    if isinstance(output, list):
        return [plain(part) for part in output]
    return output.tocsr() if sparse.issparse(output) else np.asarray(output)


def agree(a: Any, b: Any) -> bool:
    """Whether two outputs are the same, floats to rounding."""
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(map(agree, a, b))
    if sparse.issparse(a) or sparse.issparse(b):
        return sparse.issparse(a) and sparse.issparse(b) and a.shape == b.shape and all(map(agree, entries(a), entries(b)))
    if a.shape != b.shape or a.dtype.kind != b.dtype.kind:
        return False
    if a.dtype.kind not in "fc":
        return bool(np.array_equal(a, b))
    finite = np.isfinite(a)
    largest = np.abs(a[finite]).max(initial=0.0)
    tolerance = (1e-9 if a.dtype.itemsize >= 8 else 1e-4) * largest
    close = np.abs(np.subtract(a, b, out=np.zeros_like(a), where=finite)) <= tolerance
    return bool(np.array_equal(a[~finite], b[~finite], equal_nan=True) and close.all())


def entries(matrix: Any) -> tuple[Array, Array, Array]:
    """Values and places of the entries of a csr matrix, in their order."""
    ordered = matrix.copy()
    ordered.sum_duplicates()
    return ordered.data, ordered.indices, ordered.indptr


# ---- rows ------------------------------------------------------------------------------------------------------------


class Known:
    """What a fitted model knows of the columns it wants: levels, or points and a spread."""

    def __init__(self, columns: int):
        self.levels: list[list[Any]] = [[] for _ in range(columns)]
        self.points: list[list[float]] = [[] for _ in range(columns)]
        self.spread: list[float] = [0.0] * columns

    def ask(self, model: Any, columns: list[int]) -> None:
        """Gather what a model, and the models inside it that see the same columns, hold about them."""
        held = getattr(model, "__dict__", {})
        for column, described in zip(columns, held.get("columns_") or (), strict=False):
            self.levels[column] += few(described.levels)
        for column, levels in zip(columns, held.get("categories_", ()), strict=False):
            self.levels[column] += [level for level in few(levels).tolist() if level is not None and level == level]
        for words in vocabularies(held):
            self.levels[columns[0]] += documents(few(words))
        for name in POINTS:
            for column, points in by_column(held.get(name), columns):
                self.points[column] += points
        for column, coefficients in by_column(held.get("coef_"), columns):
            self.spread[column] = 1.0 / (max(map(abs, coefficients), default=0.0) or 1.0)
        for column, scales in by_column(held.get("scale_"), columns):
            self.spread[column] = max(map(abs, scales), default=0.0)
        for part, some in inner_models(model, columns):
            self.ask(part, some)

    def drawn(self, rows: int) -> Array:
        """A table, each column drawn alone: numbers if all columns are numbers."""
        rng = np.random.default_rng(0)
        shares, steps = rng.random((len(self.levels), rows)), rng.standard_normal((len(self.levels), rows))
        words = any(isinstance(level, str) for levels in self.levels for level in levels)
        table = np.empty((len(self.levels), rows), object if words else np.float64)
        for j, (levels, points, spread) in enumerate(zip(self.levels, self.points, self.spread, strict=True)):
            some = levels or points or [0.0]
            drawn = [some[int(share * len(some))] for share in shares[j]]
            table[j] = drawn if levels else np.array(drawn) + (spread or range_of(points) or 1.0) * steps[j]
        return np.ascontiguousarray(table.T)


def vocabularies(held: Any) -> Iterator[list[Any]]:
    """The words of a transformer of text."""
    if "vocabulary_" in held:
        yield list(held["vocabulary_"])
    if "terms_" in held:
        yield held["terms_"].words


def by_column(array: Any, columns: list[int]) -> Iterator[tuple[int, list[float]]]:
    """The finite numbers that an attribute holds for each column, if it has one entry or more for each."""
    if isinstance(array, np.ndarray) and array.ndim > 0 and array.dtype.kind in "iuf" and array.shape[-1] == len(columns):
        for column, values in zip(columns, few(array.reshape(-1, len(columns))).T, strict=True):
            yield column, values[np.isfinite(values)].tolist()


def range_of(points: list[float]) -> float:
    """A width at which the points differ."""
    return (max(points) - min(points)) / 3 if points else 0.0


def few(things: Any) -> Any:
    """About sixteen of them, evenly spaced."""
    return things[:: max(1, len(things) // 16)]


def documents(words: list[str]) -> list[str]:
    """A few texts made of some words."""
    return [" ".join(words[i::3]) for i in range(3)]


def inner_models(model: Any, columns: list[int]) -> Iterator[tuple[Any, list[int]]]:
    """The models inside a model that see its columns, or some of them."""
    held = getattr(model, "__dict__", {})
    for name, transformer, _ in held.get("transformers_", ()):
        if some := held["_transformer_to_input_indices"].get(name):
            yield transformer, [columns[i] for i in some]
    for _, transformer in held.get("transformer_list", ()):
        yield transformer, columns
    for _, step in held.get("steps", ()):
        yield step, columns
        if not type(step).__name__.endswith("Imputer") and step != "passthrough":
            return  # later steps see other columns
    for part in (*(held.get(name) for name in INNER), *held.get("estimators_", ()), *held.get("calibrated_classifiers_", ())):
        if part is not None and getattr(part, "n_features_in_", len(columns)) == len(columns):
            yield part, columns


def candidates(model: Any) -> Iterator[tuple[Any, Any]]:
    """Rows that a model might accept, with the names of their columns if it wants a frame."""
    columns = number_of_columns(model)
    known = Known(columns)
    known.ask(model, list(range(columns)))
    table = known.drawn(max(1, min(5, CELLS // columns)))
    forms = [table] if table.dtype == object else [table, np.abs(table), np.abs(table).round() % 2]
    for names in (None, getattr(model, "feature_names_in_", None)):
        yield from ((form, names) for form in forms)
    if columns == 1:
        yield table[:, 0].tolist(), None  # texts
    if isinstance(labels := getattr(model, "classes_", None), np.ndarray):
        yield labels[:5], None


def number_of_columns(model: Any) -> int:
    """What a model says, or the first step of a pipeline that does; 1 where there are texts or labels."""
    steps = [step for _, step in vars(model).get("steps", ())]
    return next((part.n_features_in_ for part in (model, *steps) if hasattr(part, "n_features_in_")), 1)


def as_input(rows: Any, names: Any) -> Any:
    """Rows as a frame, if their columns have names: of the first library for frames that is installed, or None."""
    numbers = isinstance(rows, np.ndarray) and rows.dtype.kind in "biuf"
    cells = [] if numbers else rows.ravel().tolist() if isinstance(rows, np.ndarray) else rows
    if not all(isinstance(cell, (str, int, float, type(None))) for cell in cells):
        raise ModelFileError("its check rows are not made of words and numbers: save the model again.")
    if names is None:
        return rows
    import narwhals.stable.v2 as nw

    library: Any = next((name for name in FRAMES if find_spec(name)), None)
    if library is None:
        return None
    columns = {name: numbers_or_objects(column) for name, column in zip(names, rows.T, strict=True)}
    return nw.from_dict(columns, backend=library).to_native()


def numbers_or_objects(column: Array) -> Any:
    return column.tolist() if any(isinstance(cell, str) for cell in column) else column.astype(np.float64)
