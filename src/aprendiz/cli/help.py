"""Commands whose help is written in the reader's language: click's own headings are English."""

from __future__ import annotations

from typing import Any

import click

from aprendiz.cli.exit_codes import codes_in_words
from aprendiz.locale import _


class Spoken:
    """The parts of a click command that speak."""

    def format_usage(self: Any, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), prefix=_("Usage:") + " ")

    def format_options(self: Any, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, click.Option)]
        records = [record for option in options if (record := option.get_help_record(ctx)) is not None]
        with formatter.section(_("Options")):
            formatter.write_dl(records)
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)

    def get_help_option(self: Any, ctx: click.Context) -> click.Option | None:
        option: click.Option | None = super().get_help_option(ctx)  # type: ignore[misc]  # click's, in the classes below
        if option is not None:
            option.help = _("Show this help.")
        return option

    def parse_args(self: Any, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        rest: list[str] = super().parse_args(ctx, args)  # type: ignore[misc]  # likewise
        if rest and not isinstance(self, click.Group) and not ctx.resilient_parsing:
            raise click.UsageError(_("Unexpected extra argument: {argument}.").format(argument=repr(rest[0])), ctx)
        return rest


class SpokenCommand(Spoken, click.Command):
    """A command with help in the reader's language."""


class SpokenGroup(Spoken, click.Group):
    """A group of commands with help in the reader's language."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self.commands[name].get_short_help_str(200)) for name in self.list_commands(ctx)]
        with formatter.section(_("Commands")):
            formatter.write_dl(rows)
        with formatter.section(_("Exit codes")):
            formatter.write_dl(codes_in_words())
