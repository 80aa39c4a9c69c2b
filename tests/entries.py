"""Kernels that only kernels call (`inner=True`) have no entry from Python. Tests give them one."""

import numba


def entry(kernel):
    """A kernel that does nothing but call this one."""
    return numba.njit(lambda *arguments: kernel(*arguments))
