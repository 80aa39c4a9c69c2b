"""Kinds of parameters of trees: a number of rows, or a share of them; a number of columns, a share, or a rule."""

from __future__ import annotations

from typing import Annotated, Literal

from aprendiz.core.parameters import Count, Within

RowsOrShare = Count | Annotated[float, Within(0, 1, above=True)]

ColumnsOrShare = Count | Annotated[float, Within(0, 1, above=True)] | Literal["sqrt", "log2"] | None
