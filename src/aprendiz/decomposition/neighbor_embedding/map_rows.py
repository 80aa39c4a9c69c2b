"""Training rows in memory, with the forces that their neighbourhoods exert in a map."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.decomposition.neighbor_embedding.forces import Forces


class MapRows(ArrayRows):
    """Rows whose neighbourhoods are looked for when the first state asks for them."""

    def __init__(self, rows: ArrayRows, find: Callable[[Any], Forces]):
        super().__init__(rows.X, None, None, rows.names)
        self.noted, self.find = rows.noted, find

    def compact(self) -> ArrayRows:
        return self

    @cached_property
    def forces(self) -> Forces:
        return self.find(self.X)
