"""What the exit code of `aprendiz` says; the help lists it."""

from __future__ import annotations

from aprendiz.locale import _

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


def codes_in_words() -> list[tuple[str, str]]:
    """Each code, and what it means."""
    return [
        (str(DONE), _("Done; also if Ctrl-C or the budget ended a run whose finished folds are reported.")),
        (str(FAILED), _("Nothing could be reported, or a bug in aprendiz.")),
        (str(REFUSED), _("Something you can put right: the command, a file, a column, a folder.")),
        (str(INTERRUPTED), _("Stopped by Ctrl-C before there was anything to report; run --resume continues.")),
    ]
