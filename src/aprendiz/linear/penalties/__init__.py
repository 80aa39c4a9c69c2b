"""Penalties of the size of the coefficients, and how far a penalised fit can be from the best one."""
