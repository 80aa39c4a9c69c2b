"""Completion in the shell: commands, options, methods and columns; the scripts of the shells."""

import io
import os
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

import aprendiz
from aprendiz.cli.completing import SHELLS, VARIABLE, columns_of
from aprendiz.cli.main import main
from aprendiz.cli.method_names import METHODS
from aprendiz.lab.methods import learners

from .calls import call


def completed(monkeypatch, *words):
    """What bash is offered after some words; a path is said as such."""
    monkeypatch.setenv(VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["aprendiz", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    with redirect_stdout(out):
        assert main([]) == 0
    out.flush()
    lines = out.buffer.getvalue().decode().splitlines()
    return [line.partition(",")[2] if line.startswith("plain") else line for line in lines if line]


def test_names_of_methods():
    """The list of names is that of the learners: add new ones to cli/method_names.py, in the order of the alphabet."""
    assert list(METHODS) == sorted({name for task in ("classification", "regression") for name in learners(task)})


def test_commands_and_options(monkeypatch):
    assert completed(monkeypatch, "m") == ["methods"]
    assert completed(monkeypatch, "run", "--met") == ["--metric", "--methods"]
    assert completed(monkeypatch, "completion", "") == list(SHELLS)
    assert completed(monkeypatch, "run", "--task", "c") == ["classification"]


def test_methods(monkeypatch):
    """In any capitals, and after a comma."""
    assert completed(monkeypatch, "methods", "logi") == ["LogisticRegression", "LogisticRegressionCV"]
    assert completed(monkeypatch, "run", "--methods", "SVC,GaussianN") == ["SVC,GaussianNB"]


@pytest.mark.parametrize("line", ["size,age,code", "\ufeffsize;age;code", "size\tage\tcode", '"size","age","the ""code"""'])
def test_columns(monkeypatch, tmp_path, line):
    """The first line of the table, whatever separates its cells."""
    path = tmp_path / "t.csv"
    path.write_text(f"{line}\n1,2,3\n", encoding="utf-8")
    assert completed(monkeypatch, "run", str(path), "--target", "a") == ["age"]
    assert completed(monkeypatch, "run", str(path), "--keep", "s") == ["size"]


def test_columns_of_other_files(monkeypatch, tmp_path):
    """None, and no error: of a file that is no text, that is not there, of no file."""
    (tmp_path / "t.parquet").write_bytes(b"PAR1\x00\xff,\x01,")
    (tmp_path / "steer.csv").write_bytes(b"a\x1b[2J,b\n")
    assert columns_of(str(tmp_path / "t.parquet")) == columns_of(str(tmp_path / "no.csv")) == columns_of(str(tmp_path)) == []
    assert columns_of(str(tmp_path / "steer.csv")) == []
    assert completed(monkeypatch, "run", "--target", "a") == []
    assert completed(monkeypatch, "show", "m") == ["file,m"]


def test_scripts():
    """Each script names the command and the variable; another shell is refused."""
    for shell in SHELLS:
        said = call("completion", shell)
        assert said.code == 0
        assert VARIABLE in said.out
        assert "aprendiz" in said.out
    assert call("completion", "tcsh").code == 2
    assert "bash, zsh o fish" in call("completion", "tcsh", "--lang", "es").err


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_in_bash(tmp_path):
    """The script of bash, run by bash."""
    program = tmp_path / "aprendiz"
    program.write_text(
        f"#!/bin/sh\nexec {sys.executable} -c 'import sys; from aprendiz.cli.entry import main; sys.exit(main())' \"$@\"\n"
    )
    program.chmod(0o755)
    script = (
        'eval "$(aprendiz completion bash)"; COMP_WORDS=(aprendiz pre); COMP_CWORD=1; _aprendiz_completion aprendiz; '
        'echo "${COMPREPLY[@]}"'
    )
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PYTHONPATH": str(Path(aprendiz.__file__).parents[1]), "PATH": path}
    said = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["predict"]
