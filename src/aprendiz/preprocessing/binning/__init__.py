"""Columns of numbers cut into bins."""
