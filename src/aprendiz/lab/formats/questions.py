"""The dialect of a file, found by one question after the other. What is given is not asked, and what an earlier file has
answered is not asked again; every answer has its reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from aprendiz.lab.dialect import Dialect
from aprendiz.locale import _


class Questions:
    """Answers so far: what was given, what an earlier file has said, and what was found, with the reasons.

    Parameters
    ----------
    given : mapping
        Values of the dialect that are known.
    like : Dialect, optional
        That of an earlier file of the same kind.
    also_missing : sequence of str
        Tokens of missing cells besides those that are found.
    """

    def __init__(self, given: Mapping[str, Any], like: Dialect | None = None, also_missing: Sequence[str] = ()):
        self.given, self.like, self.also_missing = given, like, tuple(also_missing)
        known = replace(like or Dialect(), **given)
        self.types = known.types  # of lists and places too, which are read as text (columns/found_columns.py)
        self.dialect, self.reasons = known.as_cells(), dict[str, str]()

    def ask(self, field: str, question: Callable[..., tuple[Any, str]], *about: Any) -> Any:
        """The value of a field of the dialect: given, that of the earlier file, or the answer to the question."""
        if field in self.given:
            return self.settle(field, getattr(self.dialect, field), _("as requested"))
        if self.like is not None:
            return self.settle(field, getattr(self.dialect, field), _("as in the earlier file"))
        return self.settle(field, *question(*about))

    def settle(self, field: str, value: Any, reason: str = "") -> Any:
        """A value for a field, with the reason."""
        if field == "missing":
            value = (*value, *self.also_missing)
        self.dialect = replace(self.dialect, **{field: value})
        if reason:
            self.reasons[field] = reason
        return value

    def is_known(self, field: str) -> bool:
        """Is a field not to be asked?"""
        return field in self.given or self.like is not None
