"""The parameters of a learner: defaults from its signature, sentences from its docstring, and what tuning tries."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import Any

SECTION = re.compile(r"^Parameters\n-{3,}\n(.*?)(?=^\S[^\n]*\n-{3,}\n|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Parameter:
    """A parameter: its default as it is written, what it is, and the values that tuning tries."""

    name: str
    default: str
    words: str
    tuned: tuple[Any, ...]


def parameters_of(cls: Any) -> list[Parameter]:
    """The parameters of a class that do something, those that are tuned first."""
    said, tuned, idle = descriptions(cls), dict(getattr(cls, "tuning", {})), idle_parameters(cls)
    found = [
        Parameter(name, repr(one.default), said.get(name, ""), tuple(tuned.get(name, ())))
        for name, one in inspect.signature(cls).parameters.items()
        if one.default is not inspect.Parameter.empty and name not in idle
    ]
    return sorted(found, key=lambda one: not one.tuned)


def descriptions(cls: Any) -> dict[str, str]:
    """The first sentence about each parameter in the docstring of the class, or of one that it is derived from."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        found |= described_in(inspect.cleandoc(base.__doc__ or ""))
    return found


def described_in(text: str) -> dict[str, str]:
    """The first sentence about each parameter in a docstring."""
    section = SECTION.search(text)
    found: dict[str, str] = {}
    names: list[str] = []
    for line in (section[1] if section else "").splitlines():
        if line and not line.startswith(" "):
            names = [name.strip() for name in line.partition(":")[0].split(",")]
        elif line.strip():
            for name in names:
                found[name] = f"{found.get(name, '')} {line.strip()}".strip()
    return {name: first_sentence(words) for name, words in found.items()}


def idle_parameters(cls: Any) -> list[str]:
    """Parameters of scikit-learn's that are accepted without effect, or only with their defaults."""
    kinds = ("no effect", "refused")
    known = inspect.signature(cls).parameters
    return [name for name, words in getattr(cls, "differences", {}).items() if name in known and words.startswith(kinds)]


def first_sentence(words: str) -> str:
    """Up to the first full stop that ends a sentence."""
    return re.split(r"(?<=[.!?])\s+(?=[A-Z\"])", words.replace("`", ""), maxsplit=1)[0]
