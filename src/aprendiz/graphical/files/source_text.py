"""The text of a network's file, and where in it something stands.

A file is plain or compressed (gzip); it is UTF-8, else Latin-1, as old files are. `Scanner` reads a text from front to back by
regular expressions that match at the present place and need time proportional to what they read. What it cannot read is an
error that names the file and the line.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from contextlib import suppress
from io import BytesIO
from typing import Any, NoReturn

MOST_BYTES = 2**28  # of an unpacked file; the largest networks in use need 6 MB
GZIP = b"\x1f\x8b"
SPACE = re.compile(r"\s*")
QUOTED = r'"[^"\\]*(?:\\.[^"\\]*)*"'
NUMBERS = re.compile(r"[-+.0-9eE,\s]*")


def read_text(source: Any) -> tuple[str, str]:
    """The text of a file (a path, or an open file), and what to call the file in messages."""
    if hasattr(source, "read"):
        name, content = str(getattr(source, "name", "the file")), source.read(MOST_BYTES + 1)
    else:
        name = os.fspath(source)
        name = name.decode(errors="replace") if isinstance(name, bytes) else name
        if "\n" in name or "{" in name:
            raise ValueError("The name of a file is needed, not its text: give text as io.StringIO(text).")
        with open(source, "rb") as file:
            content = file.read(MOST_BYTES + 1)
    if isinstance(content, str):
        return limited(content, name).removeprefix("\ufeff"), name
    if content[:2] == GZIP:
        try:
            with gzip.open(BytesIO(content)) as packed:
                content = packed.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{name} is a damaged gzip file ({error}): fetch it again.") from None
    limited(content, name)
    try:
        return content.decode("utf-8-sig"), name
    except UnicodeDecodeError:
        return content.decode("latin-1"), name


def limited(content: Any, name: str) -> Any:
    """The content, if it is not too long."""
    if len(content) > MOST_BYTES:
        raise ValueError(f"{name} holds more than {MOST_BYTES} bytes, too many for a file of a network.")
    return content


class Scanner:
    """A text that is read from front to back. `comment` is a regular expression of what counts as space."""

    def __init__(self, text: str, name: str, comment: str):
        if re.search(comment, text):
            hidden = re.compile(f"{QUOTED}|{comment}", re.DOTALL)
            text = hidden.sub(lambda found: found[0] if found[0][0] == '"' else " " + "\n" * found[0].count("\n"), text)
        self.text, self.name, self.at = text, name, 0
        self.take(SPACE)

    @property
    def ended(self) -> bool:
        """Is there nothing left?"""
        return self.at == len(self.text)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What the pattern matches here, if it does; then the scanner stands behind it and behind the space that follows."""
        found = pattern.match(self.text, self.at)
        if found is not None:
            space = SPACE.match(self.text, found.end())
            self.at = found.end() if space is None else space.end()
        return found

    def expect(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        """What the pattern matches here; anything else is an error."""
        found = self.take(pattern)
        if found is None:
            short = "" if self.text.find(";", self.at) >= 0 else " The file may be cut short."
            self.refuse(f"{what} is expected here, not {self.shown()}.{short}")
        return found

    def shown(self) -> str:
        """What stands here, for a message."""
        return "the end of the file" if self.ended else repr(self.text[self.at : self.at + 30].split("\n")[0].rstrip())

    def refuse(self, message: str, at: int | None = None) -> NoReturn:
        """An error that names the line."""
        line = self.text.count("\n", 0, self.at if at is None else at) + 1
        raise ValueError(f"{self.name}, line {line}: {message}")

    def numbers(self, text: str, at: int) -> list[float]:
        """The numbers of a list; anything else is an error."""
        try:
            return read_numbers(text)
        except ValueError as error:
            self.refuse(str(error), at)


def read_numbers(text: str) -> list[float]:
    """The numbers of a list, between which spaces and commas may stand. What only Python reads (nan, 1_000) is none."""
    words = text.replace(",", " ").split()
    if NUMBERS.fullmatch(text):
        with suppress(ValueError):
            return list(map(float, words))
    strange = next(word for word in words if not (NUMBERS.fullmatch(word) and is_number(word)))
    raise ValueError(f"{strange[:30]!r} is not a number.")


def is_number(word: str) -> bool:
    """Does a word say a number?"""
    try:
        float(word)
    except ValueError:
        return False
    return True


def unquoted(text: str) -> str:
    """The name that a quoted text means: a backslash stands before a quotation mark or another backslash."""
    return re.sub(r'\\(["\\])', r"\1", text[1:-1])


def quoted(name: str) -> str:
    """A name between quotation marks."""
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


TOKENS = re.compile(rf'({QUOTED})|([^\s",]+)|(,)')


def names_of(text: str, expected: int | None = None) -> list[str]:
    """The names of a list. Commas separate them, and spaces where that gives the number that is expected; quoted names stand
    by themselves."""
    if '"' not in text:
        names = [" ".join(part.split()) for part in text.split(",")]
        if names[-1] == "":
            names.pop()
        fits = "," in text if expected is None else len(names) == expected
        return names if fits else text.replace(",", " ").split()
    names, words, open_name, commas = [], [], False, 0  # names whose words are joined, words one by one
    for quote, word, comma in TOKENS.findall(text):
        if comma:
            open_name, commas = False, commas + 1
            continue
        name = unquoted(quote) if quote else word
        words.append(name)
        if word and open_name:
            names[-1] += " " + name
        else:
            names.append(name)
        open_name = bool(word)
    return names if (commas if expected is None else len(names) == expected) else words
