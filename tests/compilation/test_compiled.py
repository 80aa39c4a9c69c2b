"""The decorator of the kernels: licences, the cache, and what happens where nothing can be written."""

import ast
import operator
import os
import subprocess
import sys
import time
import warnings
from functools import cache
from pathlib import Path

import numba
import numpy as np
import pytest

import aprendiz
from aprendiz.compilation.compiled import DAYS, LICENCES, compiled
from aprendiz.compilation.inner_kernels import SharedAnswers

PATIENCE = 900  # seconds: many times what a process takes on a machine of its own

MODULE = """
from aprendiz.compilation.compiled import compiled

@compiled
def total(values):
    s = 0.0
    for v in values:
        s += v
    return s

@compiled(exact=True)
def lost(a, b):
    s = a + b
    return (s - a) - b
"""


def test_options():
    """No GIL, NumPy's division, four licences, and none at all for compensated sums."""

    def kernel(a):
        return a

    def options(function):
        return function.targetoptions

    usual, exact = options(compiled(kernel)), options(compiled(exact=True)(kernel))
    assert usual["nogil"]
    assert usual["error_model"] == "numpy"
    assert set(usual["fastmath"]) == LICENCES == {"reassoc", "contract", "nsz", "arcp"}
    assert not exact["fastmath"]
    assert exact["nogil"]


def test_nan_and_infinity_keep_their_meaning():
    """Under the licences NaN stays NaN, infinity stays infinity, and 0/0 is NaN and no error."""

    @compiled
    def examine(values):
        bad, s = 0, 0.0
        for v in values:
            if np.isnan(v) or np.isinf(v):
                bad += 1
            s += v
        return bad, s, values[0] / values[1]

    bad, total, ratio = examine(np.array([0.0, 0.0, np.nan, np.inf]))
    assert bad == 2
    assert np.isnan(total)
    assert np.isnan(ratio)


def test_exact_keeps_what_rounding_lost():
    """Without licences the error of a sum can be computed: it is not simplified away."""

    @compiled(exact=True)
    def lost(a, b):
        s = a + b
        return (s - a) - b

    assert lost(1.0, 1e-17) == -1e-17


def test_falls_back_where_nothing_is_writable(monkeypatch):
    """Numba's "no locator available" leads to a kernel without a cache, without a word."""
    asked, njit = [], numba.njit

    def without_locator(*arguments, cache=False, **options):
        asked.append((cache, options))
        if cache:
            raise RuntimeError("cannot cache function 'double': no locator available for file 'kernels.py'")
        return njit(*arguments, **options)

    monkeypatch.setattr(numba, "njit", without_locator)
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        @compiled(exact=True)
        def double(a):
            return 2 * a

        assert double(21) == 42
    assert [cache for cache, _ in asked][:2] == [True, False]  # the first compilation of a process makes Numba ask for more
    assert asked[0][1] == asked[1][1]  # nothing else differs


def test_other_errors_are_not_hidden(monkeypatch):
    """An error that has nothing to do with the cache comes out."""

    def broken(*_, **__):
        raise RuntimeError("no compiler")

    monkeypatch.setattr(numba, "njit", broken)
    with pytest.raises(RuntimeError, match="no compiler"):
        compiled(lambda a: a)


def run(code, folder, **environment):
    """Run code in a new process that finds aprendiz and the modules of a folder; warnings are errors."""
    path = os.pathsep.join([str(folder), str(Path(aprendiz.__file__).parents[1])])
    settings = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "PYTHONPYCACHEPREFIX")}
    settings |= {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **{k: str(v) for k, v in environment.items()}}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=settings, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


CODE = """
import numpy as np, kernels
print(kernels.total(np.arange(5.0)), kernels.lost(1.0, 1e-17), kernels.total.stats.cache_path)
"""


def test_process_that_can_write_nowhere(tmp_path):
    """Where files stand in the way of every cache folder (even for a superuser), kernels work, quietly and uncached."""
    (tmp_path / "kernels.py").write_text(MODULE)
    (tmp_path / "__pycache__").write_text("not a folder")
    (tmp_path / "file").write_text("not a folder")
    blocked = tmp_path / "file" / "below"
    out = run(CODE, tmp_path, NUMBA_CACHE_DIR=blocked, XDG_CACHE_HOME=blocked, HOME=blocked, LOCALAPPDATA=blocked)
    assert out.split() == ["10.0", "-1e-17", "None"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="a superuser may write to read-only folders")
