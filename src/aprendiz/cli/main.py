"""The entry: language, exit codes, and errors in words.

    0   done; also a run that was stopped by Ctrl-C or by its budget, with what was finished
    1   something that should not happen, or nothing that could be reported
    2   a wrong command, file, column or folder: the message says which, and what to do
    130 stopped by Ctrl-C before there was anything to report; `aprendiz run --resume` goes on

Nothing heavy is imported here, so that the first line is there at once.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from collections.abc import Sequence

import click

from aprendiz.cli import completing
from aprendiz.cli.commands import commands
from aprendiz.cli.entry import is_of_laboratory, what_to_install
from aprendiz.cli.exit_codes import DONE, FAILED, INTERRUPTED, REFUSED
from aprendiz.cli.words import InputError, in_words, say
from aprendiz.locale import LANGUAGES, _, language, language_of_system


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say, in the language they ask for."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    os.environ.setdefault("MPLBACKEND", "agg")  # pictures go to files
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a letter that the terminal lacks is no reason to stop
    with language(wanted_language(given)):
        return run(given)


def wanted_language(arguments: Sequence[str]) -> str:
    """What --lang says, wherever it stands; else the language of the system."""
    for place, argument in enumerate(arguments):
        name, _sign, value = argument.partition("=")
        if name == "--lang":
            value = value or (arguments[place + 1] if place + 1 < len(arguments) else "")
            return value if value in LANGUAGES else language_of_system()
    return language_of_system()


def run(arguments: list[str]) -> int:
    """The exit code; errors are said in a sentence."""
    try:
        if (answered := completing.answer(commands)) is not None:
            return answered
        with commands().make_context("aprendiz", list(arguments), obj=arguments) as ctx:
            code = ctx.command.invoke(ctx)
        return code if isinstance(code, int) else DONE
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx is not None else "")
        return REFUSED
    except click.ClickException as error:
        return say(in_words(error), REFUSED)
    except InputError as error:
        return say(str(error), REFUSED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has gone: nothing more to say
        return DONE
    except OSError as error:
        hint = _("Use --resume to continue a run that was stopped.") if arguments[:1] == ["run"] else ""
        return say(f"{disk_in_words(error)} {hint}".rstrip(), REFUSED)
    except (KeyboardInterrupt, click.Abort):
        return say(_("Stopped."), INTERRUPTED)
    except MemoryError:
        return say(_("There is not enough memory for this table: use fewer rows or columns."), FAILED)
    except ModuleNotFoundError as error:
        if not is_of_laboratory(error):
            raise
        return say(what_to_install(error), REFUSED)
    except Exception:
        traceback.print_exc()
        return say(_("This is a bug in aprendiz, not a mistake of yours: please report it with the lines above."), FAILED)


def disk_in_words(error: OSError) -> str:
    """Which file, and what is wrong with it."""
    causes = {
        errno.ENOSPC: _("the disk is full: free some space, or choose another location"),
        errno.EDQUOT: _("the disk is full: free some space, or choose another location"),
        errno.EFBIG: _("the file would exceed the size limit: choose another location"),
        errno.EACCES: _("permission denied: choose another location"),
        errno.EPERM: _("permission denied: choose another location"),
        errno.EROFS: _("the file system is read-only: choose another location"),
        errno.ENOENT: _("no such file or folder: check the path"),
        errno.ENOTDIR: _("part of the path is a file, not a folder: check the path"),
        errno.EISDIR: _("it is a folder, not a file: give the name of a file"),
        errno.EEXIST: _("something else is there and is not replaced: choose another name"),
        errno.ENAMETOOLONG: _("the name is too long: choose a shorter one"),
    }
    words = causes.get(error.errno or 0, str(error.strerror or error))
    return f"{error.filename or '–'}: {words}."
