"""Rows of the original space for points of the space of a kernel."""