def test_process_in_read_only_folders(tmp_path):
    """The same with folders that are there but must not be written to."""
    (tmp_path / "kernels.py").write_text(MODULE)
    tmp_path.chmod(0o555)
    try:
        out = run(CODE, tmp_path, NUMBA_CACHE_DIR=tmp_path / "a", XDG_CACHE_HOME=tmp_path / "b", HOME=tmp_path)
    finally:
        tmp_path.chmod(0o755)
    assert out.split() == ["10.0", "-1e-17", "None"]


CALLER = """
from aprendiz.compilation.compiled import compiled
import callee, constants
from constants import OFFSET, Pair

@compiled
def twice(pair: Pair):
    return 2.0 * callee.changed(pair.a) + OFFSET
"""
CALLEE = """
from aprendiz.compilation.compiled import compiled
from deepest import innermost

@compiled
def changed(x):
    return innermost(x)
"""
DEEPEST = """
from aprendiz.compilation.compiled import compiled

@compiled
def innermost(x):
    return x + 1.0

@compiled
def other(x):
    return x
"""
CONSTANTS = """
from typing import NamedTuple
OFFSET = 0.0

class Pair(NamedTuple):
    a: float
    b: float
"""
FOREIGN = """
import numba

@numba.njit(cache=True)
def foreign(x):
    return x
"""
ANSWER = """
import caller, constants, deepest, foreign
print(caller.twice(constants.Pair(a=1.0, b=5.0)), deepest.other(1.0), foreign.foreign(1.0))
print(*(sum(k.stats.cache_misses.values()) for k in (caller.twice, deepest.other, foreign.foreign)))
"""


def test_edit_in_another_file_is_noticed(tmp_path):
    """A kernel is compiled again when a kernel, a constant or a record in another file changes, however far away, and only
    then; a Numba cache of somebody else stays where it was, in the folder of its module."""
    source, cache = tmp_path / "source", tmp_path / "cache"
    source.mkdir()
    files = {"caller": CALLER, "callee": CALLEE, "deepest": DEEPEST, "constants": CONSTANTS, "foreign": FOREIGN}
    for name, text in files.items():
        (source / f"{name}.py").write_text(text)

    def outcome():
        answers, misses = run(ANSWER, source, XDG_CACHE_HOME=cache, LOCALAPPDATA=cache, HOME=tmp_path).splitlines()
        return [float(v) for v in answers.split()], [int(v) for v in misses.split()]

    assert outcome() == ([4.0, 1.0, 1.0], [1, 1, 1])
    assert outcome() == ([4.0, 1.0, 1.0], [0, 0, 0])  # nothing changed
    (source / "deepest.py").write_text(DEEPEST.replace("x + 1.0", "x + 2.0"))
    assert outcome() == ([6.0, 1.0, 1.0], [1, 1, 0])
    (source / "constants.py").write_text(CONSTANTS.replace("0.0", "10.0"))
    assert outcome() == ([16.0, 1.0, 1.0], [1, 0, 0])
    (source / "deepest.py").write_text(DEEPEST)
    (source / "constants.py").write_text(CONSTANTS.replace("a: float\n    b: float", "b: float\n    a: float"))
    assert outcome() == ([4.0, 1.0, 1.0], [1, 0, 0])  # a kernel for the old order would take b for a
    (source / "constants.py").write_text(CONSTANTS)
    assert outcome() == ([4.0, 1.0, 1.0], [0, 0, 0])  # the old kernels are still there
    in_source = [path.name for path in source.rglob("*.nbc")]
    assert in_source
    assert all(name.startswith("foreign.") for name in in_source)


def test_unused_kernels_are_removed(tmp_path):
    """Kernels of earlier sources go when nobody has used them for a month and new ones are compiled."""
    (tmp_path / "kernels.py").write_text(MODULE)
    code = "import numpy as np, kernels; kernels.total(np.arange(5.0)); print(sum(kernels.total.stats.cache_misses.values()))"
    home = tmp_path / "cache" / "aprendiz" / "kernels"

    def misses():
        return int(run(code, tmp_path, NUMBA_CACHE_DIR=tmp_path / "cache"))

    assert misses() == 1
    (first,) = home.iterdir()
    long_ago = time.time() - (DAYS + 1) * 86_400
    os.utime(first, (long_ago, long_ago))
    assert misses() == 0  # it is used again, so it stays
    (tmp_path / "kernels.py").write_text(MODULE + "\n")
    assert misses() == 1
    assert first in set(home.iterdir())
    os.utime(first, (long_ago, long_ago))
    (tmp_path / "kernels.py").write_text(MODULE + "\n\n")
    assert misses() == 1
    assert first not in set(home.iterdir())


