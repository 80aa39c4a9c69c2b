"""What the command line says when something is wrong, in the reader's language.

Click writes its own messages in English; here each of them is a sentence of the catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import click

from aprendiz.locale import _


class InputError(Exception):
    """Something the user can put right: a file, a column, a folder."""


@contextmanager
def input_errors() -> Iterator[None]:
    """What is wrong with the input, with the sentence that says it."""
    try:
        yield
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(as_options(str(error))) from error


OPTIONS = "encoding|separator|decimal|thousands|quote|comment|skip|header|missing|sheet|sample|target|groups|metric|task"
OPTIONS += "|folds|test"


def as_options(sentence: str) -> str:
    """A sentence of the library, with the options of the command line instead of the arguments of Python."""
    sentence = re.sub(r"^(target|groups|leave-out|keep): ", r"--\1: ", sentence)
    sentence = re.sub(r"max_bytes=…, (or|o) --max-size", "--max-size", sentence)
    sentence = re.sub(r"types\[('[^']*')\]='([^']*)'", r"--type \1=\2", sentence)
    sentence = re.sub(r"\btypes=…", "--type", sentence)
    sentence = re.sub(rf"\b({OPTIONS})=…", r"--\1", sentence)
    return re.sub(rf"\b({OPTIONS})=('[^']*'|\"[^\"]*\"|\S+)", r"--\1 \2", sentence)


def say(sentence: str, code: int) -> int:
    """Tell what went wrong, on the stream for errors; the exit code."""
    click.echo(_("aprendiz: {sentence}").format(sentence=printable(sentence)), err=True)
    return code


def printable(text: str) -> str:
    """A text that cannot steer the terminal: what a table holds is shown, not obeyed."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else " " for sign in text)


def in_words(error: click.ClickException) -> str:
    """The message of an error in the command, and where to look."""
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx is not None else "aprendiz"
    return f"{sentence_of(error)}\n" + _("See {command} --help.").format(command=path)


def sentence_of(error: click.ClickException) -> str:
    if isinstance(error, click.NoSuchOption):
        return " ".join([_("There is no option {name}.").format(name=error.option_name), *suggestions(error.possibilities)])
    if isinstance(error, click.exceptions.NoSuchCommand):
        return " ".join([_("There is no command {name}.").format(name=error.command_name), *suggestions(error.possibilities)])
    if isinstance(error, click.MissingParameter):
        name = error.param.make_metavar(error.ctx) if error.param is not None and error.ctx is not None else error.param_hint
        return _("{name} is missing.").format(name=name)
    if isinstance(error, click.BadOptionUsage):
        wanted = "requires" in error.message
        words = _("Option {name} needs a value.") if wanted else _("Option {name} takes no value.")
        return words.format(name=error.option_name)
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _("{name}: {problem}").format(name=error.param.opts[0], problem=error.message)
    return error.format_message()


def suggestions(names: object) -> list[str]:
    """A word about what could have been meant."""
    known = list(names) if isinstance(names, (list, tuple)) else []
    return [_("Did you mean {name}?").format(name=known[0])] if known else []
