"""Sources of rows: arrays in memory, files, Dask collections.

A source is a kind of `Rows` (core/rows.py). It gives blocks, and says what it does in its own way: sum where the data lie, or
give a transformed table back as it came. The door (core/inputs.py) chooses the source; learners know `Rows` alone.
"""
