"""Lazy tables of contents: a package lists its public names, and a name is imported when somebody asks for it.

    __all__, __getattr__, __dir__ = contents(__name__, k_means=["KMeans"])

`import aprendiz` thus costs nothing, and `from aprendiz import KMeans` what KMeans costs. A public function may have the name
of its file (`choose_k` in choose_k.py): the package then shows the function.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


class Package(ModuleType):
    """A package whose public names are not hidden by modules of the same name, which an import would bind."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in self.__dict__.get("__all__", ())):
            super().__setattr__(name, value)


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

    sys.modules[package].__class__ = Package
    return sorted(where), load, lambda: sorted(where)
