"""The commands and their options. What they do is in running.py, comparing.py, predicting.py and listing.py, imported when
called.

The commands are made anew for each call, so that their help is in the language of that call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

import aprendiz
from aprendiz.cli import completing
from aprendiz.cli.help import SpokenCommand, SpokenGroup
from aprendiz.cli.words import printable
from aprendiz.locale import LANGUAGES, _

WIDTH = 100  # of the help
SHOWN = 4  # tables that are named


def commands() -> click.Group:
    """All commands, in the current language."""
    return SpokenGroup(
        "aprendiz",
        help=_("From a table to a report: compares methods on unseen rows and saves the best model for new tables."),
        context_settings={"max_content_width": WIDTH, "help_option_names": ["--help", "-h"]},
        options_metavar=_("[OPTIONS]"),
        subcommand_metavar=_("COMMAND [ARGUMENTS]"),
        params=[version_option(), language_option()],
        commands=[
            *(run_command(), explore_command(), cluster_command(), compare_command(), predict_command()),
            *(show_command(), methods_command(), completion_command()),
        ],
        callback=without_command,
        invoke_without_command=True,
    )


def without_command() -> None:
    """What there is, if nothing was asked for."""
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        ctx.exit(2)


def command(name: str, words: str, callback: Callable[..., Any], parameters: list[click.Parameter]) -> click.Command:
    return SpokenCommand(
        name, help=words, callback=callback, params=[*parameters, language_option()], options_metavar=_("[OPTIONS]")
    )


def run_command() -> click.Command:
    """`aprendiz run`."""

    def call(table: tuple[str, ...], *, target: tuple[str, ...], **given: Any) -> int:
        first_line(table)
        targets = tuple(dict.fromkeys(target))
        if len(targets) > 1:
            from aprendiz.cli.several_targets import run_each

            return run_each(table, targets, **given)
        from aprendiz.cli.running import run

        return run(table, target=targets[0] if targets else None, **given)

    of_columns: dict[str, Any] = {"shell_complete": completing.column}
    return command(
        "run",
        _("Compare methods on a table and write a report. Without a table, the included breast-cancer table is used."),
        call,
        [
            click.Argument(["table"], nargs=-1, metavar=_("[TABLE...]"), shell_complete=completing.file),
            option(
                "--target",
                _("Column to predict; chosen automatically by default. Repeated: a run for each, none of them a feature."),
                metavar=_("COLUMN"),
                multiple=True,
                **of_columns,
            ),
            option("--metric", _("Measure used to compare the methods, such as accuracy, auc, r2 or mae."), metavar=_("NAME")),
            option(
                "--groups",
                _("Column of groups (patients, sites) or places; a group or block is never split between training and test."),
                metavar=_("COLUMN"),
                **of_columns,
            ),
            option("--time", _("Column of time: each fold is trained only on the rows before it."), metavar=_("COLUMN")),
            option("--no-groups", _("Treat all rows as independent, even if a column seems to group them."), is_flag=True),
            option("--leave-out", _("Column to ignore; can be repeated."), metavar=_("COLUMN"), multiple=True, **of_columns),
            option(
                "--keep",
                _("Column to use although it would be set aside (as a suspected leak or an identifier); can be repeated."),
                metavar=_("COLUMN"),
                multiple=True,
                **of_columns,
            ),
            option(
                "--methods",
                _("Methods, separated by commas, or all; a shortlist by default."),
                metavar=_("NAMES"),
                shell_complete=completing.methods,
            ),
            option(
                "--select",
                _("Selection of columns inside the folds: auto (if columns far outnumber rows), none, or its name."),
                metavar=_("NAME"),
            ),
            option(
                "--task",
                _("classification or regression; by default, inferred from the target."),
                callback=task,
                metavar=_("TASK"),
                shell_complete=completing.one_of("classification", "regression"),
            ),
            option(
                "--transform-target",
                _("Transform a target of numbers inside the folds: log, boxcox, auto (if its errors need it) or none (usual)."),
                callback=transformation,
                metavar=_("NAME"),
            ),
            option(
                "--costs",
                _("CSV file of what decisions cost: true classes in the first column, decisions in the first line."),
                metavar=_("FILE"),
            ),
            option(
                "--reject",
                _("Cost of leaving a row undecided: rows whose best decision is expected to cost more are rejected."),
                callback=cost,
                metavar=_("COST"),
            ),
            option("--folds", _("Number of cross-validation folds; usually 10."), callback=whole_number(2), metavar="K"),
            option("--seed", _("Random seed for shuffling the rows."), callback=whole_number(0, 2**32 - 1), metavar="N"),
            option("--budget", _("Time limit in seconds of the whole run."), callback=seconds, metavar=_("SECONDS")),
            option("--no-racing", _("Let methods that cannot win any more do all of their folds, however long."), is_flag=True),
            option("--bias-variance", _("Also split the error of the best method into bias and variance."), is_flag=True),
            option("--out", _("Folder for the report; by default, a new one in the current folder."), metavar=_("FOLDER")),
            option("--resume", _("Resume a run that was stopped; finished folds are kept."), is_flag=True),
            *memory_options(),
            *reading_options(),
        ],
    )


def tables_argument() -> click.Parameter:
    """One file or several."""
    return click.Argument(["table"], nargs=-1, required=True, metavar=_("TABLE..."), shell_complete=completing.file)


def first_line(tables: tuple[str, ...]) -> None:
    """Said before anything heavy is imported."""
    shown = [_("standard input") if table == "-" else printable(table) for table in tables[:SHOWN]]
    name = ", ".join(shown) + (", …" if len(tables) > SHOWN else "") if tables else _("the breast-cancer table")
    click.echo(_("aprendiz {version}: reading {table}").format(version=aprendiz.__version__, table=name))


def reading_options() -> list[click.Parameter]:
    """How a file is written, where it is not found out by itself."""
    return [
        option("--encoding", _("Encoding of the file, such as utf-8 or latin-1."), metavar=_("NAME")),
        option("--separator", _("Separator between cells; \\t for a tab."), metavar=_("CHARACTER")),
        option("--decimal", _("Decimal separator: . or ,"), metavar=_("CHARACTER")),
        option("--thousands", _("Thousands separator."), metavar=_("CHARACTER")),
        option("--quote", _("Quote character around cells."), metavar=_("CHARACTER")),
        option("--sheet", _("Sheet of a workbook, by its name or number; by default, the largest."), metavar=_("NAME")),
        option("--comment", _("Character that starts comment lines."), metavar=_("CHARACTER")),
        option("--skip", _("Number of lines to skip before the header."), callback=whole_number(0), metavar="N"),
        option("--header/--no-header", _("Whether the first line contains the column names."), default=None),
        option(
            "--missing",
            _("Text that marks a missing cell, besides the usual ones; can be repeated."),
            multiple=True,
            metavar=_("CELL"),
        ),
        option(
            "--type",
            _("Type of a column: number, boolean, date, text, list, place, latitude or longitude; can be repeated."),
            multiple=True,
            metavar=_("COLUMN=TYPE"),
        ),
        option(
            "--max-size",
            _("Largest size of the table of a compressed file, in GB; by default, a third of the free memory."),
            callback=gigabytes,
            metavar="GB",
        ),
    ]


def memory_options() -> list[click.Parameter]:
    """What is done with a table that is too large for memory."""
    return [
        memory_option(),
        option(
            "--sample",
            _("Use at most so many rows of the table, chosen at random; by default, as many as the memory allows."),
            callback=whole_number(1, 2**53),
            metavar="N",
        ),
    ]


def memory_option() -> click.Option:
    words = _("Memory that may be used, such as 2GB; by default, three quarters of what is free.")
    return option("--memory", words, callback=memory, metavar=_("SIZE"))


def explore_command() -> click.Command:
    """`aprendiz explore`."""

    def call(table: tuple[str, ...], **given: Any) -> int:
        first_line(table)
        from aprendiz.cli.exploring import explore

        return explore(table, **given)

    return command(
        "explore",
        _("Look at a table: its columns, missing cells, duplicates, associations, and what could be predicted."),
        call,
        [
            tables_argument(),
            option("--leave-out", _("Column to ignore; can be repeated."), metavar=_("COLUMN"), multiple=True),
            option("--out", _("Folder for the report; by default, a new one in the current folder."), metavar=_("FOLDER")),
            *memory_options(),
            *reading_options(),
        ],
    )


def cluster_command() -> click.Command:
    """`aprendiz cluster`."""

    def call(table: tuple[str, ...], **given: Any) -> int:
        first_line(table)
        from aprendiz.cli.clustering import cluster

        return cluster(table, **given)

    return command(
        "cluster",
        _("Look for groups of rows: whether there are any, how many, and what tells them apart."),
        call,
        [
            tables_argument(),
            option("--k", _("Number of groups; found by default."), callback=whole_number(2), metavar="K"),
            option(
                "--methods",
                _("Methods, separated by commas: KMeans, GaussianMixture, AgglomerativeClustering, KMedoids; all by default."),
                metavar=_("NAMES"),
            ),
            option("--leave-out", _("Column to ignore; can be repeated."), metavar=_("COLUMN"), multiple=True),
            option("--seed", _("Random seed."), callback=whole_number(0, 2**32 - 1), metavar="N"),
            option(
                "--budget", _("Time limit in seconds, after which no new stage starts."), callback=seconds, metavar=_("SECONDS")
            ),
            option("--out", _("Folder for the report; by default, a new one in the current folder."), metavar=_("FOLDER")),
            *memory_options(),
            *reading_options(),
        ],
    )


def compare_command() -> click.Command:
    """`aprendiz compare`."""

    def call(**given: Any) -> int:
        from aprendiz.cli.comparing import compare

        return compare(**given)

    return command(
        "compare",
        _("Compare the methods of finished runs: by their folds on one table, by their ranks over several tables."),
        call,
        [
            click.Argument(["runs"], nargs=-1, required=True, metavar=_("RUN..."), shell_complete=completing.file),
            option("--test", _("Statistical test, such as corrected_t, wilcoxon, sign or friedman."), metavar=_("NAME")),
            option("--metric", _("Measure used to compare the methods, such as accuracy, auc, r2 or mae."), metavar=_("NAME")),
            option(
                "--level",
                _("Level of significance; usually 0.05."),
                callback=share(_("{value} must be a number between 0 and 1, such as 0.05.")),
                metavar="P",
            ),
            option(
                "--weka", _("Print the table of Weka's experimenter: v is better than the first method, * worse."), is_flag=True
            ),
            click.Option(["-o", "--out"], help=_("File for the picture: .png, .svg or .pdf."), metavar=_("FILE")),
            option("--force", _("Overwrite the file if it exists."), is_flag=True),
        ],
    )


def predict_command() -> click.Command:
    """`aprendiz predict`."""

    def call(**given: Any) -> int:
        from aprendiz.cli.predicting import predict

        return predict(**given)

    return command(
        "predict",
        _("Predict the rows of a new table, which is read in the same way as the training table unless the options say so."),
        call,
        [
            click.Argument(["model"], metavar=_("MODEL"), shell_complete=completing.file),
            tables_argument(),
            click.Option(
                ["-o", "--out"], help=_("CSV file to write; by default, the predictions are printed."), metavar=_("FILE")
            ),
            option(
                "--coverage",
                _("Also write an interval, or a set of classes, that contains the target with this probability, such as 0.9."),
                callback=share(_("{value} must be a number between 0 and 1, such as 0.9.")),
                metavar="P",
            ),
            option("--force", _("Overwrite the file if it exists."), is_flag=True),
            memory_option(),
            *reading_options(),
        ],
    )


def show_command() -> click.Command:
    """`aprendiz show`."""

    def call(**given: Any) -> int:
        from aprendiz.cli.listing import show

        return show(**given)

    return command(
        "show",
        _("Show what a model predicts, from which columns, and how well."),
        call,
        [click.Argument(["model"], metavar=_("MODEL"), shell_complete=completing.file)],
    )


def methods_command() -> click.Command:
    """`aprendiz methods`."""

    def call(**given: Any) -> int:
        from aprendiz.cli.listing import methods

        return methods(**given)

    return command(
        "methods",
        _("List the methods that can be compared; with a name, explain one."),
        call,
        [click.Argument(["method"], required=False, metavar=_("[METHOD]"), shell_complete=completing.method)],
    )


def completion_command() -> click.Command:
    """`aprendiz completion`."""

    def call(shell: str) -> int:
        return completing.print_script(shell)

    words = _("Print the script that completes commands, options, methods and columns in a shell: bash, zsh or fish.")
    complete = completing.one_of(*completing.SHELLS)
    return command("completion", words, call, [click.Argument(["shell"], metavar="SHELL", shell_complete=complete)])


# ---- options ---------------------------------------------------------------------------------------------------------------


def option(name: str, words: str, **more: Any) -> click.Option:
    return click.Option([name], help=words, **more)


def language_option() -> click.Option:
    def check(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
        if value is not None and value not in LANGUAGES:
            raise click.BadParameter(
                _("{value} is not a supported language; choose one of {known}.").format(value=repr(value), known="en, es")
            )
        return value

    return click.Option(
        ["--lang"],
        help=_("Language: en or es; by default, that of the system."),
        callback=check,
        metavar="en|es",
        expose_value=False,
    )


def version_option() -> click.Option:
    def tell(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
        if value:
            click.echo(f"aprendiz {aprendiz.__version__}")
            ctx.exit()

    return click.Option(
        ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=tell, help=_("Show the version.")
    )


def task(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """A check that a value is a task."""
    if value not in (None, "classification", "regression"):
        raise click.BadParameter(_("{value} must be classification or regression.").format(value=repr(value)))
    return value


def whole_number(least: int, most: int = 10**9) -> Callable[..., int | None]:
    """A check that a value is a whole number."""

    def check(ctx: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
        if value is None:
            return None
        if not value.strip().isdecimal() or not least <= int(value) <= most:
            raise click.BadParameter(
                _("{value} must be a whole number from {least} to {most}.").format(value=repr(value), least=least, most=most)
            )
        return int(value)

    return check


def seconds(ctx: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """A check that a value is a time."""
    return positive(value, _("{value} must be a number of seconds, such as 60."))


def gigabytes(ctx: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """A check that a value is a size."""
    return positive(value, _("{value} must be a number of gigabytes, such as 8."))


def memory(ctx: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """A check that a value is a size of memory."""
    if value is None:
        return None
    from aprendiz.lab.large_tables.memory_plan import bytes_of

    try:
        return bytes_of(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def transformation(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """A check that a value is a transformation."""
    if value not in (None, "auto", "log", "boxcox", "none"):
        raise click.BadParameter(_("{value} must be auto, log, boxcox or none.").format(value=repr(value)))
    return value


def cost(ctx: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    """A check that a value is a cost."""
    return positive(value, _("{value} must be a cost above 0, such as 0.2."))


def share(refusal: str) -> Callable[..., float | None]:
    """A check that a value lies between 0 and 1."""

    def check(ctx: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
        found = positive(value, refusal)
        if found is not None and found >= 1:
            raise click.BadParameter(refusal.format(value=repr(value)))
        return found

    return check


def positive(value: str | None, refusal: str) -> float | None:
    if value is None:
        return None
    try:
        found = float(value)
    except ValueError:
        found = -1.0
    if not 0 < found < float("inf"):
        raise click.BadParameter(refusal.format(value=repr(value)))
    return found
