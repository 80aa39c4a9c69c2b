"""The hash inside kernels is the one of core/random.py, and a change of its constants is noticed by the cache."""

import sys
import types

import numpy as np
import pytest
from entries import entry

from aprendiz.compilation.compiled import key_of_sources
from aprendiz.core import hashing, random

KEYS = np.array([0, 1, 2, 2**31, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1, *range(1000, 1050)], np.uint64)


def test_published_numbers():
    """mix(0), mix(1), … are the first numbers of SplitMix64 with seed 0 (test vector of Vigna's reference implementation)."""
    numbers = [hashing.mix(np.uint64(i)) for i in range(3)]
    assert numbers == [16294208416658607535, 7960286522194355700, 487617019471545679]


def test_mix_is_that_of_arrays():
    """One number gives what an array of numbers gives, also where the sum wraps around."""
    assert [hashing.mix(key) for key in KEYS] == random.mix(KEYS).tolist()


@pytest.mark.parametrize(("seed", "stream"), [(0, 0), (7, 3), (2**31 - 2, 10**9)])
def test_uniform_is_that_of_rows(seed, stream):
    """uniform(stream_key + i) is the number of row i."""
    key = random.stream_key(seed, stream)
    uniform = entry(hashing.uniform)
    assert [uniform(key + np.uint64(i)) for i in range(50)] == random.uniforms(seed, stream, 50).tolist()


def test_largest_uniform_is_below_one():
    """The largest hash is (2⁵³ − 1)/2⁵³. The key that leads to it was found by running the hash backwards."""

    def unshift(z, bits):
        found = z
        for _ in range(64 // bits):
            found = z ^ (found >> bits)
        return found

    whole = 2**64
    z = unshift(whole - 1, 31) * pow(int(random.BETA), -1, whole) % whole
    z = unshift(z, 27) * pow(int(random.ALPHA), -1, whole) % whole
    key = (unshift(z, 30) * pow(int(random.GAMMA), -1, whole) - 1) % whole
    assert hashing.mix(np.uint64(key)) == whole - 1
    assert entry(hashing.uniform)(np.uint64(key)) == 1.0 - 2.0**-53


def test_constants_of_numpy_are_in_the_key(tmp_path, monkeypatch):
    """Numba writes an imported NumPy scalar into machine code: another value is another folder of the cache."""
    file = tmp_path / "kernels.py"
    file.write_text("")

    def key(constant):
        module = types.ModuleType("kernels_with_a_constant")
        module.__file__, module.CONSTANT = str(file), constant
        monkeypatch.setitem(sys.modules, module.__name__, module)
        key_of_sources.cache_clear()
        return key_of_sources(module.__name__)

    assert key(np.uint64(1)) == key(np.uint64(1)) != key(np.uint64(2))
    assert key(np.float32(1)) != key(np.float64(1)) != key((np.uint64(1),))
