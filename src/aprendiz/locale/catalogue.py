"""A gettext catalogue straight from its `.po` file: nothing to compile, nothing binary to keep in step.

The format: blocks of `msgid "…"` and `msgstr "…"`, with `msgid_plural` and `msgstr[0]`, `msgstr[1]` for messages that depend on
a number, strings continued on the next lines, and `#` for comments. The block with the empty `msgid` is the header.
"""

from __future__ import annotations

import ast
import gettext
import io
import re
import struct

LINE = re.compile(r'^(?:(msgid_plural|msgid|msgstr(?:\[\d\])?)\s+)?(".*")$')


def entries(source: str) -> dict[str, str]:
    """Messages and their translations; plural forms joined by a zero character, as gettext keeps them."""
    found: dict[str, str] = {}
    block: dict[str, str] = {}
    field = ""
    for number, line in enumerate([*source.splitlines(), ""], start=1):
        text = line.strip()
        if text.startswith("#"):
            continue
        if not text:
            if "msgid" in block:
                add(found, block)
            block, field = {}, ""
            continue
        parts = LINE.match(text)
        if parts is None:
            raise ValueError(f"Line {number} of the catalogue is no part of an entry: {text!r}.")
        field = parts[1] or field
        block[field] = block.get(field, "") + ast.literal_eval(parts[2])
    return found


def add(found: dict[str, str], block: dict[str, str]) -> None:
    key = block["msgid"]
    if key in found:
        raise ValueError(f"The catalogue holds {key!r} twice.")
    if "msgid_plural" in block:
        forms = [block[name] for name in sorted(name for name in block if name.startswith("msgstr["))]
        found[f"{key}\0{block['msgid_plural']}"] = "\0".join(forms)
    else:
        found[key] = block.get("msgstr", "")


def translations(source: str) -> gettext.GNUTranslations:
    """The catalogue as Python's gettext reads it: the tables of a `.mo` file, made in memory."""
    pairs = sorted((key.encode(), value.encode()) for key, value in entries(source).items() if value)
    keys, values = b"\0".join(k for k, _ in pairs) + b"\0", b"\0".join(v for _, v in pairs) + b"\0"
    start = 28 + 16 * len(pairs)
    tables, where = [b"", b""], [start, start + len(keys)]
    for pair in pairs:
        for side, text in enumerate(pair):
            tables[side] += struct.pack("<II", len(text), where[side])
            where[side] += len(text) + 1
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    return gettext.GNUTranslations(io.BytesIO(head + tables[0] + tables[1] + keys + values))
