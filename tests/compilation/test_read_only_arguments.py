"""One kernel for arrays that may be written to and for those that may not."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numba.core.errors import TypingError

from aprendiz.compilation.compiled import compiled
from aprendiz.compilation.read_only_arguments import read_arguments


def frozen(a):
    """The same numbers, which may not be written to."""
    a = a.view()
    a.flags.writeable = False
    return a


@compiled(inner=True)
def put(row, value):
    row[0] = value


@compiled(inner=True)
def first_row(table):
    return table[0]


@compiled
def weighted_sums(X, weight, total):
    for i in range(len(X)):
        total[0] += weight[i] * X[i, 0]


@compiled
def through_views(read, by_name, by_kernel, by_return, in_place, in_loop, sorted_here):
    row, other = by_name[0], read[0]
    row[0] = other[0]
    put(by_kernel[0], 1.0)
    first_row(by_return)[0] = 2.0
    in_place += 1.0
    for line in in_loop:
        line[0] = len(read)
    sorted_here[0].sort()
    counts = np.zeros(len(read))
    counts[0] = 1.0
    return counts


def test_one_kernel_for_all_that_it_reads():
    """Four ways to call a kernel that reads two arrays, one kernel compiled."""
    X, weight, total = np.ones((3, 2)), np.arange(3.0), np.zeros(1)
    for a in (X, frozen(X)):
        for b in (weight, frozen(weight)):
            weighted_sums(a, b, total)
    assert total[0] == 12.0
    assert len(weighted_sums.signatures) == 4
    assert len({id(made) for made in weighted_sums.overloads.values()}) == 1


def test_what_is_read_only_is_not_written_to():
    """Numba refuses it as ever."""
    with pytest.raises(TypingError, match="readonly"):
        weighted_sums(np.ones((3, 2)), np.arange(3.0), frozen(np.zeros(1)))


def test_writes_through_views_are_seen():
    """A row of an array, an argument of another kernel, what a kernel returns, `+=`, a loop over rows, a method."""
    assert read_arguments(through_views.py_func) == {0}
    tables = [np.array([[3.0, 2.0, 1.0]]) for _ in range(7)]
    through_views(frozen(tables[0]), *tables[1:])
    assert [table[0].tolist() for table in tables[1:]] == [
        *([3.0, 2.0, 1.0], [1.0, 2.0, 1.0], [2.0, 2.0, 1.0]),
        *([4.0, 3.0, 2.0], [1.0, 2.0, 1.0], [1.0, 2.0, 3.0]),
    ]


def test_a_guess_too_bold_does_no_harm():
    """Where the source does not show that an array is written to, the kernel is compiled for the types it is called with."""

    @compiled
    def hidden(a):
        view = a.reshape(-1) if len(a) else a
        np.ravel(view)[0] = 5.0

    @compiled
    def calls_hidden(a):
        (lambda x: hidden(x))(a)

    a = np.zeros(2)
    calls_hidden(a)
    assert a[0] == 5.0


def test_kernels_on_disk_serve_others(tmp_path):
    """A later process finds the kernel, though it has other types than those it is called with."""
    (tmp_path / "kernels.py").write_text(
        "from aprendiz.compilation.compiled import compiled\n\n@compiled\ndef total(a):\n    s = 0.0\n"
        "    for v in a:\n        s += v\n    return s\n"
    )
    code = """
import numpy as np
from kernels import total
print(total(np.arange(4.0)), sum(total.stats.cache_hits.values()), sum(total.stats.cache_misses.values()))
"""
    settings = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    settings.pop("NUMBA_CACHE_DIR", None)

    for found in (["6.0", "0", "1"], ["6.0", "1", "0"]):
        said = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=True).stdout
        assert said.split() == found
