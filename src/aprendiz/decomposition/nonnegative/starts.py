"""Where the factors begin: at random, or from the singular vectors (NNDSVD).

The best rank-k approximation is Σ σ_j a_j b_jᵀ, and each product of singular vectors has a part that is not negative,

    a bᵀ = a⁺b⁺ᵀ + a⁻b⁻ᵀ − (…),     a⁺ = max(a, 0), a⁻ = max(−a, 0)                                           (1)

of which the larger one is kept, with its size shared among the factors. With m = ‖a^±‖·‖b^±‖ of the larger one,

    u_j = √(σ_j m)·a^±/‖a^±‖,     v_j = √(σ_j m)·b^±/‖b^±‖                                                    (2)

"nndsvd" leaves the zeros; they are filled with the mean of the cells ("nndsvda") or with hundredths of it at random
("nndsvdar"), in the units of the largest cell: a table in other units has the same start in other units. "random" draws
|N(0, 1)|·√(mean/k).

Singular vectors come from a few passes over the rows (singular_part.py).

Reference: Boutsidis & Gallopoulos, "SVD based initialization: a head start for nonnegative matrix factorization", Pattern
Recognition 41, 2008.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Spread
from aprendiz.decomposition.nonnegative.products import times
from aprendiz.decomposition.nonnegative.singular_part import PASSES, SingularPart, singular_axes
from aprendiz.decomposition.nonnegative.table_facts import TableFacts

OF_U, OF_V = 2**40, 2**41  # streams of random numbers
LEAST = 1e-6  # entries below are zeros
NEGLIGIBLE = 1e-12  # a singular value, beside the largest


def start(
    rows: Rows, facts: TableFacts, k: int, init: str | None, seed: int, part: SingularPart | None = None
) -> tuple[Array, Array]:
    """U and V. `part` is the singular part of the rows, where it is known already."""
    if not starts_from_singular_vectors(init, facts, k):
        return drawn(facts, k, seed, OF_U, facts.rows), drawn(facts, k, seed, OF_V, facts.columns)
    if part is None and in_memory(rows) and not facts.has_gaps:  # a pass less, for k + 10 numbers a row
        part = SingularPart.of(rows, k, seed, PASSES)
    if part is None:
        rows = without_gaps(rows) if facts.has_gaps else rows
        values, B = singular_axes(rows, k, seed)
        A = rows.each(lambda block: times(block.X, B))
    else:
        values, A, B = part.values[:k], part.of_rows[:, :k], part.of_columns[:, :k]
    U, V = non_negative_parts(A, B, values)
    return filled(U, init, facts, seed, OF_U), filled(V, init, facts, seed, OF_V)


def start_of_columns(rows: Rows, facts: TableFacts, k: int, init: str | None, seed: int) -> Array:
    """V alone, from sums over the rows: nothing is as long as the table."""
    if not starts_from_singular_vectors(init, facts, k):
        return drawn(facts, k, seed, OF_V, facts.columns)
    values, B = singular_axes(rows, k, seed)
    sizes = np.sqrt(rows.sum(lambda block: side_squares(times(block.X, B))))
    return filled(kept_sides(B, np.sqrt(side_squares(B)), sizes, values), init, facts, seed, OF_V)


def starts_from_singular_vectors(init: str | None, facts: TableFacts, k: int) -> bool:
    """Or at random? Stops where more of them are asked for than there are."""
    least = min(facts.rows, facts.columns)
    if init == "random" or facts.largest == 0 or (init is None and k > least):
        return False
    if k > least:
        raise ValueError(
            f"init={init!r} can only be used when n_components <= min(n_samples, n_features): {k} is above {least}. Ask for "
            "fewer components, or use init='random'."
        )
    return True


def without_gaps(rows: Rows) -> Rows:
    """The rows with the mean of the known cells of a column in place of the missing ones, to begin with."""
    means = rows.sum(Spread.of, np.zeros(rows.columns)).mean
    return rows.changed(lambda block: replace(block, X=read_only(np.where(np.isnan(block.X), means, block.X))))


def drawn(facts: TableFacts, k: int, seed: int, stream: int, length: int) -> Array:
    """A factor at random."""
    return np.sqrt(facts.mean / k) * half_normals(seed, stream, length, k)


def half_normals(seed: int, stream: int, rows: int, k: int) -> Array:
    """|N(0, 1)|, a function of the row and the component."""
    return np.abs(np.column_stack([ndtri(2.0**-54 + uniforms(seed, stream + t, rows)) for t in range(k)]))


def non_negative_parts(A: Array, B: Array, values: Array) -> tuple[Array, Array]:
    """(2), for columns σ_j a_j of A and b_j of B."""
    of_rows, of_columns = np.sqrt(side_squares(A)), np.sqrt(side_squares(B))
    return kept_sides(A, of_rows, of_columns, values), kept_sides(B, of_columns, of_rows, values)


def side_squares(A: Array) -> Array:
    """‖a⁺‖² and ‖a⁻‖² of each column."""
    A = with_one_sign(A)
    return np.array([(np.maximum(A, 0.0) ** 2).sum(axis=0), (np.maximum(-A, 0.0) ** 2).sum(axis=0)])


def with_one_sign(A: Array) -> Array:
    """The first pair has one sign already, but for rounding."""
    return np.column_stack([np.abs(A[:, :1]), A[:, 1:]])


def kept_sides(A: Array, own: Array, other: Array, values: Array) -> Array:
    """One factor of (2), from its columns in any units, and from the sizes of the sides of both factors."""
    plus = own[0] * other[0] > own[1] * other[1]
    sides = np.maximum(np.where(plus, 1.0, -1.0) * with_one_sign(A), 0.0)
    size, m = np.where(plus, own[0], own[1]), np.where(plus, own[0] * other[0], own[1] * other[1])
    share = np.divide(np.sqrt(m), size, out=np.zeros_like(m), where=size > 0)
    return np.where(values > NEGLIGIBLE * values[0], sides * share, 0.0)


def filled(factor: Array, init: str | None, facts: TableFacts, seed: int, stream: int) -> Array:
    """Small entries as zeros, and what stands in their place."""
    root = np.sqrt(facts.unit)
    factor = np.where(factor < LEAST * root, 0.0, factor)
    mean = facts.mean / facts.unit * root
    if init in (None, "nndsvda"):
        return np.where(factor == 0.0, mean, factor)
    if init == "nndsvdar":
        return np.where(factor == 0.0, mean / 100.0 * half_normals(seed, stream, *factor.shape), factor)
    return factor


def given_start(start: Any, shape: tuple[int, int], k: int | None, learner: str) -> tuple[Array, Array]:
    """U and V from W and H that were given."""
    W, H = (None, None) if not isinstance(start, tuple) else start
    for name, factor, expected in (("H", H, (k, shape[1])), ("W", W, (shape[0], k))):
        if factor is None:
            raise ValueError(f"init='custom' needs W and H: pass {name} to fit or fit_transform.")
        refuse_factor(np.asarray(factor), expected, f"{learner} (input {name})")
    W, H = np.asarray(W, np.float64), np.asarray(H, np.float64)
    if W.shape[1] != len(H):
        raise ValueError(f"W has {W.shape[1]} columns and H has {len(H)} rows: both must be the number of components.")
    return np.ascontiguousarray(W), np.ascontiguousarray(H.T)


def refuse_factor(factor: Array, shape: tuple[int | None, int | None], name: str) -> None:
    """Stop at a factor of the wrong shape, with negative or missing entries, or without any above 0."""
    if factor.ndim != 2 or factor.dtype.kind not in "fiu":
        raise ValueError(f"Array passed to {name} must be a table of numbers, got {factor.ndim} dimensions of {factor.dtype}.")
    for axis, (word, wanted) in enumerate(zip(("first", "second"), shape, strict=True)):
        if wanted is not None and factor.shape[axis] != wanted:
            raise ValueError(
                f"Array with wrong {word} dimension passed to {name}. Expected {wanted}, but got {factor.shape[axis]}."
            )
    bad = ~np.isfinite(factor) | (factor < 0)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        kind = "Negative values" if factor[row, column] < 0 else "Values that are no finite numbers"
        raise ValueError(f"{kind} in data passed to {name}: {factor[row, column]} in row {row}, column {column}.")
    if not factor.any():
        raise ValueError(f"Array passed to {name} is full of zeros.")
