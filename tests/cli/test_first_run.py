"""The first run on a machine says that it compiles: once, in the reader's language, and no longer than it lasts."""

import io
import subprocess
import sys
from types import SimpleNamespace

import numba
import pytest
from rich.console import Console

from aprendiz.cli.board import Board
from aprendiz.cli.compiling import compilations
from aprendiz.lab import experiment
from aprendiz.lab.experiment import Step

from .calls import QUICK, call

SENTENCES = {"en": "Preparing the methods for this machine", "es": "Preparando los métodos para este equipo"}


def compile_something():
    """A kernel that no cache knows."""
    return numba.njit(lambda x: x + 1)(1)


def test_compilations_are_noticed():
    """Compiling calls; a kernel that is compiled already, and whatever comes after the block, does not."""
    calls = []
    kernel = numba.njit(lambda x: x + 1)
    with compilations(lambda: calls.append("begun")):
        kernel(1)
        assert calls == ["begun"]
        kernel(2)
        assert calls == ["begun"]
        kernel(2.0)  # for another kind of number
        assert len(calls) == 2
    compile_something()
    assert len(calls) == 2


def test_block_that_fails_stops_listening():
    calls = []
    with pytest.raises(ZeroDivisionError), compilations(lambda: calls.append("begun")):
        raise ZeroDivisionError
    compile_something()
    assert calls == []


@pytest.fixture
def slow_methods(monkeypatch):
    """Every fold compiles something."""
    run = experiment.run

    def compiling(*given, **more):
        compile_something()
        return run(*given, **more)

    monkeypatch.setattr(experiment, "run", compiling)


@pytest.mark.parametrize("language", ["en", "es"])
def test_run_says_it_once(table, slow_methods, no_pictures, language):
    """Where the output is no terminal, there is one line before the first fold, however many kernels are compiled."""
    said = call("run", table, *QUICK, "--lang", language)
    assert said.code == 0, said.err
    assert said.out.count(SENTENCES[language]) == 1
    assert said.out.index(SENTENCES[language]) < said.out.index({"en": "fold 1 of 2", "es": "pliegue 1 de 2"}[language])
    assert said.err == ""


def test_run_with_a_warm_cache_is_silent(whole_run, table, no_pictures):
    """What an earlier run has compiled is not announced again."""
    assert call("run", table, *QUICK, "--out", "once").code == 0
    said = call("run", table, *QUICK, "--out", "again")
    assert said.code == 0, said.err
    assert SENTENCES["en"] not in said.out


def board_on(terminal):
    """A leaderboard of an experiment that has not begun, and what it writes to."""
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=terminal, width=100)
    question = SimpleNamespace(metric="accuracy")
    nothing = SimpleNamespace(question=question, methods=(), failures={"A": "broken"}, running=[], found={}, splits=[0, 1])
    return Board(console, nothing), screen


def test_terminal_shows_it_below_the_leaderboard():
    """On a terminal the last line changes while methods are compiled, and changes back with the next step."""
    board, screen = board_on(terminal=True)
    with board:
        assert SENTENCES["en"] not in board.footer()
        compile_something()
        assert board.footer().startswith(SENTENCES["en"])
        board.live.refresh()
        board.step(Step("A", 0, False, "broken"))
        assert SENTENCES["en"] not in board.footer()
        compile_something()
        board.stage("writing")
        assert board.footer().startswith("writing")
    assert SENTENCES["en"] in screen.getvalue()


def test_board_that_is_closed_hears_nothing():
    """After the board nothing is written any more."""
    board, screen = board_on(terminal=False)
    with board:
        pass
    compile_something()
    assert screen.getvalue() == ""


def test_command_line_starts_without_numba():
    """Importing Numba takes longer than printing help: the entry does without it."""
    code = "import sys, aprendiz.cli.main; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_packages_that_are_not_installed():
    """After a plain installation, without the packages of the laboratory, the command says which one is missing and what to
    install, in the language of the system."""
    code = (
        "import sys; sys.modules['{name}'] = None; import os; os.environ['LC_ALL'] = '{lang}'; "
        "from aprendiz.cli.entry import main; sys.exit(main(['run', 'no.csv']))"
    )
    for name, lang, words in (("click", "en_GB.UTF-8", "needs the package click"), ("duckdb", "es_ES.UTF-8", "paquete duckdb")):
        said = subprocess.run(
            [sys.executable, "-c", code.format(name=name, lang=lang)], capture_output=True, text=True, check=False
        )
        assert said.returncode == 2
        assert words in said.stderr
        assert "pip install 'aprendiz[lab]'" in said.stderr
        assert "Traceback" not in said.stderr
