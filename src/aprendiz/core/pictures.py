"""From a result to its picture.

Pictures stand above the families: they may import any of them, and none of them imports a picture. A class that can draw itself
names its Display, and the class of that name is looked up in `aprendiz.plots` when it is drawn:

    def plot(self, ax: Any = None) -> Picture:
        return display("RocDisplay")(self).plot(ax)

Its docstring says which Display it is. This is the only way from below to the pictures; a test holds every name to the list of
those that there are.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol


class Picture(Protocol):
    """A Display of `aprendiz.plots` that has been drawn: its axes (an array, if there are several) and its figure."""

    ax_: Any
    figure_: Any


def display(name: str) -> Any:
    """The class of a picture."""
    return getattr(import_module("aprendiz.plots"), name)