PLAIN = {"Array", "int", "float", "bool", "object", "np.float32", "np.uint64", "None"}  # all else is a record
ARRAY = ("shape", "dtype", "size", "T", "ndim", "ravel", "copy", "view", "itemsize", "max")  # all else is a field of a record


def test_kernels_name_the_records_they_take():
    """A kernel that reads a field of an argument says in its annotation which record that is: so its file imports the record,
    and its cache knows the order of the fields."""
    kernels = 0
    for file, tree in sources().items():
        for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
            if not is_kernel(function):
                continue
            kernels += 1
            assert all(argument.annotation for argument in function.args.args), f"{file.name}, {function.name}"
            plain = {
                argument.arg
                for argument in function.args.args
                if {part.strip() for part in ast.unparse(argument.annotation).split("|")} <= PLAIN
            }
            read = [node for node in ast.walk(function) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
            fields = [ast.unparse(node) for node in read if node.value.id in plain and node.attr not in ARRAY]
            assert not fields, f"{file.name}, {function.name}: {fields}"
    assert kernels > 200


def test_inner_kernels_are_called_by_kernels_only():
    """Python has no entry to an inner kernel: a call would end the process. So no name of one stands outside of kernels, in the
    file that defines it or in one that imports it."""
    trees, inner = sources(), set()
    for file, tree in trees.items():
        inner |= {(module_of(file), node.name) for node in tree.body if is_kernel(node, "inner=True")}
    assert len(inner) > 100
    for file, tree in trees.items():
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        names = {name for module, name in inner if module == module_of(file)}
        names |= {part.name for node in imports for part in node.names if (node.module, part.name) in inner}
        for node in tree.body if names else ():
            if not is_kernel(node):
                read = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
                assert not names & read, f"{file.name}, line {node.lineno}"


@cache
def sources():
    """The files of aprendiz that have kernels or import from such, parsed."""
    texts = {file: file.read_text() for file in sorted(Path(aprendiz.__file__).parent.rglob("*.py"))}
    homes = [f"from {module_of(file)} import" for file, text in texts.items() if "@compiled" in text]
    return {file: ast.parse(text) for file, text in texts.items() if "@compiled" in text or any(home in text for home in homes)}


def is_kernel(node, how="compiled"):
    """Is this a function with the decorator?"""
    return isinstance(node, ast.FunctionDef) and any(how in ast.unparse(decorator) for decorator in node.decorator_list)


def module_of(file):
    """The name of a module of aprendiz."""
    return ".".join(file.relative_to(Path(aprendiz.__file__).parent.parent).with_suffix("").parts)


def test_inner_kernels_are_no_machine_code_of_their_own():
    """An inner kernel is copied into its caller, also from the cache, and the answer is the same as without."""

    @compiled(inner=True)
    def square(x):
        return x * x

    @compiled
    def squares(values):
        s = 0.0
        for v in values:
            s += square(v)
        return s

    assert squares(np.arange(5.0)) == 30.0
    (signature,) = square.signatures
    library = square.overloads[signature].library
    assert not [function.name for function in library.get_defined_functions()]
    assert "fmul" in str(library._get_module_for_linking())


def test_answers_about_types_are_kept_where_they_are_the_same_everywhere():
    """`sum` of a tuple becomes a kernel of Numba's with the licences of its caller: an exact caller gets one of its own."""

    @compiled
    def quick(a, b):
        return sum((a, b, -a))

    @compiled(exact=True)
    def exact(a, b):
        return sum((a, b, -a))

    assert quick(1e17, 1.0) == 1.0  # a − a is gone
    assert exact(1e17, 1.0) == 0.0
    context = SharedAnswers.of(numba.core.registry.cpu_target.typing_context)
    numbers = (numba.types.float64,) * 2
    first, second = (context.resolve_function_type(operator.add, numbers, {}) for _ in range(2))
    assert first is second is context.answers[operator.add, numbers]
    assert context.resolve_function_type(sum, (numba.types.Tuple(numbers),), {}) is not None
    assert not any(question[0] is sum for question in context.answers)
