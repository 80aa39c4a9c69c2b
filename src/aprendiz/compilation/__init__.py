"""How loops become machine code: the decorator of all kernels, its cache, and what makes Numba compile less.

Nothing here knows anything of learning; the core and all families stand on it.
"""
