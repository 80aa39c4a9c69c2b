"""Messages, numbers and dates in the reader's language: English, or Spanish.

    with language("es"):
        _("{rows} rows").format(rows=format_whole(1500))        → "1.500 filas"

The sentences of the laboratory are written in English in the code; `es/LC_MESSAGES/aprendiz.po` holds them in Spanish, in
gettext's own format. `language` holds for the thread (and the tasks) in which it is set.
"""

from __future__ import annotations

import gettext
import locale as system
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from functools import cache
from importlib.resources import files

from aprendiz.locale.catalogue import translations

LANGUAGES = ("en", "es")
_language: ContextVar[str] = ContextVar("aprendiz_language", default="en")


def current_language() -> str:
    """The language of the messages."""
    return _language.get()


@contextmanager
def language(name: str) -> Iterator[None]:
    """Speak a language inside a `with` block."""
    if name not in LANGUAGES:
        raise ValueError(f"There is no language {name!r}: choose {' or '.join(LANGUAGES)}.")
    token = _language.set(name)
    try:
        yield
    finally:
        _language.reset(token)


def language_of_system() -> str:
    """The language that the environment asks for, English unless it is Spanish."""
    wanted = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    if not wanted:
        try:
            wanted = system.getlocale()[0] or ""
        except ValueError:
            wanted = ""
    return "es" if wanted.lower().startswith(("es", "spanish")) else "en"


@cache
def catalogue(name: str) -> gettext.NullTranslations:
    if name == "en":
        return gettext.NullTranslations()
    source = files("aprendiz.locale").joinpath(name, "LC_MESSAGES", "aprendiz.po").read_text(encoding="utf-8")
    return translations(source)


def _(message: str) -> str:
    """A message in the current language."""
    return catalogue(current_language()).gettext(message) if message else ""


def ngettext(one: str, many: str, number: int) -> str:
    """A message that depends on a number."""
    return catalogue(current_language()).ngettext(one, many, number)


# ---- numbers and dates -------------------------------------------------------------------------------------------------


def number(value: float, digits: int = 4) -> str:
    """A number to some significant digits, with the decimal sign of the language."""
    if value != value:
        return "–"
    if 1e-4 <= abs(value) < 1e9 or value == 0:
        places = max(0, digits - 1 - math.floor(math.log10(abs(value)))) if value else 0
        text = f"{value:,.{places}f}"
        return localise(text.rstrip("0").rstrip(".") if "." in text else text)
    return localise(f"{value:.{digits}g}")


def format_fixed(value: float, places: int = 3) -> str:
    """A number with a fixed number of decimals; what is rounded to zero has no sign."""
    return "–" if value != value else localise(f"{value:z,.{places}f}")


def format_whole(value: int) -> str:
    """A whole number, in groups of three digits."""
    return localise(f"{value:,d}")


def percent(value: float, places: int = 1) -> str:
    """A share in per cent."""
    return "–" if value != value else f"{localise(f'{100 * value:.{places}f}')} %"


def day(value: date) -> str:
    """A date, as it is written in the language."""
    return f"{value.day}/{value.month}/{value.year}" if current_language() == "es" else f"{value:%Y-%m-%d}"


def moment(value: datetime) -> str:
    """A date with its time."""
    return f"{day(value)} {value:%H:%M}"


def localise(text: str) -> str:
    """1,234.5 as the language has it."""
    return text.translate(str.maketrans(",.", ".,")) if current_language() == "es" else text
