"""Columns of text that hold dates which are not all read: several formats, or one that is not read.

    2024-03-05        5/3/2024        5 Mar 2024        March 5, 2024        5/3/24        20240305

The first two are read as dates. The others are told, with an example of each that occurs: which of two numbers is the month, or
which century is meant, would be guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aprendiz.lab.cells import DAYS, ISO
from aprendiz.locale import _

MONTH = (
    "jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?|"
    "ene(ro)?|febrero|marzo|abr(il)?|mayo|junio|julio|ago(sto)?|septiembre|octubre|noviembre|dic(iembre)?"
)
FORMATS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        ISO,
        DAYS,
        rf" *[0-9]{{1,2}}[ .-](de )?({MONTH})[ .,-]*(de )?[0-9]{{2,4}} *",
        rf" *({MONTH})[ .-]*[0-9]{{1,2}},? +[0-9]{{4}} *",
        r" *[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2} *",
        r" *(19|20)[0-9]{2}(0[1-9]|1[0-2])([0-2][0-9]|3[01]) *",
    )
)
MOST, SHARE = 1000, 0.9  # cells that are looked at, and the share of them that are dates


@dataclass(frozen=True)
class MixedDates:
    """A column of text that holds dates, and an example of each format."""

    name: str
    examples: tuple[str, ...]
    words: tuple[str, ...] = ()

    def sentence(self) -> str:
        """What to do about it."""
        examples = ", ".join(map(repr, self.examples))
        words = _("column {name} holds dates that cannot be read, so it stays text: {examples}; write them as 2024-03-05")
        return words.format(name=repr(self.name), examples=examples)


def dates_in_text(name: str, cells: Sequence[str]) -> MixedDates | None:
    """What to say of a column of text whose cells are dates; None if they are not."""
    some = list(cells[:MOST])
    found = dict(formats_of(some))
    dates = sum(any(form.fullmatch(cell) for form in FORMATS) for cell in some) if found else 0
    return MixedDates(name, tuple(found.values())) if found and dates >= SHARE * len(some) else None


def formats_of(cells: Sequence[str]) -> Iterator[tuple[re.Pattern[str], str]]:
    """The formats that occur, each with its first cell."""
    for form in FORMATS:
        first = next((cell for cell in cells if form.fullmatch(cell)), None)
        if first is not None:
            yield form, first
