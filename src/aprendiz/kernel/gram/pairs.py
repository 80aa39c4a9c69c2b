"""Two kernels on the same rows: what their sum and their product share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.rounding import largest


@dataclass(frozen=True)
class PairOfPoints:
    """The same rows, as each of two kernels compares them."""

    first: Any
    second: Any

    def __len__(self) -> int:
        return len(self.first)

    def take(self, chosen: Any) -> Self:
        return type(self)(self.first.take(chosen), self.second.take(chosen))

    def astype(self, dtype: Any) -> Self:
        return type(self)(self.first.astype(dtype), self.second.astype(dtype))

    @property
    def dtype(self) -> Any:
        return np.result_type(self.first.dtype, self.second.dtype)


class PairOfKernels(Kernel):
    """The base of sums and products."""

    def __init__(self, k1: Kernel, k2: Kernel):
        self.k1: Any = k1
        self.k2: Any = k2

    @property
    def psd(self) -> bool:
        return bool(self.k1.psd and self.k2.psd)

    @property
    def compares(self) -> str:
        return str(self.k1.compares if self.k2.compares == "anything" else self.k2.compares)

    @property
    def in_tiles(self) -> bool:  # type: ignore[override]
        return bool(self.k1.in_tiles and self.k2.in_tiles)

    def on(self, X: Any) -> Self:
        self.refuse_strangers()
        return type(self)(self.k1.on(X), self.k2.on(X))

    def refuse_strangers(self) -> None:
        """Both must be kernels, of the same rows."""
        for name, kernel in (("k1", self.k1), ("k2", self.k2)):
            if not isinstance(kernel, Kernel):
                raise ParameterError(f"{name} of {type(self).__name__} must be a kernel such as RBF(), got {kernel!r}.")
        if len({self.k1.compares, self.k2.compares} - {"anything"}) > 1:
            raise ParameterError(
                f"{self.k1!r} compares {self.k1.compares} and {self.k2!r} compares {self.k2.compares}: kernels of a sum or a "
                "product must be of the same rows. Add their Gram matrices and use Precomputed()."
            )

    def table(self, X: Any) -> Any:
        self.refuse_strangers()
        return (self.k1 if self.k2.compares == "anything" else self.k2).table(X)

    def points(self, X: Any, like: PairOfPoints | None = None) -> PairOfPoints:
        first, second = (None, None) if like is None else (like.first, like.second)
        return PairOfPoints(self.k1.points(X, first), self.k2.points(X, second))

    def block(self, P: PairOfPoints, Q: PairOfPoints, out: Array | None = None) -> Array:
        if self.k1.compares == "anything":  # the same number for all pairs
            found = self.k2.block(P.second, Q.second, out)
            return self.joined(found, self.k1.diagonal_of(P.first.take(slice(0, 1))), found)
        found = self.k1.block(P.first, Q.first, out)
        if self.k2.compares == "anything":
            return self.joined(found, self.k2.diagonal_of(P.second.take(slice(0, 1))), found)
        return self.joined(found, self.k2.block(P.second, Q.second), found)

    def diagonal_of(self, P: PairOfPoints) -> Array:
        return self.joined(self.k1.diagonal_of(P.first), self.k2.diagonal_of(P.second))

    def sizes_and_errors(self, P: PairOfPoints, eps: float) -> list[tuple[float, float]]:
        """Of each of the two kernels: a bound on its entries, and how far one may be off."""
        both = ((self.k1, P.first), (self.k2, P.second))
        return [(kernel.largest_entry(points), kernel.entry_error(points, eps)) for kernel, points in both]

    def rounding(self, P: PairOfPoints, eps: float) -> float:
        size, error = largest(self.diagonal_of(P)), self.entry_error(P, eps)
        return error / size if size else np.inf if error else 0.0

    @abstractmethod
    def joined(self, a: Array, b: Array, out: Array | None = None) -> Array:
        """Values of the first kernel and of the second one as those of this one."""
