"""The examples in docstrings run, and give what they say they give."""

import doctest
import importlib
from pathlib import Path

import pytest

import aprendiz

PACKAGE = Path(aprendiz.__file__).parent
FILES = sorted(file for file in PACKAGE.rglob("*.py") if ">>>" in file.read_text(encoding="utf-8"))


def test_there_are_examples():
    assert len(FILES) >= 50


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_examples(file):
    name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
    assert doctest.testmod(importlib.import_module(name)).failed == 0
