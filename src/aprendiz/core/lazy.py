"""Lazy tables of contents: a package lists its public names, and a name is imported when somebody asks for it.

    __all__, __getattr__, __dir__ = contents(__name__, k_means=["KMeans"])

`import aprendiz` thus costs nothing, and `from aprendiz import KMeans` what KMeans costs. A public function may have the name
of its file (`choose_k` in choose_k.py): the package then shows the function.

    contents(__name__, {"aprendiz.linear": ["stoller_erm"]}, bounds=[])

A name that stands in another family is shown here too, and is the same object. A module without names is a topic of its own
inside this one, with its own table of contents: it is reached as an attribute, `aprendiz.evaluation.bounds`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


class Package(ModuleType):
    """A package whose public names are not hidden by modules of the same name, which an import would bind."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in self.__dict__.get("__all__", ())):
            super().__setattr__(name, value)


def contents(
    package: str, elsewhere: Mapping[str, list[str]] | None = None, /, **modules: list[str]
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """`__all__`, `__getattr__` and `__dir__` of a package whose modules, or those elsewhere, hold the given names."""
    where = {name: f"{package}.{module}" for module, names in modules.items() for name in names}
    where |= {name: module for module, names in (elsewhere or {}).items() for name in names}
    topics = [module for module, names in modules.items() if not names]

    def load(name: str) -> Any:
        if name in where:
            return getattr(import_module(where[name]), name)
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    sys.modules[package].__class__ = Package
    return sorted(where), load, lambda: sorted([*where, *topics])
