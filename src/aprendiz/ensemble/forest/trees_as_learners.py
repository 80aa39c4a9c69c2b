"""The trees of a forest as learners, each made when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload


class Trees(Sequence[Any]):
    """`len` and `[i]` of the members of an ensemble."""

    def __init__(self, count: int, made: Callable[[int], Any]):
        self.size, self.made = count, made

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, number: int) -> Any: ...

    @overload
    def __getitem__(self, number: slice) -> list[Any]: ...

    def __getitem__(self, number: int | slice) -> Any:
        if isinstance(number, slice):
            return [self.made(i) for i in range(*number.indices(self.size))]
        if not -self.size <= number < self.size:
            raise IndexError(f"There is no member {number}: the ensemble has {self.size} members.")
        return self.made(number % self.size)

    def __repr__(self) -> str:
        return f"<{self.size} trees>"
