"""Results reach their pictures by name: every name is that of a public Display, and the method that names it says so."""

import ast
from pathlib import Path

import pytest

import aprendiz
from aprendiz import plots
from aprendiz.core.pictures import display

ROOT = Path(aprendiz.__file__).parent


def methods_that_draw():
    """File, method and name, for each `display("…")` of the package."""
    for file in sorted(ROOT.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "import Picture, display" in text:
            for method in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)):
                for call in ast.walk(method):
                    if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "display":
                        yield pytest.param(method, call.args[0].value, id=f"{file.stem}.{method.name}")


@pytest.mark.parametrize(("method", "name"), list(methods_that_draw()))
def test_a_name_is_that_of_a_picture(method, name):
    """It is public, and `help` tells it with all parameters."""
    assert name in plots.__all__
    assert f"`{name}`" in ast.get_docstring(method)
    assert "Needs matplotlib." in ast.get_docstring(method)
    assert method.returns.id == "Picture"
    assert method.args.kwarg is None
    assert "ax" in [one.arg for one in (*method.args.args, *method.args.kwonlyargs)]


def test_the_class_of_a_name():
    assert display("RocDisplay") is plots.RocDisplay
    with pytest.raises(AttributeError, match="NoSuchDisplay"):
        display("NoSuchDisplay")


def test_they_are_found():
    assert len(list(methods_that_draw())) >= 18
