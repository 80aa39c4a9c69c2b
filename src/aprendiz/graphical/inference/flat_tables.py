"""The tables of a network laid end to end, as kernels read them; their logarithms when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from aprendiz.core.rows import Array, read_only


@dataclass(frozen=True, eq=False)
class FlatTables:
    """One table after the other, and the shape of each."""

    values: Array
    shapes: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, tables: Sequence[Array], likelihoods: Mapping[int, Array] | None = None) -> Self:
        """The tables; those of some nodes times the likelihood of each level, which is what soft evidence says."""
        scaled = list(tables)
        for v, likelihood in (likelihoods or {}).items():
            scaled[v] = scaled[v] * likelihood
        flat = np.concatenate([np.empty(0), *(np.ravel(table) for table in scaled)])
        return cls(read_only(flat), tuple(np.shape(table) for table in tables))

    @cached_property
    def logs(self) -> Array:
        """The logarithm of each cell; −∞ of 0."""
        with np.errstate(divide="ignore"):
            return read_only(np.log(self.values))

    def shaped(self, flat: Array | None = None) -> tuple[Array, ...]:
        """The tables again; or the pieces of another flat array, shaped like them."""
        flat = self.values if flat is None else flat
        ends = np.cumsum([int(np.prod(shape, dtype=np.int64)) for shape in self.shapes])
        return tuple(piece.reshape(shape) for piece, shape in zip(np.split(flat, ends[:-1]), self.shapes, strict=True))
