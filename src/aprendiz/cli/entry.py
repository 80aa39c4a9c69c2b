"""The command `aprendiz`: main.py, or a sentence about the packages that it needs and that are not installed.

A plain `pip install aprendiz` brings the library alone; the laboratory needs a few packages more. Nothing but the standard
library is imported here before that is known.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from aprendiz.locale import _, language, language_of_system

PACKAGES = frozenset(
    {"click", "duckdb", "jinja2", "markupsafe", "matplotlib", "pandas", "pyarrow", "pyreadstat", "python_calamine", "rich"}
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say; the exit code."""
    try:
        from aprendiz.cli.main import main as run
    except ModuleNotFoundError as error:
        if not is_of_laboratory(error):
            raise
        with language(language_of_system()):
            print(f"aprendiz: {what_to_install(error)}", file=sys.stderr)
        return 2
    return run(arguments)


def is_of_laboratory(error: ModuleNotFoundError) -> bool:
    """Is a package missing that only the laboratory needs?"""
    return (error.name or "").partition(".")[0] in PACKAGES


def what_to_install(error: ModuleNotFoundError) -> str:
    """Which package is missing, and the command that installs all of them."""
    return _("The laboratory needs the package {name}, which is not installed: {command}").format(
        name=(error.name or "").partition(".")[0], command="pip install 'aprendiz[lab]'"
    )
