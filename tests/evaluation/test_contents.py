"""The tables of contents of `evaluation` and `plots`."""

import doctest
import subprocess
import sys
from importlib import import_module

import pytest

from aprendiz import evaluation, plots


@pytest.mark.parametrize("topic", [evaluation, plots], ids=["evaluation", "plots"])
def test_every_name_is_there(topic):
    """Every public name is listed, says what it is for, and is no module."""
    assert topic.__all__
    for name in topic.__all__:
        value = getattr(topic, name)
        assert name in dir(topic)
        assert name.isupper() or (value.__name__ == name and value.__doc__)  # capitals: a table, such as METRICS


@pytest.mark.parametrize("file", ["confusion", "roc", "regression_errors"])
def test_examples(file):
    """What the examples of the documentation print is what is printed."""
    result = doctest.testmod(import_module(f"aprendiz.evaluation.{file}"))
    assert result.attempted > 0
    assert result.failed == 0


def test_imports_are_light():
    """Neither measuring nor preparing a picture loads matplotlib."""
    code = "import sys; from aprendiz.evaluation import confusion, roc; from aprendiz.plots import *; "
    code += "print(confusion([0, 1], [1, 1]), roc([0, 1], [1, 2])); "
    code += "assert 'matplotlib' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
