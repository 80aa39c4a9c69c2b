"""Parts of the kernels: what a kernel is, the points that it compares, and Gram matrices block by block."""
