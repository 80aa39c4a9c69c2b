"""Completion in the shell: `aprendiz completion bash` prints what the shell needs, and the shell asks click, which asks here.

    eval "$(aprendiz completion bash)"        in ~/.bashrc, and likewise for zsh; for fish:
    aprendiz completion fish > ~/.config/fish/completions/aprendiz.fish

Commands and options are click's own matter. Names of methods stand in method_names.py, and names of columns in the first line
of the table, so that a key press does not wait for the imports of the laboratory.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

from aprendiz.cli.method_names import METHODS
from aprendiz.locale import _

VARIABLE = "_APRENDIZ_COMPLETE"
SHELLS = ("bash", "zsh", "fish")
SEPARATORS = ",;\t|"
LONGEST_LINE = 1 << 20  # bytes of a first line that is read

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def print_script(shell: str) -> int:
    """The script for a shell; the exit code."""
    if shell not in SHELLS:
        raise click.BadParameter(_("{value} must be bash, zsh or fish.").format(value=repr(shell)), param_hint="SHELL")
    found = get_completion_class(shell)
    assert found is not None
    maker = found(click.Group("aprendiz"), {}, "aprendiz", VARIABLE)
    click.echo(maker.source_template % maker.source_vars())
    return 0


def answer(commands: Callable[[], click.Group]) -> int | None:
    """The exit code if the shell has asked for completions; None if it has not."""
    asked = os.environ.get(VARIABLE)
    return None if asked is None else shell_complete(commands(), {}, "aprendiz", VARIABLE, asked)


def beginning_with(names: Any, incomplete: str) -> list[CompletionItem]:
    """The names that go on from what is typed, in any capitals."""
    return [CompletionItem(name) for name in names if name.lower().startswith(incomplete.lower())]


def method(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The name of a method."""
    return beginning_with(METHODS, incomplete)


def methods(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of methods, separated by commas."""
    before, comma, last = incomplete.rpartition(",")
    return [CompletionItem(before + comma + one.value) for one in beginning_with(("all", *METHODS), last)]


def one_of(*values: str) -> Complete:
    """One of a few words."""
    return lambda ctx, parameter, incomplete: beginning_with(values, incomplete)


def file(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A path: the shell knows them."""
    return [CompletionItem(incomplete, type="file")]


def column(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A column of the table that the command names."""
    left = [one for one in ctx.args if not one.startswith("-")]  # click stops where an option still lacks its value
    tables = [*(ctx.params.get("table") or ()), *left]
    return beginning_with(columns_of(tables[0]), incomplete) if tables else []


def columns_of(table: str) -> list[str]:
    """The cells of the first line of a text file; none where it cannot be read quickly."""
    try:
        with open(table, "rb") as opened:
            line = opened.readline(LONGEST_LINE).decode("utf-8-sig").rstrip("\r\n")
    except (OSError, UnicodeDecodeError):
        return []
    separator = max(SEPARATORS, key=line.count)
    if line.count(separator) == 0 or not line.replace("\t", "").isprintable():
        return []
    return [name for name in next(csv.reader([line], delimiter=separator), []) if name]
