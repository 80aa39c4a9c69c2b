"""How a file is written, from the options of the command line to the arguments of `read`."""

from __future__ import annotations

from typing import Any

from aprendiz.cli.words import InputError
from aprendiz.locale import _


def dialect_options(written: dict[str, Any]) -> dict[str, Any]:
    """The values of the dialect that were given."""
    given = {name: value for name, value in written.items() if value not in (None, ())}
    if "missing" in given:
        given["also_missing"] = given.pop("missing")
    if "max_size" in given:
        given["max_bytes"] = given.pop("max_size") * 1e9
    if "memory" in given:
        given["max_memory"] = given.pop("memory")
    if "separator" in given:
        given["separator"] = given["separator"].replace("\\t", "\t")
    if "type" in given:
        given["types"] = dict(pair_of(one) for one in given.pop("type"))
    return given


def pair_of(text: str) -> tuple[str, str]:
    """COLUMN=TYPE."""
    name, sign, kind = text.rpartition("=")
    if not sign:
        raise InputError(_("--type {text}: write a column, =, and its type, such as code=text.").format(text=text))
    return name, kind
