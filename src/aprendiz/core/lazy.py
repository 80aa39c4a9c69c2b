"""Lazy tables of contents: a package lists its public names, and a name is imported when somebody asks for it.

    __all__, __getattr__, __dir__ = contents(__name__, kmeans=["KMeans"])

`import aprendiz` thus costs nothing, and `from aprendiz import KMeans` what KMeans costs.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def contents(package: str, **modules: list[str]) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """`__all__`, `__getattr__` and `__dir__` of a package whose modules hold the given names."""
    where = {name: module for module, names in modules.items() for name in names}

    def load(name: str) -> Any:
        if name in where:
            return getattr(import_module(f"{package}.{where[name]}"), name)
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return sorted(where), load, lambda: sorted(where)
